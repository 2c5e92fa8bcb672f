import type {
  IDataObject,
  IExecuteFunctions,
  IHttpRequestOptions,
  INode,
  INodeType,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import * as z from 'zod/v4-mini';
import {
  createN8nEngine,
  type ExecutionOutcome,
  type N8nEngine,
  type WorkflowFile,
} from '../../hosts/n8n-engine/index.js';
import { ModelClock, realms } from './clocks.js';
import { ModelService, respond, type Fate, type Kind } from './model-service.js';
import { locator, mapped, NODE, NODE_TYPE, nodeOutcome, oneNode, ours, to } from './support.js';

/** `.ci/run` plays others. More of them: `AUDIENCE_MODEL_RUNS=20000 AUDIENCE_MODEL_SEED=7 npx jest once-only.model`. */
const HISTORIES = Number(process.env['AUDIENCE_MODEL_RUNS'] ?? 120);
const SEED = Number(process.env['AUDIENCE_MODEL_SEED'] ?? 1);

const HOUR = 3_600_000;

/** Another node of ours, which runs before. */
const FIRST = 'First';

/** An input item, and what the node's expressions make of it. */
interface Row {
  readonly uid: number;
  readonly json: { readonly row: number; readonly read?: number };
  readonly to: string;
  readonly text: 'good' | 'bad' | 'now';
}

// Made once: making a schema takes longer than a request.
const textSchema = z.string();
/** What says that a call was not carried out; a problem of the input says nothing of earlier calls. */
const deniesSchema = z.object({
  reason: z.string().check(z.refine((reason) => reason !== 'input')),
  unclear: z.optional(z.literal(false)),
});

let n8n: N8nEngine;
let clock: ModelClock;
/** Those of one history, by base URL. */
const accounts = new Map<string, ModelService>();

beforeAll(async () => {
  const node = (await createN8nEngine()).nodeType(NODE_TYPE);
  n8n = await createN8nEngine({ nodes: { [NODE_TYPE]: overModel(node) } });
  clock = new ModelClock();
  // n8n formats the stack of each error for its log: a third of the time, and nobody reads it.
  for (const realm of realms) realm.Error.stackTraceLimit = 0;
});
afterAll(() => {
  clock.restore();
});

/** The node as it is, but for n8n's HTTP helper: a thousand histories are a quarter of a million requests. */
function overModel(node: INodeType): INodeType {
  return {
    description: node.description,
    async execute(this: IExecuteFunctions) {
      const { baseUrl } = await this.getCredentials('audienceApi');
      const request = async (_type: string, options: IHttpRequestOptions): Promise<unknown> =>
        await Promise.resolve(respond(accounts.get(textSchema.parse(baseUrl)), options));
      Object.assign(this.helpers, { httpRequestWithAuthentication: request });
      return (await node.execute?.call(this)) ?? [];
    },
  };
}

test(`${HISTORIES} histories: success means received, nothing goes out twice, and what is missing goes out`, async () => {
  for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) await history(seed);
}, 900_000);

function randomOf(seed: number): () => number {
  let x = (seed * 2_654_435_761) >>> 0 || 1;
  const next = (): number => (x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let warm = 0; warm < 5; warm += 1) next();
  return next;
}

