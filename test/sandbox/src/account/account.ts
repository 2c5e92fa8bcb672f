import type { Clock } from '../clock.js';
import { Collection, type ChangeListener } from './collection.js';
import { ContactCollection } from './contact-collection.js';
import type { Journal, StoredRecord } from './journal.js';
import { contactRecordSchema } from './contact-record.js';
import {
  automationRecordSchema,
  counterRecordSchema,
  designRecordSchema,
  emailRecordSchema,
  eventRecordSchema,
  groupRecordSchema,
  keyRecordSchema,
  propertyRecordSchema,
  requestLogEntrySchema,
  templateRecordSchema,
  type Hideable,
  type KeyRecord,
} from './records.js';

/** Used keys are looked through for forgotten ones when there are so many, and then at twice as many as are left. */
const FEW_KEYS = 1_000;

/** All that one account of the service holds. Kept in memory, and written through to a journal. */
export class Account {
  readonly templates;
  readonly designs;
  readonly automations;
  readonly groups;
  readonly properties;
  readonly contacts;
  readonly emails;
  readonly events;
  readonly keys;
  readonly requests;
  readonly #counters;
  readonly #all: Pick<Collection<StoredRecord>, 'load' | 'clear'>[] = [];
  #manyKeys = FEW_KEYS;
  #resets = 0;

  constructor(
    readonly clock: Clock,
    readonly journal: Journal,
    changed: ChangeListener = () => undefined,
  ) {
    const keep = <Kept extends Pick<Collection<StoredRecord>, 'load' | 'clear'>>(collection: Kept): Kept => {
      this.#all.push(collection);
      return collection;
    };
    this.templates = keep(new Collection('templates', templateRecordSchema, journal, changed));
    this.designs = keep(new Collection('designs', designRecordSchema, journal, changed));
    this.automations = keep(new Collection('automations', automationRecordSchema, journal, changed));
    this.groups = keep(new Collection('groups', groupRecordSchema, journal, changed));
    this.properties = keep(new Collection('properties', propertyRecordSchema, journal, changed));
    this.contacts = keep(new ContactCollection('contacts', contactRecordSchema, journal, changed));
    this.emails = keep(new Collection('emails', emailRecordSchema, journal, changed));
    this.events = keep(new Collection('events', eventRecordSchema, journal, changed));
    this.keys = keep(new Collection('keys', keyRecordSchema, journal, changed));
    this.requests = keep(new Collection('requests', requestLogEntrySchema, journal, changed));
    this.#counters = keep(new Collection('counters', counterRecordSchema, journal, () => undefined));
    for (const collection of this.#all) collection.load();
  }

  /** A number that was not given before for that kind, counting from 1. */
  nextNumber(kind: string): number {
    const last = (this.#counters.get(kind)?.last ?? 0) + 1;
    this.#counters.put({ id: kind, last });
    return last;
  }

  /** An id that was not given before: `email-1`, `email-2`, ... */
  nextId(kind: string): string {
    return `${kind}-${this.nextNumber(kind)}`;
  }

  /** Whether nothing was ever kept here: a new account, or a new data file. */
  get untouched(): boolean {
    return this.#counters.size === 0 && this.groups.size === 0;
  }

  /** How often everything was replaced. A call that began before that does not belong here. */
  get resets(): number {
    return this.#resets;
  }

  /** What makes a new record show only after a delay, in milliseconds. */
  hiddenFor(delayMs: number): Hideable {
    const now = this.clock.now();
    return delayMs === 0 ? {} : { hidden: { from: now, until: now + delayMs } };
  }

  shows({ hidden }: Hideable): boolean {
    const now = this.clock.now();
    return hidden === undefined || now < hidden.from || now >= hidden.until;
  }

  /** Notes that an idempotency key was used, now. */
  useKey(key: Omit<KeyRecord, 'until'>, lifetimeMs: number): void {
    // Deleted first, so that keys stay in the order of their use.
    this.keys.delete(key.id);
    this.keys.put({ ...key, until: this.clock.now() + lifetimeMs });
    if (this.keys.size >= this.#manyKeys) this.forgetKeys();
  }

  /** Whether a key was used so long ago that it can be reused. */
  isForgotten({ until }: KeyRecord): boolean {
    return this.clock.now() >= until;
  }

  forgetKeys(): void {
    for (const key of this.keys.values()) if (this.isForgotten(key)) this.keys.delete(key.id);
    this.#manyKeys = Math.max(FEW_KEYS, this.keys.size * 2);
  }

  /** Removes everything; ids start at 1. */
  clear(): void {
    this.#resets += 1;
    for (const collection of this.#all) collection.clear();
  }
}
