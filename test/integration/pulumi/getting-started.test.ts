import path from 'node:path';
import { startSandbox } from 'audience-sandbox';
import { stackInProcess } from '../../demo/in-process.js';

const PROGRAM = path.resolve(__dirname, '../../../pulumi-provider/examples/getting-started');

test('the program of getting-started: two runs write each property and the contact once', async () => {
  const sandbox = await startSandbox({});
  try {
    const stack = await stackInProcess(PROGRAM, sandbox);
    const first = await stack.up({});
    expect([first.failed, first.summary.create]).toEqual([false, 5]);
    const second = await stack.up({});
    expect([second.failed, second.summary.same]).toEqual([false, 5]);
    const writes = sandbox.requests().filter(({ method }) => method !== 'GET');
    expect(writes.map(({ route, status }) => `${route} ${status}`)).toEqual([
      ...Array<string>(4).fill('createContactProperty 200'),
      ...['updateContact 404', 'sendEvent 200', 'updateContact 200'],
    ]);
  } finally {
    await sandbox.close();
  }
});
