import type { EventSchema } from '../client/schema.js';
import { propertyNameProblem } from '../contract/property-names.js';
import type { ContactProperty, TransactionalEmail } from '../contract/types.js';

/** TypeScript source of a module that declares an account's custom properties and designs, and the events. */
export function schemaSource(
  properties: readonly ContactProperty[],
  designs: readonly TransactionalEmail[],
  events: EventSchema = {},
): string {
  const contacts = properties
    .filter(({ key }) => propertyNameProblem(key) === undefined)
    .map(({ key, type }) => `    ${key}: '${type}',`)
    .sort();
  const emails = [...designs]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(
      ({ id, name, dataVariables }) =>
        `    /** ${name.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n    ${quoted(id)}: [${dataVariables.map(quoted).join(', ')}],`,
    );
  const eventLines = Object.entries(events).map(([name, types]) => {
    const all = Object.entries(types).map(([property, type]) => `${quoted(property)}: '${type}'`);
    return `    ${quoted(name)}: {${all.length === 0 ? '' : ` ${all.join(', ')} `}},`;
  });
  return `import { defineSchema } from 'audience-core';

export const schema = defineSchema({
  /** Custom properties of contacts. */
  contacts: ${objectOf(contacts)},
  /** Transactional emails with their variables. */
  emails: ${objectOf(emails)},${
    eventLines.length === 0
      ? ''
      : `
  /** Events with the types of their properties. */
  events: ${objectOf(eventLines)},`
  }
});
`;
}

function objectOf(lines: readonly string[]): string {
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n  }`;
}

function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}
