import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod/v4';
import type {
  ConfigValue,
  RunOptions,
  RunResult,
  Stack,
  StackOptions,
  StoredResource,
  Summary,
} from '../engine.js';
import { onLines } from '../stand-in/child.js';

const ROOT_TYPE = 'pulumi:pulumi:Stack';

/** A stack run by the real CLI: file backend, passphrase, a home of its own; it touches no account. */
export class CliStack implements Stack {
  private constructor(
    private readonly command: string,
    private readonly options: StackOptions,
  ) {}

  static async create(command: string, options: StackOptions): Promise<CliStack> {
    const stack = new CliStack(command, options);
    await mkdir(options.stateDir, { recursive: true });
    await withoutTrace(path.join(options.programDir, `Pulumi.${options.stack}.yaml`), () =>
      stack.must(['stack', 'select', '--create', options.stack]),
    );
    await stack.configure(options.config ?? {});
    return stack;
  }

  preview(options?: RunOptions): Promise<RunResult> {
    return this.run(['preview'], options);
  }

  up(options?: RunOptions): Promise<RunResult> {
    return this.run(UP, options);
  }

  refresh(options?: RunOptions): Promise<RunResult> {
    return this.run(['refresh', '--yes', '--skip-preview'], options);
  }

  destroy(options?: RunOptions): Promise<RunResult> {
    return this.run(['destroy', '--yes', '--skip-preview'], options);
  }

  async resources(): Promise<readonly StoredResource[]> {
    const { deployment } = exportSchema.parse(JSON.parse(await this.exportState()));
    return (deployment.resources ?? []).filter(
      ({ type }) => type !== ROOT_TYPE && !type.startsWith('pulumi:providers:'),
    );
  }

  async exportState(): Promise<string> {
    return (await this.must(['stack', 'export', '--stack', this.options.stack])).join('\n');
  }

