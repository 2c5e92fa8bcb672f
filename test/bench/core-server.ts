import { createServer } from 'node:http';

/** The other side of the benchmarks of core and sandbox, in a separate process: responds to every request at once with success. */
const BODY = '{"success":true}';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length });
    response.end(BODY);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});
process.once('disconnect', () => process.exit(0));
