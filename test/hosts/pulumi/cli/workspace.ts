import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as yaml from 'yaml';
import * as z from 'zod/v4-mini';
import { onLines } from './lines.js';
import type { ConfigValue, StackOptions } from '../engine.js';

/** What a command of the CLI came to. */
export interface Ended {
  readonly code: number | null;
  readonly log: readonly string[];
}

/** Where the native plugin is: the CLI looks for it on the PATH. */
const PLUGIN_FOLDER = path.join(
  path.dirname(createRequire(__filename).resolve('pulumi-audience/package.json')),
  'dist/bin',
);

/** Environment in which the CLI runs: file backend, passphrase, a separate home; it touches no account. */
export function cliEnv(options: Pick<StackOptions, 'stateDir' | 'env'>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...options.env,
    PULUMI_HOME: path.join(options.stateDir, 'home'),
    PULUMI_BACKEND_URL: `file://${options.stateDir}`,
    PULUMI_CONFIG_PASSPHRASE: 'audience',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PATH: `${PLUGIN_FOLDER}${path.delimiter}${process.env['PATH'] ?? ''}`,
    // Without it the CLI does not know the flag --event-log.
    PULUMI_DEBUG_COMMANDS: 'true',
  };
}

/** Runs one command of the CLI. */
export async function execute(
  args: readonly string[],
  {
    cwd,
    env,
    onLine,
  }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly onLine?: (line: string) => void },
): Promise<Ended> {
  const log: string[] = [];
  const child = spawn('pulumi', [...args, '--non-interactive', '--color', 'never'], {
    ...{ cwd, env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const take = (line: string): void => {
    log.push(line);
    onLine?.(line);
  };
  const read = Promise.all([onLines(child.stdout, take), onLines(child.stderr, take)]);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  await read;
  return { code, log };
}

/** Runs a command that has to succeed. */
async function must(
  args: readonly string[],
  options: Parameters<typeof execute>[1],
): Promise<readonly string[]> {
  const { code, log } = await execute(args, options);
  if (code !== 0) throw new Error(`pulumi ${args.slice(0, 2).join(' ')} failed:\n${log.join('\n')}`);
  return log;
}

/**
 * A new stack without resources, made once by the CLI and then copied: each command takes a second, and hundreds of
 * stacks begin the same way.
 */
class Template {
  private readonly ciphers = new Map<string, Promise<string>>();

  private constructor(
    readonly folder: string,
    readonly salt: string,
    private readonly stack: string,
  ) {}

  static async make({ project, stack }: StackOptions): Promise<Template> {
    const folder = await mkdtemp(path.join(tmpdir(), 'audience-pulumi-template-'));
    process.once('exit', () => void rm(folder, { recursive: true, force: true }));
    const stateDir = path.join(folder, 'state');
    await mkdir(stateDir);
    await writeFile(path.join(folder, 'Pulumi.yaml'), `name: ${project}\nruntime: nodejs\n`);
    await must(['stack', 'init', stack], {
      cwd: folder,
      env: cliEnv({ stateDir }),
    });
    const { encryptionsalt } = await settingsIn(path.join(folder, `Pulumi.${stack}.yaml`));
    return new Template(folder, encryptionsalt, stack);
  }

  encrypt(secret: string): Promise<string> {
    const known = this.ciphers.get(secret) ?? this.encryptNow(secret, `audience:secret${this.ciphers.size}`);
    this.ciphers.set(secret, known);
    return known;
  }

  private async encryptNow(secret: string, key: string): Promise<string> {
    const file = path.join(this.folder, `${key.replace(':', '-')}.yaml`);
    await writeFile(file, JSON.stringify({ encryptionsalt: this.salt }));
    const env = cliEnv({ stateDir: path.join(this.folder, 'state') });
    const flags = ['--secret', '--stack', this.stack, '--config-file', file];
    await must(['config', 'set', ...flags, key, secret], { cwd: this.folder, env });
    return z.object({ secure: z.string() }).parse((await settingsIn(file)).config?.[key]).secure;
  }
}

const settingsSchema = z.object({
  encryptionsalt: z.string(),
  config: z.optional(z.record(z.string(), z.unknown())),
});

async function settingsIn(file: string): Promise<z.infer<typeof settingsSchema>> {
  return settingsSchema.parse(yaml.parse(await readFile(file, 'utf8')));
}

const templates = new Map<string, Promise<Template>>();

function templateFor(options: StackOptions): Promise<Template> {
  const key = JSON.stringify([options.project, options.stack]);
  const template = templates.get(key) ?? Template.make(options);
  templates.set(key, template);
  return template;
}

/** Puts a stack into its state folder unless it is there, and writes its configuration into a file. */
export async function prepareStack(
  options: StackOptions,
  config: Readonly<Record<string, ConfigValue>>,
): Promise<void> {
  const template = await templateFor(options);
  const source = path.join(template.folder, 'state', '.pulumi');
  await cp(source, path.join(options.stateDir, '.pulumi'), { recursive: true, force: false });
  const entries = Object.entries(config).map(async ([key, value]) => [
    key,
    typeof value === 'string' ? value : { secure: await template.encrypt(value.secret) },
  ]);
  const settings = {
    encryptionsalt: template.salt,
    config: Object.fromEntries(await Promise.all(entries)) as unknown,
  };
  await writeFile(configFile(options), yaml.stringify(settings));
}

/** The file that holds a stack's configuration. */
export function configFile({ stateDir, project, stack }: StackOptions): string {
  return path.join(stateDir, `Pulumi.${project}.${stack}.yaml`);
}
