import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox } from 'audience-sandbox';
import { inWorld } from '../../hosts/pulumi/scenarios/world.js';
import { DATA_FILE, ENGINES, SAVED, setProgram, N8N } from './saved-version.js';
import { KINDS, retrySaved } from './saved-execution.js';
import { runSaved, savedOutcome } from './saved-workflow.js';

const cases = readdirSync(SAVED).flatMap((version) =>
  Object.entries(ENGINES).map(([name, engine]) => ({ version, name, engine })),
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'audience-saved-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(cases)(
  'state of version $version ($name) is taken as it is: nothing is written, all is unchanged',
  async ({ version, name, engine }) => {
    await cp(path.join(SAVED, version, name), folder, { recursive: true });
    await inWorld(engine, { dataFile: path.join(folder, DATA_FILE) }, async (world) => {
      await cp(path.join(folder, 'state'), world.stateDir, { recursive: true });
      await atAddress(world.sandbox.url, path.join(world.stateDir, 'scenario/test.json'));
      await setProgram(world);
      world.calls();
      const up = await world.up();
      expect(up.summary).toEqual({ create: 0, update: 0, replace: 0, delete: 0, same: 5 });
      expect(world.writes()).toEqual([]);
      const refreshed = await world.stack.refresh();
      expect(refreshed.summary).toMatchObject({ update: 0, delete: 0 });
    });
  },
);

/** The service is the one of then, at another port of this machine. */
async function atAddress(url: string, stateFile: string): Promise<void> {
  const state = await readFile(stateFile, 'utf8');
  const moved = state.replace(/"service":"[^"]*"/g, `"service":"${url}"`);
  expect(moved).not.toBe(state);
  await writeFile(stateFile, moved);
}

test.each(cases)(
  'the data file of the sandbox of version $version ($name) holds all that it held',
  async ({ version, name }) => {
    await cp(path.join(SAVED, version, name), folder, { recursive: true });
    const sandbox = await startSandbox({ dataFile: path.join(folder, DATA_FILE) });
    try {
      const people = sandbox.contacts().map(({ email }) => email);
      expect(people.sort()).toEqual(['ada', 'bob', 'cleo', 'grace'].map((who) => `${who}@example.com`));
      expect(sandbox.emails().map(({ subject }) => subject)).toEqual(['Welcome, Ada']);
      expect(sandbox.events()).toHaveLength(3);
      expect(sandbox.profile().furtherFields).toBe('given');
      expect(sandbox.faults.list()).toMatchObject([{ route: 'listTransactionalEmails', status: 503 }]);
    } finally {
      await sandbox.close();
    }
  },
);

test.each(readdirSync(SAVED))('a workflow of version %s sends and puts out the same', async (version) => {
  const saved = path.join(SAVED, version, N8N);
  expect(await runSaved(path.join(saved, 'workflow.json'))).toEqual(await savedOutcome(saved));
});

const executions = readdirSync(SAVED).flatMap((version) =>
  Object.keys(KINDS).map((kind) => ({ version, kind })),
);

test.each(executions)(
  'a Retry of an execution that failed in version $version sends with the same keys ($kind)',
  async ({ version, kind }) => {
    const { before, now } = await retrySaved(path.join(SAVED, version, N8N), kind);
    expect(Object.keys(before).sort()).toEqual(['ada@example.com', 'bob@example.com']);
    expect(now).toEqual({ ...before, 'cleo@example.com': [expect.any(String)] });
  },
);
