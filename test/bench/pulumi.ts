import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { findEngine } from '../hosts/pulumi/index.js';
import type { Engine } from '../hosts/pulumi/index.js';
import { inWorld } from '../hosts/pulumi/scenarios/world.js';

const RESOURCES = [100, 1_000];
const CONTACTS = 10_000;
const REQUESTS_PER_SECOND = 200;
/** As the README names it for machines that are short of memory. */
const SMALL_HEAP = '--max-old-space-size=96 --max-semi-space-size=8';

/**
 * `up` of many Contact resources, dynamic and native, beside as many dynamic resources that do nothing, in turns; and
 * of many contacts in one Contacts resource, against a service that takes 200 requests a second.
 */
export async function bench(): Promise<void> {
  const [engine, native] = [await findEngine('dynamic'), await findEngine('native')];
  process.stdout.write(`${engine.name}\n`);
  for (const number of RESOURCES) {
    const noop = await noOps(engine, number);
    print(`${number} no-op resources`, seconds(noop));
    const dynamic = await contactsOf(engine, number);
    printContacts(number, dynamic, `${ratio(dynamic.first, noop)} of the no-op`);
    const plugin = await contactsOf(native, number);
    printContacts(number, plugin, `${ratio(plugin.first, dynamic.first)} of the dynamic`);
    print('  again, of the dynamic', ratio(plugin.again, dynamic.again));
    print('  state, of the dynamic', ratio(plugin.state, dynamic.state));
  }
  print(`${CONTACTS} Contacts from a file, at ${REQUESTS_PER_SECOND} requests/s`, '');
  await manyInOne(engine, 'the limit found by itself', {});
  await manyInOne(engine, 'audience:requestsPerSecond set to it', {
    'audience:requestsPerSecond': String(REQUESTS_PER_SECOND),
  });
  await manyInOne(engine, `the same, Node with ${SMALL_HEAP}`, {}, SMALL_HEAP);
  await manyInOne(native, 'the native plugin', {});
  await manyInOne(native, `the same, Node with ${SMALL_HEAP}`, {}, SMALL_HEAP);
}

async function noOps(engine: Engine, number: number): Promise<number> {
  let time = Number.NaN;
  await inWorld(engine, {}, async (world) => {
    await world.program(`
      const provider = {
        check: async (olds, news) => ({ inputs: news }),
        diff: async (id, olds, news) => ({ changes: olds.email !== news.email }),
        create: async (inputs) => ({ id: inputs.email, outs: { email: inputs.email, firstName: inputs.firstName } }),
      };
      for (let i = 0; i < ${number}; i += 1)
        new pulumi.dynamic.Resource(provider, 'contact-' + i, { email: 'person-' + i + '@example.com', firstName: 'P' });`);
    time = await timed(() => world.up());
  });
  return time;
}

/** What many Contact resources take: milliseconds, requests, and characters of state. */
interface Taken {
  readonly provider: string;
  readonly first: number;
  readonly again: number;
  readonly requests: number;
  readonly state: number;
}

async function contactsOf(engine: Engine, number: number): Promise<Taken> {
  const contacts = Array.from({ length: number }, (_, index) => ({ email: `person-${index}@example.com` }));
  const { provider } = engine;
  let taken: Taken = { provider, first: Number.NaN, again: Number.NaN, requests: 0, state: 0 };
  await inWorld(engine, { seed: { contacts } }, async (world) => {
    await world.program(`
      for (let i = 0; i < ${number}; i += 1)
        new Contact('contact-' + i, { email: 'person-' + i + '@example.com', firstName: 'P' });`);
    const first = await timed(() => world.up());
    const requests = world.calls().length;
    const again = await timed(() => world.up());
    taken = { provider, first, again, requests, state: (await world.stack.exportState()).length };
  });
  return taken;
}

