import { createServer } from 'node:http';

/** The other side of the n8n benchmark, in a process of its own: answers every request after a given time. */
const LATENCY_MS = Number(process.argv[2]);
const BODY = '{"success":true}';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length });
      response.end(BODY);
    }, LATENCY_MS);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});
process.once('disconnect', () => process.exit(0));
