import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod/v4-mini';
import { installInto, type PackageManager } from './managers.js';
import type { PackageName, Tarball } from './pack.js';
import { asCommonJs, codeBlocks } from './readme.js';

const run = promisify(execFile);

/** The kinds of module that people write, each with the endings of its files. */
const MODULE_KINDS = {
  CommonJS: { source: '.cts', output: '.cjs' },
  ESM: { source: '.mts', output: '.mjs' },
} as const;

/** A kind of module that people write. */
export type ModuleKind = keyof typeof MODULE_KINDS;

/** How strictly a person lets TypeScript check; `skipLibCheck` is never set. */
const STRICTNESS = {
  strict: ['--strict', '--target', 'es2020'],
  strictest: ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
} as const;

/** `strict` as the option of that name, for ES2020; `strictest` with exact optional properties and unchecked indexes. */
export type Strictness = keyof typeof STRICTNESS;

/** Programs that import a package. Together with those of the READMEs they bring in every declaration. */
const IMPORTS: Readonly<Record<PackageName, string>> = {
  'audience-core': "import 'audience-core';\nimport 'audience-core/fetch';\n",
  'audience-sandbox': "import 'audience-sandbox';\n",
  'pulumi-audience': "import 'pulumi-audience';\nimport 'pulumi-audience/handlers';\n",
  // n8n loads it by its path: it has no entry point.
  'n8n-nodes-audience': '',
};
const ENTRY_POINTS = 'entry-points';

const BASE_CONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    skipLibCheck: false,
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
  },
  include: ['programs'],
};

const commandsSchema = z.object({ bin: z.optional(z.record(z.string(), z.string())) });
const versionSchema = z.object({ version: z.string() });

/**
 * A project of somebody else's: outside of the repository, with the packages installed from their tarballs and
 * without a lock file, so that it has what npm gives people today.
 */
export class InstalledProject {
  private readonly compiled = new Map<Strictness, Promise<readonly string[]>>();

  private constructor(
    /** Folder of the project. */
    readonly dir: string,
    private readonly tarballs: readonly Tarball[],
  ) {}

  /**
   * Installs packages, and more by their npm names and ranges.
   *
   * @throws Error with what the package manager said.
   */
  static async install(
    tarballs: readonly Tarball[],
    beside: Readonly<Record<string, string>>,
    manager: PackageManager = 'npm',
    all: readonly Tarball[] = tarballs,
  ): Promise<InstalledProject> {
    const dir = await mkdtemp(path.join(tmpdir(), 'audience-installed-'));
    const project = new InstalledProject(dir, tarballs);
    await installInto(dir, tarballs, beside, manager, all);
    await project.writePrograms();
    return project;
  }

  /** Which versions of packages are at the top of the project, as `zod 4.6.7, typescript 6.0.3`. */
  async versionsOf(...names: readonly string[]): Promise<string> {
    const versions = names.map(
      async (name) => `${name} ${versionSchema.parse(await this.manifest(name)).version}`,
    );
    return [...new Set(await Promise.all(versions))].join(', ');
  }

  /** A command of a package, as it was linked. */
  command(name: string): string {
    return path.join(this.dir, 'node_modules', '.bin', name);
  }

  /** The commands that the packages bring. */
  async commands(): Promise<string[]> {
    const manifests = this.tarballs.map(({ name }) => this.manifest(name));
    return (await Promise.all(manifests)).flatMap((one) => Object.keys(commandsSchema.parse(one).bin ?? {}));
  }

  /** Compiles all programs with the project's own TypeScript, once, and gives its errors. */
  compile(strictness: Strictness): Promise<readonly string[]> {
    const known = this.compiled.get(strictness);
    if (known !== undefined) return known;
    const args = ['-p', '.', '--pretty', 'false', ...STRICTNESS[strictness]];
    const errors = run(this.command('tsc'), args, { cwd: this.dir }).then(
      () => [],
      (error: unknown) => errorLines(failureSchema.parse(error).stdout),
    );
    this.compiled.set(strictness, errors);
    return errors;
  }

  /** Compiled programs of a package's README, in their order. */
  async readmePrograms(name: PackageName, kind: ModuleKind): Promise<string[]> {
    const { length } = codeBlocks(await this.readme(name), 'ts');
    return Promise.all(Array.from({ length }, (_, index) => this.output(programName(name, index), kind)));
  }

  /** Compiled program that imports every entry point of the packages. */
  entryPoints(kind: ModuleKind): Promise<string> {
    return this.output(ENTRY_POINTS, kind);
  }

  /**
   * Runs a compiled program to its end and gives what it wrote.
   *
   * @throws Error with what it wrote, when it fails or does not end within 30 seconds.
   */
  async run(program: string, env: Readonly<Record<string, string>>): Promise<string> {
    try {
      const { stdout } = await run(process.execPath, [program], {
        ...{ cwd: this.dir, env: { ...process.env, ...env } },
        ...{ timeout: 30_000, killSignal: 'SIGKILL' },
      });
      return stdout;
    } catch (error) {
      const { stdout, stderr, killed } = failureSchema.parse(error);
      const end = killed ? 'did not end within 30 seconds' : 'failed';
      throw new Error(`${path.basename(program)} ${end}:\n${stdout}${stderr}`, { cause: error });
    }
  }

  /** Removes the project's folder. */
  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }

  private async output(name: string, kind: ModuleKind): Promise<string> {
    await this.compile('strictest');
    return path.join(this.dir, 'out', 'programs', name + MODULE_KINDS[kind].output);
  }

  private async manifest(name: string): Promise<unknown> {
    return JSON.parse(await readFile(path.join(this.dir, 'node_modules', name, 'package.json'), 'utf8'));
  }

  private readme(name: PackageName): Promise<string> {
    return readFile(path.join(this.dir, 'node_modules', name, 'README.md'), 'utf8');
  }

  private async writePrograms(): Promise<void> {
    await mkdir(path.join(this.dir, 'programs'));
    await writeFile(path.join(this.dir, 'tsconfig.json'), JSON.stringify(BASE_CONFIG));
    const write = async (name: string, program: string): Promise<void> => {
      const file = path.join(this.dir, 'programs', name);
      await writeFile(file + MODULE_KINDS.ESM.source, program);
      await writeFile(file + MODULE_KINDS.CommonJS.source, asCommonJs(program));
    };
    await write(ENTRY_POINTS, this.tarballs.map(({ name }) => IMPORTS[name]).join(''));
    for (const { name } of this.tarballs) {
      for (const [index, program] of codeBlocks(await this.readme(name), 'ts').entries()) {
        await write(programName(name, index), program);
      }
    }
  }
}

const failureSchema = z.object({ stdout: z.string(), stderr: z.string(), killed: z.boolean() });

/** Each error in one line, without the lines that explain it. */
function errorLines(output: string): string[] {
  const lines = output.split('\n').filter((line) => /^\S.*error TS\d+/.test(line));
  return lines.length > 0 ? lines : [output];
}

function programName(name: PackageName, index: number): string {
  return `${name}-${index + 1}`;
}
