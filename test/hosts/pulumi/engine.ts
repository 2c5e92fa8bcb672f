import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Preset } from 'audience-sandbox';

/** The real engine, with one of the two adapters of the resources. */
export interface Engine {
  /** For people: `Pulumi CLI v3.x, native provider`. */
  readonly name: string;
  /** What serves the resources: the dynamic provider of the TypeScript package, or the native plugin. */
  readonly provider: ProviderKind;
  /** Kind of service that the resources meet; `default` unless given. */
  readonly service?: Preset;
  /** Whether programs of scenarios run in a process that stays: see {@link StackOptions}. */
  readonly keepsPrograms?: boolean;
}

/** The two adapters of the same resources. */
export type ProviderKind = 'dynamic' | 'native';

/** The CLI on the PATH; `undefined` where there is none. */
export async function findCli(provider: ProviderKind): Promise<Engine | undefined> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true' };
  const found = await promisify(execFile)('pulumi', ['version'], { env }).catch(() => undefined);
  if (found === undefined) return undefined;
  return { name: `Pulumi CLI v${found.stdout.trim().replace(/^v/, '')}, ${provider} provider`, provider };
}

/** A configuration value; secrets are encrypted where they are kept. */
export type ConfigValue = string | { readonly secret: string };

/** Where a program is, how it is configured, and where its state is kept. */
export interface StackOptions {
  /** Folder of the program (with its Pulumi.yaml and package.json). */
  readonly programDir: string;
  /** Project name, as in Pulumi.yaml. */
  readonly project: string;
  /** Stack name, such as `dev`. */
  readonly stack: string;
  /** Configuration by full key, such as `audience:baseUrl`. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
  /** Folder that holds state; stacks of one folder can refer to each other. */
  readonly stateDir: string;
  /** Further environment variables of the program and its provider. */
  readonly env?: Readonly<Record<string, string>>;
  /** Runs programs one after the other in a process that stays, where a run cannot have its own environment. */
  readonly keepsPrograms?: boolean;
}

/** Options of one run. */
export interface RunOptions {
  /** Configuration for this and later runs, in place of the one given first. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
  /** Environment variables of this run, in addition to those of the stack. */
  readonly env?: Readonly<Record<string, string>>;
  /** Reads the service for each resource before the run (`pulumi up --refresh`). */
  readonly refresh?: boolean;
  /** Further flags of the command, such as `--continue-on-error`. */
  readonly flags?: readonly string[];
  /** Told each line that the person sees, while it runs. */
  readonly onLine?: (line: string) => void;
}

/** How many resources of ours met each fate; the stack itself is not counted. */
export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly same: number;
  readonly delete: number;
}

/** What one run came to. */
export interface RunResult {
  readonly failed: boolean;
  readonly summary: Summary;
  /** Stack outputs; a secret one as it is stored. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What the person sees, line by line. */
  readonly log: readonly string[];
}
