/** Runs tests in a copy of the project by a process that stays, and is replaced when it hangs. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environment } from '../mutants/workshop.ts';
import type { WarmRun } from './warm-program.ts';

const PROGRAM = fileURLToPath(new URL('warm-program.js', import.meta.url));

/** `end`: the process was ended after the time of a run, or has ended itself. */
export type Verdict = WarmRun | { readonly end: 'time-out' | 'crash' };

export class WarmVitest {
  readonly #root: string;
  #process: ChildProcess | undefined;

  /** `root`: of the copy. */
  constructor(root: string) {
    this.#root = root;
  }

  /** `limitsMs`: a file that takes longer hangs. */
  async run(files: readonly string[], limitsMs: readonly number[]): Promise<Verdict> {
    this.#process ??= await this.#started();
    const one = this.#process;
    const verdict = await new Promise<Verdict>((resolve) => {
      let ended = 0;
      const late = () => settle({ end: 'time-out' });
      let timer = setTimeout(late, limitsMs[0]);
      const settle = (outcome: Verdict) => {
        clearTimeout(timer);
        one.removeAllListeners();
        resolve(outcome);
      };
      one.on('message', (news: WarmRun | 'ended') => {
        if (news !== 'ended') return settle(news);
        clearTimeout(timer);
        ended = Math.min(ended + 1, limitsMs.length - 1);
        timer = setTimeout(late, limitsMs[ended]);
      });
      one.once('exit', () => settle({ end: 'crash' }));
      one.send(files);
    });
    if ('end' in verdict) this.close();
    return verdict;
  }

  /** Ends the process and all that its tests have begun. */
  close(): void {
    const pid = this.#process?.pid;
    this.#process = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  async #started(): Promise<ChildProcess> {
    const started = fork(PROGRAM, [], {
      cwd: this.#root,
      env: environment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A group of its own, so that a time-out ends whatever a test began.
      detached: true,
    });
    await new Promise((resolve) => started.once('message', resolve));
    return started;
  }
}
