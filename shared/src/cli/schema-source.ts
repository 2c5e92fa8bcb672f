import { propertyNameProblem } from '../contract/property-names.js';
import type { ContactProperty, TransactionalEmail } from '../types.js';
import { FIRST_LINE } from './output-file.js';

/** TypeScript source of a module that declares an account's custom properties and designs. */
export function schemaSource(
  properties: readonly ContactProperty[],
  designs: readonly TransactionalEmail[],
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
  return `${FIRST_LINE}
import { defineSchema } from 'audience-core';

export const schema = defineSchema({
  /** Custom properties of contacts. */
  contacts: ${objectOf(contacts)},
  /** Transactional emails with their variables. */
  emails: ${objectOf(emails)},
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
