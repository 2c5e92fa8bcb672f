import type { Endpoint } from './document.js';

/** What a document says, one line for each thing: where it says it, and what. */
export type Facts = ReadonlyMap<string, string>;

/** Everything that a document says of its endpoints, field by field; not how it words or orders it. */
export function factsOf(endpoints: readonly Endpoint[]): Facts {
  const facts = new Map<string, string>();
  for (const { method, path, security, parameters, requestBody, responses } of endpoints) {
    const at = `${method} ${path}`;
    facts.set(`${at} security`, security.join(', '));
    for (const { in: place, name, required, schema } of parameters) {
      if (required) facts.set(`${at} ${place} ${name} required`, 'yes');
      addSchema(facts, `${at} ${place} ${name}`, schema);
    }
    if (requestBody !== undefined) {
      if (requestBody.required) facts.set(`${at} body required`, 'yes');
      addSchema(facts, `${at} body`, requestBody.content['application/json'].schema);
    }
    facts.set(`${at} responses`, Object.keys(responses).join(' '));
    addSchema(facts, `${at} response`, responses['200']?.content?.['application/json'].schema, true);
  }
  return facts;
}

/** What differs, as `where: one | other`. */
export function differences(one: Facts, other: Facts): string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((where) => one.get(where) !== other.get(where))
    .map((where) => `${where}: ${one.get(where) ?? '-'} | ${other.get(where) ?? '-'}`);
}

/** Rules over several fields can be written in many ways: they are compared by what they let through. */
const NOT_COMPARED = new Set(['anyOf', 'if', 'then', 'description', 'examples']);

/** @param isRead whether a client reads it: then `null` is not compared, as any value may be missing. */
function addSchema(facts: Map<string, string>, at: string, schema: unknown, isRead = false): void {
  if (typeof schema === 'boolean') {
    facts.set(at, schema ? 'anything' : 'not allowed');
    return;
  }
  const { type, properties, required, additionalProperties, items, propertyNames, ...limits } =
    withNull(schema);
  const types = [type ?? typeof limits['const']].flat().map(String);
  const compared = isRead ? types.filter((one) => one !== 'null') : types;
  facts.set(`${at} type`, compared.sort().join(' or '));
  if ([type].flat().includes('object')) {
    for (const [name, inner] of fields(properties)) addSchema(facts, `${at}.${name}`, inner, isRead);
    for (const [, name] of fields(required)) facts.set(`${at}.${String(name)} required`, 'yes');
    const { type: _text, not, ...names } = withNull(propertyNames);
    for (const [, name] of fields(withNull(not)['enum'])) addSchema(facts, `${at}.${String(name)}`, false);
    addLimits(facts, `${at}.* name`, names);
    const rest = additionalProperties ?? true;
    addSchema(facts, `${at}.*`, fields(rest).length === 0 && rest !== false ? true : rest, isRead);
  }
  if ([type].flat().includes('array')) addSchema(facts, `${at}[]`, items, isRead);
  const { not: excluded, ...others } = limits;
  for (const [, name] of fields(withNull(excluded)['enum'])) facts.set(`${at} not ${String(name)}`, 'yes');
  addLimits(facts, at, others);
}

function addLimits(facts: Map<string, string>, at: string, limits: Readonly<Record<string, unknown>>): void {
  for (const [keyword, value] of Object.entries(limits)) {
    if (!NOT_COMPARED.has(keyword)) facts.set(`${at} ${keyword}`, JSON.stringify(value));
  }
}

/** The schema with `anyOf: [..., { type: null }]` written as a further type, which says the same. */
function withNull(schema: unknown): Record<string, unknown> {
  const given = Object.fromEntries(fields(schema));
  const [first, second, ...more] = fields(given['anyOf']).map(([, branch]) =>
    Object.fromEntries(fields(branch)),
  );
  if (first === undefined || second?.['type'] !== 'null' || more.length > 0) return given;
  const { anyOf: _anyOf, ...rest } = given;
  return { ...rest, ...first, type: [first['type'], 'null'] };
}

function fields(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
