import { FakeEngine } from './fake-engine.js';
import { FakeService } from './fake-service.js';

/** A service with these contacts, and an engine whose state is empty. */
export function start(...people: readonly Readonly<Record<string, unknown>>[]): {
  readonly service: FakeService;
  readonly engine: FakeEngine;
} {
  const service = new FakeService();
  for (const one of people) service.add(one);
  return { service, engine: new FakeEngine(service) };
}
