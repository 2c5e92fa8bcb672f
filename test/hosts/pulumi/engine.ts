import type { Preset } from 'audience-sandbox';

/** What runs a Pulumi program in tests and in the demo: the real CLI, or a stand-in for its engine. */
export interface Engine {
  /** Which engine this is, in words for people: `Pulumi CLI v3.x` or `stand-in for the Pulumi engine ...`. */
  readonly name: string;
  /** `cli` for the real one, `stand-in` where none was found. */
  readonly kind: 'cli' | 'stand-in';
  /** What serves the resources: the dynamic provider of the TypeScript package, or the native plugin. */
  readonly provider: ProviderKind;
  /** Kind of service that the resources meet; `default` unless given. */
  readonly service?: Preset;
  /** Whether programs of scenarios run in a process that stays: see {@link StackOptions}. */
  readonly keepsPrograms?: boolean;
  /** Makes a stack ready for a program; nothing runs yet. */
  createStack(options: StackOptions): Promise<Stack>;
}

/** The two adapters of the same resources. */
export type ProviderKind = 'dynamic' | 'native';

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
  /** Whether resources that do not need a failed one go on (`pulumi up --continue-on-error`). The stand-in stops. */
  readonly continueOnError?: boolean;
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
  /** Stack outputs; of a secret one, its plain value. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What the person sees, line by line. */
  readonly log: readonly string[];
}

/** A resource as state holds it; secrets are left as they are stored. */
export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
}

/** One stack of one program. */
export interface Stack {
  preview(options?: RunOptions): Promise<RunResult>;
  up(options?: RunOptions): Promise<RunResult>;
  refresh(options?: RunOptions): Promise<RunResult>;
  destroy(options?: RunOptions): Promise<RunResult>;
  /** Resources in state, without the stack itself. */
  resources(): Promise<readonly StoredResource[]>;
  /** The state as text, as `pulumi stack export` shows it: secrets stay encrypted. */
  exportState(): Promise<string>;
  /** Command that runs `up` in a separate process, which tests kill. */
  upCommand(): {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: NodeJS.ProcessEnv;
  };
}
