import { randomUUID } from 'node:crypto';
import { specialSigKey, unknownValue } from '@pulumi/pulumi/runtime/rpc';
import type { Summary } from '../engine.js';
import { InitFailedError } from './provider-process.js';
import type { CheckFailure, ProviderProcess } from './provider-process.js';
import type { ResourceState } from './state-file.js';
import { containsUnknown, equal, isObject, markSecrets, plain, plainValue, secret } from './values.js';
import type { Properties, Value } from './values.js';

/** What a program registers. */
export interface Goal {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly parent?: string;
  readonly dependencies: readonly string[];
  /** URNs that the resource had before. */
  readonly aliases: readonly string[];
  readonly inputs: Properties;
  readonly additionalSecretOutputs: readonly string[];
  readonly retainOnDelete: boolean;
  readonly ignoreChanges: readonly string[];
  /** What a person calls the thing that the resource becomes. */
  readonly importId?: string;
  /** URN of the provider that the program gave it. */
  readonly provider?: string;
  readonly deleteBeforeReplace?: boolean;
}

/** A resource failed and the person has been told why. */
export class StepFailed extends Error {}

interface DeploymentOptions {
  readonly old: readonly ResourceState[];
  readonly dryRun: boolean;
  readonly parallel: number;
  /** The default provider, or the one of a URN with its arguments. */
  readonly provider: (urn?: string, args?: Properties) => Promise<ProviderProcess>;
  /** Keeps the state; called after every step of a run that is not a preview. */
  readonly save: (resources: readonly ResourceState[]) => Promise<void>;
  /** Told what became of each resource, as it happens. */
  readonly settled: (urn: string, fate: keyof Summary) => void;
  readonly report: (urn: string, severity: 'error' | 'warning' | 'info', message: string) => void;
}

type Fate = keyof Summary;

/**
 * What the engine does between a program and a provider: decides on create, update, replacement or none of them
 * by check and diff, runs the steps, and keeps state after each.
 */
export class Deployment {
  private readonly old = new Map<string, ResourceState>();
  private readonly doomed: ResourceState[];
  private readonly done = new Map<string, ResourceState>();
  private readonly fates = new Map<string, Fate>();
  private readonly registered = new Set<string>();
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly inFlight = new Set<Promise<unknown>>();
  private failed = false;

  constructor(private readonly options: DeploymentOptions) {
    for (const resource of options.old) if (resource.delete !== true) this.old.set(resource.urn, resource);
    this.doomed = options.old.filter((resource) => resource.delete === true);
  }

  get hasFailed(): boolean {
    return this.failed;
  }

  fail(): void {
    this.failed = true;
  }

  get summary(): Summary {
    const counts = { create: 0, update: 0, replace: 0, same: 0, delete: 0 };
    for (const fate of this.fates.values()) counts[fate] += 1;
    return counts;
  }

  stackOutputs(): Properties {
    const all = [...this.old.values(), ...(this.options.dryRun ? [] : this.done.values())];
    const root = all.filter((resource) => resource.type === ROOT_TYPE).at(-1);
    return plain(root?.outputs ?? {});
  }

  /** One registration of the program; answers what the program then sees of the resource. */
  register(goal: Goal): Promise<{ id: string; outputs: Properties }> {
    const work = this.registerOne(goal);
    const settled: Promise<unknown> = work.catch(() => undefined).then(() => this.inFlight.delete(settled));
    this.inFlight.add(settled);
    return work;
  }

  /** Waits for the steps under way: a program that has ended may have left some. */
  async idle(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }

  private async registerOne(goal: Goal): Promise<{ id: string; outputs: Properties }> {
    if (this.registered.has(goal.urn)) {
      return this.refuse(goal.urn, `Duplicate resource URN '${goal.urn}'; try giving it a unique name`);
    }
    this.registered.add(goal.urn);
    this.renameInState(goal);
    if (!goal.custom) return this.component(goal);
    if (isProvider(goal.type)) return this.registerProvider(goal);
    return this.limited(() => this.step(goal));
  }