  upCommand(): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
    return { command: this.command, args: [...UP, ...this.runFlags()], env: this.env({}) };
  }

  private async configure(config: Readonly<Record<string, ConfigValue>>): Promise<void> {
    for (const [key, value] of Object.entries(config)) {
      const [flag, text] = typeof value === 'string' ? ['--plaintext', value] : ['--secret', value.secret];
      await this.must(['config', 'set', flag, ...this.stackFlags(), key, text]);
    }
  }

  private async run(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    if (options.config !== undefined) await this.configure(options.config);
    await this.restoreBrokenState();
    const folder = await mkdtemp(path.join(tmpdir(), 'audience-pulumi-events-'));
    try {
      const events = path.join(folder, 'events.json');
      const args = [...command, ...this.runFlags(), '--event-log', events];
      if (options.refresh === true) args.push('--refresh');
      let ended = await this.execute(args, options.env ?? {}, options.onLine);
      if (ended.code !== 0 && ended.log.some((line) => line.includes('the stack is currently locked'))) {
        // A run that was killed leaves its lock; a person is told to cancel it, and does.
        await this.must(['cancel', '--yes', '--stack', this.options.stack]);
        ended = await this.execute(args, options.env ?? {}, options.onLine);
      }
      return {
        failed: ended.code !== 0,
        summary: await readSummary(events),
        outputs: await this.outputs(),
        log: ended.log,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Takes away what a killed run has left of a state file's attributes, and puts back the CLI's own backup of a
   * broken state: the file backend does not write them in one step. A person does the same.
   */
  private async restoreBrokenState(): Promise<void> {
    const folder = path.join(this.options.stateDir, '.pulumi', 'stacks', this.options.project);
    const file = path.join(folder, `${this.options.stack}.json`);
    for (const attributes of [`${file}.attrs`, `${file}.bak.attrs`]) {
      if (!(await isJson(attributes))) await rm(attributes, { force: true });
    }
    if (!(await isJson(file)) && (await isJson(`${file}.bak`))) await copyFile(`${file}.bak`, file);
  }

  private async outputs(): Promise<Record<string, unknown>> {
    const lines = await this.must([
      'stack',
      'output',
      '--json',
      '--show-secrets',
      '--stack',
      this.options.stack,
    ]);
    return z.record(z.string(), z.unknown()).parse(JSON.parse(lines.join('\n')));
  }

  private stackFlags(): string[] {
    const file = path.join(
      this.options.stateDir,
      `Pulumi.${this.options.project}.${this.options.stack}.yaml`,
    );
    return ['--stack', this.options.stack, '--config-file', file];
  }

  private runFlags(): string[] {
    const parallel = this.options.parallel === undefined ? [] : ['--parallel', String(this.options.parallel)];
    return [...this.stackFlags(), ...parallel];
  }

  private env(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    return {
      ...process.env,
      ...this.options.env,
      ...more,
      PULUMI_HOME: path.join(this.options.stateDir, 'home'),
      PULUMI_BACKEND_URL: `file://${this.options.stateDir}`,
      PULUMI_CONFIG_PASSPHRASE: this.options.passphrase ?? 'audience',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      PATH: `${PLUGIN_FOLDER}${path.delimiter}${process.env['PATH'] ?? ''}`,
      // Without it the CLI does not know the flag --event-log.
      PULUMI_DEBUG_COMMANDS: 'true',
    };
  }

  private async must(args: readonly string[]): Promise<string[]> {
    const { code, log } = await this.execute(args, {});
    if (code !== 0) throw new Error(`pulumi ${args.slice(0, 2).join(' ')} failed:\n${log.join('\n')}`);
    return log;
  }

  private async execute(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    onLine: (line: string) => void = () => undefined,
  ): Promise<{ code: number | null; log: string[] }> {
    const log: string[] = [];
    const child = spawn(this.command, [...args, '--non-interactive', '--color', 'never'], {
      cwd: this.options.programDir,
      env: this.env(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const take = (line: string): void => {
      log.push(line);
      onLine(line);
    };
    const read = Promise.all([onLines(child.stdout, take), onLines(child.stderr, take)]);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    await read;
    return { code, log };
  }
}

/** Runs what may write a file that the program's folder did not have, and removes it again. */
async function withoutTrace(file: string, work: () => Promise<unknown>): Promise<void> {
  const existed = existsSync(file);
  await work();
  if (!existed) await rm(file, { force: true });
}

async function isJson(file: string): Promise<boolean> {
  try {
    JSON.parse(await readFile(file, 'utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Where the native plugin is: the CLI looks for it on the PATH. */
const PLUGIN_FOLDER = path.join(
  path.dirname(createRequire(__filename).resolve('pulumi-audience/package.json')),
  'dist/bin',
);

const UP = ['up', '--yes', '--skip-preview'];

const exportSchema = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({
          urn: z.string(),
          type: z.string(),
          id: z.string().optional(),
          inputs: z.record(z.string(), z.unknown()).default({}),
          outputs: z.record(z.string(), z.unknown()).default({}),
          initErrors: z.array(z.string()).optional(),
        }),
      )
      .optional(),
  }),
});

const eventSchema = z.object({
  summaryEvent: z.object({ resourceChanges: z.record(z.string(), z.number()) }).optional(),
  resOutputsEvent: stepSchema().optional(),
  resourcePreEvent: stepSchema().optional(),
});

function stepSchema() {
  return z.object({ metadata: z.object({ op: z.string(), type: z.string() }) });
}

/** Counts of the event log's summary, less the stack itself. */
async function readSummary(file: string): Promise<Summary> {
  const counts: Record<string, number> = {};
  let rootFate = '';
  for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n')) {
    if (line.trim() === '') continue;
    const event = eventSchema.parse(JSON.parse(line));
    Object.assign(counts, event.summaryEvent?.resourceChanges);
    const step = event.resOutputsEvent ?? event.resourcePreEvent;
    if (step?.metadata.type === ROOT_TYPE) rootFate = step.metadata.op;
  }
  const fate = rootFate === 'refresh' ? 'same' : rootFate;
  if (counts[fate] !== undefined) counts[fate] -= 1;
  const of = (name: string): number => counts[name] ?? 0;
  return {
    create: of('create'),
    update: of('update'),
    replace: of('replace'),
    same: of('same'),
    delete: of('delete'),
  };
}
