import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import * as z from 'zod/v4-mini';
import { FakeEngine, type Declared } from '../../pulumi-provider/testing/fake-engine.js';
import { FakeService } from '../../pulumi-provider/testing/fake-service.js';
import { readContacts } from '../../pulumi-provider/src/contact-file/read.js';
import { findCli, type Engine } from '../hosts/pulumi/engine.js';
import { inWorld, numbered } from '../hosts/pulumi/scenarios/world.js';
import { measure, median, ratio, seconds, type Report, type Target } from './report.js';

const RESOURCES = 1_000;
const CONTACTS = 10_000;
const REQUESTS_PER_SECOND = 200;
const ROUNDS = 7;

/**
 * `up` of many Contact resources, dynamic and native, beside as many of a plugin that does nothing; and of many contacts
 * in one Contacts resource, against a service that takes 200 requests a second.
 */
export async function bench(report: Report): Promise<void> {
  const [engine, native] = [await findCli('dynamic'), await findCli('native')];
  report.section(`pulumi: a list of ${CONTACTS} rows or more, without an engine`);
  await checkingFile(report);
  await nothingChanged(report);
  if (engine === undefined || native === undefined) {
    report.section('pulumi: THERE IS NO PULUMI CLI ON THE PATH, so nothing else was measured');
    return;
  }
  process.env['PATH'] = `${NOOP_PLUGIN}${path.delimiter}${process.env['PATH'] ?? ''}`;
  await manyLists(report);
  report.section(`pulumi: ${RESOURCES} resources, on the ${engine.name}`);
  const dynamic = await inOneWorld(engine, CONTACT);
  const plugin = await inOneWorld(native, CONTACT);
  const idle = await inOneWorld(native, NOTHING);
  for (const [name, { requests, again, state }] of Object.entries({ dynamic, native: plugin })) {
    report.figure(`${name}: requests`, `N + ${requests - RESOURCES}`);
    report.figure(`${name}: again, nothing changed`, seconds(again));
    report.figure(`${name}: state`, `${(state / 1e3).toFixed(0)} KB`);
  }
  report.figure('native: of a plugin that does nothing', ratio(plugin.first, idle.first), { atMost: 1.1 });
  report.figure('native: again, of that plugin', ratio(plugin.again, idle.again), { atMost: 1.15 });
  report.figure('native: state, of the dynamic', ratio(plugin.state, dynamic.state), { atMost: 0.6 });
  report.section(`pulumi: ${CONTACTS} Contacts from a file, at ${REQUESTS_PER_SECOND} requests/s`);
  await manyInOne(report, engine);
  await manyInOne(report, native);
}

