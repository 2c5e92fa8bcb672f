import { createHash } from 'node:crypto';
import Mustache from 'mustache';
import type { PropertyValue } from 'audience-core';
import type { TemplateRecord } from '../account/records.js';

export type Variables = Readonly<Record<string, PropertyValue>>;

export function templateRecord(subject: string, body: string): TemplateRecord {
  const id = createHash('sha256')
    .update(JSON.stringify([subject, body]))
    .digest('hex')
    .slice(0, 16);
  return { id, subject, body };
}

/** Names of the variables that a text with `{{variables}}` uses, each once, in order. @throws Error for a template that cannot be read. */
export function variablesOf(...texts: readonly string[]): string[] {
  const names = new Set<string>();
  for (const text of texts) collectNames(Mustache.parse(text), names);
  return [...names];
}

function collectNames(tokens: Mustache.TemplateSpans, names: Set<string>): void {
  for (const [type, name, , , nested] of tokens) {
    if (type === 'name' || type === '&' || type === '#' || type === '^') {
      if (name !== '.') names.add(name);
    }
    if (Array.isArray(nested)) collectNames(nested, names);
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