  /** The provider that serves a resource. */
  private providerOf({ provider: urn }: Pick<ResourceState, 'provider'>): Promise<ProviderProcess> {
    if (urn === undefined) return this.options.provider();
    const args = this.done.get(urn)?.inputs ?? this.old.get(urn)?.inputs ?? {};
    return this.options.provider(urn, args);
  }

  /** A provider of the program: checked and started at once, kept with its arguments. */
  private async registerProvider(goal: Goal): Promise<{ id: string; outputs: Properties }> {
    const { urn, inputs } = goal;
    const before = this.old.get(urn);
    await this.told(urn, async () => {
      const started = await this.options.provider(urn, inputs);
      if (before === undefined || equal(before.inputs, inputs)) return;
      if (await started.replacedBy(urn, plain(before.inputs), plain(inputs))) {
        throw new Error('The stand-in does not replace providers.');
      }
    });
    const fate = before === undefined ? 'create' : equal(before.inputs, inputs) ? 'same' : 'update';
    this.settle(urn, fate);
    const id = before?.id ?? randomUUID();
    this.keep({ ...stateOf(goal, inputs), id, outputs: inputs });
    await this.save();
    return { id, outputs: inputs };
  }

  /** A function of a provider, with arguments of which some may not be known yet. */
  async invoke(
    token: string,
    args: Properties,
    provider: string | undefined,
  ): Promise<{ result: Properties; failures: readonly CheckFailure[] }> {
    const serving = await this.providerOf(provider === undefined ? {} : { provider });
    return serving.invoke(token, plain(args));
  }

  /** A resource that is there already: it comes into state if it is as declared. */
  private async importOne(
    goal: Goal,
    importId: string,
    asked: Properties,
  ): Promise<{ id: string; outputs: Properties }> {
    const provider = await this.providerOf(goal);
    const { urn } = goal;
    const nothing = { inputs: {}, outputs: {} };
    const found = await this.told(urn, () => provider.read(urn, importId, nothing));
    if (found.id === '') return this.refuse(urn, `resource '${importId}' does not exist`);
    const old = { inputs: found.inputs ?? {}, outputs: found.outputs };
    const inputs = await this.checked(goal, old.inputs, asked);
    const diff = await this.told(urn, () => provider.diff(urn, found.id, old, inputs));
    if (diff.changes === true) {
      return this.refuse(urn, 'inputs to import do not match the existing resource');
    }
    const outputs = await this.outputs(goal, inputs, found.outputs);
    this.settle(urn, 'create');
    this.keep({ ...stateOf(goal, inputs), id: found.id, outputs });
    await this.save();
    return { id: found.id, outputs };
  }

  /** A resource that state has under an alias is the one that is registered. */
  private renameInState({ urn, type, aliases }: Goal): void {
    const alias = aliases.find((name) => this.old.has(name));
    const before = alias === undefined ? undefined : this.old.get(alias);
    if (this.old.has(urn) || alias === undefined || before === undefined) return;
    this.old.delete(alias);
    this.old.set(urn, { ...before, urn, type });
  }

  async setOutputs(urn: string, outputs: Properties): Promise<void> {
    const resource = this.done.get(urn);
    if (resource === undefined) return;
    this.done.set(urn, { ...resource, outputs });
    await this.save();
  }

  /** Deletes what the program no longer declares: dependents first, what is independent at once. */
  async deleteRest(): Promise<void> {
    let left = [...this.doomed, ...[...this.old.values()].filter(({ urn }) => !this.registered.has(urn))];
    while (left.length > 0 && !this.failed) {
      const needed = new Set(left.flatMap(({ dependencies, parent }) => [...dependencies, parent]));
      const ready = left.filter(({ urn, delete: replaced }) => replaced === true || !needed.has(urn));
      if (ready.length === 0) throw new Error('The dependencies in state form a circle.');
      await Promise.all(ready.map((resource) => this.limited(() => this.deleteOne(resource))));
      left = left.filter((resource) => !ready.includes(resource));
    }
  }

