// Runs `up` on the stand-in in a process of its own, so that tests can kill the whole of it.
import * as z from 'zod/v4';
import { StandInStack } from './stack.js';

const optionsSchema = z.object({
  programDir: z.string(),
  project: z.string(),
  stack: z.string(),
  stateDir: z.string(),
  config: z.record(z.string(), z.union([z.string(), z.object({ secret: z.string() })])).optional(),
  env: z.record(z.string(), z.string()).optional(),
  passphrase: z.string().optional(),
  parallel: z.number().optional(),
  provider: z.enum(['dynamic', 'native']),
});

async function main(): Promise<void> {
  const { provider, ...options } = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
  const stack = new StandInStack(options, provider);
  const { failed } = await stack.up({ onLine: (line) => process.stdout.write(`${line}\n`) });
  process.exitCode = failed ? 1 : 0;
}

void main();
