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

type MethodsFor = (resource: Pick<Declared, 'type' | 'provider'>) => Methods;

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
  /** Codes of AUDIENCE_REJOIN. */
  readonly rejoinCodes?: readonly string[];
}

/**
 * What the engine does with a provider, in this process: resources one by one, each checked only when its turn comes,
 * deletes last, state kept after each step.
 */
export class FakeEngine {
  readonly state = new Map<string, Stored>();

  constructor(private readonly service: Service) {}

  preview(program: readonly Declared[], { rejoinCodes }: UpOptions = {}): Promise<Ended> {
    return this.inRun(async (methodsFor, errors, codes) => {
      for (const [index, resource] of program.entries()) {
        const before = this.state.get(keyOf(resource));
        const checked = await check(methodsFor(resource), before, resource, index, errors, codes);
        if (checked !== undefined && before !== undefined) {
          await methodsFor(resource).diff(before.id, before.outs, checked);
        }
      }
    }, rejoinCodes);
  }

  up(program: readonly Declared[], { refresh = false, target, rejoinCodes }: UpOptions = {}): Promise<Ended> {
    return this.inRun(async (methodsFor, errors, codes) => {
      if (refresh) {
        await this.readAll(methodsFor);
        for (const resource of this.state.values()) {
          const { id, outs, inputs } = resource;
          await methodsFor(resource).diff(id, outs, inputs);
        }
      }
      for (const [index, resource] of program.entries()) {
        if (target !== undefined && !target.includes(resource.name)) continue;
        await this.step(methodsFor(resource), resource, index, errors, codes);
        if (errors.length > 0) return;
      }
      const declared = new Set(program.map(keyOf));
      const gone = [...this.state.values()].filter(
        (one) => !declared.has(keyOf(one)) && (target === undefined || target.includes(one.name)),
      );
      await this.deleteAll(methodsFor, gone);
    }, rejoinCodes);
  }

  destroy(): Promise<Ended> {
    return this.inRun((methodsFor) => this.deleteAll(methodsFor, [...this.state.values()]));
  }

  refresh(): Promise<Ended> {
    return this.inRun((methodsFor) => this.readAll(methodsFor));
  }

  /** Brings a contact that exists into state, as `pulumi import` does: with all that the service has of it. */
  import(resource: Pick<Declared, 'type' | 'name' | 'provider'>, id: string): Promise<Ended> {
    return this.inRun(async (methodsFor) => {
      const read = await methodsFor(resource).read(id, {});
      const found: unknown = read.id;
      if (typeof found !== 'string' || found === '') return;
      this.keep({
        ...resource,
        id: found,
        outs: asData(read.props),
        inputs: asData(read.inputs),
        failed: false,
      });
    });
  }

  private async readAll(methodsFor: MethodsFor): Promise<void> {
    for (const resource of this.state.values()) {
      const read = await methodsFor(resource).read(resource.id, resource.outs);
      const id: unknown = read.id;
      if (typeof id !== 'string' || id === '') this.state.delete(keyOf(resource));
      else
        this.keep({
          ...resource,
          id,
          outs: asData(read.props),
          inputs: asData(read.inputs ?? resource.inputs),
          failed: false,
        });
    }
  }

  private async inRun(
    work: (methodsFor: MethodsFor, errors: string[], codes: Code[]) => Promise<void>,
    rejoinCodes: readonly string[] = [],
  ): Promise<Ended> {
    const [told, errors, codes, errorCodes]: [string[], string[], Code[], Code[]] = [[], [], [], []];
    const processes = new Map<string, Process>();
    const newProcess = (): Process => {
      const secrets = new Secrets();
      const run = this.service.open({ told, codes, secrets, rejoinCodes: new Set(rejoinCodes) });
      return { run: () => run, secrets };
    };
    const methodsFor: MethodsFor = (resource) => {
      // Each provider is a separate process.
      const provider = providerOf(resource);
      const process = processes.get(provider) ?? newProcess();
      processes.set(provider, process);
      return methodsOf(registry[resource.type], process);
    };
    try {
      await work(methodsFor, errors, errorCodes);
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
      if (error instanceof CallError) errorCodes.push(...error.problems.map(({ code }) => code));
      // An error for people has no stack.
      if (!(error instanceof Error) || (error.stack ?? '') !== '') throw error;
    }
    return { errors, told, codes: [...codes, ...errorCodes] };
  }

  private async step(
    methods: Methods,
    resource: Declared,
    index: number,
    errors: string[],
    codes: Code[],
  ): Promise<void> {
    const known = this.state.get(keyOf(resource));
    // With another provider it is made anew, and the old one is deleted.
    const before = known !== undefined && providerOf(known) === providerOf(resource) ? known : undefined;
    const inputs = await check(methods, before, resource, index, errors, codes);
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

  private async deleteAll(methodsFor: MethodsFor, gone: readonly Stored[]): Promise<void> {
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
  methods: Methods,
  before: Stored | undefined,
  { name, inputs, ignoreChanges = [] }: Declared,
  index: number,
  errors: string[],
  codes: Code[],
): Promise<Stored['inputs'] | undefined> {
  // The engine restores the old inputs of ignored paths.
  const restored = ignoreChanges.includes('*')
    ? Object.keys({ ...before?.inputs, ...inputs })
    : ignoreChanges;
  const given = new Map(Object.entries(inputs));
  if (before !== undefined) for (const one of restored) given.set(one, before.inputs[one]);
  const news = { ...Object.fromEntries(given), [DECLARED_BY]: declaredBy(name, index) };
  const checked = await methods.check(before?.inputs ?? {}, news);
  const { failures = [] } = checked;
  codes.push(...failures.flatMap((one) => ('code' in one && isCode(one.code) ? [one.code] : [])));
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
