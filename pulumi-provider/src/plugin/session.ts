import { openRun } from '../engine/connection.js';
import { problem } from '../messages.js';
import { ResourceError } from '../resources/errors.js';
import type { Reporter } from '../resources/host.js';
import type { Raw } from '../resources/raw.js';
import type { Run } from '../resources/run.js';
import { settingsIn } from './arguments.js';

export class Session {
  private readonly ending = new AbortController();
  private args: Raw = {};
  private run: Run | undefined;

  constructor(
    reporter: Reporter,
    private readonly open = (args: Raw, cancelled: AbortSignal): Run =>
      openRun(settingsIn(args), { reporter, cancelled }),
  ) {}

  configure(args: Raw): void {
    this.args = args;
    this.run = undefined;
  }

  /** Opens the run when it is first needed. @throws ResourceError where the arguments cannot work, or once it was cancelled. */
  current(): Run {
    if (this.ending.signal.aborted) throw new ResourceError(problem('run.cancelled', {}));
    return (this.run ??= this.open(this.args, this.ending.signal));
  }

  /** Ends started work, and starts no more. */
  cancel(): void {
    this.ending.abort();
    // Many calls of a list wait in the client's queue.
    this.run?.client.stop();
  }
}
