import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod/v4-mini';
import type { RunOptions, RunResult, StackOptions, Summary } from '../engine.js';
import { withProgramHost } from './program-host.js';
import { cliEnv, configFile, execute, prepareStack, type Ended } from './workspace.js';

const ROOT_TYPE = 'pulumi:pulumi:Stack';

/** One stack of one program. What state holds is read from the backend's file, without a command. */
export class Stack {
  private constructor(private readonly options: StackOptions) {}

  /** Makes a stack ready for a program; nothing runs yet. */
  static async create(options: StackOptions): Promise<Stack> {
    await mkdir(options.stateDir, { recursive: true });
    await prepareStack(options, options.config ?? {});
    return new Stack(options);
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

  /** Resources in state, without the stack itself. */
  async resources(): Promise<readonly StoredResource[]> {
    return (await this.stored()).filter(
      ({ type }) => type !== ROOT_TYPE && !type.startsWith('pulumi:providers:'),
    );
  }

  /** The state as text, as `pulumi stack export` shows it: secrets stay encrypted. */
  exportState(): Promise<string> {
    return readFile(this.stateFile, 'utf8');
  }

  /** Starts `up` in a separate process, which tests kill. */
  startUp(): ChildProcess {
    const { command, args, env } = this.upCommand();
    return spawn(command, args, { cwd: this.options.programDir, env, stdio: 'ignore' });
  }

  /** The command `up`, for who runs others like it. */
  upCommand(): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
    return { command: 'pulumi', args: [...UP, ...this.flags()], env: cliEnv(this.options) };
  }

  private get stateFile(): string {
    const { stateDir, project, stack } = this.options;
    return path.join(stateDir, '.pulumi', 'stacks', project, `${stack}.json`);
  }

  private async stored(): Promise<readonly StoredResource[]> {
    return checkpointSchema.parse(JSON.parse(await this.exportState())).checkpoint.latest?.resources ?? [];
  }

  private async run(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    if (options.config !== undefined) await prepareStack(this.options, options.config);
    const folder = await mkdtemp(path.join(tmpdir(), 'audience-pulumi-events-'));
    try {
      const events = path.join(folder, 'events.json');
      const args = [...command, ...this.flags(), '--event-log', events, ...(options.flags ?? [])];
      if (options.refresh === true) args.push('--refresh');
      const { code, log } = await this.execute(args, options);
      const outputs = (await this.stored()).find(({ type }) => type === ROOT_TYPE)?.outputs ?? {};
      return { failed: code !== 0, summary: await readSummary(events), outputs, log };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private execute(args: readonly string[], options: RunOptions): Promise<Ended> {
    const inFolder = this.inFolder(options);
    // A host that is kept has the environment that it was started with.
    if (this.options.keepsPrograms !== true || options.env !== undefined) return execute(args, inFolder);
    return withProgramHost(
      ({ address }) => execute([...args, '--client', address, '--exec-kind', 'auto.inline'], inFolder),
      ({ code }) => code !== 0,
    );
  }

  private flags(): string[] {
    return ['--stack', this.options.stack, '--config-file', configFile(this.options)];
  }

  private inFolder({ env, onLine }: RunOptions): Parameters<typeof execute>[1] {
    return {
      cwd: this.options.programDir,
      env: { ...cliEnv(this.options), ...env },
      ...(onLine === undefined ? {} : { onLine }),
    };
  }
}

const UP = ['up', '--yes', '--skip-preview'];

const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.optional(z.string()),
  inputs: z._default(z.record(z.string(), z.unknown()), {}),
  outputs: z._default(z.record(z.string(), z.unknown()), {}),
});

/** A resource as state holds it; secrets are left as they are stored. */
export type StoredResource = z.infer<typeof resourceSchema>;

const checkpointSchema = z.object({
  checkpoint: z.object({
    latest: z.nullish(z.object({ resources: z.optional(z.array(resourceSchema)) })),
  }),
});

const eventSchema = z.object({
  summaryEvent: z.optional(z.object({ resourceChanges: z.record(z.string(), z.number()) })),
  resOutputsEvent: z.optional(stepSchema()),
  resourcePreEvent: z.optional(stepSchema()),
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