  /** Reads every resource from its provider into state; what is gone leaves it. */
  async refresh(): Promise<void> {
    await Promise.all(
      [...this.old.values()].map((resource) => this.limited(() => this.refreshOne(resource))),
    );
  }

  /** State as it stands: what is done, then what the run has not come to yet. */
  snapshot(): ResourceState[] {
    const rest = [...this.old.values()].filter(({ urn }) => !this.done.has(urn));
    return [...this.done.values(), ...rest, ...this.doomed];
  }

  private async component(goal: Goal): Promise<{ id: string; outputs: Properties }> {
    const before = this.old.get(goal.urn);
    if (goal.type !== ROOT_TYPE) this.settle(goal.urn, before === undefined ? 'create' : 'same');
    this.done.set(goal.urn, { ...stateOf(goal, goal.inputs), outputs: before?.outputs ?? {} });
    await this.save();
    return { id: '', outputs: goal.inputs };
  }

  private async step(goal: Goal): Promise<{ id: string; outputs: Properties }> {
    if (this.failed) throw new StepFailed();
    const before = this.old.get(goal.urn);
    const asked = ignoring(goal, before);
    if (before === undefined && goal.importId !== undefined) {
      return this.importOne(goal, goal.importId, asked);
    }
    const inputs = await this.checked(goal, before?.inputs ?? {}, asked);
    if (before?.id === undefined) return this.counted('create', goal, this.create(goal, inputs));
    const diff = await this.told(goal.urn, async () =>
      (await this.providerOf(goal)).diff(goal.urn, before.id ?? '', before, inputs),
    );
    if (diff.replace) {
      const deleteFirst = goal.deleteBeforeReplace ?? diff.deleteBeforeReplace;
      return this.counted('replace', goal, this.replace(goal, before, deleteFirst));
    }
    const changes = diff.changes ?? !equal(plain(before.inputs), plain(inputs));
    if (changes || (before.initErrors ?? []).length > 0) {
      return this.counted('update', goal, this.update(goal, before, inputs));
    }
    this.settle(goal.urn, 'same');
    const next = { ...stateOf(goal, inputs), id: before.id, outputs: before.outputs };
    const isNew = JSON.stringify(next) !== JSON.stringify({ ...next, ...before });
    // As the engine does: what has not changed is not written.
    this.keep(isNew ? next : before);
    if (isNew) await this.save();
    return { id: before.id, outputs: before.outputs };
  }

  private settle(urn: string, fate: Fate): void {
    this.fates.set(urn, fate);
    this.options.settled(urn, fate);
  }

  private async counted<Result>(fate: Fate, goal: Goal, step: Promise<Result>): Promise<Result> {
    const result = await step;
    this.settle(goal.urn, fate);
    return result;
  }

  private async checked(goal: Goal, olds: Properties, news: Properties): Promise<Properties> {
    const provider = await this.providerOf(goal);
    const { inputs, failures } = await this.told(goal.urn, () => provider.check(goal.urn, olds, news));
    for (const { property, reason } of failures) {
      const subject = `${goal.type} resource '${goal.name}'`;
      this.options.report(
        goal.urn,
        'error',
        property === ''
          ? `${subject} has a problem: ${reason}`
          : `${subject}: property ${property} value {${shown(news[property])}} has a problem: ${reason}`,
      );
    }
    if (failures.length > 0) {
      this.failed = true;
      throw new StepFailed();
    }
    return provider.acceptsSecrets ? inputs : markSecrets(inputs, news);
  }

