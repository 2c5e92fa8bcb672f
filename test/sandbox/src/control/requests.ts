import * as z from 'zod/mini';
import { identifiersIn, type RequestLogEntry } from '../account/records.js';
import { contract } from 'audience-core/internal';
import { readAs } from '../read-as.js';
import { SandboxError } from '../sandbox-error.js';
import { controlEndpoint } from './endpoint.js';
import { found, pageOf, searchQuery } from './search.js';

const ROUTES = Object.values(contract).map(({ operationId }) => operationId);

const requestFilterSchema = z.strictObject({
  /** Endpoint by its `operationId`. */
  route: z.optional(z.enum(ROUTES)),
  method: z.optional(z.string()),
  /** Status of the response. */
  status: z.optional(z.int()),
  /** Idempotency key. */
  key: z.optional(z.string()),
  /** Part of the path. */
  path: z.optional(z.string()),
  /** Whether the request was applied. */
  applied: z.optional(z.boolean()),
  /** Id of a request: only those after it. */
  after: z.optional(z.string()),
});

/** Which requests of the log; all that is given must fit. */
export type RequestFilter = z.infer<typeof requestFilterSchema>;

/** The requests that fit, in the order of their responses. @throws SandboxError 400 for a wrong filter */
export function filterRequests(entries: Iterable<RequestLogEntry>, wanted: RequestFilter): RequestLogEntry[] {
  const filter = readAs(requestFilterSchema, wanted);
  const all = [...entries];
  const { after } = filter;
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw new SandboxError({ code: 'no_request', id: after });
  return all
    .slice(start)
    .filter(
      (entry) =>
        (filter.route === undefined || entry.route === filter.route) &&
        (filter.method === undefined || entry.method === filter.method.toUpperCase()) &&
        (filter.status === undefined || entry.status === filter.status) &&
        (filter.key === undefined || entry.key === filter.key) &&
        (filter.path === undefined || entry.path.includes(filter.path)) &&
        (filter.applied === undefined || entry.applied === filter.applied),
    );
}

/** The values of a request that a search looks at; an address in its path is encoded there. */
function valuesOf({ method, path, route, status, key, requestBody }: RequestLogEntry) {
  const readable = path.replace(/%40/gi, '@');
  return [`${method} ${path}`, `${method} ${readable}`, route, status, key, ...identifiersIn(requestBody)];
}

export const requestEndpoints = [
  controlEndpoint('GET /requests', { query: searchQuery }, ({ sandbox, query }) => {
    const { search = '', ...range } = query;
    const requests = found(sandbox.account.requests.values(), search, valuesOf);
    return pageOf(requests, range, (entry) => entry);
  }),
  controlEndpoint('POST /requests/find', { body: requestFilterSchema }, ({ sandbox, body }) => ({
    items: filterRequests(sandbox.account.requests.values(), body),
  })),
  controlEndpoint('GET /requests/{id}', {}, ({ sandbox, id }) => {
    const entry = sandbox.account.requests.get(id);
    if (entry === undefined) throw new SandboxError({ code: 'no_request', id }, 404);
    return entry;
  }),
  controlEndpoint('DELETE /requests', {}, ({ sandbox }) => sandbox.account.requests.clear()),
];
