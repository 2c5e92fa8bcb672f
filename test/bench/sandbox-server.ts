import { startSandbox } from 'audience-sandbox';

/** A sandbox in a process of its own; tells its URL, and on request the memory that it holds. */
async function main(dataFile: string | undefined): Promise<void> {
  const { url } = await startSandbox({ dataFile });
  process.send?.({ url });
  process.on('message', () => {
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ rss, heapUsed });
  });
}

process.once('disconnect', () => process.exit());
void main(process.argv[2]);
