import { registry } from '../src/engine/registry.js';
import { CallError, type Process } from '../src/engine/calls.js';
import { Secrets } from '../src/engine/secrets.js';
import { methodsOf, type Methods } from '../src/dynamic/methods.js';
import { DECLARED_BY, declaredBy } from '../src/resources/declarations.js';
import { SENTENCES, type Code } from '../src/messages/index.js';
import type { TestRunOptions } from './fake-service.js';
import type { Run } from '../src/resources/run.js';

/** What the resources are in: a {@link FakeService}, or a real one. */
interface Service {
  /** Whether the process that makes the requests was killed. */
  readonly isDead: boolean;
  /** Opens the run of one provider process. */
  open(options: TestRunOptions): Run;
}

/** A resource as a program declares it. */
export interface Declared {
  readonly type: keyof typeof registry;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Name of its provider, each a separate process; the same for all unless given. */
  readonly provider?: string;
  /** Names of inputs whose changes are ignored; `*` for all. */
  readonly ignoreChanges?: readonly string[];
}

/** One run of the engine. */
interface Running {
  /** The provider of a resource; each is a separate process. */
  readonly methodsFor: (resource: Pick<Declared, 'type' | 'provider'>) => Methods;
  readonly errors: string[];
  readonly errorCodes: Code[];
}

interface Stored extends Pick<Declared, 'provider'> {
  readonly type: keyof typeof registry;
  readonly name: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outs: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

/** What a run came to. */
export interface Ended {
  /** Errors that the person reads; none where the run succeeded. */
  readonly errors: readonly string[];
  readonly told: readonly string[];
  /** Codes of the messages, then of the errors. */
  readonly codes: readonly Code[];
}

/** Options of one `up`. */
export interface UpOptions {
  /** Whether the same run refreshes first, and compares with the inputs that it has. */
  readonly refresh?: boolean;
  /** Names of the resources that `--target` leaves; all unless given. */
  readonly target?: readonly string[];
  /** An earlier address of the service. */
  readonly movedFrom?: string;
}

/**
 * What the engine does with a provider, in this process: resources one by one, each checked only when its turn comes,
 * deletes last, state kept after each step.
 */
export class FakeEngine {
  readonly state = new Map<string, Stored>();

  constructor(private readonly service: Service) {}

  preview(program: readonly Declared[], { movedFrom }: UpOptions = {}): Promise<Ended> {
    return this.inRun(async (running) => {
      for (const [index, resource] of program.entries()) {
        const before = this.state.get(keyOf(resource));
        const checked = await check(running, before, resource, index);
        if (checked !== undefined && before !== undefined)
          await running.methodsFor(resource).diff(before.id, before.outs, checked);
      }
    }, movedFrom);
  }

  up(program: readonly Declared[], { refresh = false, target, movedFrom }: UpOptions = {}): Promise<Ended> {
    const isTarget = ({ name }: Pick<Declared, 'name'>): boolean => target?.includes(name) ?? true;
    return this.inRun(async (running) => {
      if (refresh) {
        await this.readAll(running);
        for (const resource of this.state.values()) {
          const { id, outs, inputs } = resource;
          await running.methodsFor(resource).diff(id, outs, inputs);
        }
      }
      for (const [index, resource] of program.entries()) {
        if (isTarget(resource)) await this.step(running, resource, index);
        if (running.errors.length > 0) return;
      }
      const declared = new Set(program.map(keyOf));
      const gone = [...this.state.values()].filter((one) => !declared.has(keyOf(one)) && isTarget(one));
      await this.deleteAll(running, gone);
    }, movedFrom);
  }

  destroy(): Promise<Ended> {
    return this.inRun((running) => this.deleteAll(running, [...this.state.values()]));
  }

  refresh(): Promise<Ended> {
    return this.inRun((running) => this.readAll(running));
  }

  /** Brings a contact that exists into state, as `pulumi import` does: with all that the service has of it. */
  import(resource: Pick<Declared, 'type' | 'name' | 'provider'>, id: string): Promise<Ended> {
    return this.inRun((running) =>
      this.read(running, { ...resource, id, inputs: {}, outs: {}, failed: false }),
    );
  }

  private async readAll(running: Running): Promise<void> {
    for (const resource of this.state.values()) await this.read(running, resource);
  }

  private async read({ methodsFor }: Running, resource: Stored): Promise<void> {
    const read = await methodsFor(resource).read(resource.id, resource.outs);
    const id: unknown = read.id;
    if (typeof id !== 'string' || id === '') {
      this.state.delete(keyOf(resource));
      return;
    }
    const [outs, inputs] = [asData(read.props), asData(read.inputs ?? resource.inputs)];
    this.keep({ ...resource, id, outs, inputs, failed: false });
  }

