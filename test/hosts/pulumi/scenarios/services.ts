import assert from 'node:assert/strict';
import { assertNoStackTrace, inWorld, warningLines, type Scenario } from './world.js';

/** A preview may take this long. */
const PATIENCE_MS = 30_000;

export const services: readonly Scenario[] = [
  {
    name: 'a service that hangs: a preview of resources, and one of functions, ends in time and says why',
    run: (engine) =>
      inWorld(engine, { seed: { contacts: [{ email: 'ada@example.com' }] } }, async (world) => {
        world.sandbox.faults.next({ hang: true, times: 10_000 });
        for (const [program, failed] of [
          [`new Contacts('list', { contacts: [{ email: 'ada@example.com', firstName: 'Ada' }] });`, false],
          [`exports.groups = audience.getSubscriptionGroups();`, true],
        ] as const) {
          await world.program(program);
          const begun = Date.now();
          const result = await world.stack.preview();
          assert.equal(result.failed, failed, result.log.join('\n'));
          assert.ok(Date.now() - begun < PATIENCE_MS, `${Date.now() - begun} ms: ${program}`);
          if (failed) continue;
          assert.match(warningLines(result).join('\n'), /checked/);
          assertNoStackTrace(result);
        }
        assert.deepEqual(world.writes(), []);
      }),
  },
];
