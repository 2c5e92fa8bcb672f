import { createServer } from 'node:http';

/** The other side of the n8n benchmark, in a separate process: responds after a given time, with 429 above a limit. */
const LATENCY_MS = Number(process.argv[2]);
/** Requests that it accepts in a second; 0: all. */
const PER_SECOND = Number(process.argv[3]);
const DESIGNS = JSON.stringify({
  pagination: { totalResults: 1, returnedResults: 1, perPage: 50, totalPages: 1, nextCursor: null },
  data: [
    { id: 'welcome', name: 'Welcome', lastUpdated: '2026-01-01T00:00:00Z', dataVariables: ['firstName'] },
  ],
});
const SENT = '{"success":true}';

/** Requests that it has room for: a tenth of a second's worth at most. */
let room = PER_SECOND / 10;
let since = Date.now();

function hasRoom(): boolean {
  if (PER_SECOND === 0) return true;
  const now = Date.now();
  room = Math.min(PER_SECOND / 10, room + ((now - since) * PER_SECOND) / 1_000);
  since = now;
  if (room < 1) return false;
  room -= 1;
  return true;
}

let hasEmail = false;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.method === 'POST' && !hasEmail) process.send?.('first email');
    hasEmail ||= request.method === 'POST';
    const isAccepted = hasRoom();
    const body = request.method === 'GET' ? DESIGNS : SENT;
    setTimeout(() => {
      response.writeHead(isAccepted ? 200 : 429, {
        'content-type': 'application/json',
        'content-length': body.length,
      });
      response.end(body);
    }, LATENCY_MS);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});
process.once('disconnect', () => process.exit(0));
