import * as z from 'zod/mini';
import { identifiersIn, requestLogEntrySchema, type RequestLogEntry } from '../account/records.js';
import { readAs } from '../read-as.js';
import { SandboxError } from '../sandbox-error.js';
import { actionEndpoint, controlEndpoint, endpoints } from './endpoint.js';
import { page, pageOf, pageQuery } from './page.js';

const requestFilterSchema = z.strictObject({
  route: z.optional(z.string()).check(z.describe('Endpoint by its operationId.')),
  method: z.optional(z.string()).check(z.describe('HTTP method.')),
  status: z.optional(z.int()).check(z.describe('Status of the response.')),
  key: z.optional(z.string()).check(z.describe('Idempotency key.')),
  path: z.optional(z.string()).check(z.describe('Part of the path.')),
  applied: z.optional(z.enum(['true', 'false'])).check(z.describe('Whether the call was carried out.')),
  search: z
    .optional(z.string())
    .check(z.describe('Part of recipient, path, status, endpoint, method or key.')),
  after: z.optional(z.string()).check(z.describe('Id of a call: only calls after that one are meant.')),
});

/** Which calls of the log are meant; all that is given must fit. */
export type RequestFilter = z.infer<typeof requestFilterSchema>;

/** The calls that fit, in the order of their responses. @throws SandboxError 400 for a wrong filter */
export function filterRequests(entries: Iterable<RequestLogEntry>, wanted: RequestFilter): RequestLogEntry[] {
  const filter = readAs(requestFilterSchema, wanted);
  const all = [...entries];
  const start = filter.after === undefined ? 0 : all.findIndex((entry) => entry.id === filter.after) + 1;
  return all
    .slice(start)
    .filter(
      (entry) =>
        (filter.route === undefined || entry.route === filter.route) &&
        (filter.method === undefined || entry.method === filter.method.toUpperCase()) &&
        (filter.status === undefined || entry.status === filter.status) &&
        (filter.key === undefined || entry.idempotencyKey === filter.key) &&
        (filter.path === undefined || entry.path.includes(filter.path)) &&
        (filter.search === undefined || mentions(entry, filter.search.toLowerCase())) &&
        (filter.applied === undefined || String(entry.applied) === filter.applied),
    );
}

function mentions(entry: RequestLogEntry, part: string): boolean {
  const { method, path, route, status, idempotencyKey, requestBody } = entry;
  const texts = [`${method} ${path}`, route, status, idempotencyKey, ...identifiersIn(requestBody)];
  return texts.some((text) =>
    String(text ?? '')
      .toLowerCase()
      .includes(part),
  );
}

export const requestEndpoints = endpoints('requests', {
  listRequests: controlEndpoint(
    'GET /requests',
    'List the calls that the service received, the newest first',
    { query: z.extend(requestFilterSchema, pageQuery.shape), response: page(requestLogEntrySchema) },
    ({ sandbox, query }) => {
      const { offset, limit, ...filter } = query;
      const found = filterRequests(sandbox.account.requests.values(), filter).reverse();
      return pageOf(found, { offset, limit }, (entry) => entry);
    },
  ),
  getRequest: controlEndpoint(
    'GET /requests/{id}',
    'Read a call with its bodies',
    { idOf: 'the call', response: requestLogEntrySchema },
    ({ sandbox, id }) => {
      const entry = sandbox.account.requests.get(id);
      if (entry === undefined) throw new SandboxError({ code: 'no_request', id }, 404);
      return entry;
    },
  ),
  clearRequests: actionEndpoint('DELETE /requests', 'Empty the log of calls', {}, ({ sandbox }) =>
    sandbox.account.requests.clear(),
  ),
});
