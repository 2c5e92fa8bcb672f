import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Tarball } from './pack.js';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../../..');

/** What installs a project's packages. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn';

/**
 * Installs packages from their tarballs, and more by their npm names and ranges, into a folder. There is no lock file, so
 * the folder has what people get today.
 *
 * @param all the tarballs that packages get which depend on them.
 * @throws Error with what the package manager said.
 */
export async function installInto(
  dir: string,
  tarballs: readonly Tarball[],
  beside: Readonly<Record<string, string>>,
  manager: PackageManager,
  all: readonly Tarball[],
): Promise<void> {
  const manifest = path.join(dir, 'package.json');
  if (manager === 'npm') {
    await writeFile(manifest, '{ "private": true }\n');
    const others = Object.entries(beside).map(([name, range]) => `${name}@${range}`);
    const args = ['install', '--no-package-lock', '--no-audit', '--no-fund'];
    await run('npm', [...args, ...tarballs.map(({ file }) => file), ...others], { cwd: dir });
    return;
  }
  // These two look for audience-core of the other packages in the registry, unless an override says where it is.
  const filesOf = (some: readonly Tarball[]) =>
    Object.fromEntries(some.map(({ name, file }) => [name, `file:${file}`]));
  const overrides = filesOf(all);
  const resolutions = manager === 'yarn' ? { resolutions: overrides } : {};
  const dependencies = { ...filesOf(tarballs), ...beside };
  await writeFile(manifest, JSON.stringify({ private: true, dependencies, ...resolutions }));
  const settings = {
    pnpm: ['pnpm-workspace.yaml', JSON.stringify({ overrides })],
    yarn: ['.yarnrc.yml', JSON.stringify({ nodeLinker: 'node-modules', enableTelemetry: false })],
  } as const;
  const [file, text] = settings[manager];
  await writeFile(path.join(dir, file), text);
  // Both refuse to write a lock file where they see a CI.
  const flag = manager === 'pnpm' ? '--no-frozen-lockfile' : '--no-immutable';
  await run('node', [path.join(ROOT, '.ci/tools/run.mjs'), manager, 'install', flag], { cwd: dir });
}
