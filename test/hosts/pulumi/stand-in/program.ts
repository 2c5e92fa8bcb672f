import type { ChildProcess } from 'node:child_process';
import { exitOf, onLines, sdkFile, startNode } from './child.js';

interface ProgramOptions {
  readonly programDir: string;
  readonly project: string;
  readonly stack: string;
  readonly address: string;
  readonly dryRun: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly config: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
  readonly onLine: (line: string) => void;
}

/** The SDK's own runner of a program, as Pulumi's language host starts it. */
export class ProgramProcess {
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  private readonly child: ChildProcess;

  constructor(options: ProgramOptions) {
    this.child = startNode(
      sdkFile(options.programDir, 'cmd/run/index.js'),
      [
        ...['--monitor', options.address],
        ...['--engine', options.address],
        ...['--organization', 'organization'],
        ...['--project', options.project],
        ...['--stack', options.stack],
        ...['--root-directory', options.programDir],
        ...['--pwd', options.programDir],
        ...['--parallel', '16'],
        ...(options.dryRun ? ['--dry-run'] : []),
        '.',
      ],
      options.programDir,
      {
        ...options.env,
        PULUMI_CONFIG: JSON.stringify(options.config),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(options.secretKeys),
        PULUMI_NODEJS_TYPESCRIPT: options.env['PULUMI_NODEJS_TYPESCRIPT'] ?? 'true',
      },
    );
    const output = Promise.all([
      onLines(this.child.stdout, options.onLine),
      onLines(this.child.stderr, options.onLine),
    ]);
    this.exit = exitOf(this.child).then(async (exit) => {
      await output;
      return exit;
    });
  }

  /** Ends the program, as the engine does when a resource has failed. */
  stop(): void {
    this.child.kill('SIGKILL');
  }
}
