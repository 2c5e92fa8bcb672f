// Runs the product on the real hosts where they are to be had, and says which they were, and as people install it.
// With an argument, only scenarios whose name holds that text.
import path from 'node:path';
import { runScenarios as runInstalledScenarios } from './installed/scenarios.js';
import { installN8n } from './n8n/install.js';
import { runScenarios as runN8nScenarios } from './n8n/scenarios.js';
import { runPulumiScenarios } from './pulumi/run.js';

// Hundreds of Node processes load the same modules: compiled once, they start in half the time.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(__dirname, '../../node_modules/.cache/compiled');

async function main(): Promise<void> {
  const only = process.argv[2];
  // n8n is minutes of downloading, which the other parts need not wait for. What fails is told by its own tests.
  const n8n = only === undefined ? installN8n(console.log).catch(() => undefined) : undefined;
  const totals = [await runInstalledScenarios(only), await runPulumiScenarios(only)];
  await n8n;
  totals.push(await runN8nScenarios(only));
  const sum = (key: 'passed' | 'failed'): number => totals.reduce((count, part) => count + part[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}

void main();
