// Installs the packages from their tarballs beside every promised combination of what they depend on, and runs there what
// their READMEs show. With an argument, only the combinations whose name holds that text.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findCli } from '../pulumi/engine.js';
import { Tally, twoAtATime } from '../tally.js';
import {
  bundleChecks,
  clientChecks,
  compileChecks,
  loadChecks,
  providerChecks,
  vitestCheck,
  type Check,
} from './checks.js';
import {
  libraryCheck,
  modulesCheck,
  pulumiLibraryCheck,
  RUNTIME_PACKAGES,
  runtimeChecks,
} from './core-checks.js';
import type { PackageManager } from './managers.js';
import { oldestPromised, packAll, type PackageName } from './pack.js';
import { InstalledProject } from './project.js';

/** What people have beside the packages. */
interface Variant {
  readonly name: string;
  readonly packages: readonly PackageName[];
  /** npm packages and ranges. */
  readonly beside: Readonly<Record<string, string>>;
  readonly checks: readonly Check[];
  /** npm, if left out. */
  readonly manager?: PackageManager;
}

const COMPILE = [...compileChecks('strict'), ...compileChecks('strictest')];
const LOADS = [...compileChecks('strictest'), ...loadChecks];
const NODE_TYPES = { '@types/node': '22' };
const MODULES = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const;

/**
 * The newest zod and @pulumi/pulumi together, and the oldest that are promised, each Pulumi with the newest TypeScript
 * that it takes; a person's own zod 3, beside which npm gives each package a zod of its own; and no Pulumi at all. The
 * READMEs run beside the newest of all. pnpm shows each package only what it declares.
 */
function variants(hasCli: boolean): Variant[] {
  const oldestZod = oldestPromised('pulumi-audience', 'zod');
  const oldestPulumi = oldestPromised('pulumi-audience', '@pulumi/pulumi');
  const newPulumi = { '@pulumi/pulumi': 'latest', typescript: '6' };
  const oldPulumi = { '@pulumi/pulumi': oldestPulumi, typescript: '5' };
  const withPulumi = (name: string, beside: Variant['beside'], checks: readonly Check[]): Variant => ({
    name,
    packages: ['audience-core', 'audience-sandbox', 'pulumi-audience'],
    beside: { ...NODE_TYPES, ...beside },
    checks,
  });
  const { CommonJS, ESM } = providerChecks;
  const isOnLinux = `${process.platform} ${process.arch}` === 'linux x64';
  return [
    withPulumi('the newest zod and Pulumi', newPulumi, [...LOADS, ...clientChecks, ...(hasCli ? [ESM] : [])]),
    withPulumi(`zod ${oldestZod} and Pulumi ${oldestPulumi}`, { zod: oldestZod, ...oldPulumi }, [
      ...LOADS,
      ...(hasCli ? [CommonJS] : []),
    ]),
    withPulumi('a zod 3 of their own, the newest Pulumi', { zod: '3', ...newPulumi }, LOADS),
    { ...withPulumi('pnpm', newPulumi, [...LOADS, libraryCheck]), manager: 'pnpm' },
    ...['5.4', '6'].map((typescript): Variant => ({
      name: `a library on pulumi-audience alone, TypeScript ${typescript}`,
      packages: ['pulumi-audience'],
      beside: { ...NODE_TYPES, '@pulumi/pulumi': 'latest', typescript },
      checks: [pulumiLibraryCheck],
      manager: 'pnpm',
    })),
    {
      name: 'yarn, and bundles',
      packages: ['audience-core', 'audience-sandbox'],
      beside: { ...NODE_TYPES, typescript: '6', esbuild: 'latest' },
      checks: [...LOADS, libraryCheck, ...bundleChecks],
      manager: 'yarn',
    },
    {
      name: 'the newest zod, TypeScript and vitest, no Pulumi',
      packages: ['audience-core', 'audience-sandbox'],
      beside: { ...NODE_TYPES, typescript: 'latest', vitest: '5' },
      checks: [...COMPILE, ...loadChecks, modulesCheck(MODULES), libraryCheck, vitestCheck],
    },
    {
      name: 'the core alone, TypeScript 5.4',
      packages: ['audience-core'],
      beside: { ...NODE_TYPES, typescript: '5.4' },
      checks: [modulesCheck([...MODULES, ['commonjs', 'node10'], ['esnext', 'node10']]), libraryCheck],
    },
    {
      name: `vitest 4${isOnLinux ? ', and the core on other runtimes' : ''}`,
      packages: ['audience-core', 'audience-sandbox'],
      beside: { ...NODE_TYPES, typescript: '6', vitest: '4', ...(isOnLinux ? RUNTIME_PACKAGES : {}) },
      checks: [vitestCheck, ...(isOnLinux ? runtimeChecks : [])],
    },
  ];
}

async function main(only = ''): Promise<void> {
  const cli = await findCli('dynamic');
  console.log(`Installed packages, on ${cli?.name ?? 'NO PULUMI CLI, SO NO README OF PULUMI RAN'}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'audience-packed-'));
  const tally = new Tally();
  try {
    const tarballs = await packAll(folder);
    const chosen = variants(cli !== undefined).filter((one) => one.name.includes(only));
    await twoAtATime(chosen, async ({ name, packages, beside, checks, manager = 'npm' }) => {
      const files = packages.map((one) => tarballs[one]);
      const project = await tally.attempt(`${name}: ${manager} install`, () =>
        InstalledProject.install(files, beside, manager, Object.values(tarballs)),
      );
      if (project === undefined) return;
      console.log(
        `          ${name}: ${await project.versionsOf(...(packages.length > 1 && manager === 'npm' ? ['zod'] : []), ...Object.keys(beside))}`,
      );
      for (const check of checks) {
        await tally.attempt(`${name}: ${check.name}`, () => check.run(project));
      }
      await project.remove();
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  tally.end();
}

void main(process.argv[2]);
