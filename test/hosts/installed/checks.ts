import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod/v4-mini';
import { Stack } from '../pulumi/cli/stack.js';
import { ready, type RunningCommand } from '../sandbox/command.js';
import type { PackageName } from './pack.js';
import type { InstalledProject, ModuleKind, Strictness } from './project.js';
import { codeBlocks } from './readme.js';

const runFile = promisify(execFile);

/** One thing that has to hold in a project where the packages are installed. */
export interface Check {
  readonly name: string;
  run(project: InstalledProject): Promise<void>;
}

const KINDS = ['CommonJS', 'ESM'] as const;

/**
 * Everything compiles. No compiler error is left out, whoever's declarations it is in: with the versions that are
 * tried there is none.
 */
export function compileChecks(strictness: Strictness): Check[] {
  const isReadme = (error: string): boolean => error.startsWith('programs/');
  return [
    {
      name: `all declarations compile (${strictness})`,
      run: async (project) => {
        assert.deepEqual(
          (await project.compile(strictness)).filter((error) => !isReadme(error)),
          [],
        );
      },
    },
    {
      name: `the TypeScript of the READMEs compiles (${strictness})`,
      run: async (project) => {
        assert.deepEqual((await project.compile(strictness)).filter(isReadme), []);
      },
    },
  ];
}

/** Every entry point loads. */
export const loadChecks: readonly Check[] = KINDS.map(loads);

