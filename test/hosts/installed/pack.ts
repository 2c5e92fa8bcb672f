import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod/v4-mini';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../../..');

/** The packages of this repository, by their names on npm. */
export const PACKAGES = [
  'audience-core',
  'audience-sandbox',
  'pulumi-audience',
  'n8n-nodes-audience',
] as const;

/** Name of one of the packages. */
export type PackageName = (typeof PACKAGES)[number];

/** A package as it would be published. */
export interface Tarball {
  readonly name: PackageName;
  /** Path of the file. */
  readonly file: string;
  /** What is in it, by path in the package, sorted. */
  readonly contents: readonly string[];
}

const packedSchema = z.array(
  z.object({ name: z.string(), filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);

/**
 * Packs all packages, as they are built now, into a folder. It takes less than a second.
 *
 * @throws Error with what npm said.
 */
export async function packAll(folder: string): Promise<Readonly<Record<PackageName, Tarball>>> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const workspaces = PACKAGES.flatMap((name) => ['-w', name]);
  const { stdout } = await run('npm', [...args, ...workspaces], { cwd: ROOT });
  const packed = packedSchema.parse(JSON.parse(stdout));
  const tarball = (name: PackageName): Tarball => {
    const found = packed.find((one) => one.name === name);
    if (found === undefined) throw new Error(`npm pack made no tarball of ${name}.`);
    return {
      name,
      file: path.join(folder, found.filename),
      contents: found.files.map((file) => file.path).sort(),
    };
  };
  return {
    'audience-core': tarball('audience-core'),
    'audience-sandbox': tarball('audience-sandbox'),
    'pulumi-audience': tarball('pulumi-audience'),
    'n8n-nodes-audience': tarball('n8n-nodes-audience'),
  };
}

/** Unpacks a tarball and gives the folder of its package. */
export async function unpack({ file }: Tarball, folder: string): Promise<string> {
  await run('tar', ['-xzf', file, '-C', folder]);
  return path.join(folder, 'package');
}

const manifestSchema = z.object({
  dependencies: z.optional(z.record(z.string(), z.string())),
  peerDependencies: z.optional(z.record(z.string(), z.string())),
});

/** The oldest version of a dependency that a package promises to work with: `4.0.0` for `^4.0.0`. */
export function oldestPromised(name: PackageName, dependency: string): string {
  const manifest: unknown = createRequire(path.join(ROOT, 'package.json'))(`${name}/package.json`);
  const { dependencies, peerDependencies } = manifestSchema.parse(manifest);
  const range = dependencies?.[dependency] ?? peerDependencies?.[dependency];
  const [, oldest] = /^\^(\d+\.\d+\.\d+)$/.exec(range ?? '') ?? [];
  if (oldest === undefined) throw new Error(`${name} promises '${String(range)}' of ${dependency}.`);
  return oldest;
}
