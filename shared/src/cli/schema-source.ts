import type { ContactSchema } from '../client/contact-schema.js';
import type { EventSchema } from '../client/event-schema.js';
import type { TransactionalEmail } from '../contract/types.js';

/** TypeScript source of a module that declares the custom properties and the designs of an account, and the events. */
export function schemaSource(
  contacts: ContactSchema,
  designs: readonly TransactionalEmail[],
  events?: EventSchema,
): string {
  const properties = Object.entries(contacts).map(([name, type]) => `  ${name}: '${type}',`);
  const emails = [...designs]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(
      ({ id, name, dataVariables }) =>
        `  /** ${name.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n  ${quoted(id)}: [${dataVariables.map(quoted).join(', ')}],`,
    );
  return `import { ${['defineContactSchema', 'defineEmailSchema', ...(events === undefined ? [] : ['defineEventSchema'])].join(', ')} } from 'audience-core';

/** Custom properties of contacts. */
export const contactSchema = defineContactSchema(${objectOf(properties)});

/** Transactional emails with their variables. */
export const emailSchema = defineEmailSchema(${objectOf(emails)});
${events === undefined ? '' : eventSource(events)}`;
}

function eventSource(events: EventSchema): string {
  const lines = Object.entries(events).map(([name, properties]) => {
    const types = Object.entries(properties).map(([property, type]) => `${quoted(property)}: '${type}'`);
    return `  ${quoted(name)}: {${types.length === 0 ? '' : ` ${types.join(', ')} `}},`;
  });
  return `
/** Events with the types of their properties. */
export const eventSchema = defineEventSchema(${objectOf(lines)});
`;
}

function objectOf(lines: readonly string[]): string {
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`;
}

function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}