/** What check and diff of a list take where nothing has changed, beside reading its file, in turns in this process. */
async function nothingChanged(report: Report): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'audience-bench-'));
  try {
    const file = path.join(folder, 'people.csv');
    const contacts = numbered(CONTACTS);
    await writeFile(file, csvOf(contacts));
    const service = new FakeService();
    for (const contact of contacts) service.add(contact);
    const engine = new FakeEngine(service);
    const program: Declared[] = [{ type: 'contacts', name: 'all', inputs: { file } }];
    const { errors } = await engine.up(program);
    if (errors.length > 0) throw new Error(errors.join('\n'));
    const read = () => readContacts({ file }, { types: new Map(), isComplete: false });
    const times: { preview: number; reading: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      times.push({ preview: await timed(() => engine.preview(program)), reading: await timed(read) });
    }
    const of = (what: 'preview' | 'reading'): number => median(times.map((time) => time[what]));
    report.figure('preview, nothing changed', `${ratio(of('preview'), of('reading'))} of reading the file`, {
      atMost: 2,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the checks of many lists take, of those of a tenth as many. All rows are in one index. */
async function manyLists(report: Report): Promise<void> {
  const check = async (lists: number): Promise<number> => {
    const program = Array.from({ length: lists }, (_, list): Declared => {
      const contacts = Array.from({ length: 100 }, (_row, row) => ({ email: `p${list}-${row}@example.com` }));
      return { type: 'contacts', name: `list-${list}`, inputs: { contacts } };
    });
    return (await measure(() => new FakeEngine(new FakeService()).preview(program))).processor;
  };
  const times: { few: number; many: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push({ few: await check(30), many: await check(300) });
  const of = (what: 'few' | 'many'): number => median(times.map((time) => time[what]));
  report.figure('check of 300 lists of 100 rows', `${ratio(of('many'), of('few'))} of 30 lists`, {
    atMost: 12,
  });
}

const FILE_ROUNDS = 5;

/**
 * The most memory that a process has held, in kB. Linux counts in maxRSS what the parent held when it started the
 * process, and in VmHWM the process alone.
 */
const MOST_MEMORY = `
  const { existsSync, readFileSync, writeFileSync } = require('node:fs');
  const status = '/proc/self/status';
  const most = () => existsSync(status) ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1] : process.resourceUsage().maxRSS;`;

/** Reads a file with csv-parse alone, and prints the milliseconds. */
const BARE = `
  const [, file] = process.argv;
  (async () => {
    const start = performance.now();
    for await (const row of require('node:fs').createReadStream(file).pipe(require('csv-parse').parse())) void row;
    console.log(JSON.stringify({ ms: performance.now() - start }));
  })();`;

/** Runs `pulumi-audience check`, and prints the milliseconds and the most memory that the process had, in kB. */
const CHECK = `
  const start = performance.now();
  const command = ${JSON.stringify(path.join(__dirname, '../../pulumi-provider/dist/cli/main.js'))};
  process.argv.splice(1, 0, command, 'check');
  process.argv.push('--options', '{ "columns": { "planName": "planName", "signedUp": "signedUp" } }');
  ${MOST_MEMORY}
  process.once('exit', () => console.log(JSON.stringify({ ms: performance.now() - start, kB: Number(most()) })));
  require(command);`;

interface Large {
  readonly rows: number;
  readonly rounds: number;
  /** Of the time that csv-parse takes alone. */
  readonly times: number;
  readonly megabytes: number;
}

const LARGE: readonly Large[] = [
  { rows: 100_000, rounds: FILE_ROUNDS, times: 2.5, megabytes: 300 },
  { rows: 200_000, rounds: 1, times: 2.5, megabytes: 600 },
];

/** What the check of a large file takes, each time in a separate process, in turns with csv-parse alone. */
async function checkingFile(report: Report): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'audience-bench-'));
  try {
    for (const { rows, rounds, times, megabytes } of LARGE) {
      const file = path.join(folder, 'people.csv');
      await writeFile(file, largeFile(rows));
      const runs: { bare: number; check: number; kB: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const [bare, check] = [await inProcess(BARE, file), await inProcess(CHECK, file)];
        runs.push({ bare: bare.ms, check: check.ms, kB: check.kB ?? 0 });
      }
      const of = (what: 'bare' | 'check' | 'kB'): number => median(runs.map((one) => one[what]));
      report.figure(`checking ${rows} rows`, `${ratio(of('check'), of('bare'))} of csv-parse alone`, {
        atMost: times,
      });
      report.figure('the same: memory', `${Math.round(of('kB') / 1024)} MB`, { atMost: megabytes });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function largeFile(rows: number): string {
  const header = ['email', 'userId', 'firstName', 'planName', 'signedUp'];
  const people = Array.from({ length: rows }, (_, index) => [
    `person-${index}@example.com`,
    `user-${index}`,
    `First ${index}`,
    `Pro ${index % 7}`,
    `2024-01-0${1 + (index % 9)}`,
  ]);
  return [header, ...people].map((row) => `${row.join()}\n`).join('');
}

const measuredSchema = z.object({ ms: z.number(), kB: z.optional(z.number()) });

async function inProcess(script: string, file: string): Promise<z.infer<typeof measuredSchema>> {
  const options = { cwd: path.join(__dirname, '../../pulumi-provider') };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, file], options);
  return measuredSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}

function csvOf(contacts: ReturnType<typeof numbered>): string {
  const rows = contacts.map(({ email }, index) => `${email},First ${index},Last ${index}\n`);
  return `email,firstName,lastName\n${rows.join('')}`;
}

/** How a resource begins: ours, or one of the same shape of a plugin that does nothing, which has to be on the PATH. */
const CONTACT = 'new Contact(';
const NOTHING = 'new audience.Nothing(';
const NOOP_PLUGIN = path.join(__dirname, 'noop-plugin');

/** What two runs of one world take, in milliseconds, with the requests of the first and the characters of state. */
interface Taken {
  readonly first: number;
  readonly again: number;
  readonly requests: number;
  readonly state: number;
}

function inOneWorld(engine: Engine, resource: string): Promise<Taken> {
  return inWorld(engine, { seed: { contacts: numbered(RESOURCES) } }, async (world) => {
    await world.program(`
      for (let i = 0; i < ${RESOURCES}; i += 1)
        ${resource}'contact-' + i, { email: 'person-' + i + '@example.com', firstName: 'P' });`);
    const first = await timed(() => world.up());
    const requests = world.calls().length;
    const again = await timed(() => world.up());
    return { first, again, requests, state: (await world.stack.exportState()).length };
  });
}

async function manyInOne(report: Report, engine: Engine): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'audience-bench-'));
  try {
    // Each Node process notes the most memory it has held; the provider process is one of them.
    const watcher = path.join(folder, 'watch-memory.cjs');
    await writeFile(
      watcher,
      `${MOST_MEMORY}
       const note = () => writeFileSync(${JSON.stringify(folder)} + '/' + process.pid + '.kb', (process.argv[1] ?? '') + ' ' + most());
       setInterval(note, 250).unref();`,
    );
    const contacts = numbered(CONTACTS);
    const env = { NODE_OPTIONS: `--require=${watcher}` };
    await inWorld(engine, { seed: { contacts }, env }, async (world) => {
      await writeFile(path.join(world.programDir, 'people.csv'), csvOf(contacts));
      await world.program('');
      const startUp = await timed(() => world.up());
      world.sandbox.limitRate({ requestsPerSecond: REQUESTS_PER_SECOND });
      await world.program(`new Contacts('all', { file: 'people.csv' });`);
      world.calls();
      const first = await timed(() => world.up());
      const requests = world.calls().length;
      const again = await timed(() => world.up());
      const preview = await timed(() => world.stack.preview());
      const writes = world.writes().length;
      const ideal = (CONTACTS / REQUESTS_PER_SECOND) * 1_000;
      const megabytes = (kilobytes: number) => `${(kilobytes / 1_000).toFixed(0)} MB`;
      const memory = await providerKilobytes(folder);
      const figure = (what: string, seen: string, target?: Target) => {
        report.figure(`${engine.provider}: ${what}`, seen, target);
      };
      figure('less start-up', `${ratio(first - startUp, ideal)} of N / rate`, { atMost: 1.03 });
      figure('requests', `N + ${requests - CONTACTS}`);
      figure('state', `${((await world.stack.exportState()).length / 1e6).toFixed(2)} MB`, { atMost: 0.4 });
      figure(
        'memory of the provider',
        `${megabytes(memory)} at most`,
        engine.provider === 'native' ? { atMost: 230 } : undefined,
      );
      figure('again, nothing changed', `${seconds(again)}, ${writes} writes`);
      figure('preview, nothing changed', `${seconds(preview - startUp)} more than an empty run`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function providerKilobytes(folder: string): Promise<number> {
  let most = 0;
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.kb')) continue;
    const text = await readFile(path.join(folder, file), 'utf8');
    const kilobytes = Number(text.split(' ').at(-1));
    if (/pulumi-resource-(audience|pulumi-nodejs)/.test(text)) most = Math.max(most, kilobytes);
  }
  if (most === 0) throw new Error('The memory of no provider was noted.');
  return most;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
