import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { setTimeout } from 'node:timers/promises';
import { monotonicNow } from './runtime.js';
import type { Runtime } from './runtime.js';

/**
 * Names of the `node:diagnostics_channel` channels on which every `AudienceClient` of a process publishes a
 * `DiagnosticsEvent` per request, response and retry; that of `audience-core/fetch` does not.
 */
export const DIAGNOSTICS_CHANNELS = {
  request: 'audience:request',
  response: 'audience:response',
  retry: 'audience:retry',
} as const;

/** Node's own clock, timers, randomness and diagnostics channels. */
export function nodeRuntime(): Runtime {
  const channels = {
    request: channel(DIAGNOSTICS_CHANNELS.request),
    response: channel(DIAGNOSTICS_CHANNELS.response),
    retry: channel(DIAGNOSTICS_CHANNELS.retry),
  };
  return {
    now: monotonicNow,
    sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
    random: () => Math.random(),
    randomUUID: () => randomUUID(),
    get observed() {
      return (
        channels.request.hasSubscribers || channels.response.hasSubscribers || channels.retry.hasSubscribers
      );
    },
    publish: (event) => channels[event.type].publish(event),
  };
}