  private async create(goal: Goal, inputs: Properties): Promise<{ id: string; outputs: Properties }> {
    if (this.options.dryRun) return { id: '', outputs: inputs };
    const made = await this.told(
      goal.urn,
      async () => (await this.providerOf(goal)).create(goal.urn, inputs),
      async (failed) => {
        const outputs = await this.outputs(goal, inputs, failed.properties);
        this.keep({ ...stateOf(goal, inputs), id: failed.id, outputs, initErrors: failed.reasons });
        await this.save();
      },
    );
    const outputs = await this.outputs(goal, inputs, made.outputs);
    this.keep({ ...stateOf(goal, inputs), id: made.id, outputs });
    await this.save();
    return { id: made.id, outputs };
  }

  private async update(
    goal: Goal,
    before: ResourceState,
    inputs: Properties,
  ): Promise<{ id: string; outputs: Properties }> {
    const id = before.id ?? '';
    if (this.options.dryRun) return { id, outputs: inputs };
    const updated = await this.told(
      goal.urn,
      async () => (await this.providerOf(goal)).update(goal.urn, id, before, inputs),
      async (failed) => {
        const outputs = await this.outputs(goal, inputs, failed.properties);
        this.keep({ ...stateOf(goal, inputs), id, outputs, initErrors: failed.reasons });
        await this.save();
      },
    );
    const outputs = await this.outputs(goal, inputs, updated.outputs);
    this.keep({ ...stateOf(goal, inputs), id, outputs });
    await this.save();
    return { id, outputs };
  }

  private async replace(
    goal: Goal,
    before: ResourceState,
    deleteFirst: boolean,
  ): Promise<{ id: string; outputs: Properties }> {
    const inputs = await this.checked(goal, {}, goal.inputs);
    if (this.options.dryRun) return { id: '', outputs: inputs };
    if (deleteFirst) {
      await this.deleteFromProvider(before);
      this.old.delete(goal.urn);
      await this.save();
      return this.create(goal, inputs);
    }
    const made = await this.create(goal, inputs);
    this.doomed.push({ ...before, delete: true });
    await this.save();
    return made;
  }

  private async deleteOne(resource: ResourceState): Promise<void> {
    if (this.failed) return;
    const isOurs = resource.type !== ROOT_TYPE && resource.delete !== true;
    if (this.options.dryRun) {
      if (isOurs) this.settle(resource.urn, 'delete');
      return;
    }
    try {
      await this.deleteFromProvider(resource);
    } catch (error) {
      if (error instanceof StepFailed) return;
      throw error;
    }
    const place = this.doomed.indexOf(resource);
    if (place >= 0) this.doomed.splice(place, 1);
    else this.old.delete(resource.urn);
    if (isOurs) this.settle(resource.urn, 'delete');
    await this.save();
  }

  private async deleteFromProvider(resource: ResourceState): Promise<void> {
    const { id } = resource;
    if (!isServed(resource.type) || id === undefined || resource.retainOnDelete === true) return;
    await this.told(resource.urn, async () =>
      (await this.providerOf(resource)).delete(resource.urn, id, resource),
    );
  }

  private async refreshOne(resource: ResourceState): Promise<void> {
    const { id } = resource;
    if (!isServed(resource.type) || id === undefined || this.failed) return;
    try {
      const { acceptsSecrets } = await this.providerOf(resource);
      const marked = (properties: Properties, olds: Properties): Properties =>
        acceptsSecrets ? properties : markSecrets(properties, olds);
      const read = await this.told(resource.urn, async () =>
        (await this.providerOf(resource)).read(resource.urn, id, resource),
      );
      if (read.id === '') {
        this.settle(resource.urn, 'delete');
        this.old.delete(resource.urn);
      } else {
        const inputs = read.inputs === undefined ? resource.inputs : marked(read.inputs, resource.inputs);
        const outputs = hidden(
          marked(read.outputs, resource.outputs),
          resource.additionalSecretOutputs ?? [],
        );
        // The diff a person would see if they ran `up` next: state as refreshed against inputs as they were.
        const diff = await this.told(resource.urn, async () =>
          (await this.providerOf(resource)).diff(resource.urn, read.id, { inputs, outputs }, resource.inputs),
        );
        const changed = diff.changes ?? !equal(plain(inputs), plain(resource.inputs));
        this.settle(resource.urn, changed ? 'update' : 'same');
        const { initErrors: _, ...rest } = resource;
        this.old.set(resource.urn, { ...rest, id: read.id, inputs, outputs });
      }
      await this.save();
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
    }
  }

