/** What happened to a call, told to whoever listens. No header, no body, no identifier of a person. */
export type DiagnosticsEvent = {
  readonly callId: string;
  readonly operationId: string;
  /** Number of the attempt; of a retry that of the one that will follow. */
  readonly attempt: number;
} & (
  | { readonly type: 'request' }
  | {
      readonly type: 'response';
      /** HTTP status; absent where there was no response. */
      readonly status?: number;
      /** Why there was no response. */
      readonly failure?: string;
      readonly durationMs: number;
    }
  | { readonly type: 'retry'; readonly delayMs: number; readonly reason: string }
);

/** The surroundings that a client needs. They are given from outside, so that every host can bring its own. */
export interface Runtime {
  /** Time in milliseconds since 1970; it should go on evenly also where the clock is set. */
  now(): number;
  /** Waits so many milliseconds; an abort of the signal ends the wait at once, by rejecting or resolving. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A random number from 0 up to but not including 1. */
  random(): number;
  /** A random UUID, version 4. */
  randomUUID(): string;
  /** Whether anybody listens to diagnostics events; they are not made otherwise. */
  readonly observed?: boolean;
  /** Publishes a diagnostics event. */
  publish?(event: DiagnosticsEvent): void;
}

/** The time as it was at the start of the process, and as it has gone on since: setting the clock changes nothing. */
export function monotonicNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
