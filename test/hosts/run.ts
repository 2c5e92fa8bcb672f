// Runs the product on the real hosts where they are to be had, and says which they were, and as people install it.
// With an argument, only scenarios whose name holds that text.
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/v4';
import { runScenarios as runInstalledScenarios } from './installed/scenarios.js';
import { runPulumiScenarios } from './pulumi/run.js';

interface Totals {
  readonly passed: number;
  readonly failed: number;
}

const partSchema = z.object({
  runScenarios: z.custom<(only?: string) => Promise<Totals>>((value) => typeof value === 'function'),
});

/** Parts that live in a file of their own and may not be there: each exports `runScenarios`. */
const OPTIONAL_PARTS = ['n8n/scenarios.ts'];

async function main(): Promise<void> {
  const only = process.argv[2];
  const totals: Totals[] = [await runInstalledScenarios(only), await runPulumiScenarios(only)];
  for (const part of OPTIONAL_PARTS) {
    const file = path.join(__dirname, part);
    if (!existsSync(file)) continue;
    const module: unknown = await import(file);
    totals.push(await partSchema.parse(module).runScenarios(only));
  }
  const sum = (key: keyof Totals): number => totals.reduce((count, part) => count + part[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}

void main();
