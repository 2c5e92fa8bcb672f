import { createHash } from 'node:crypto';
import Mustache from 'mustache';
import type { TemplateRecord } from '../account/records.js';

/** Any JSON values by their names. */
export type Variables = Readonly<Record<string, unknown>>;

export function templateRecord(subject: string, body: string): TemplateRecord {
  const id = createHash('sha256')
    .update(JSON.stringify([subject, body]))
    .digest('hex')
    .slice(0, 16);
  return { id, subject, body };
}

/**
 * Names of the variables that texts with `{{variables}}` use, each once, in order. Within `{{#items}}` a name may be one
 * of the item, so it is not `expected` then.
 *
 * @throws Error for a template that cannot be read
 */
export function variablesOf(...texts: readonly string[]): { used: string[]; expected: string[] } {
  const used = new Set<string>();
  const expected = new Set<string>();
  for (const text of texts) collectNames(Mustache.parse(text), false, used, expected);
  return { used: [...used], expected: [...expected] };
}

function collectNames(
  tokens: Mustache.TemplateSpans,
  isInItem: boolean,
  used: Set<string>,
  expected: Set<string>,
): void {
  for (const [type, name, , , nested] of tokens) {
    if (['name', '&', '#', '^'].includes(type) && name !== '.') {
      // `{{order.total}}` is a part of the variable `order`.
      const [variable = name] = name.split('.');
      used.add(variable);
      if (!isInItem) expected.add(variable);
    }
    if (Array.isArray(nested)) collectNames(nested, isInItem || type === '#', used, expected);
  }
}

/** Subject with its variables filled in; values are put in as they are. */
export function renderSubject(template: TemplateRecord, variables: Variables): string {
  return Mustache.render(template.subject, bare(variables), {}, { escape: String })
    .replace(/\s+/g, ' ')
    .trim();
}

/** Body as HTML with its variables filled in; values are escaped. */
export function renderBody(template: TemplateRecord, variables: Variables): string {
  return Mustache.render(template.body, bare(variables));
}

/** Without a prototype, so that `{{constructor}}` is a missing variable like any other. */
function bare(variables: Variables): object {
  return { __proto__: null, ...variables };
}
