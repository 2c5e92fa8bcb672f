import type { ServerResponse } from 'node:http';
import { realTime } from '../real-time.js';
import type { Sandbox } from '../sandbox.js';

/** Changes within that time, in milliseconds, are sent together. */
const GATHER_MS = 80;

/** A line now and then keeps the connection from looking dead, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/** Tells a page, as Server-Sent Events, what kinds of things have changed, until it goes away. */
export function follow(sandbox: Sandbox, response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.write('retry: 1000\n\n');

  const kinds = new Set<string>();
  let gathering: NodeJS.Timeout | undefined;
  const tell = () => {
    gathering = undefined;
    // A page that does not keep up gets its changes later, together.
    if (response.writableNeedDrain) return;
    response.write(`event: change\ndata: ${JSON.stringify([...kinds])}\n\n`);
    kinds.clear();
  };
  const stopListening = sandbox.listen((kind) => {
    kinds.add(kind);
    gathering ??= realTime.setTimeout(tell, GATHER_MS);
  });
  const heartbeat = realTime.setInterval(() => response.write(': here\n\n'), HEARTBEAT_MS);
  response.on('drain', () => {
    if (kinds.size > 0) gathering ??= realTime.setTimeout(tell, GATHER_MS);
  });
  response.on('close', () => {
    stopListening();
    realTime.clearTimeout(gathering);
    realTime.clearInterval(heartbeat);
  });
}
