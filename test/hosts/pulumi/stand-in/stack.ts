import path from 'node:path';
import * as z from 'zod/v4';
import type {
  ConfigValue,
  ProviderKind,
  RunOptions,
  RunResult,
  Stack,
  StackOptions,
  StoredResource,
  Summary,
} from '../engine.js';
import { Deployment, ROOT_TYPE, StepFailed } from './deployment.js';
import { MonitorServer } from './monitor.js';
import { ProgramProcess } from './program.js';
import { ProviderProcess } from './provider-process.js';
import { StateFile } from './state-file.js';
import { secret } from './values.js';
import type { Properties, Value } from './values.js';

type Operation = 'preview' | 'up' | 'refresh' | 'destroy';

const DEFAULT_PASSPHRASE = 'audience';
const DEFAULT_PARALLEL = 16;

/** A stack of the stand-in: a folder with a program, and one state file. */
export class StandInStack implements Stack {
  private config: Readonly<Record<string, ConfigValue>>;

  constructor(
    private readonly options: StackOptions,
    private readonly kind: ProviderKind,
  ) {
    this.config = options.config ?? {};
  }

  preview(options?: RunOptions): Promise<RunResult> {
    return this.run('preview', options);
  }

  up(options?: RunOptions): Promise<RunResult> {
    return this.run('up', options);
  }

  refresh(options?: RunOptions): Promise<RunResult> {
    return this.run('refresh', options);
  }

  destroy(options?: RunOptions): Promise<RunResult> {
    return this.run('destroy', options);
  }

  async resources(): Promise<readonly StoredResource[]> {
    const document = storedSchema.parse(JSON.parse(await this.exportState()));
    return document.deployment.resources.filter(
      ({ type }) => type !== ROOT_TYPE && !type.startsWith('pulumi:providers:'),
    );
  }

  async exportState(): Promise<string> {
    return (await this.stateFile().readText()) ?? EMPTY_STATE;
  }

