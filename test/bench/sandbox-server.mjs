// A sandbox in a process of its own; tells its URL, and on request the memory that it holds. Plain JavaScript: what
// takes types away in a running Node holds as much memory as the sandbox itself.
import process from 'node:process';
import { startSandbox } from 'audience-sandbox';

const { url } = await startSandbox({ dataFile: process.argv[2] });
process.send?.({ url });
process.on('message', () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed });
});
process.once('disconnect', () => process.exit());
