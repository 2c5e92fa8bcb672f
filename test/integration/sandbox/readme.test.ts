import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/v4-mini';

const ROOT = resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const README = read('test/sandbox/README.md');
const { repository } = z
  .object({ repository: z.object({ url: z.string() }) })
  .parse(JSON.parse(read('package.json')));
const ADDRESS = repository.url.replace(/^git\+|\.git$/g, '');

test('links are absolute, and those into the repository lead to a page', () => {
  const links = [...README.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) {
    expect(link).toMatch(/^https:\/\//);
    if (!link.startsWith(ADDRESS)) continue;
    const [page = '', heading] = link.slice(ADDRESS.length).replace('/blob/main/', '').split('#');
    const file = page === '' ? 'README.md' : page;
    expect({ link, isThere: existsSync(join(ROOT, file)) }).toEqual({ link, isThere: true });
    if (heading !== undefined)
      expect(read(file).toLowerCase()).toContain(`# ${heading.replaceAll('-', ' ')}`);
  }
});

test('it is at most as long as five minutes of reading', () => {
  expect(README.split('\n').length).toBeLessThanOrEqual(201);
});
