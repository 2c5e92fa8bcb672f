import { createClient, openRun, type ReadSetting } from '../engine/connection.js';
import { problem, type Problem } from '../messages/index.js';
import { ResourceError } from '../resources/errors.js';
import { textOf, UNKNOWN, type Raw } from '../resources/raw.js';
import type { Reporter, Run } from '../resources/run.js';

function settingsIn(args: Raw): ReadSetting {
  return (name) => {
    const value = args[name];
    return typeof value === 'boolean' || typeof value === 'number' ? String(value) : textOf(value);
  };
}

/** Problems of a provider's arguments, or of the stack's configuration. */
export function argumentProblems(args: Raw): readonly Problem[] {
  // Unknown values are checked when they are known.
  if (Object.values(args).includes(UNKNOWN)) return [];
  try {
    createClient(settingsIn(args)).close();
    return [];
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    return error.reasons;
  }
}

/** The run of this process, and the arguments that it begins with. */
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
