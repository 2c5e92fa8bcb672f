import { cpus, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a figure should be. */
export interface Target {
  readonly atMost: number;
}

interface Row {
  readonly section: string;
  readonly what: string;
  readonly seen: string;
  readonly target: string;
}

/** What the benchmarks have measured: printed line by line, and as one table at the end. */
export class Report {
  private readonly rows: Row[] = [];
  private current = '';

  /** Begins a group of figures. */
  section(title: string): void {
    this.current = title;
    process.stdout.write(`\n${title}\n`);
  }

  /**
   * One figure.
   *
   * @param seen the number, with its unit or as a ratio to what it is measured beside; then what else is to be told.
   * @param target what the number should be, where there is a target.
   */
  figure(what: string, seen: string, target?: Target): void {
    const told = target === undefined ? '' : compared(Number.parseFloat(seen), target);
    this.rows.push({ section: this.current, what, seen, target: told });
    process.stdout.write(`  ${what.padEnd(52)} ${seen}${told === '' ? '' : `   (target: ${told})`}\n`);
  }

  /** All figures as a page of Markdown, with the machine and the day. */
  page(): string {
    const sections = [...new Set(this.rows.map(({ section }) => section))];
    const tables = sections.map((section) =>
      [
        `## ${section}`,
        '',
        '| what | seen | target |',
        '| --- | --- | --- |',
        ...this.rows
          .filter((row) => row.section === section)
          .map(({ what, seen, target }) => `| ${what} | ${seen} | ${target} |`),
      ].join('\n'),
    );
    return [
      '# Benchmarks',
      '',
      '`npm run bench` measures what is compared side by side in one run, and writes this page. Ratios say more than times, and ratios of processor time (user and system) more than ratios of elapsed time. A target that is missed stands as it is; how near one can come to it is measured beside it.',
      '',
      `Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}.`,
      '',
      ...tables.flatMap((table) => [table, '']),
    ].join('\n');
  }
}

function compared(seen: number, { atMost }: Target): string {
  return `at most ${Number(atMost.toPrecision(4))}: ${seen <= atMost ? 'met' : 'missed'}`;
}

function machine(): string {
  const [first] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** Milliseconds as seconds, with their unit. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}

/** What work of this process takes, in milliseconds: by the clock, and of the processor (all threads). */
export interface Taken {
  readonly clock: number;
  readonly processor: number;
}

/** Measures some work. Other programs of a busy machine change its time, but hardly its processor time. */
export async function measure(work: () => Promise<unknown>): Promise<Taken> {
  const started = performance.now();
  const used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return { clock: performance.now() - started, processor: (user + system) / 1_000 };
}

/** The middle one of some measures. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The middle of the times, and of the processor times. */
export function medianTaken(all: readonly Taken[]): Taken {
  return {
    clock: median(all.map(({ clock }) => clock)),
    processor: median(all.map(({ processor }) => processor)),
  };
}

/** One measure to another, as `0.85`. */
export function ratio(measured: number, reference: number): string {
  return (measured / reference).toFixed(2);
}

/** One measure to another by processor time, then by the clock: `0.85 of the processor time, 0.90 of the elapsed time`. */
export function ratios(measured: Taken, reference: Taken): string {
  const processor = ratio(measured.processor, reference.processor);
  return `${processor} of the processor time, ${ratio(measured.clock, reference.clock)} of the elapsed time`;
}

/** Megabytes of this process's heap that are in use, less what nobody holds any more. */
export function megabytesHeld(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
  return process.memoryUsage().heapUsed / 2 ** 20;
}
