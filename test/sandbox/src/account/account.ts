import type { Clock } from '../clock.js';
import { Collection } from './collection.js';
import type { ChangeListener } from './collection.js';
import { ContactCollection } from './contact-collection.js';
import type { Journal } from './journal.js';
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
} from './records.js';

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
  readonly #all: readonly { load(): void; clear(): void }[];

  constructor(
    readonly clock: Clock,
    readonly journal: Journal,
    changed: ChangeListener = () => undefined,
  ) {
    this.templates = new Collection('templates', templateRecordSchema, journal, changed);
    this.designs = new Collection('designs', designRecordSchema, journal, changed);
    this.automations = new Collection('automations', automationRecordSchema, journal, changed);
    this.groups = new Collection('groups', groupRecordSchema, journal, changed);
    this.properties = new Collection('properties', propertyRecordSchema, journal, changed);
    this.contacts = new ContactCollection('contacts', contactRecordSchema, journal, changed);
    this.emails = new Collection('emails', emailRecordSchema, journal, changed);
    this.events = new Collection('events', eventRecordSchema, journal, changed);
    this.keys = new Collection('keys', keyRecordSchema, journal, changed);
    this.requests = new Collection('requests', requestLogEntrySchema, journal, changed);
    this.#counters = new Collection('counters', counterRecordSchema, journal, () => undefined);
    this.#all = [
      this.templates,
      this.designs,
      this.automations,
      this.groups,
      this.properties,
      this.contacts,
      this.emails,
      this.events,
      this.keys,
      this.requests,
      this.#counters,
    ];
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

  /** Removes everything; ids are counted from 1 again. */
  clear(): void {
    for (const collection of this.#all) collection.clear();
  }
}
