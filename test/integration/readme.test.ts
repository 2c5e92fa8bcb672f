import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/v4-mini';

const ROOT = resolve(__dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const { scripts: SCRIPTS, repository } = z
  .object({ scripts: z.record(z.string(), z.string()), repository: z.object({ url: z.string() }) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** Pages that npm and n8n show without the files around them name the repository in their links. */
const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, '');

test('the program in the README is the example that the demo runs', () => {
  const example = readFileSync(join(ROOT, 'pulumi-provider/examples/getting-started/index.ts'), 'utf8');
  const [, shown = ''] = /```ts\n([\s\S]*?)```/.exec(README) ?? [];
  const lines = shown.split('\n');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(example.split('\n')).toContain(line);
});

test.each(['README.md', 'CONTRIBUTING.md', 'RELEASING.md', 'AGENTS.md'])(
  'every npm script of the root that %s names exists',
  (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const named = [...text.matchAll(/\bnpm run ([a-z][a-z:0-9]*)\b(?! -w)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((name = '') => SCRIPTS[name] === undefined)).toEqual([]);
  },
);

const PAGES = globSync(['*.md', '{shared,pulumi-provider,n8n-nodes,test/sandbox}/{,docs/,examples/*/}*.md'], {
  cwd: ROOT,
  exclude: isNoSource,
}).filter((page) => !page.endsWith('CHANGELOG.md'));

test('pages of packages are among those that are checked', () => {
  expect(PAGES).toContain('pulumi-provider/docs/native-plugin.md');
});

test.each(PAGES)('%s runs our commands only where they are installed', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  // Without --no, npx asks the registry for a package of this name, and runs it.
  expect(text.match(/npx (audience-\w+|pulumi-audience)/g) ?? []).toEqual([]);
});

test.each(PAGES)('every link of %s leads to an existing page and heading', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  for (const link of links.filter((target) => !target.includes('://') || target.startsWith(REPOSITORY))) {
    const [file = '', heading] = link.split('#');
    const target = fileOf(file, page);
    expect({ link, isThere: existsSync(target) }).toEqual({ link, isThere: true });
    if (heading !== undefined) expect(headingsOf(readFileSync(target, 'utf8'))).toContain(heading);
  }
});

test("npm shows the sandbox's page alone, so its links are absolute", () => {
  const text = readFileSync(join(ROOT, 'test/sandbox/README.md'), 'utf8');
  expect(text).toContain('](https://');
  expect(text).not.toMatch(/\]\((?!https:)/);
});

/** The file that a link of a page leads to, also where it names the repository. */
function fileOf(link: string, page: string): string {
  if (link === '') return join(ROOT, page);
  if (link === REPOSITORY) return join(ROOT, 'README.md');
  return link.startsWith(REPOSITORY)
    ? join(ROOT, link.slice(REPOSITORY.length).replace(/^\/(blob|raw|tree)\/main/, ''))
    : join(dirname(join(ROOT, page)), link);
}

/** The anchors of a page's headings. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(['shared', 'pulumi-provider', 'n8n-nodes', 'test/sandbox'])(
  'the messages in the README of %s are those of the source',
  (folder) => {
    const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    const [, table = ''] = /## Troubleshooting\n([\s\S]*?)\n## /.exec(readme) ?? [];
    const messages = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message);
    expect(messages.length).toBeGreaterThan(4);
    const sources = ['shared/src', folder]
      .flatMap((source) => globSync(`${source}/**/*.ts`, { cwd: ROOT, exclude: isNoSource }))
      .map((file) => readFileSync(join(ROOT, file), 'utf8'));
    for (const message of messages) {
      expect({ message, isThere: sources.some((source) => source.includes(message)) }).toEqual({
        message,
        isThere: true,
      });
    }
  },
);

function isNoSource(name: string): boolean {
  return name.includes('node_modules') || name.includes('dist') || name.endsWith('.test.ts');
}
