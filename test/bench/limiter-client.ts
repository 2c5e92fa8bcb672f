import { AudienceClient } from 'audience-core';

/** A client of the limiter's benchmark, in a process of its own: so many calls, so many of them at once. */
const [baseUrl = '', calls, atOnce] = process.argv.slice(2);

async function run(): Promise<void> {
  const audience = new AudienceClient({ baseUrl, apiKey: 'key' });
  let left = Number(calls);
  let failed = 0;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      try {
        await audience.events.send({ email: 'ada@example.com', eventName: 'signedUp' });
      } catch {
        failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, worker));
  process.send?.(failed);
}

process.once('message', () => void run());
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
