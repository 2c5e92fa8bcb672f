import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunningSandbox, Seed } from 'audience-sandbox';
import { deepCopy } from 'n8n-workflow';
import type { IDataObject, INodeParameters, IRunExecutionData } from 'n8n-workflow';
import * as z from 'zod/v4';
import { emailParameters, oneNode, setUp, writes } from '../n8n/support.js';

/** The kinds of idempotency keys, each with the options of the node that make it. */
export const KINDS: Readonly<Record<string, INodeParameters>> = {
  run: {},
  content: { sendOnce: 'content' },
  own: { idempotencyKey: '={{ $json.order }}' },
};

/**
 * Ada is written to twice; the design of Cleo's email comes later only, so that the first run fails
 * before it writes to her.
 */
const ITEMS: readonly IDataObject[] = ['ada', 'bob', 'ada', 'cleo'].map((name, index) => ({
  ...{ email: `${name}@example.com`, firstName: name, order: `order-${index}` },
  design: name === 'cleo' ? 'later' : 'welcome',
}));

const savedExecutionSchema = z.object({
  /** What n8n keeps of it. */
  data: z.custom<IRunExecutionData>((value) => typeof value === 'object' && value !== null),
  /** With which keys something was to go out to each person. */
  keys: z.record(z.string(), z.array(z.string())),
});
type SavedExecution = z.infer<typeof savedExecutionSchema>;

/** Keeps an execution of each kind that has failed. */
export async function saveExecutions(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const kind of Object.keys(KINDS)) {
    const saved = await failedExecution(kind);
    await writeFile(path.join(folder, `failed-${kind}.json`), `${JSON.stringify(saved)}\n`);
  }
}

/** An execution that a version has kept, and the keys with which this version's Retry of it sends. */
export async function retrySaved(
  folder: string,
  kind: string,
): Promise<{ readonly before: SavedExecution['keys']; readonly now: SavedExecution['keys'] }> {
  const text = await readFile(path.join(folder, `failed-${kind}.json`), 'utf8');
  // The node refuses a Retry of what the service may have forgotten by now.
  const recent = text.replace(/"at":\d+/g, `"at":${Date.now()}`);
  const { data, keys } = savedExecutionSchema.parse(JSON.parse(recent));
  const setup = await setUp({ seed: seed('welcome', 'later') });
  try {
    const { credentials, sandbox } = setup;
    const outcome = await setup.n8n.retry(workflow(kind), { atEnd: data }, { credentials });
    if (outcome.error !== undefined) throw new Error(outcome.error.message);
    return { before: keys, now: keysOf(sandbox) };
  } finally {
    await setup.close();
  }
}

async function failedExecution(kind: string): Promise<SavedExecution> {
  const setup = await setUp({ seed: seed('welcome') });
  try {
    const { credentials, sandbox } = setup;
    const { atEnd } = await setup.n8n.execute(workflow(kind), { credentials, inputItems: [...ITEMS] });
    const data = deepCopy(atEnd);
    // An error's stack has paths of this machine, and a Retry reads none.
    delete data.resultData.error;
    for (const run of Object.values(data.resultData.runData).flat()) delete run.error;
    return { data, keys: keysOf(sandbox) };
  } finally {
    await setup.close();
  }
}

function workflow(kind: string) {
  const options = { ...KINDS[kind], onFailedItem: 'finish' };
  return oneNode({ ...emailParameters(options), transactionalId: '={{ $json.design }}' });
}

function seed(...designs: string[]): Seed {
  const subject = 'Hello, {{firstName}}';
  return { designs: designs.map((id) => ({ id, name: id, subject, body: '<p>{{planName}}</p>' })) };
}

function keysOf(sandbox: RunningSandbox): SavedExecution['keys'] {
  const keys: Record<string, string[]> = {};
  for (const { idempotencyKey, requestBody } of writes(sandbox)) {
    const { email } = z.object({ email: z.string() }).parse(requestBody);
    keys[email] = [...new Set([...(keys[email] ?? []), idempotencyKey ?? 'none'])].sort();
  }
  return keys;
}
