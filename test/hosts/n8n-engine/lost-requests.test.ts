import { AudienceApi } from 'audience-core/internal';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { hostTransport } from '../../../n8n-nodes/nodes/Audience/service/host-transport.js';
import { createTestRuntime } from '../../../shared/testing/test-runtime.js';
import { endOf, type End } from '../../../shared/testing/ends.js';
import { testLostRequests } from '../../../shared/testing/lost-requests.js';
import { createN8nEngine, type N8nEngine } from './index.js';
import { nodeOutcome, NODE_TYPE, oneNode } from '../../integration/n8n/support.js';

let n8n: N8nEngine;
let [baseUrl, timeoutMs] = ['', 0];

beforeAll(async () => {
  const { description } = (await createN8nEngine()).nodeType(NODE_TYPE);
  n8n = await createN8nEngine({ nodes: { [NODE_TYPE]: { description, execute: sendOnce } } });
});

/** A node that sends one email over n8n's own HTTP helper, and says how that ended. */
async function sendOnce(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const credential = await this.getCredentials('audienceApi');
  const api = new AudienceApi({
    ...{ baseUrl, timeoutMs, maxRetries: 0, allowInsecure: true },
    ...{ transport: hostTransport(this, credential), runtime: createTestRuntime() },
  });
  const end = await endOf(api.transactional.send({ email: 'ada@example.com', transactionalId: 't' }));
  return [[{ json: { end } }]];
}

async function send(url: string, limit: number): Promise<End> {
  [baseUrl, timeoutMs] = [url, limit];
  const credentials = { audienceApi: { baseUrl, apiKey: 'key-of-a-test' } };
  const outcome = await n8n.execute(oneNode({ resource: 'subscriptionGroup', operation: 'getAll' }), {
    credentials,
    inputItems: [{}],
  });
  const [item] = nodeOutcome(outcome).items;
  const end = item?.json['end'];
  if (end === 'sent' || end === 'not sent' || end === 'unclear') return end;
  throw new Error('The node did not say how the call ended.');
}

testLostRequests(send, { usesProxy: true, isCertain: true });
