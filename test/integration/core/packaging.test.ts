import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

jest.setTimeout(120_000);

let folder: string;
let tarball: string;

function run(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A project of somebody else's: nothing of this repository but the packed package. */
function project(name: string, type: 'commonjs' | 'module', source: string): string {
  const dir = join(folder, name);
  run('mkdir', [dir], folder);
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, private: true, type }));
  writeFileSync(
    join(dir, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2022',
        strict: true,
        types: ['node'],
        outDir: 'out',
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      files: ['index.ts'],
    }),
  );
  writeFileSync(join(dir, 'index.ts'), source);
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], dir);
  return dir;
}

const USE = `
const schema = defineContactSchema({ teamSize: 'number', endsAt: 'date' });
const audience = new AudienceClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', contactSchema: schema, maxRetries: 0 });
async function main(): Promise<void> {
  try {
    const contact = await audience.contacts.get('ada@example.com');
    const endsAt: Date | null | undefined = contact.endsAt;
    console.log(endsAt);
  } catch (error) {
    console.log(error instanceof NetworkError ? error.networkCode : error);
  }
}
void main();
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'audience-core-'));
  run('npm', ['pack', '--silent', '--pack-destination', folder], join(ROOT, 'shared'));
  const [packed] = readdirSync(folder);
  if (packed === undefined) throw new Error('npm pack made no tarball.');
  tarball = join(folder, packed);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the packed package type-checks and runs in a CommonJS project', () => {
  const dir = project(
    'cjs',
    'commonjs',
    `import { AudienceClient, NetworkError, defineContactSchema } from 'audience-core';\n${USE}`,
  );
  run(join(ROOT, 'node_modules/.bin/tsc'), [], dir);
  expect(run('node', ['out/index.js'], dir)).toBe('ECONNREFUSED\n');
  expect(run('node', ['-p', "typeof require('audience-core').AudienceClient"], dir)).toBe('function\n');
  expect(run('node', ['-p', "require('audience-core/openapi.json').openapi"], dir)).toBe('3.1.0\n');
});

test('the packed package type-checks and runs in an ESM project', () => {
  const dir = project(
    'esm',
    'module',
    `import { AudienceClient, NetworkError, defineContactSchema } from 'audience-core';\n${USE}`,
  );
  run(join(ROOT, 'node_modules/.bin/tsc'), [], dir);
  expect(run('node', ['out/index.js'], dir)).toBe('ECONNREFUSED\n');
  expect(readdirSync(join(dir, 'node_modules')).filter((name) => name === 'axios' || name === 'zod')).toEqual(
    ['axios', 'zod'],
  );
});

test('a bundle of one schema holds neither axios nor the client: it tree-shakes, and has no side effects', () => {
  const dir = join(folder, 'bundle');
  run('mkdir', [dir], folder);
  writeFileSync(
    join(dir, 'index.mjs'),
    "import { toUnixSeconds } from 'audience-core/contract'; console.log(toUnixSeconds(new Date(9000)));",
  );
  run(
    join(ROOT, 'node_modules/.bin/esbuild'),
    [
      '--bundle',
      '--platform=node',
      '--format=esm',
      `--alias:audience-core=${join(ROOT, 'shared/dist/esm/index.js')}`,
      '--external:zod',
      '--external:axios',
      '--outfile=out.mjs',
      'index.mjs',
    ],
    dir,
  );
  expect(run('node', ['out.mjs'], dir)).toBe('9\n');
  const size = Number(run('wc', ['-c', 'out.mjs'], dir).trim().split(/\s+/)[0]);
  expect(size).toBeLessThan(1_000);
});

test('publint and arethetypeswrong find nothing', () => {
  const bin = join(ROOT, 'node_modules/.bin');
  expect(run(join(bin, 'publint'), ['run', '--strict', tarball], ROOT)).toContain('All good');
  expect(run(join(bin, 'attw'), [tarball, '--no-color'], ROOT)).toContain('No problems found');
});
