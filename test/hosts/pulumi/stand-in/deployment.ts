import { isDeepStrictEqual } from 'node:util';
import type { Summary } from '../engine.js';
import { InitFailedError, type ProviderProcess } from './provider-process.js';
import type { Properties } from './values.js';

/** A resource in state. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly initErrors?: readonly string[];
}

/** What a program registers. */
export interface Goal {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly inputs: Properties;
}

/** A resource as the program sees it. */
interface Registered {
  readonly id: string;
  readonly outputs: Properties;
}

/** A resource failed and the person has been told why. */
export class StepFailed extends Error {}

interface DeploymentOptions {
  readonly old: readonly ResourceState[];
  readonly dryRun: boolean;
  readonly provider: () => Promise<ProviderProcess>;
  /** Keeps the state; called after every step of a run that is not a preview. */
  readonly save: (resources: readonly ResourceState[]) => void;
  /** Told what became of each resource, as it happens. */
  readonly settled: (urn: string, fate: keyof Summary) => void;
  readonly report: (urn: string, severity: 'error' | 'warning' | 'info', message: string) => void;
}

/**
 * What the engine does between a program and a provider: decides on create, update or neither by check and diff, runs
 * the steps, and keeps state after each. It neither deletes nor replaces.
 */
export class Deployment {
  private readonly old: Map<string, ResourceState>;
  private readonly done = new Map<string, ResourceState>();
  private readonly fates = new Map<string, keyof Summary>();
  private readonly inFlight = new Set<Promise<unknown>>();
  private failed = false;

  constructor(private readonly options: DeploymentOptions) {
    this.old = new Map(options.old.map((resource) => [resource.urn, resource]));
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
    return all.filter((resource) => resource.type === ROOT_TYPE).at(-1)?.outputs ?? {};
  }

  /** One registration of the program; answers what the program then sees of the resource. */
  register(goal: Goal): Promise<Registered> {
    const work = goal.custom ? this.step(goal) : Promise.resolve(this.component(goal));
    const settled: Promise<unknown> = work.catch(() => undefined).then(() => this.inFlight.delete(settled));
    this.inFlight.add(settled);
    return work;
  }

  /** Waits for the steps under way: a program that has ended may have left some. */
  async idle(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }

  setOutputs(urn: string, outputs: Properties): void {
    const resource = this.done.get(urn);
    if (resource !== undefined) this.keep({ ...resource, outputs });
  }

  /** A resource that is in state and no longer in the program is more than this can do. */
  refuseDeletions(): void {
    for (const urn of this.old.keys()) {
      if (!this.done.has(urn)) this.refuse(urn, new Error('The stand-in deletes nothing. Install Pulumi.'));
    }
  }

  private component(goal: Goal): Registered {
    const before = this.old.get(goal.urn);
    if (goal.type !== ROOT_TYPE) this.settle(goal.urn, before === undefined ? 'create' : 'same');
    this.keep({ ...stateOf(goal, goal.inputs), outputs: before?.outputs ?? {} });
    return { id: '', outputs: goal.inputs };
  }

  private async step(goal: Goal): Promise<Registered> {
    if (this.failed) throw new StepFailed();
    const { urn } = goal;
    const before = this.old.get(urn);
    const provider = await this.told(urn, this.options.provider);
    const inputs = await this.checked(goal, provider, before?.inputs ?? {});
    if (before?.id === undefined) {
      const made = await this.written(goal, provider, inputs, '', () => provider.create(urn, inputs));
      this.settle(urn, 'create');
      return made;
    }
    const { id } = before;
    const diff = await this.told(urn, () => provider.diff(urn, id, before, inputs));
    if (diff.replace) this.refuse(urn, new Error('The stand-in replaces nothing. Install Pulumi.'));
    const changes = diff.changes ?? !isDeepStrictEqual(before.inputs, inputs);
    if (changes || before.initErrors !== undefined) {
      const changed = await this.written(goal, provider, inputs, id, async () => {
        const { outputs } = await provider.update(urn, id, before, inputs);
        return { id, outputs };
      });
      this.settle(urn, 'update');
      return changed;
    }
    this.settle(urn, 'same');
    this.keep({ ...stateOf(goal, inputs), id, outputs: before.outputs });
    return { id, outputs: before.outputs };
  }

  private settle(urn: string, fate: keyof Summary): void {
    this.fates.set(urn, fate);
    this.options.settled(urn, fate);
  }

  private async checked(goal: Goal, provider: ProviderProcess, olds: Properties): Promise<Properties> {
    const { urn, inputs: news } = goal;
    const { inputs, failures } = await this.told(urn, () => provider.check(urn, olds, news));
    for (const { property, reason } of failures) {
      const about = property === '' ? '' : `: property ${property}`;
      this.options.report(
        urn,
        'error',
        `${goal.type} resource '${goal.name}'${about} has a problem: ${reason}`,
      );
    }
    if (failures.length > 0) {
      this.failed = true;
      throw new StepFailed();
    }
    return inputs;
  }

  /** A call that writes, and what state keeps of it: of one that ended half-way as well. */
  private async written(
    goal: Goal,
    provider: ProviderProcess,
    inputs: Properties,
    id: string,
    write: () => Promise<Registered>,
  ): Promise<Registered> {
    if (this.options.dryRun) return { id, outputs: inputs };
    const keep = (made: Registered, initErrors?: readonly string[]): Registered => {
      const errors = initErrors === undefined ? {} : { initErrors };
      this.keep({ ...stateOf(goal, inputs), ...made, ...errors });
      return made;
    };
    return keep(
      await this.told(goal.urn, write, ({ id: ofFailed, properties, reasons }) => {
        keep({ id: id === '' ? ofFailed : id, outputs: properties }, reasons);
      }),
    );
  }

  /** Runs a call to the provider; a failure is reported once, and ends the run. */
  private async told<Answer>(
    urn: string,
    call: () => Promise<Answer>,
    onInitFailure?: (failed: InitFailedError) => void,
  ): Promise<Answer> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof InitFailedError) onInitFailure?.(error);
      return this.refuse(urn, error);
    }
  }

  private refuse(urn: string, error: unknown): never {
    this.options.report(urn, 'error', error instanceof Error ? error.message : String(error));
    this.failed = true;
    throw new StepFailed();
  }

  /** The newest state goes last, as what it depends on is done before it. */
  private keep(resource: ResourceState): void {
    this.done.delete(resource.urn);
    this.done.set(resource.urn, resource);
    if (this.options.dryRun) return;
    const rest = [...this.old.values()].filter(({ urn }) => !this.done.has(urn));
    this.options.save([...this.done.values(), ...rest]);
  }
}

/** Type of the stack itself. */
export const ROOT_TYPE = 'pulumi:pulumi:Stack';

function stateOf({ urn, type }: Goal, inputs: Properties): Pick<ResourceState, 'urn' | 'type' | 'inputs'> {
  return { urn, type, inputs };
}
