import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';

/**
 * The other side of the limiter's benchmark, in a process of its own: a token bucket that is full at first, and
 * refusals by chance. A message asks what was accepted and refused; it answers in tenths of a second.
 */
const [perSecond = 0, burst = 0, latencyMs = 0, chance = 0, limitedForMs = Infinity] = process.argv
  .slice(2)
  .map(Number);
const BODY = '{"success":true}';
const accepted: number[] = [];
let refused = 0;
let started: number | undefined;
let tokens = burst;
let filledAt = 0;

function takes(now: number): boolean {
  if (Math.random() < chance) return false;
  if (now >= limitedForMs) return true;
  tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1_000);
  filledAt = now;
  if (tokens < 1) return false;
  tokens -= 1;
  return true;
}

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    setTimeout(() => {
      started ??= performance.now();
      const now = performance.now() - started;
      const tenth = Math.floor(now / 100);
      const ok = takes(now);
      if (ok) accepted[tenth] = (accepted[tenth] ?? 0) + 1;
      else refused += 1;
      response.writeHead(ok ? 200 : 429, {
        'content-type': 'application/json',
        ...(ok ? {} : { 'retry-after': '1' }),
      });
      response.end(BODY);
    }, latencyMs);
  });
});
process.on('message', () => {
  process.send?.({ refused, accepted: Array.from(accepted, (count: number | undefined) => count ?? 0) });
});
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});
