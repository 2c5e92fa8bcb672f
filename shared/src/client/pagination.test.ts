import fc from 'fast-check';
import { answer, startScriptedServer } from '../../testing/scripted-server.js';
import type { ScriptedServer } from '../../testing/scripted-server.js';
import { AudienceClient, UnexpectedResponseError, ValidationError } from '../index.js';
import type { TransactionalEmail } from '../index.js';

let server: ScriptedServer;
let audience: AudienceClient;

beforeAll(async () => {
  server = await startScriptedServer();
  audience = new AudienceClient({ baseUrl: server.url, apiKey: 'key', maxRetries: 0 });
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(async () => {
  audience.close();
  await server.close();
});

function design(number: number): TransactionalEmail {
  return {
    id: `d${number}`,
    name: `Design ${number}`,
    lastUpdated: '2026-01-01T00:00:00Z',
    dataVariables: [],
  };
}

function page(items: TransactionalEmail[], nextCursor?: string | null): object {
  const pagination = {
    totalResults: 99,
    returnedResults: items.length,
    perPage: 10,
    totalPages: 9,
    nextCursor,
  };
  return { pagination, data: items };
}

/** Serves `total` designs; a cursor is the position to go on from. */
function serveDesigns(total: number): void {
  server.script((request, response) => {
    const query = new URL(request.url, server.url).searchParams;
    const perPage = Number(query.get('perPage') ?? 20);
    const from = Number(query.get('cursor') ?? 0);
    const to = Math.min(total, from + perPage);
    const items = Array.from({ length: to - from }, (_, index) => design(from + index));
    answer(200, page(items, to < total ? String(to) : null))(request, response);
  });
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const ids = (items: TransactionalEmail[]) => items.map(({ id }) => id);
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `d${from + index}`);

test('yields every item once, for any page size, total and limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10, max: 50 }),
      fc.nat(130),
      fc.option(fc.nat(150), { nil: undefined }),
      async (perPage, total, limit) => {
        serveDesigns(total);
        const items = await collect(audience.transactional.iterate({ perPage, limit }));
        expect(ids(items)).toEqual(range(0, Math.min(total, limit ?? total)));
      },
    ),
    { numRuns: 60 },
  );
});

test('asks for no more than the limit needs', async () => {
  serveDesigns(500);
  await collect(audience.transactional.iterate({ limit: 3 }));
  await collect(audience.transactional.iterate({ limit: 20 }));
  await collect(audience.transactional.iterate({ limit: 60 }));
  await collect(audience.transactional.iterate({ limit: 0 }));
  expect(server.received.map(({ url }) => url)).toEqual([
    '/v1/transactional?perPage=10',
    '/v1/transactional?perPage=20',
    '/v1/transactional?perPage=50',
    '/v1/transactional?perPage=50&cursor=50',
  ]);
});

test('pages() yields whole pages, in order', async () => {
  serveDesigns(25);
  const pages = await collect(audience.transactional.pages({ perPage: 10 }));
  expect(pages.map(({ data }) => data.length)).toEqual([10, 10, 5]);
});

test('overlapping next() calls get different items, in order', async () => {
  serveDesigns(30);
  const iterator = audience.transactional.iterate({ perPage: 10 });
  const results = await Promise.all(Array.from({ length: 31 }, () => iterator.next()));
  expect(results.map(({ value }) => value?.id)).toEqual([...range(0, 30), undefined]);
  expect(server.received).toHaveLength(3);
});

test('a repeated cursor ends in an error, not in a loop', async () => {
  server.script(answer(200, page([design(1)], 'again')));
  const seen: string[] = [];
  const run = async () => {
    for await (const { id } of audience.transactional.iterate()) seen.push(id);
  };
  const error: unknown = await run().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toMatchObject({ status: 200, attempts: 1 });
  expect(String(error)).toContain('repeated the cursor');
  expect(seen).toEqual(['d1', 'd1']);
  expect(server.received).toHaveLength(2);
});

test('a longer cycle of cursors ends in an error too', async () => {
  const next = ['a', 'b', 'c', 'a', 'b'];
  server.script(...next.map((cursor) => answer(200, page([], cursor))));
  await expect(collect(audience.transactional.iterate())).rejects.toThrow(
    'the service repeated the cursor of an earlier page',
  );
  expect(server.received).toHaveLength(4);
});

test('an empty page in the middle does not end the list', async () => {
  server.script(
    answer(200, page([design(1)], 'a')),
    answer(200, page([], 'b')),
    answer(200, page([design(2)])),
  );
  expect(ids(await collect(audience.transactional.iterate()))).toEqual(['d1', 'd2']);
});

test('a list that shrinks during the read ends with its last cursor', async () => {
  server.script(answer(200, page([design(1), design(2)], 'a')), answer(200, page([], '')));
  expect(ids(await collect(audience.transactional.iterate()))).toEqual(['d1', 'd2']);
});

test.each([-1, 1.5, Number.NaN])('limit %d is refused', (limit) => {
  expect(() => audience.transactional.iterate({ limit })).toThrow(ValidationError);
});

test('a failed page ends the iteration with its error, after the items of earlier pages', async () => {
  server.script(answer(200, page([design(1)], 'a')), answer(500));
  const seen: string[] = [];
  const run = async () => {
    for await (const { id } of audience.transactional.iterate()) seen.push(id);
  };
  await expect(run()).rejects.toThrow('the service failed (500)');
  expect(seen).toEqual(['d1']);
});
