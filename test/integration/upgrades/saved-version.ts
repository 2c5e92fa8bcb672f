import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Seed } from 'audience-sandbox';
import type { Engine } from '../../hosts/pulumi/index.js';
import { nativeStandIn, standIn } from '../../hosts/pulumi/index.js';
import { inWorld } from '../../hosts/pulumi/scenarios/world.js';
import type { World } from '../../hosts/pulumi/scenarios/world.js';
import { saveExecutions } from './saved-execution.js';
import { saveWorkflow } from './saved-workflow.js';

/** What each version has written: a folder for each, by its number. */
export const SAVED = path.join(__dirname, 'saved');

/** The engines whose states are kept, by the name of their folder. */
export const ENGINES: Readonly<Record<string, Engine>> = { dynamic: standIn, native: nativeStandIn };

/** Name of the folder of n8n's workflow and failed executions beside the states. */
export const N8N = 'n8n';

/** Name of the data file of the sandbox beside each state. */
export const DATA_FILE = 'sandbox.db';

const SEED: Seed = {
  subscriptionGroups: [{ id: 'news', name: 'News' }],
  contacts: [{ email: 'grace@example.com' }],
  designs: [{ id: 'welcome', name: 'Welcome', subject: 'Welcome, {{firstName}}' }],
};

const PROGRAM = `
  const seats = new ContactProperty('seats', { name: 'seats', type: 'number' });
  const endsAt = new ContactProperty('ends-at', { name: 'endsAt', type: 'date' });
  const createWithEvent = { eventName: 'added', eventProperties: { by: 'pulumi' } };
  const dependsOn = [seats, endsAt];
  new Contact('ada', {
    email: 'ada@example.com',
    userId: 'user-ada',
    firstName: 'Ada',
    subscriptionGroups: { news: true },
    properties: { seats: 3, endsAt: 1801353600 },
    createWithEvent,
    onDelete: 'unsubscribe',
  }, { dependsOn });
  new Contact('grace', { email: 'grace@example.com', lastName: 'Hopper' });
  new Contacts('people', { file: 'people.csv', createWithEvent, onRemove: 'unsubscribe' }, { dependsOn });`;

const PEOPLE = ['email,firstName,seats', 'bob@example.com,Bob,1', 'cleo@example.com,Cleo,2', ''].join('\n');

/** Sets the program whose state is kept: every type of resource, with what it can hold. */
export async function setProgram(world: World): Promise<void> {
  await world.program(PROGRAM);
  await writeFile(path.join(world.programDir, 'people.csv'), PEOPLE);
}

/**
 * Keeps what this version writes: states of a program, the service's data file with a mail, a profile and a fault, and
 * a workflow of n8n with executions that have failed.
 */
export async function save(version: string): Promise<void> {
  await saveWorkflow(path.join(SAVED, version, N8N));
  await saveExecutions(path.join(SAVED, version, N8N));
  for (const [name, engine] of Object.entries(ENGINES)) {
    const folder = path.join(SAVED, version, name);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await inWorld(engine, { seed: SEED, dataFile: path.join(folder, DATA_FILE) }, async (world) => {
      await setProgram(world);
      await world.up();
      await world.others.transactional.send({
        email: 'ada@example.com',
        transactionalId: 'welcome',
        dataVariables: { firstName: 'Ada' },
      });
      world.sandbox.setProfile({ furtherFields: 'given' });
      world.sandbox.faults.next({ route: 'listTransactionalEmails', status: 503 });
      await cp(world.stateDir, path.join(folder, 'state'), { recursive: true });
    });
  }
}
