import { isRecord } from 'audience-core/internal';
import type { Contact, ContactProperty } from 'audience-core';
import * as z from 'zod/mini';
import { typeOf, type KnownProperties } from '../../contact-file/fields.js';
import { encodeProgramValue, eventSchema, FIELDS, recordShape } from '../contact-record/fields.js';
import { comparable, isEmail, type Identity } from '../contact-record/identity.js';
import { currentValue, isConsent, joinsOf, valuesOf, type Values } from '../contact-record/values.js';
import { textOf, type Raw } from '../raw.js';
import type { Run } from '../run.js';

export const inputsSchema = z.object({ ...recordShape, createWithEvent: z.optional(eventSchema) });

export const INPUT_NAMES: readonly string[] = Object.keys(inputsSchema.shape);

/** The inputs with the service's address and, of the declared groups, those that the contact may have left. */
export function stateOf(inputs: Raw, left: readonly string[], { client }: Pick<Run, 'client'>): Raw {
  const declared = joinsOf(valuesOf(inputs)).filter((group) => left.includes(group));
  return { ...inputs, address: client.baseUrl, ...(declared.length > 0 && { left: declared }) };
}

export function identityOf({ email, userId }: Raw): Identity {
  return { email: textOf(email)?.normalize('NFC'), userId: textOf(userId)?.normalize('NFC') };
}

/** What inputs or outputs declare, by flat name, for comparison. */
export function declaredIn(raw: Raw): Values {
  return comparable({ ...identityOf(raw), values: valuesOf(raw) });
}

/** The inputs with Unix seconds for dates that are text: state has one form only. */
export function withDatesOnWire(inputs: Raw, known: KnownProperties): Raw {
  return changed(inputs, (name, declared) => {
    const isDate = typeof declared === 'string' && typeOf(name, known) === 'date';
    const read = isDate ? encodeProgramValue('date', declared) : undefined;
    return read?.ok === true ? read.value : declared;
  });
}

/** State with the service's values; `subscribed` and groups stay as declared. */
export function withCurrent({ gone: _, ...state }: Raw, contact: Contact): Raw {
  return changed(state, (name, declared) => {
    if (isConsent(name) || (name === 'email' && isEmail(contact.email, textOf(declared) ?? '')))
      return declared;
    const current = currentValue(contact, name);
    return current === declared ? declared : (current ?? undefined);
  });
}

/** A state without some declared values, by flat name. */
export function withoutNames(state: Raw, names: readonly string[]): Raw {
  return changed(state, (name, declared) => (names.includes(name) ? undefined : declared));
}

/** A state with each declared value changed; `undefined` removes it. */
function changed(state: Raw, change: (flatName: string, declared: unknown) => unknown): Raw {
  const inside = (fields: Raw, prefix = ''): Raw =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, declared]): [string, unknown][] => {
        const value = change(prefix + name, declared);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const own = Object.entries(state).map(([name, value]): [string, unknown] => {
    if (name === 'clear' && Array.isArray(value))
      return [name, value.filter((cleared) => change(String(cleared), null) === null)];
    if (name === 'properties' && isRecord(value)) return [name, inside(value)];
    if (!FIELDS.has(name)) return [name, value];
    return [name, isRecord(value) ? inside(value, `${name}.`) : change(name, value)];
  });
  return Object.fromEntries(own.filter(([, value]) => value !== undefined));
}

/** What an import writes into the program: without groups that the contact is not in, which nobody may mean to leave. */
export function declarableOf(contact: Contact, custom: readonly ContactProperty[]): Raw {
  const groups = Object.entries(contact.subscriptionGroups ?? {}).filter(([, isIn]) => isIn);
  const current: Contact = { ...contact, subscriptionGroups: Object.fromEntries(groups) };
  const valued = (name: string): [string, unknown][] => {
    const value = currentValue(current, name);
    const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
    return isEmpty || (name === 'subscribed' && value !== false) ? [] : [[name, value]];
  };
  const properties = custom.flatMap(({ key }) => valued(key));
  return {
    ...Object.fromEntries([...FIELDS.keys()].flatMap((name) => valued(name))),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}