  private async inRun(work: (running: Running) => Promise<void>, movedFrom?: string): Promise<Ended> {
    const [told, errors, codes, errorCodes]: [string[], string[], Code[], Code[]] = [[], [], [], []];
    const processes = new Map<string, Process>();
    const newProcess = (): Process => {
      const secrets = new Secrets();
      const run = this.service.open({ told, codes, secrets, movedFrom });
      return { run: () => run, secrets };
    };
    const methodsFor: Running['methodsFor'] = (resource) => {
      const provider = providerOf(resource);
      const process = processes.get(provider) ?? newProcess();
      processes.set(provider, process);
      return methodsOf(registry[resource.type], process);
    };
    try {
      await work({ methodsFor, errors, errorCodes });
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
      if (error instanceof CallError) errorCodes.push(...error.problems.map(({ code }) => code));
      // An error for people has no stack.
      if (!(error instanceof Error) || (error.stack ?? '') !== '') throw error;
    }
    return { errors, told, codes: [...codes, ...errorCodes] };
  }

  private async step(running: Running, resource: Declared, index: number): Promise<void> {
    const methods = running.methodsFor(resource);
    const known = this.state.get(keyOf(resource));
    // With another provider it is made anew, and the old one is deleted.
    const before = known !== undefined && providerOf(known) === providerOf(resource) ? known : undefined;
    const inputs = await check(running, before, resource, index);
    if (inputs === undefined) return;
    if (before === undefined) {
      await this.written(resource, inputs, () => methods.create(inputs));
      return;
    }
    const { changes, replaces = [] } = await methods.diff(before.id, before.outs, inputs);
    if (replaces.length > 0) {
      await this.written(resource, inputs, () => methods.create(inputs));
      await methods.delete(before.id, before.outs);
    } else if (changes === true || before.failed) {
      const work = async () => ({ id: before.id, ...(await methods.update(before.id, before.outs, inputs)) });
      await this.written(resource, inputs, work, before.inputs);
    } else {
      this.keep({ ...before, inputs });
    }
  }

  private async written(
    resource: Declared,
    inputs: Stored['inputs'],
    work: () => Promise<{ id: string; outs?: unknown }>,
    afterFailure = inputs,
  ): Promise<void> {
    const { type, name, provider } = resource;
    const key = { type, name, ...(provider === undefined ? {} : { provider }) };
    try {
      const { id, outs } = await work();
      this.keep({ ...key, id, inputs, outs: asData(outs), failed: false });
    } catch (error) {
      if (error instanceof CallError && error.id !== undefined) {
        const outs = asData(error.properties);
        this.keep({ ...key, id: error.id, inputs: afterFailure, outs, failed: true });
      }
      throw error;
    }
  }

  private async deleteAll({ methodsFor }: Running, gone: readonly Stored[]): Promise<void> {
    for (const resource of gone) {
      await methodsFor(resource).delete(resource.id, resource.outs);
      if (!this.service.isDead) this.state.delete(keyOf(resource));
    }
  }

  /** Of a run that was killed, nothing more comes into state. */
  private keep(resource: Stored): void {
    if (this.service.isDead) throw Object.assign(new Error('killed'), { stack: '' });
    this.state.set(keyOf(resource), resource);
  }
}

async function check(
  { methodsFor, errors, errorCodes }: Running,
  before: Stored | undefined,
  resource: Declared,
  index: number,
): Promise<Stored['inputs'] | undefined> {
  const { name, inputs, ignoreChanges = [] } = resource;
  // The engine restores the old inputs of ignored paths.
  const restored = ignoreChanges.includes('*')
    ? Object.keys({ ...before?.inputs, ...inputs })
    : ignoreChanges;
  const given = new Map(Object.entries(inputs));
  if (before !== undefined) for (const one of restored) given.set(one, before.inputs[one]);
  const news = { ...Object.fromEntries(given), [DECLARED_BY]: declaredBy(name, index) };
  const checked = await methodsFor(resource).check(before?.inputs ?? {}, news);
  const { failures = [] } = checked;
  errorCodes.push(...failures.flatMap((one) => ('code' in one && isCode(one.code) ? [one.code] : [])));
  errors.push(
    ...failures.map(({ property, reason }) => (property === '' ? reason : `${property}: ${reason}`)),
  );
  return failures.length > 0 ? undefined : asData(checked.inputs);
}

function isCode(text: unknown): text is Code {
  return typeof text === 'string' && Object.hasOwn(SENTENCES, text);
}

/** What crosses to the engine and back is data. */
function asData(value: unknown): Record<string, unknown> {
  const data: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return Object.fromEntries(Object.entries(data ?? {}));
}

function providerOf({ provider = 'default' }: Pick<Declared, 'provider'>): string {
  return provider;
}

function keyOf({ type, name }: { readonly type: string; readonly name: string }): string {
  return `${type} ${name}`;
}