/** One run of a workflow with all that comes after it, up to the end where everything is well. */
async function history(seed: number): Promise<void> {
  const next = randomOf(seed);
  const chance = (part: number): boolean => next() < part;
  const pick = <Value>(...list: readonly [Value, ...Value[]]): Value =>
    list[Math.floor(next() * list.length)] ?? list[0];
  const kind = pick<Kind>('replays', 'replays', 'refuses, documented', 'refuses', 'binds');
  const mismatch = pick(400, 409, 422);
  let isCalm = false;
  const fates = (): readonly Fate[] =>
    isCalm ? ['ok'] : ['ok', 'ok', 'ok', 'ok', '500', 'lost before', 'lost after', 'slow', '409 of its own'];
  accounts.clear();
  const urlOf = (number: number): string => `http://localhost:${1 + number}`;
  for (const number of [0, 1]) accounts.set(urlOf(number), new ModelService(kind, mismatch, next, fates));
  const log = [`history ${seed}: the service ${kind}, mismatch ${mismatch}`];

  const all = Array.from({ length: 1 + Math.floor(next() * 4) }, (_row, uid): Row => ({
    uid,
    json: { row: chance(0.3) ? 0 : uid },
    to: `p${pick(0, 1)}@example.com`,
    text: pick('good', 'good', 'now', 'bad'),
  }));
  let rows = all;
  let account = 0;
  let renewals = 0;
  let isReread = false;
  // "Not sent" is not known where the store is older than what was sent, or of equal rows with other recipients.
  let isGuess = false;
  // What n8n keeps of a failed execution; a crash loses it, or what came after it was saved.
  let isStoreKept = true;
  // A sub-workflow, of which n8n does not store when it began.
  const isSub = chance(0.3);
  // Another node of ours ran before, and n8n may have saved that.
  const isSecond = chance(0.5);
  const corrected = new Set<number>();
  const settings: Partial<INode> = {
    onError: chance(0.7) ? 'stopWorkflow' : 'continueRegularOutput',
    ...(chance(0.3) ? { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 } : {}),
  };
  const concurrency = pick(1, 10);
  const groupOf = ({ uid, to }: { uid: number; to: string }): string => `row ${all[uid]?.json.row} to ${to}`;

  /** What was said to be sent has been received, and what was said not to be has not; equal rows counted together. */
  const check = (outcome: ExecutionOutcome, of: readonly Row[]): void => {
    const said: string[] = [];
    const denied: string[] = [];
    const times = (groups: readonly string[], group: string) => groups.filter((one) => one === group).length;
    const { items, error } = nodeOutcome(outcome);
    for (const { json, pairedItem = -1 } of items) {
      const row = of[pairedItem];
      if (row === undefined) continue;
      if (json['success'] === true) said.push(groupOf({ uid: row.uid, to: textSchema.parse(json['email']) }));
      else if (deniesSchema.safeParse(json['details']).success) denied.push(groupOf(row));
    }
    const failed = of[error?.itemIndex ?? -1];
    if (failed !== undefined && deniesSchema.safeParse(error?.context).success) denied.push(groupOf(failed));
    log.push(
      `  ${outcome.status}, said: ${said.join('; ')}; denied: ${denied.join('; ')}`,
      `  ${error?.message ?? ''}`,
    );
    const received = [...accounts.values()].flatMap((one) => one.received.map(groupOf));
    const { received: arrived = [], underWay = [] } = accounts.get(urlOf(account)) ?? {};
    const maybe = [...arrived, ...underWay].map(groupOf);
    for (const group of isGuess ? [] : denied) {
      const due = times(of.map(groupOf), group);
      if (times(maybe, group) > due - times(denied, group))
        throw new Error([...log, `SAID NOT SENT AND RECEIVED: ${group}`].join('\n'));
    }
    const repeated = [...accounts.values()].flatMap(({ askedAgain }) => askedAgain.map(groupOf));
    if (isStoreKept && repeated.length > 0)
      throw new Error([...log, `DONE AND ASKED FOR AGAIN: ${repeated.join('; ')}`].join('\n'));
    for (const group of said) {
      if (times(received, group) < times(said, group))
        throw new Error([...log, `SAID AND NOT RECEIVED: ${group}`].join('\n'));
    }
  };

  const credentials = () => ({
    audienceApi: {
      ...{ baseUrl: urlOf(account), apiKey: `key-${renewals}` },
      usedKeyStatus: accounts.get(urlOf(account))?.usedKeyStatus ?? 0,
    },
  });
  const variables = (): IDataObject => ({ rows: rows.map((row) => ({ ...row })) });
  let mode: WorkflowExecuteMode = isSub ? 'integrated' : 'webhook';
  const parent = { savesProgress: isSecond, ...(isSub ? { parentExecutionId: '1' } : {}) };
  const breakDown = (): void => {
    for (const one of accounts.values()) one.isDown = !isCalm && chance(0.1);
  };
  breakDown();
  let before = await n8n.execute(workflow(settings, concurrency, isSecond), {
    ...parent,
    ...{
      credentials: credentials(),
      variables: variables(),
      mode,
      inputItems: rows.map(({ json }): IDataObject => ({ ...json })),
    },
  });
  check(before, rows);

  const isOk = (): boolean =>
    before.status === 'success' && nodeOutcome(before).items.every(({ json }) => json['success'] === true);
  for (let turn = 0; turn < 5; turn += 1) {
    let step = pick(
      'retry',
      'retry',
      'crash',
      'crash, progress saved',
      'take over',
      'correct text',
      'correct recipient',
      'renew API key',
      'switch account',
    );
    // Who takes the caller over calls the sub-workflow anew: that is another run.
    if (step === 'take over' && isSub) step = 'crash';
    const isCrash = step.startsWith('crash');
    if (isOk() && !isCrash) break;
    // n8n retries what failed; a node that goes on has succeeded.
    if (before.status === 'success' && !isCrash && step !== 'take over') break;
    breakDown();
    if (step !== 'take over') clock.forward(HOUR);
    log.push(step);
    if (isCrash || step === 'take over') isStoreKept = false;
    // The key of a corrected item is forgotten with the store.
    if ((isCrash || step === 'take over') && corrected.size > 0) isReread = true;
    if (step === 'take over') isGuess = true;
    // A worker that takes over does not know that it does: to a service that binds keys, a new text is a refusal like others.
    if (step === 'take over' && kind === 'binds') isReread = true;
    if (step === 'correct text') {
      for (const { uid, text } of rows) if (text === 'bad') corrected.add(uid);
      rows = rows.map((row) => (row.text === 'bad' ? { ...row, text: 'good' } : row));
    }
    if (step === 'correct recipient') {
      const index = Math.floor(next() * rows.length);
      rows = rows.map((row, at) => (at === index ? { ...row, to: 'right@example.com' } : row));
      isGuess = true;
    }
    if (step === 'renew API key') renewals += 1;
    if (step === 'switch account') account = 1;
    // A crashed Retry begins anew with the input that it was given; a first run reads its input anew.
    const isFirst = before.atStart.executionData?.nodeExecutionStack[0]?.node.name === 'Trigger';
    const isSaved = step === 'crash, progress saved' && isFirst && isSecond;
    // What the next Retry begins with may be older than what was sent.
    if (isCrash && (isSaved || !isFirst)) isGuess = true;
    if (isCrash && (isSaved || !isFirst) && kind === 'binds') isReread = true;
    if (isCrash && isFirst && !isSaved) {
      if (chance(0.3)) {
        isReread = true;
        rows = rows.map((row) => ({ ...row, json: { ...row.json, read: turn } }));
      }
      // Rows come, go and change places. Of equal rows nobody can say which one went.
      const isAlone = ({ json }: Row): boolean => all.filter((one) => one.json.row === json.row).length === 1;
      if (chance(0.4)) rows = rows.filter((row) => !isAlone(row) || chance(0.8));
      if (chance(0.3)) rows = [...rows].reverse();
      if (rows.length === 0) return;
    }
    const file = workflow(settings, concurrency, isSecond);
    const options = { credentials: credentials(), variables: variables(), mode, ...parent };
    if (step === 'take over') before = await n8n.takeOver(file, before, options);
    else {
      mode = 'retry';
      const changed = isFirst ? { changed: rows.map(({ json }): IDataObject => ({ ...json })) } : {};
      before = isCrash
        ? await n8n.retryCrashed(file, before, options, isSaved ? { saved: FIRST } : changed)
        : await n8n.retry(file, before, options);
    }
    check(before, rows);
  }

  // In the end the service is well, what was wrong is corrected, and a person presses Retry: all that is missing goes out.
  isCalm = true;
  breakDown();
  const canRetry = settings.onError === 'stopWorkflow';
  for (let last = 0; last < 3 && canRetry && !isOk(); last += 1) {
    clock.forward(HOUR);
    rows = rows.map((row) => (row.text === 'bad' ? { ...row, text: 'good' } : row));
    before = await n8n.retry(workflow(settings, concurrency, isSecond), before, {
      ...parent,
      credentials: credentials(),
      variables: variables(),
    });
    log.push('at the end');
    check(before, rows);
  }
  // Of a key that is refused, or bound to another text, nobody knows what was carried out: a person has to look.
  const isLost = nodeOutcome(before).error?.context['code'] === 'lost-run';
  if (canRetry && !isOk() && !isLost && kind !== 'binds' && kind !== 'refuses')
    throw new Error([...log, 'STUCK'].join('\n'));
  for (const { json } of canRetry && isOk() ? rows : []) {
    const isOfRow = ({ uid }: { uid: number }): boolean => all[uid]?.json.row === json.row;
    const received = accounts.get(urlOf(account))?.received.filter(isOfRow).length ?? 0;
    if (received < rows.filter(isOfRow).length)
      throw new Error([...log, `MISSING: row ${json.row}`].join('\n'));
  }
  for (const { received } of isReread ? [] : accounts.values()) {
    for (const group of new Set(received.map(groupOf))) {
      const due = all.filter(({ json }) => group.startsWith(`row ${json.row} `)).length;
      const times = received.filter((one) => groupOf(one) === group).length;
      if (times > due)
        throw new Error([...log, `RECEIVED ${times} TIMES WHERE ${due} ARE DUE: ${group}`].join('\n'));
    }
  }
}

/** The expressions choose by the index, so that items with the same JSON may be for different people. */
function workflow(settings: Partial<INode>, concurrency: number, isSecond: boolean): WorkflowFile {
  const file = oneNode(
    {
      ...{ resource: 'email', operation: 'send', transactionalId: locator('id', 'design') },
      email: '={{ $vars.rows[$itemIndex].to }}',
      // One expression, as each takes longer than a request.
      dataVariables: mapped({
        text: "={{ $vars.rows[$itemIndex].text + ' ' + $vars.rows[$itemIndex].uid + ($vars.rows[$itemIndex].text === 'now' ? ' ' + Math.random() : '') }}",
      }),
      options: { concurrency },
    },
    settings,
  );
  // n8n computes the date for each expression, which is slow in a time zone with a summer time.
  const withSettings = { ...file, settings: { timezone: 'UTC' } };
  if (!isSecond) return withSettings;
  const first = ours(FIRST, { resource: 'email', operation: 'getAll', limit: 1 }, { position: [0, -100] });
  const connections = { ...file.connections, Trigger: to([FIRST, NODE]) };
  return { ...withSettings, nodes: [...file.nodes, first], connections };
}
