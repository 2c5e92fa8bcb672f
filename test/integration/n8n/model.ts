import type { RunningSandbox } from 'audience-sandbox';
import * as fc from 'fast-check';
import type { EngineOptions } from '../../hosts/n8n-engine/index.js';
import { fastClockForTests } from './fast-clock.js';
import { setUpForFile } from './support.js';
import type { Setup } from './support.js';

type NewFault = Parameters<RunningSandbox['faults']['next']>[0];

/** A fault of a scenario: what goes wrong on some of the calls, and how many of them. */
export interface ModelFault {
  readonly kind: NewFault;
  readonly percent: number;
  readonly seed: number;
  readonly times: number;
}

/** Makes faults of the kinds given, each with one of the chances and one of the counts. */
export function faultsOf(
  kinds: readonly NewFault[],
  { percents, times }: { percents: readonly number[]; times: readonly number[] },
): fc.Arbitrary<ModelFault> {
  return fc.record({
    percent: fc.constantFrom(...percents),
    seed: fc.nat(1_000),
    times: fc.constantFrom(...times),
    kind: fc.constantFrom(...kinds),
  });
}

/** The block of a model test: the engine and the sandbox, and what makes a test of random runs. */
export interface Model {
  readonly setup: Setup;
  /** What the service does with a used key. */
  readonly duplicates: 'refuse' | 'replay';
  /** The promise that is tested, the scenarios at random, and what runs and checks one; the sandbox is new in each. */
  readonly holds: <Scenario>(
    promise: string,
    scenario: fc.Arbitrary<Scenario>,
    check: (setup: Setup, given: Scenario) => Promise<void>,
  ) => void;
}

/**
 * Tests over random runs in n8n's engine, on a clock that runs faster, for each of both kinds of services.
 *
 * More runs, of other seeds: `AUDIENCE_MODEL_RUNS=200 npx jest test/integration/n8n/FILE`.
 */
export function onBothServices(runs: number, define: (model: Model) => void, engine?: EngineOptions): void {
  const wanted = process.env['AUDIENCE_MODEL_RUNS'];
  const parameters = wanted === undefined ? { numRuns: runs, seed: 2026 } : { numRuns: Number(wanted) };
  describe.each(['refuse', 'replay'] as const)('on a service that would %s a used key', (duplicates) => {
    fastClockForTests(80);
    const setup = setUpForFile({ profile: { duplicates } }, engine);
    define({
      setup,
      duplicates,
      holds: (promise, scenario, check) => {
        test(
          `${promise} (${parameters.numRuns} random runs)`,
          async () => {
            const property = fc.asyncProperty(scenario, async (given) => {
              setup.sandbox.reset();
              await check(setup, given);
            });
            await fc.assert(property, parameters);
          },
          // One that runs out of it goes on in the sandbox of the next: a busy machine must not get there.
          240_000 + parameters.numRuns * 2_000,
        );
      },
    });
  });
}

/** Sets the faults of a scenario on an endpoint. */
export function setFaults(
  sandbox: RunningSandbox,
  route: NewFault['route'],
  faults: readonly ModelFault[],
): void {
  for (const { kind, ...rest } of faults) sandbox.faults.next({ route, ...rest, ...kind });
}
