import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox, type RunningSandbox } from 'audience-sandbox';
import { z } from 'zod/v4-mini';
import { listen } from '../../hosts/ports.js';
import { until } from '../../hosts/until.js';
import {
  audience,
  ended,
  expectEachOnce,
  mail,
  nodesOf,
  Published,
  publishWorkflow,
  rowsOf,
  saveCredential,
  to,
  wholeForFile,
  type Ended,
} from './whole.js';

const COUNT = 12;
const SENT = 5;
const DAY = 24 * 3_600_000;
const ROUTE = 'sendTransactionalEmail';

const whole = wholeForFile({ profile: { duplicates: 'replay' } });
const recipients = async () => (await whole.sandbox.emails()).map(({ to: recipient }) => recipient);
const send = () => mail('={{ $json.email }}', { concurrency: 1 });
/** Rows from the one that the caller names. */
const rows = () => ({
  type: 'n8n-nodes-base.code',
  typeVersion: 2,
  parameters: {
    jsCode: `const from = $('Hook').first().json.body.from ?? 0;
return Array.from({ length: ${COUNT} }, (_, row) => ({ json: { email: 'person-' + row + '@example.com' } })).slice(from);`,
  },
});

/** A workflow that calls another one, which sends. */
async function callerOf(name: string, mode: 'once' | 'each'): Promise<Published> {
  const trigger = { type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 };
  const id = await publishWorkflow(whole.api, {
    name: `${name}-sub`,
    nodes: nodesOf({ Start: { ...trigger, parameters: { inputSource: 'passthrough' } }, Send: send() }),
    connections: { Start: { main: [to('Send')] } },
  });
  const call = {
    ...{ type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
    parameters: { workflowId: { __rl: true, mode: 'id', value: id }, mode, options: {} },
  };
  return await Published.publish(whole, name, { Rows: rows(), Call: call });
}

async function retry({ id }: Ended): Promise<void> {
  await whole.api.call('POST', `/executions/${id}/retry`, z.unknown(), { loadWorkflow: false });
}

async function hangs(sandbox: RunningSandbox): Promise<void> {
  await until('the run hangs', () => sandbox.faults.list().every(({ hits }) => hits === 1) || undefined);
}

async function crash(sandbox: RunningSandbox): Promise<void> {
  await hangs(sandbox);
  await whole.kill();
  sandbox.faults.clear();
  await whole.start();
}

test('a sub-workflow is killed: its Retry sends nothing and says what to do, and that sends each mail once', async () => {
  const caller = await callerOf('killed', 'once');
  const hang = { route: ROUTE, address: `person-${SENT}@example.com`, hang: true } as const;
  whole.sandbox.faults.next(hang);
  await caller.call();
  await crash(whole.sandbox);
  expect(await recipients()).toHaveLength(SENT);
  let last = await ended(whole.api, 'killed-sub', 1);
  for (let again = 2; again < 4; again += 1) {
    await retry(last);
    last = await ended(whole.api, 'killed-sub', again);
    expect(last.status).toBe('error');
    expect(last.data).toContain('lost-sub-workflow');
    expect(last.data).toContain('start the workflow that called it again');
  }
  expect(await recipients()).toHaveLength(SENT);
  expect((await caller.run(2, { from: SENT })).status).toBe('success');
  await expectEachOnce(whole.sandbox, COUNT);
});

test.each(['once', 'each'] as const)(
  'a sub-workflow fails, called %s: its own Retry sends what is missing, that of its caller sends all again',
  async (mode) => {
    const name = `failed-${mode}`;
    const caller = await callerOf(name, mode);
    whole.sandbox.faults.next({
      ...{ route: ROUTE, address: `person-${SENT}@example.com`, times: 1 },
      respond: { status: 422 },
    });
    const failed = await caller.run(1);
    expect(failed.status).toBe('error');
    const sub = await ended(whole.api, `${name}-sub`, mode === 'once' ? 1 : SENT + 1);
    for (const { data } of [failed, sub]) {
      expect(data).toContain('Retry the execution of the sub-workflow itself');
      expect(data).not.toContain('only the missing');
    }
    await retry(sub);
    expect((await ended(whole.api, `${name}-sub`, mode === 'once' ? 2 : SENT + 2)).status).toBe('success');
    // Called for each item, the caller has not reached the others.
    const sent = mode === 'once' ? COUNT : SENT + 1;
    await expectEachOnce(whole.sandbox, sent);
    expect((await caller.retry(failed, 2)).status).toBe('success');
    expect(await recipients()).toHaveLength(sent + COUNT);
  },
);

/** Puts back the time at which an execution began, as n8n stores it. */
function backdate({ id }: Ended, milliseconds: number): void {
  const database = new DatabaseSync(join(whole.n8n.folder, '.n8n', 'database.sqlite'));
  const row = database.prepare('SELECT data FROM execution_data WHERE executionId = ?').get(id);
  const data = z.object({ data: z.string() }).parse(row).data;
  const earlier = data.replaceAll(
    /("establishedAt":)(\d+)/g,
    (_all, name: string, at: string) => `${name}${Number(at) - milliseconds}`,
  );
  expect(earlier).not.toBe(data);
  database.prepare('UPDATE execution_data SET data = ? WHERE executionId = ?').run(earlier, id);
  database.close();
}

describe('an earlier node fails', () => {
  let isUp = false;
  let source: Server;
  let url = '';
  beforeAll(async () => {
    source = createServer((_request, response) => {
      response.statusCode = isUp ? 200 : 500;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify([...Array(COUNT).keys()].map((row) => ({ email: `p${row}@example.com` }))));
    });
    url = `http://127.0.0.1:${await listen(source)}`;
  });
  afterAll(() => source.close());

  test.each([
    ['an hour later, with the original workflow', 3_600_000, false, 'success'],
    ['an hour later, with the saved workflow', 3_600_000, true, 'success'],
    ['three days later', 3 * DAY, false, 'error'],
  ] as const)('and is retried %s', async (what, milliseconds, loadWorkflow, status) => {
    isUp = false;
    const get = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: { url, options: {} } };
    const name = what.replaceAll(/\W+/g, '-');
    const workflow = await Published.publish(whole, name, { Get: get, Send: send() });
    const failed = await workflow.run(1);
    expect(failed.status).toBe('error');
    backdate(failed, milliseconds);
    isUp = true;
    const retried = await workflow.retry(failed, 2, loadWorkflow);
    expect(retried.status).toBe(status);
    if (status === 'success') await expectEachOnce(whole.sandbox, COUNT);
    else {
      expect(await recipients()).toEqual([]);
      expect(retried.data).toContain('n8n kept no record of this node. If it ran 72 hours ago');
      expect(retried.data).toContain('then start a new run');
      expect((await workflow.run(3)).status).toBe('success');
      await expectEachOnce(whole.sandbox, COUNT);
    }
  });
});

