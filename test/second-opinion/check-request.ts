import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { byHand, type Endpoint } from './document.js';

/** A request as a server received it. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What a request was taken for, and what is wrong with it. */
export interface Verdict {
  /** Method and path of the endpoint, as the document writes them. */
  readonly endpoint: string | undefined;
  readonly problems: readonly string[];
}

// Every test file with a server loads this: the schemas themselves are checked once, in second-opinion.test.ts.
const options = { strict: false, allErrors: true, validateSchema: false };
const bodies = new Ajv2020(options);
// What stands in a path, a query or a header is text; "10" is an integer there.
const texts = new Ajv2020({ ...options, coerceTypes: true });

interface Checks {
  readonly parameters: Readonly<Record<Endpoint['parameters'][number]['in'], ValidateFunction>>;
  readonly body: ValidateFunction | undefined;
}

const compiled = new Map<Endpoint, Checks>();

/** The checks of an endpoint, compiled when it is first called. */
function checksOf(endpoint: Endpoint): Checks {
  const known = compiled.get(endpoint);
  if (known !== undefined) return known;
  const checks: Checks = {
    parameters: {
      path: parametersIn(endpoint, 'path'),
      query: parametersIn(endpoint, 'query'),
      header: parametersIn(endpoint, 'header'),
    },
    body: endpoint.requestBody && bodies.compile(endpoint.requestBody.content['application/json'].schema),
  };
  compiled.set(endpoint, checks);
  return checks;
}

const paths = byHand.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

function parametersIn(endpoint: Endpoint, place: 'path' | 'query' | 'header'): ValidateFunction {
  const found = endpoint.parameters.filter((parameter) => parameter.in === place);
  return texts.compile({
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [nameIn(place, name), schema])),
    required: found.filter(({ required }) => required).map(({ name }) => nameIn(place, name)),
    additionalProperties: false,
  });
}

/** Headers are written in small or capital letters, and Node gives them in small ones. */
function nameIn(place: string, name: string): string {
  return place === 'header' ? name.toLowerCase() : name;
}

/** Reads a request by the document that was written by hand. */
export function checkRequest({ method, target, headers, body }: WireRequest): Verdict {
  // A base URL may have a path before /v1.
  const url = new URL(target.slice(Math.max(0, target.indexOf('/v1/'))), 'http://service');
  const found = paths.find(({ endpoint, path }) => endpoint.method === method && path.test(url.pathname));
  if (found === undefined)
    return { endpoint: undefined, problems: [`no endpoint ${method} ${url.pathname}`] };
  const { endpoint, path } = found;
  const { parameters, body: validateBody } = checksOf(endpoint);
  const inPath = Object.entries(path.exec(url.pathname)?.groups ?? {});
  const key = headers['idempotency-key'];
  return {
    endpoint: `${endpoint.method} ${endpoint.path}`,
    problems: [
      ...inPath.flatMap(([name, value]) => (value.includes('@') ? [`path ${name}: @ is not encoded`] : [])),
      ...problemsOf(
        'path',
        parameters.path,
        Object.fromEntries(inPath.map(([name, value]) => [name, decodeURIComponent(value)])),
      ),
      ...problemsOf(
        'query',
        parameters.query,
        Object.fromEntries([...url.searchParams].map(([name, value]) => [name, value])),
      ),
      ...problemsOf('header', parameters.header, key === undefined ? {} : { 'idempotency-key': key }),
      ...(/^Bearer \S+$/.test(String(headers['authorization']))
        ? []
        : ['header Authorization: no bearer token']),
      ...bodyProblems(validateBody, headers, body),
    ],
  };
}

function bodyProblems(
  validate: ValidateFunction | undefined,
  headers: WireRequest['headers'],
  body: string,
): string[] {
  if (validate === undefined) return body === '' ? [] : ['body: there should be none'];
  if (!/^application\/json\b/i.test(String(headers['content-type'])))
    return ['header Content-Type: not application/json'];
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return ['body: not JSON'];
  }
  return problemsOf('body', validate, value);
}

function problemsOf(part: string, validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${part}${instancePath}: ${message ?? 'wrong'} ${JSON.stringify(params)}`,
  );
}