  upCommand(): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
    const { options, config, kind } = this;
    return {
      command: process.execPath,
      args: [
        '--require',
        require.resolve('tsx/cjs'),
        path.join(__dirname, 'main.ts'),
        JSON.stringify({ ...options, config, provider: kind }),
      ],
      env: process.env,
    };
  }

  private stateFile(name = `${this.options.project}/${this.options.stack}`): StateFile {
    const passphrase = this.options.passphrase ?? DEFAULT_PASSPHRASE;
    return new StateFile(path.join(this.options.stateDir, `${name}.json`), passphrase);
  }

  private async run(operation: Operation, options: RunOptions = {}): Promise<RunResult> {
    if (options.config !== undefined) this.config = options.config;
    const log: string[] = [];
    const see = (line: string): void => {
      log.push(line);
      options.onLine?.(line);
    };
    const dryRun = operation === 'preview';
    const file = this.stateFile();
    const providers = new Map<string, Promise<ProviderProcess>>();
    const env = { ...process.env, ...this.options.env, ...options.env };
    const config = plainConfig(this.config);
    const { project, stack, programDir } = this.options;
    const parallel = this.options.parallel ?? DEFAULT_PARALLEL;

    const report = (urn: string, severity: string, message: string): void => {
      const prefix = severity === 'info' ? '' : `${severity}: `;
      const lines = message.split('\n').filter((line) => line.trim() !== '');
      if (urn !== '') see(`  ${describe(urn)}:`);
      lines.forEach((line, index) => see(`    ${index === 0 ? prefix : ''}${line}`));
    };
    const settled = (urn: string, fate: keyof Summary): void => {
      if (fate !== 'same') see(` ${SIGNS[fate]}  ${describe(urn)} ${fate}${dryRun ? '' : 'd'}`);
    };
    const { kind } = this;
    const defaultUrn = `urn:pulumi:${stack}::${project}::pulumi:providers:audience::default`;
    const defaultConfig = settingsFor(kind, config);
    const useProvider = (urn = defaultUrn, args = defaultConfig): Promise<ProviderProcess> => {
      const known = providers.get(urn);
      if (known !== undefined) return known;
      const starting = ProviderProcess.start({
        ...{ kind, urn, programDir, project, env, config: args },
        engineAddress: server.address,
        onLine: (line) => see(`    ${line}`),
      });
      providers.set(urn, starting);
      return starting;
    };
    const deploymentOver = async (old = file.read()): Promise<Deployment> =>
      new Deployment({
        old: await old,
        ...{ dryRun, parallel, report, settled },
        provider: useProvider,
        save: (resources) => file.write(resources),
      });

    let deployment = await deploymentOver();
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
      readStack: (name) => this.outputsOf(name),
      invoke: (token, args, urn) => deployment.invoke(token, args, urn),
      log: report,
    });
    // The provider takes a second to start, as the program does: they start together.
    useProvider().catch(() => undefined);
    try {
      if (operation === 'refresh' || options.refresh === true) {
        await deployment.refresh();
        if (operation !== 'refresh' && !deployment.hasFailed) {
          deployment = await deploymentOver(Promise.resolve(deployment.snapshot()));
        }
      }
      if (operation === 'destroy') await deployment.deleteRest();
      if ((operation === 'up' || operation === 'preview') && !deployment.hasFailed) {
        const running = deployment;
        program = new ProgramProcess({
          ...{ programDir, project, stack, dryRun, parallel, env, config },
          address: server.address,
          onLine: (line) => see(`    ${line}`),
        });
        const { code } = await program.exit;
        if (code !== 0) running.fail();
        await running.idle();
        if (!running.hasFailed) await running.deleteRest();
      }
    } finally {
      server.close();
      for (const provider of providers.values()) {
        await provider.then(
          (started) => started.stop(),
          () => undefined,
        );
      }
    }
    const failed = deployment.hasFailed;
    see(failed ? `error: ${operation} failed` : `${operation} done: ${counts(deployment.summary)}`);
    return { failed, summary: deployment.summary, outputs: deployment.stackOutputs(), log };
  }

  /** Outputs of another stack in the same state folder: `organization/project/stack`, or its last parts. */
  private async outputsOf(name: string): Promise<Properties> {
    const parts = name.split('/');
    const stack = parts.at(-1) ?? name;
    const project = parts.at(-2) ?? this.options.project;
    const root = (await this.stateFile(`${project}/${stack}`).read()).find(({ type }) => type === ROOT_TYPE);
    if (root === undefined) throw new Error(`unknown stack "${name}"`);
    return root.outputs;
  }
}

const storedSchema = z.object({
  deployment: z.object({
    resources: z.array(
      z.object({
        urn: z.string(),
        type: z.string(),
        id: z.string().optional(),
        inputs: z.record(z.string(), z.unknown()),
        outputs: z.record(z.string(), z.unknown()),
        initErrors: z.array(z.string()).optional(),
      }),
    ),
  }),
});

type PlainConfig = Readonly<Record<string, { value: string; secret: boolean }>>;

function plainConfig(config: Readonly<Record<string, ConfigValue>>): PlainConfig {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      typeof value === 'string' ? { value, secret: false } : { value: value.secret, secret: true },
    ]),
  );
}

/** What configures a provider: the keys of the stack, or of a native one the arguments that they name. */
function settingsFor(kind: ProviderKind, config: PlainConfig): Properties {
  const entries = Object.entries(config).map(([key, { value, secret: isSecret }]): [string, Value] => [
    key,
    isSecret ? secret(value) : value,
  ]);
  if (kind === 'dynamic') return Object.fromEntries(entries);
  const own = entries.filter(([key]) => key.startsWith('audience:'));
  return Object.fromEntries(own.map(([key, value]) => [key.replace('audience:', ''), value]));
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

const EMPTY_STATE = '{"version":3,"deployment":{"resources":[]}}';
