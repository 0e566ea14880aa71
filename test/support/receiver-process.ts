/** A receiver of webhooks in a process of its own, and what it has written down. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { bundledChild } from '../crash/bundle.ts';
import type { ReceiverProgram } from './http-receiver-program.ts';
import type { Behaviour, Seen } from './http-receivers.ts';

/** The program that `ReceiverProcess` starts; its path, and it is to be removed in the end. */
export const receiverProgram = () => bundledChild('test/support/http-receiver-program.ts');

export class ReceiverProcess {
  readonly port: number;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.port = port;
  }

  static async start(program: string, options: ReceiverProgram): Promise<ReceiverProcess> {
    const child = fork(program, [JSON.stringify(options)]);
    const isOver = once(child, 'exit').then(() => [undefined]);
    const [response] = await Promise.race([once(child, 'message'), isOver]);
    if (response === undefined) throw new Error('the receiver has ended by itself');
    return new ReceiverProcess(child, response.port);
  }

  behave(behaviour: Behaviour): void {
    this.#process.send(behaviour);
  }

  async kill(): Promise<void> {
    const isOver = once(this.#process, 'exit');
    if (this.#process.kill('SIGKILL')) await isOver;
  }
}

/** What all receivers with that record have seen, in order; a line that was cut off is none. */
export function seenIn(record: string): readonly Seen[] {
  if (!existsSync(record)) return [];
  const lines = readFileSync(record, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Seen);
}
