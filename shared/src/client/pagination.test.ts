import fc from 'fast-check';
import { answer, forEachTest, type ScriptedServer } from '../../testing/scripted-server.js';
import { AudienceClient, type TransactionalEmail } from '../index.js';

let server: ScriptedServer;
let audience: AudienceClient;

forEachTest((started) => {
  server = started;
  audience = new AudienceClient({ baseUrl: server.url, apiKey: 'key', maxRetries: 0 });
});
afterEach(() => audience.close());

function design(number: number): TransactionalEmail {
  return { id: `d${number}`, name: 'D', lastUpdated: '2026-01-01T00:00:00Z', dataVariables: [] };
}

function page(data: TransactionalEmail[], nextCursor?: string | null): object {
  const counts = { totalResults: 99, returnedResults: data.length, perPage: 10, totalPages: 9 };
  return { pagination: { ...counts, nextCursor }, data };
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

test('yields every item once, for any page size and total', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 50 }), fc.nat(130), async (perPage, total) => {
      serveDesigns(total);
      const items = await collect(audience.transactional.iterate({ perPage }));
      expect(ids(items)).toEqual(range(0, total));
    }),
    { numRuns: 60 },
  );
});

test('asks for 50 a page, and for no page that is not wanted', async () => {
  serveDesigns(500);
  let wanted = 60;
  for await (const _ of audience.transactional.iterate()) if ((wanted -= 1) === 0) break;
  expect(server.received.map(({ url }) => url)).toEqual([
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

test.each([
  ['an empty page does not end the list', [page([design(1)], 'a'), page([], 'b'), page([design(2)])]],
  ['a list that shrinks ends with its last cursor', [page([design(1), design(2)], 'a'), page([], '')]],
])('%s', async (_what, pages) => {
  server.script(...pages.map((one) => answer(200, one)));
  expect(ids(await collect(audience.transactional.iterate()))).toEqual(['d1', 'd2']);
});

test('a failed page ends the iteration with its error, after the items of earlier pages', async () => {
  server.script(answer(200, page([design(1)], 'a')), answer(500));
  const seen: string[] = [];
  const run = async () => {
    for await (const { id } of audience.transactional.iterate()) seen.push(id);
  };
  await expect(run()).rejects.toMatchObject({ status: 500 });
  expect(seen).toEqual(['d1']);
});
