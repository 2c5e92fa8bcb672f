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

const PLACES = ['path', 'query', 'header'] as const;

interface Checks {
  readonly parameters: ValidateFunction;
  readonly body: ValidateFunction | undefined;
}

const compiled = new Map<Endpoint, Checks>();

/** The checks of an endpoint, compiled when it is first called. */
function checksOf(endpoint: Endpoint): Checks {
  const known = compiled.get(endpoint);
  if (known !== undefined) return known;
  const properties = Object.fromEntries(PLACES.map((place) => [place, parametersIn(endpoint, place)]));
  const { requestBody } = endpoint;
  const checks: Checks = {
    parameters: texts.compile({ type: 'object', properties }),
    body: requestBody && bodies.compile(requestBody.content['application/json'].schema),
  };
  compiled.set(endpoint, checks);
  return checks;
}

const paths = byHand.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

function parametersIn({ parameters }: Endpoint, place: (typeof PLACES)[number]): object {
  const found = parameters.filter((parameter) => parameter.in === place);
  // Headers are written in small or capital letters, and Node gives them in small ones.
  const nameOf = ({ name }: { name: string }) => (place === 'header' ? name.toLowerCase() : name);
  return {
    type: 'object',
    properties: Object.fromEntries(found.map((parameter) => [nameOf(parameter), parameter.schema])),
    required: found.filter(({ required }) => required).map(nameOf),
    additionalProperties: false,
  };
}

/** Reads a request by the document that was written by hand. */
export function checkRequest({ method, target, headers, body }: WireRequest): Verdict {
  // A base URL may have a path before /v1.
  const url = new URL(target.slice(Math.max(0, target.indexOf('/v1/'))), 'http://service');
  const found = paths.find(({ endpoint, path }) => endpoint.method === method && path.test(url.pathname));
  if (found === undefined)
    return { endpoint: undefined, problems: [`no endpoint ${method} ${url.pathname}`] };
  const { endpoint, path } = found;
  const checks = checksOf(endpoint);
  const inPath = Object.entries(path.exec(url.pathname)?.groups ?? {});
  const key = headers['idempotency-key'];
  const parameters = {
    path: Object.fromEntries(inPath.map(([name, value]) => [name, decodeURIComponent(value)])),
    query: Object.fromEntries(url.searchParams),
    header: key === undefined ? {} : { 'idempotency-key': key },
  };
  const isKnown = /^Bearer \S+$/.test(String(headers['authorization']));
  return {
    endpoint: `${endpoint.method} ${endpoint.path}`,
    problems: [
      ...inPath.flatMap(([name, value]) => (value.includes('@') ? [`path ${name}: @ is not encoded`] : [])),
      ...problemsOf('', checks.parameters, parameters),
      ...(isKnown ? [] : ['header Authorization: no bearer token']),
      ...bodyProblems(checks.body, headers, body),
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
