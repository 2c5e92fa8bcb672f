import { setTimeout as sleep } from 'node:timers/promises';
import type { dynamic } from '@pulumi/pulumi';
import * as contactBehaviour from '../resources/contact.js';
import * as contactsBehaviour from '../resources/contacts.js';
import * as propertyBehaviour from '../resources/contact-property.js';
import type { Host, Problem, Raw } from '../resources/host.js';
import { Connection } from './connection.js';
import { forPeople, isForPeople } from './errors.js';
import { fromEngine, providerOf, toEngine } from './properties.js';

/** What each provider forwards the engine's calls to. */
export interface Handlers {
  configure(request: dynamic.ConfigureRequest): Promise<void>;
  check(olds: unknown, news: unknown): Promise<dynamic.CheckResult>;
  diff(id: string, olds: unknown, news: unknown): Promise<dynamic.DiffResult>;
  create(inputs: unknown): Promise<dynamic.CreateResult>;
  read(id: string, props: unknown): Promise<dynamic.ReadResult>;
  update(id: string, olds: unknown, news: unknown): Promise<dynamic.UpdateResult>;
  delete(id: string, props: unknown): Promise<void>;
}

/** What a resource can do, free of Pulumi. */
interface Behaviour {
  /** Faults, and the inputs where the check adds to them. */
  check(olds: Raw, news: Raw): Promise<{ problems: Problem[]; inputs?: Raw }>;
  diff(outs: Raw, news: Raw): { changes: boolean; replaces?: string[] };
  create(inputs: Raw): Promise<{ id: string; outs: Raw }>;
  /** State as the service has it; `undefined` when the thing is gone. */
  read(id: string, outs: Raw): Promise<{ id: string; outs: Raw } | undefined>;
  /** The inputs that state amounts to, for the next comparison; the state itself unless given. */
  inputsOf?(outs: Raw): Raw;
  update(id: string, outs: Raw, news: Raw): Promise<{ outs: Raw }>;
  delete(outs: Raw): Promise<void>;
}

// What a provider process prints is shown to the person, below the stack.
const host: Host = {
  reporter: {
    info: (message) => console.log(message),
    warn: (message) => console.warn(`warning: ${message}`),
  },
  sleep: (milliseconds) => sleep(milliseconds),
};

const connection = new Connection(host);

function handlersOf(behaviour: Behaviour): Handlers {
  return {
    // Synchronous up to its end: calls of other resources may come before the engine has seen it finish.
    configure({ config }) {
      connection.configure(config);
      return Promise.resolve();
    },
    async check(olds, news) {
      const inputs = fromEngine(news);
      const checked = await asProblems(() => {
        connection.open();
        return behaviour.check(fromEngine(olds), inputs);
      });
      return { inputs: toEngine(checked.inputs ?? inputs), failures: checked.problems };
    },
    diff(_id, olds, news) {
      return forPeople(() => Promise.resolve(behaviour.diff(fromEngine(olds), fromEngine(news))));
    },
    async create(inputs) {
      const { id, outs } = await forPeople(() => behaviour.create(fromEngine(inputs)), providerOf(inputs));
      return { id, outs: toEngine(outs) };
    },
    async read(id, props) {
      const found = await forPeople(() => behaviour.read(id, fromEngine(props)));
      if (found === undefined) return { id: '' };
      const inputs = behaviour.inputsOf?.(found.outs) ?? found.outs;
      return { id: found.id, props: toEngine(found.outs), inputs: toEngine(inputs) };
    },
    async update(id, olds, news) {
      const work = () => behaviour.update(id, fromEngine(olds), fromEngine(news));
      const { outs } = await forPeople(work, providerOf(news));
      return { outs: toEngine(outs) };
    },
    delete(_id, props) {
      return forPeople(() => behaviour.delete(fromEngine(props)));
    },
  };
}

/** A setting or a key that cannot work is a fault like one of the inputs: told at preview, in one sentence. */
async function asProblems(
  check: () => Promise<{ problems: Problem[]; inputs?: Raw }>,
): Promise<{ problems: Problem[]; inputs?: Raw }> {
  try {
    return await check();
  } catch (error) {
    if (!isForPeople(error)) throw error;
    return { problems: [{ property: '', reason: error.message }] };
  }
}

export const contactProperty: Handlers = handlersOf({
  check: async (olds, news) => ({
    problems: await propertyBehaviour.checkContactProperty(olds, news, connection.properties),
  }),
  diff: propertyBehaviour.diffContactProperty,
  create: (inputs) => propertyBehaviour.createContactProperty(inputs, connection),
  read: (_id, outs) => propertyBehaviour.readContactProperty(outs, connection),
  // Name and type are all it has, and neither changes in place: only `adopt` can have.
  update: (_id, _outs, news) => Promise.resolve({ outs: { name: news['name'], type: news['type'] } }),
  delete: (outs) => {
    propertyBehaviour.deleteContactProperty(outs, connection);
    return Promise.resolve();
  },
});

export const contact: Handlers = handlersOf({
  check: async (olds, news) => ({
    problems: await contactBehaviour.checkContact(olds, news, connection.properties),
  }),
  diff: contactBehaviour.diffContact,
  create: (inputs) => contactBehaviour.createContact(inputs, connection),
  read: (_id, outs) => contactBehaviour.readContact(outs, connection),
  update: (id, outs, news) => contactBehaviour.updateContact(id, outs, news, connection),
  delete: (outs) => contactBehaviour.deleteContact(outs, connection),
});

export const contacts: Handlers = handlersOf({
  check: (_olds, news) => contactsBehaviour.checkContacts(news, connection.properties),
  diff: contactsBehaviour.diffContacts,
  create: (inputs) => contactsBehaviour.createContacts(inputs, connection),
  read: (id, outs) => contactsBehaviour.readContacts(id, outs, connection),
  inputsOf: contactsBehaviour.inputsOfContacts,
  update: (id, outs, news) => contactsBehaviour.updateContacts(id, outs, news, connection),
  delete: (outs) => contactsBehaviour.deleteContacts(outs, connection),
});