function printContacts(
  number: number,
  { provider, first, again, requests, state }: Taken,
  beside: string,
): void {
  print(`${number} Contact resources, ${provider}`, `${seconds(first)}, ${beside}`);
  print('  requests', `${requests}, that is N + ${requests - number}`);
  print('  again, nothing changed', seconds(again));
  print('  state', `${(state / 1e3).toFixed(0)} KB`);
}

async function manyInOne(
  engine: Engine,
  how: string,
  config: Readonly<Record<string, string>>,
  nodeOptions = '',
): Promise<void> {
  const addresses = Array.from({ length: CONTACTS }, (_, index) => `person-${index}@example.com`);
  const folder = await mkdtemp(path.join(tmpdir(), 'audience-bench-'));
  try {
    // Each Node process notes the most memory it has held; the provider process is one of them.
    const watcher = path.join(folder, 'watch-memory.cjs');
    await writeFile(
      watcher,
      `const { writeFileSync } = require('node:fs');
       const note = () => writeFileSync(${JSON.stringify(folder)} + '/' + process.pid + '.kb', (process.argv[1] ?? '') + ' ' + process.resourceUsage().maxRSS);
       setInterval(note, 250).unref();`,
    );
    const seed = { contacts: addresses.map((email) => ({ email })) };
    const env = { NODE_OPTIONS: `--require=${watcher} ${nodeOptions}` };
    await inWorld(engine, { env }, async (world) => {
      await world.program(
        "new pulumi.dynamic.Resource({ create: async () => ({ id: 'x', outs: {} }) }, 'nothing', {});",
      );
      await world.up();
    });
    const idleKilobytes = await providerKilobytes(folder);
    await inWorld(engine, { seed, env }, async (world) => {
      await writeFile(
        path.join(world.programDir, 'people.csv'),
        [
          'email,firstName,lastName',
          ...addresses.map((email, index) => `${email},First ${index},Last ${index}`),
          '',
        ].join('\n'),
      );
      await world.program('');
      const startUp = await timed(() => world.up());
      world.sandbox.limitRate({ requestsPerSecond: REQUESTS_PER_SECOND });
      await world.program(`new Contacts('all', { file: 'people.csv' });`);
      const before = lastRequest(world.sandbox.requests());
      const first = await timed(() => world.up({ config }));
      const requests = lastRequest(world.sandbox.requests()) - before;
      world.calls();
      const again = await timed(() => world.up());
      const preview = await timed(() => world.stack.preview());
      const writes = world.writes().length;
      const ideal = (CONTACTS / REQUESTS_PER_SECOND) * 1_000;
      print(how, seconds(first));
      print('  less start-up', `${seconds(first - startUp)}, ${ratio(first - startUp, ideal)} of N / rate`);
      print('  requests', `${requests}, that is N + ${requests - CONTACTS}`);
      print('  state', `${((await world.stack.exportState()).length / 1e6).toFixed(2)} MB`);
      print(
        '  memory of the provider process',
        `${((await providerKilobytes(folder)) / 1_000).toFixed(0)} MB at most; one that does nothing: ${(idleKilobytes / 1_000).toFixed(0)} MB`,
      );
      print('  again, nothing changed', `${seconds(again)}, ${writes} writes`);
      print(
        '  preview, nothing changed',
        `${seconds(preview)}, ${seconds(preview - startUp)} more than an empty run`,
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Number of the newest call: the log holds the last 10,000, their ids count on. */
function lastRequest(log: readonly { readonly id: string }[]): number {
  return Number(/\d+$/.exec(log.at(-1)?.id ?? '0')?.[0] ?? 0);
}

async function providerKilobytes(folder: string): Promise<number> {
  let most = 0;
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.kb')) continue;
    const text = await readFile(path.join(folder, file), 'utf8');
    const kilobytes = Number(text.split(' ').at(-1));
    if (/dynamic-provider|pulumi-resource-audience/.test(text)) most = Math.max(most, kilobytes);
  }
  return most;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}

function ratio(a: number, b: number): string {
  return (a / b).toFixed(2);
}

function print(what: string, figure: string): void {
  process.stdout.write(`  ${what.padEnd(52)} ${figure}\n`);
}