describe('progress is saved, and n8n is killed while a mail is under way that arrives', () => {
  let refusing: RunningSandbox;
  beforeAll(async () => {
    refusing = await startSandbox({ profile: { duplicates: 'refuse' } });
  });
  afterAll(() => refusing.close());

  test.each([
    ['replays', () => whole.sandbox, 0, 'success'],
    ['refuses, as it is documented', () => refusing, 409, 'success'],
    ['refuses', () => refusing, 0, 'error'],
  ] as const)(
    'the service %s a used key: each mail arrives once',
    async (what, of, usedKeyStatus, status) => {
      const sandbox = of();
      sandbox.reset();
      const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey, usedKeyStatus };
      const credential = { id: await saveCredential(whole.api, what, 'audienceApi', data), name: what };
      const named = { ...send(), credentials: { audienceApi: credential } };
      const first = {
        ...audience({ resource: 'email', operation: 'getAll', limit: 1 }),
        credentials: named.credentials,
      };
      const name = `saved-${what.replaceAll(/\W+/g, '-')}`;
      sandbox.faults.next({ route: ROUTE, address: `person-${SENT}@example.com`, hang: true, when: 'after' });
      const workflow = await Published.publish(
        whole,
        name,
        { First: first, Rows: rowsOf(COUNT), Send: named },
        undefined,
        { saveExecutionProgress: true },
      );
      await workflow.call();
      await crash(sandbox);
      expect(await sandbox.emails()).toHaveLength(SENT + 1);
      const retried = await workflow.retry(await workflow.ended(1), 2);
      expect(retried.status).toBe(status);
      if (status === 'success') await expectEachOnce(sandbox, COUNT);
      else {
        // Nobody has said what its 409 means: a person has to look.
        expect(retried.data).toContain('May have failed to send');
        await expectEachOnce(sandbox, SENT + 1);
      }
    },
  );
});
