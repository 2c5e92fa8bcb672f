import { Buffer } from 'node:buffer';
import process from 'node:process';
import { createServer } from 'node:http';

/** A bare Node server that reads the body and gives the same answers as the sandbox, without doing anything. */
const ANSWERS = {
  GET: JSON.stringify({
    id: 'contact-1',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    userId: 'user-ada',
    source: null,
    subscribed: true,
    subscriptionGroups: { 'group-newsletter': true },
    companyName: 'Analytical Engines',
    jobTitle: null,
    teamSize: 2,
    isTrialUser: false,
  }),
  POST: JSON.stringify({ success: true }),
};

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    if (text !== '') JSON.parse(text);
    const answer = ANSWERS[request.method ?? 'GET'] ?? '{}';
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    process.send?.({ url: `http://127.0.0.1:${address.port}` });
});
process.once('disconnect', () => process.exit());
