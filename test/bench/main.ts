import { bench as core } from './core.js';

/** The benchmarks by name. Each prints ratios that were measured side by side in one run. */
const BENCHES: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
  core: () => Promise.resolve(core),
  limiter: async () => (await import('./limiter.js')).bench,
  sandbox: async () => (await import('./sandbox.js')).bench,
  pulumi: async () => (await import('./pulumi.js')).bench,
  n8n: async () => (await import('./n8n.js')).bench,
};

async function main(names: readonly string[]): Promise<void> {
  const wanted = names.length > 0 ? names : Object.keys(BENCHES);
  for (const name of wanted) {
    const load = BENCHES[name];
    if (load === undefined) {
      throw new Error(`There is no benchmark '${name}'; there are ${Object.keys(BENCHES).join(', ')}.`);
    }
    process.stdout.write(`\n${name}\n`);
    const bench = await load();
    await bench();
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
