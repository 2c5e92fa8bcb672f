import { AudienceApi } from 'audience-core';
import type { ContactProperty, TransportRequest } from 'audience-core';
import type { Host } from '../src/resources/host.js';
import { PropertyList } from '../src/resources/property-list.js';

/** Answer to one request: status and body. */
export type Answer = readonly [status: number, body: unknown];

/** The service as a function, and what it received. */
export interface FakeService {
  readonly client: AudienceApi;
  readonly properties: PropertyList;
  readonly host: Host;
  /** `PUT /v1/contacts/a@example.com {"firstName":"A"}` */
  readonly received: string[];
  /** What the person was told. */
  readonly told: string[];
}

const listed: readonly ContactProperty[] = [
  { key: 'seats', label: 'Seats', type: 'number' },
  { key: 'endsAt', label: 'Ends at', type: 'date' },
];

export function fakeService(
  answer: (request: string) => Answer = () => [200, { success: true, id: 'contact-1' }],
): FakeService {
  const received: string[] = [];
  const told: string[] = [];
  const transport = ({ method, url, body }: TransportRequest) => {
    const path = new URL(url).pathname;
    const request = `${method} ${decodeURIComponent(path)}${body === undefined ? '' : ` ${body}`}`;
    received.push(request);
    const [status, content] = path.startsWith('/v1/contacts/properties') ? [200, listed] : answer(request);
    const headers = { 'content-type': 'application/json' };
    return Promise.resolve({ status, headers, body: JSON.stringify(content) });
  };
  const runtime = {
    now: () => 0,
    sleep: () => Promise.resolve(),
    random: () => 0.5,
    randomUUID: () => 'key',
  };
  const host: Host = {
    reporter: { info: (text) => told.push(text), warn: (text) => told.push(text) },
    sleep: () => Promise.resolve(),
  };
  const client = new AudienceApi({ baseUrl: 'https://api.example.com', transport, runtime });
  return { client, properties: new PropertyList(client, host.reporter), host, received, told };
}