  private async outputs(goal: Goal, inputs: Properties, given: Properties): Promise<Properties> {
    const { acceptsSecrets } = await this.providerOf(goal);
    return hidden(acceptsSecrets ? given : markSecrets(given, inputs), goal.additionalSecretOutputs);
  }

  /** Runs a call to the provider; a failure is told to the person, once, and ends the run. */
  private async told<Answer>(
    urn: string,
    call: () => Promise<Answer>,
    onInitFailure?: (failed: InitFailedError) => Promise<void>,
  ): Promise<Answer> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof InitFailedError) await onInitFailure?.(error);
      this.options.report(urn, 'error', error instanceof Error ? error.message : String(error));
      this.failed = true;
      throw new StepFailed();
    }
  }

  private async refuse(urn: string, message: string): Promise<never> {
    this.options.report(urn, 'error', message);
    this.failed = true;
    return Promise.reject(new StepFailed());
  }

  /** The newest state goes last, as what it depends on is done before it. */
  private keep(resource: ResourceState): void {
    this.done.delete(resource.urn);
    this.done.set(resource.urn, resource);
  }

  private async save(): Promise<void> {
    if (!this.options.dryRun) await this.options.save(this.snapshot());
  }

  private async limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.options.parallel)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

/** Type of the stack itself. */
export const ROOT_TYPE = 'pulumi:pulumi:Stack';

/** Whether a provider serves resources of the type. */
function isServed(type: string): boolean {
  return type.startsWith('pulumi-nodejs:dynamic') || type.startsWith('audience:');
}

function isProvider(type: string): boolean {
  return type.startsWith('pulumi:providers:');
}

function stateOf(goal: Goal, inputs: Properties): Omit<ResourceState, 'outputs' | 'id'> {
  return {
    urn: goal.urn,
    type: goal.type,
    custom: goal.custom,
    inputs,
    dependencies: goal.dependencies,
    ...(goal.parent === undefined ? {} : { parent: goal.parent }),
    ...(goal.additionalSecretOutputs.length === 0
      ? {}
      : { additionalSecretOutputs: goal.additionalSecretOutputs }),
    ...(goal.retainOnDelete ? { retainOnDelete: true } : {}),
    ...(goal.provider === undefined ? {} : { provider: goal.provider }),
  };
}

/** Outputs of which some are secret whatever the provider says. */
function hidden(outputs: Properties, names: readonly string[]): Properties {
  const marked = { ...outputs };
  for (const name of names) {
    const value = marked[name];
    if (value !== undefined) marked[name] = secret(plainValue(value));
  }
  return marked;
}

function ignoring(goal: Goal, before: ResourceState | undefined): Properties {
  if (before === undefined || goal.ignoreChanges.length === 0) return goal.inputs;
  const kept = goal.ignoreChanges.flatMap((name): [string, Value][] => {
    const was = before.inputs[name];
    return was === undefined ? [] : [[name, was]];
  });
  const declared = Object.entries(goal.inputs).filter(([name]) => !goal.ignoreChanges.includes(name));
  return Object.fromEntries([...declared, ...kept]);
}

/** A value as the engine prints it after a failed check. */
function shown(value: Value | undefined): string {
  if (value === undefined) return '<nil>';
  if (isObject(value) && value[specialSigKey] !== undefined) return '[secret]';
  if (containsUnknown(value) || value === unknownValue) return 'output<unknown>';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
