import { createServer } from 'node:http';

/** The other side of the n8n benchmark, in a process of its own: answers every request after a given time. */
const LATENCY_MS = Number(process.argv[2]);
const DESIGNS = JSON.stringify({
  pagination: { totalResults: 1, returnedResults: 1, perPage: 50, totalPages: 1, nextCursor: null },
  data: [
    { id: 'welcome', name: 'Welcome', lastUpdated: '2026-01-01T00:00:00Z', dataVariables: ['firstName'] },
  ],
});
const SENT = '{"success":true}';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const body = request.method === 'GET' ? DESIGNS : SENT;
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    }, LATENCY_MS);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});
process.once('disconnect', () => process.exit(0));
