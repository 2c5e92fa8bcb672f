// Runs the Pulumi scenarios alone. With an argument, only those whose name holds that text.
import { runPulumiScenarios } from './run.js';

async function main(): Promise<void> {
  const { passed, failed } = await runPulumiScenarios(process.argv[2]);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

void main();