/** What the READMEs of core and sandbox show runs, word for word, against a sandbox of the same project. */
export const clientChecks: readonly Check[] = KINDS.flatMap((kind) => [
  runsReadme('audience-core', kind),
  runsReadme('audience-sandbox', kind),
]).concat(
  {
    name: 'the document of the interface comes with audience-core',
    run: async (project) => {
      const program = "console.log(require('audience-core/openapi.json').openapi)";
      const { stdout } = await runFile(process.execPath, ['-e', program], { cwd: project.dir });
      assert.equal(stdout, '3.1.0\n');
    },
  },
  {
    name: 'every command starts and explains itself',
    run: async (project) => {
      const commands = await project.commands();
      assert.ok(commands.length >= 2, commands.join());
      for (const command of commands) {
        const { stdout } = await runFile('npx', [command, '--help'], { cwd: project.dir });
        assert.ok(stdout.includes(command), stdout);
      }
    },
  },
  {
    name: 'the sandbox serves the inbox with all its files',
    run: (project) =>
      withSandbox(project, async ({ url }) => {
        const page = await (await fetch(url)).text();
        const files = [...page.matchAll(/(?:href|src)="(\/inbox\/[^"#]+)"/g)].map(([, file]) => file ?? '');
        assert.deepEqual(new Set(files), new Set(['/inbox/icon.svg', '/inbox/inbox.css', '/inbox/inbox.js']));
        for (const file of files) assert.equal((await fetch(url + file)).status, 200);
      }),
  },
);

/** What the README says of bundles: axios holds CommonJS, which esbuild cannot put into an ES module. */
export const bundleChecks: readonly Check[] = [
  bundles('audience-core', ['--external:axios'], (program) => program),
  bundles('audience-core/fetch', [], (program) =>
    program.replace("'audience-core'", "'audience-core/fetch'").replace('audience.close();', ''),
  ),
];

function bundles(entry: string, flags: readonly string[], edit: (program: string) => string): Check {
  return {
    name: `an ES module that esbuild bundles with ${entry} runs`,
    run: async (project) => {
      const [program] = await project.readmePrograms('audience-core', 'ESM');
      assert.ok(program !== undefined, 'the README shows no program');
      const source = path.join(project.dir, 'to-bundle.mjs');
      await writeFile(source, edit(await readFile(program, 'utf8')));
      const bundle = path.join(project.dir, 'bundle.mjs');
      const args = [source, '--bundle', '--platform=node', '--format=esm', `--outfile=${bundle}`, ...flags];
      await runFile(project.command('esbuild'), args, { cwd: project.dir });
      await withSandbox(project, async (sandbox) => {
        await project.run(bundle, { AUDIENCE_BASE_URL: sandbox.url, AUDIENCE_API_KEY: sandbox.apiKey });
        assert.equal(await written(sandbox), 3);
      });
    },
  };
}

/** The test for vitest that the sandbox's README shows passes. */
export const vitestCheck: Check = {
  name: 'the README of audience-sandbox shows a test for vitest',
  run: async (project) => {
    const readme = await readFile(path.join(project.dir, 'node_modules/audience-sandbox/README.md'), 'utf8');
    const [program = ''] = codeBlocks(readme, 'mts');
    const folder = path.join(project.dir, 'vitest');
    await mkdir(folder);
    await writeFile(path.join(folder, 'welcome.test.mts'), program);
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', 'node'];
    const modules = ['--module', 'nodenext', 'welcome.test.mts'];
    await runFile(project.command('tsc'), [...options, ...modules], { cwd: folder });
    const { stdout } = await runFile(project.command('vitest'), ['run'], { cwd: folder });
    assert.match(stdout, /1 passed/);
  },
};

/** The first program of the provider's README does what it declares, on the CLI; the others are parts of a program. */
export const providerChecks: Readonly<Record<ModuleKind, Check>> = {
  CommonJS: declares('CommonJS'),
  ESM: declares('ESM'),
};

function loads(kind: ModuleKind): Check {
  return {
    name: `every entry point loads (${kind})`,
    run: async (project) => {
      assert.equal(await project.run(await project.entryPoints(kind), {}), '');
    },
  };
}

function runsReadme(name: PackageName, kind: ModuleKind): Check {
  return {
    name: `the README of ${name} runs (${kind})`,
    run: (project) =>
      withSandbox(project, async ({ url, apiKey }) => {
        const failures: string[] = [];
        const programs = await project.readmePrograms(name, kind);
        assert(programs.length > 0, 'the README shows no program');
        for (const program of programs) {
          await project
            .run(program, { AUDIENCE_BASE_URL: url, AUDIENCE_API_KEY: apiKey })
            .catch((error: unknown) => failures.push(String(error)));
        }
        assert.equal(failures.join('\n'), '');
      }),
  };
}

function declares(kind: ModuleKind): Check {
  return {
    name: `the README of pulumi-audience declares what it says (${kind})`,
    run: (project) =>
      withSandbox(project, async (sandbox) => {
        const [program] = await project.readmePrograms('pulumi-audience', kind);
        assert(program !== undefined, 'the README shows no program');
        const programDir = path.join(project.dir, `pulumi-${kind}`);
        await mkdir(programDir);
        await copyFile(program, path.join(programDir, 'index.js'));
        const type = kind === 'ESM' ? 'module' : 'commonjs';
        await writeFile(path.join(programDir, 'package.json'), JSON.stringify({ type, main: 'index.js' }));
        await writeFile(path.join(programDir, 'Pulumi.yaml'), PROJECT_FILE);
        const stack = await Stack.create({
          ...{ programDir, project: 'installed', stack: 'test' },
          stateDir: path.join(project.dir, `state-${kind}`),
          config: { 'audience:baseUrl': sandbox.url, 'audience:apiKey': { secret: sandbox.apiKey } },
          env: { PULUMI_NODEJS_TYPESCRIPT: 'false', NODE_COMPILE_CACHE: path.join(project.dir, 'cache') },
        });
        const first = await stack.up();
        assert.equal(first.failed, false, first.log.join('\n'));
        assert.equal(first.summary.create, 2, first.log.join('\n'));
        const providers = (await stack.resources()).map(({ inputs }) => String(inputs['__provider']));
        for (const text of providers) assert.ok(text.length < 400, `state holds a whole provider: ${text}`);
        assert.match(
          providers.join(''),
          /require\("pulumi-audience\/dist\/dynamic\/providers\/contact\.js"\)/,
        );
        const before = await written(sandbox);
        assert.ok(before > 0);
        // What a run does after the first is the provider's own, whatever the program is written in.
        if (kind === 'ESM') return;
        const second = await stack.up();
        assert.equal(second.failed, false, second.log.join('\n'));
        assert.equal(await written(sandbox), before, 'the second up writes');
      }),
  };
}

const PROJECT_FILE = `name: installed
runtime:
  name: nodejs
  options:
    typescript: false
`;

/** Starts the project's own sandbox, with what it holds unless told otherwise. */
export async function withSandbox(
  project: InstalledProject,
  act: (sandbox: RunningCommand) => Promise<void>,
): Promise<void> {
  const sandbox = await ready(
    spawn(project.command('audience-sandbox'), ['--port', '0'], { cwd: project.dir }),
  );
  try {
    await act(sandbox);
  } finally {
    await sandbox.end('SIGINT');
  }
}

const requestsSchema = z.object({ items: z.array(z.object({ method: z.string() })) });

/** How many calls that write the sandbox has received. */
export async function written({ url }: RunningCommand): Promise<number> {
  const answer = await fetch(`${url}/__sandbox/requests?limit=1000`);
  const { items } = requestsSchema.parse(await answer.json());
  return items.filter(({ method }) => method !== 'GET').length;
}
