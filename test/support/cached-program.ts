/**
 * The bundled command line in a process that has loaded it once for many commands. It is for tests
 * to which a process of its own for each does not matter.
 */
import { type ChildProcess, fork, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from './bundled.ts';

/** How a command ended, and what it has written. */
export type Ended = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;

const KEEPS = fileURLToPath(new URL('resident-program.mjs', import.meta.url));

export class CachedProgram {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** It works in the folder; the product has to be bundled before. */
  static async in(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<CachedProgram> {
    const child = fork(KEEPS, [PROGRAM], { cwd: folder, execArgv: [], env });
    await once(child, 'message');
    return new CachedProgram(child);
  }

  /** One command at a time. */
  run(...words: readonly string[]): Promise<Ended> {
    return this.runWith({}, words);
  }

  /** The same with variables of the environment, which this command alone has. */
  async runWith(
    variables: Readonly<Record<string, string>>,
    words: readonly string[],
  ): Promise<Ended> {
    this.#process.send({ words, variables });
    const [ended] = (await once(this.#process, 'message')) as [Ended];
    return ended;
  }

  stop(): void {
    this.#process.kill();
  }
}
