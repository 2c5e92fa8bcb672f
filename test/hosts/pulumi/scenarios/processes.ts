import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The Node processes of a run: each notes itself when it begins. */
export interface NotedProcesses {
  /** Environment of the run, by which they do. */
  readonly env: { readonly NODE_OPTIONS: string };
  /** Whether one is there whose script has this in its path. */
  isRunning(script: string): Promise<boolean>;
  /** Forgets those of runs before. */
  forget(): Promise<void>;
  /** To be called at the end. */
  remove(): Promise<void>;
}

export async function noteProcesses(): Promise<NotedProcesses> {
  const folder = await mkdtemp(path.join(tmpdir(), 'audience-pids-'));
  const preload = path.join(folder, 'note-pid.cjs');
  const note = `${JSON.stringify(folder)} + '/' + process.pid + '.pid'`;
  await writeFile(preload, `require('node:fs').writeFileSync(${note}, process.argv[1] ?? '');`);
  const notes = async (): Promise<string[]> =>
    (await readdir(folder)).filter((file) => file.endsWith('.pid'));
  const noted = async (script: string): Promise<number[]> => {
    const pids: number[] = [];
    for (const file of await notes()) {
      if ((await readFile(path.join(folder, file), 'utf8')).includes(script))
        pids.push(Number(path.basename(file, '.pid')));
    }
    return pids;
  };
  return {
    env: { NODE_OPTIONS: `--require=${preload}` },
    async isRunning(script) {
      return (await noted(script)).some(isThere);
    },
    async forget() {
      for (const file of await notes()) await rm(path.join(folder, file));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
