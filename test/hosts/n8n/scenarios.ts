import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/v4-mini';

const ROOT = resolve(__dirname, '../../..');
const resultSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  success: z.boolean(),
});

/**
 * Runs the tests in a whole n8n: command line, editor, queue mode.
 *
 * @param only runs only tests whose name holds this text.
 */
export async function runScenarios(only?: string): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'n8n-scenarios-'));
  try {
    const output = join(folder, 'result.json');
    const args = ['-c', 'test/e2e/jest.config.js', 'test/e2e/n8n', '--json', `--outputFile=${output}`];
    // Each file has an n8n of its own, and waits more than it works.
    args.push('--maxWorkers=2');
    if (only !== undefined) args.push('-t', only);
    await new Promise<void>((done, fail) => {
      const jest = spawn('jest', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
      jest.on('error', fail);
      jest.on('exit', () => {
        done();
      });
    });
    const result = resultSchema.parse(JSON.parse(readFileSync(output, 'utf8')));
    const failed = result.numFailedTests === 0 && !result.success ? 1 : result.numFailedTests;
    return { passed: result.numPassedTests, failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
