import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Report } from './report.js';

type Bench = (report: Report) => Promise<void>;

/** The benchmarks by name. Each prints ratios that were measured side by side in one run. */
const BENCHES: Readonly<Record<string, () => Promise<{ bench: Bench }>>> = {
  core: () => import('./core.js'),
  sandbox: () => import('./sandbox.js'),
  pulumi: () => import('./pulumi.js'),
  n8n: () => import('./n8n.js'),
};

/** The page that the README links to. */
const PAGE = path.join(__dirname, 'RESULTS.md');

async function main(names: readonly string[]): Promise<void> {
  const report = new Report();
  for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
    const load = BENCHES[name];
    if (load === undefined) {
      throw new Error(`There is no benchmark '${name}'; there are ${Object.keys(BENCHES).join(', ')}.`);
    }
    const { bench } = await load();
    await bench(report);
  }
  const page = await format(report.page(), { ...(await resolveConfig(PAGE)), parser: 'markdown' });
  process.stdout.write(`\n${page}`);
  // The page holds all of them, measured on one machine.
  if (names.length === 0) await writeFile(PAGE, page);
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
