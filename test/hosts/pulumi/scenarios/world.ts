import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AudienceClient } from 'audience-core';
import { startSandbox, type RequestLogEntry, type RunningSandbox, type Seed } from 'audience-sandbox';
import { Stack } from '../cli/stack.js';
import type { ConfigValue, Engine, ProviderKind, RunOptions, RunResult } from '../engine.js';

/** One thing to show, in a world of its own. */
export interface Scenario extends WorldOptions {
  readonly name: string;
  /** The only provider that it is about; both unless given. */
  readonly only?: ProviderKind;
  play(world: World): Promise<void>;
}

/** A service, a program and a stack, made for one scenario and removed after it. */
export interface World {
  readonly provider: ProviderKind;
  readonly sandbox: RunningSandbox;
  readonly stack: Stack;
  readonly programDir: string;
  readonly stateDir: string;
  readonly config: Readonly<Record<string, ConfigValue>>;
  /** Somebody else who uses the service meanwhile; what it does is not counted by `calls`. */
  readonly others: AudienceClient;
  /** Sets the program: statements of JavaScript, with the package's exports and `pulumi` in scope. */
  program(source: string): Promise<void>;
  /** Writes a file of lines beside the program. */
  save(name: string, lines: readonly string[]): Promise<void>;
  /** Runs `up` and takes it for granted that it succeeds. */
  up(options?: RunOptions): Promise<RunResult>;
  /** Calls of the program's own since this was asked last, as `PUT /v1/... {body} 200`. */
  calls(): string[];
  /** Those of them that write. */
  writes(): string[];
}

const EMPTY: Seed = {};
const MODULES = path.resolve(__dirname, '../../../../node_modules');
// Scenarios start hundreds of Node processes that load the same modules: compiled once, they start in half the time.
const COMPILE_CACHE = path.join(MODULES, '.cache', 'audience-scenarios');
const OTHERS_AGENT = 'others';

/** Options of a {@link World}. */
export interface WorldOptions {
  readonly seed?: Seed;
  /** In place of the sandbox's address and key. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
  readonly env?: Readonly<Record<string, string>>;
}

export async function inWorld<Result>(
  engine: Engine,
  options: WorldOptions,
  act: (world: World) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'audience-pulumi-'));
  const sandbox = await startSandbox({
    seed: options.seed ?? EMPTY,
    profile: { preset: engine.service },
  });
  const others = new AudienceClient({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    userAgent: OTHERS_AGENT,
  });
  try {
    const programDir = path.join(folder, 'program');
    await mkdir(programDir);
    await symlink(MODULES, path.join(programDir, 'node_modules'), 'junction');
    await writeFile(path.join(programDir, 'Pulumi.yaml'), PROJECT_FILE);
    await copyFile(path.join(__dirname, 'native-sdk.cjs'), path.join(programDir, 'native-sdk.cjs'));
    await writeFile(path.join(programDir, 'package.json'), '{ "name": "scenario", "main": "index.js" }\n');
    const stateDir = path.join(folder, 'state');
    const config = options.config ?? {
      'audience:baseUrl': sandbox.url,
      'audience:apiKey': { secret: sandbox.apiKey },
    };
    const stack = await Stack.create({
      ...{ programDir, stateDir, config, keepsPrograms: engine.keepsPrograms && options.env === undefined },
      project: 'scenario',
      stack: 'test',
      env: {
        PULUMI_NODEJS_TYPESCRIPT: 'false',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        AUDIENCE_API_KEY: '',
        AUDIENCE_BASE_URL: '',
        ...options.env,
      },
    });
    let seen: string | undefined;
    const calls = (): RequestLogEntry[] => {
      const log = sandbox.requests();
      // A service that was loaded anew has an empty log: then every request is new.
      const fresh = log.slice(log.findIndex(({ id }) => id === seen) + 1);
      seen = fresh.at(-1)?.id ?? seen;
      return fresh;
    };
    return await act({
      ...{ provider: engine.provider, sandbox, stack, programDir, stateDir, config, others },
      program: (source) => writeFile(path.join(programDir, 'index.js'), PREAMBLE[engine.provider] + source),
      save: (name, lines) =>
        writeFile(path.join(programDir, name), lines.map((line) => `${line}\n`).join('')),
      up: async (runOptions) => {
        const result = await stack.up(runOptions);
        assert.equal(result.failed, false, result.log.join('\n'));
        return result;
      },
      calls: () => calls().map(describe),
      writes: () =>
        calls()
          .filter(({ method }) => method !== 'GET')
          .map(describe),
    });
  } finally {
    others.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

// The real CLI takes for TypeScript what is not said to be JavaScript; loading TypeScript takes seconds.
const PROJECT_FILE = `name: scenario
runtime:
  name: nodejs
  options:
    typescript: false
`;

const preamble = (sdk: string): string => `const pulumi = require('@pulumi/pulumi');
const audience = require(${JSON.stringify(sdk)});
const { ContactProperty, Contact, Contacts } = audience;
`;
const PREAMBLE: Readonly<Record<ProviderKind, string>> = {
  dynamic: preamble('pulumi-audience'),
  native: preamble('./native-sdk.cjs'),
};

function describe({ method, path: target, requestBody, status }: RequestLogEntry): string {
  const body = requestBody === null || requestBody === undefined ? '' : ` ${JSON.stringify(requestBody)}`;
  return `${method} ${decodeURIComponent(target)}${body} ${status ?? 'cut'}`;
}

/** Contacts that are known by their email. */
export function named(...names: readonly string[]): { email: string }[] {
  return names.map((name) => ({ email: `${name}@example.com` }));
}

/** The same: `person-0@example.com` and so on. */
export function numbered(count: number): { email: string }[] {
  return named(...Array.from({ length: count }, (_, index) => `person-${index}`));
}

/** The lines that tell of an error, without what only says that a run failed. */
export function errorLines(result: RunResult): string[] {
  const lines = result.log.flatMap((line) => /error: (.*)$/.exec(line)?.[1] ?? []);
  const said = lines.filter((line) => !/^(preview|update|up|refresh|destroy) failed$/.test(line.trim()));
  // The real CLI shows an error while it runs and again at the end.
  return [...new Set(said)];
}

/** Lines that warn, each once. */
export function warningLines(result: RunResult): string[] {
  return [...new Set(result.log.flatMap((line) => /warning: (.*)$/.exec(line)?.[1] ?? []))];
}

/** Asserts that nobody is shown the inside of the program. */
export function assertNoStackTrace(result: RunResult): void {
  const isTrace = (line: string): boolean => /^\s+at .*[:(].*:\d+/.test(line);
  assert.ok(!result.log.some(isTrace), `a stack trace is shown:\n${result.log.join('\n')}`);
}
