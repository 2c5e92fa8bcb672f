import type {
  ConfigValue,
  RunOptions,
  RunResult,
  Stack,
  StackOptions,
  StoredResource,
  Summary,
} from '../engine.js';
import { Deployment, ROOT_TYPE, StepFailed, type ResourceState } from './deployment.js';
import { MonitorServer } from './monitor.js';
import { ProgramProcess } from './program.js';
import { ProviderProcess } from './provider-process.js';

/** A stack of the stand-in: a folder with a program. It knows `preview` and `up`, and its state ends with the process. */
export class StandInStack implements Stack {
  private config: Readonly<Record<string, ConfigValue>>;
  private state: readonly ResourceState[] = [];

  constructor(private readonly options: StackOptions) {
    this.config = options.config ?? {};
  }

  preview(options?: RunOptions): Promise<RunResult> {
    return this.run('preview', options);
  }

  up(options?: RunOptions): Promise<RunResult> {
    return this.run('up', options);
  }

  refresh(): Promise<RunResult> {
    return unknownCommand('refresh');
  }

  destroy(): Promise<RunResult> {
    return unknownCommand('destroy');
  }

  upCommand(): never {
    throw new Error('The stand-in is no command. Install Pulumi.');
  }

  resources(): Promise<readonly StoredResource[]> {
    return Promise.resolve(this.state.filter(({ type }) => type !== ROOT_TYPE));
  }

  exportState(): never {
    throw new Error('The stand-in has no state file. Install Pulumi.');
  }

  private async run(operation: 'preview' | 'up', options: RunOptions = {}): Promise<RunResult> {
    if (options.config !== undefined) this.config = options.config;
    if (options.refresh === true) return unknownCommand('refresh');
    const log: string[] = [];
    const see = (line: string): void => {
      log.push(line);
      options.onLine?.(line);
    };
    const dryRun = operation === 'preview';
    const { config } = this;
    const { project, stack, programDir } = this.options;
    const env = { ...process.env, ...this.options.env, ...options.env };
    const report = (urn: string, severity: string, message: string): void => {
      const lines = message.split('\n').filter((line) => line.trim() !== '');
      if (urn !== '') see(`  ${describe(urn)}:`);
      lines.forEach((line, index) =>
        see(`    ${index === 0 && severity !== 'info' ? `${severity}: ` : ''}${line}`),
      );
    };
    let program: ProgramProcess | undefined;
    const server = await MonitorServer.start(project, stack, {
      register: async (goal) => {
        try {
          return await deployment.register(goal);
        } catch (error) {
          // What the program would still say is about its closed connection.
          if (error instanceof StepFailed) program?.stop();
          throw error;
        }
      },
      setOutputs: (urn, outputs) => deployment.setOutputs(urn, outputs),
      log: report,
    });
    const provider = ProviderProcess.start({
      ...{ programDir, project, env, config: plainConfig(config) },
      engineAddress: server.address,
      onLine: (line) => see(`    ${line}`),
    });
    // A program that uses no provider does not hear of its fault.
    provider.catch(() => undefined);
    const deployment = new Deployment({
      old: this.state,
      ...{ dryRun, report },
      provider: () => provider,
      settled: (urn, fate) => {
        if (fate !== 'same') see(` ${SIGNS[fate]}  ${describe(urn)} ${fate}${dryRun ? '' : 'd'}`);
      },
      save: (resources) => {
        this.state = resources;
      },
    });
    try {
      program = new ProgramProcess({
        ...{ programDir, project, stack, dryRun, env },
        config: plainConfig(config),
        secretKeys: Object.keys(config).filter((key) => typeof config[key] !== 'string'),
        address: server.address,
        onLine: (line) => see(`    ${line}`),
      });
      const { code } = await program.exit;
      if (code !== 0) deployment.fail();
      await deployment.idle();
      if (!deployment.hasFailed) deployment.refuseDeletions();
    } finally {
      server.close();
      await provider.then(
        (started) => started.stop(),
        () => undefined,
      );
    }
    const failed = deployment.hasFailed;
    see(failed ? `error: ${operation} failed` : `${operation} done: ${counts(deployment.summary)}`);
    return { failed, summary: deployment.summary, outputs: deployment.stackOutputs(), log };
  }
}

function unknownCommand(command: string): Promise<never> {
  return Promise.reject(new Error(`The stand-in does not know 'pulumi ${command}'. Install Pulumi.`));
}

function plainConfig(config: Readonly<Record<string, ConfigValue>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, typeof value === 'string' ? value : value.secret]),
  );
}

function describe(urn: string): string {
  const [, , qualified = '', name = urn] = urn.split('::');
  return `${qualified.split('$').at(-1) ?? ''} (${name})`;
}

function counts(summary: Summary): string {
  const words = Object.entries(summary).filter(([, count]) => count > 0);
  return words.length === 0 ? 'nothing to do' : words.map(([fate, count]) => `${count} ${fate}`).join(', ');
}

/** The signs that Pulumi's CLI puts before a step. */
const SIGNS = { create: '+', update: '~', replace: '+-', same: ' ', delete: '-' } as const;
