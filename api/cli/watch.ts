/** `fleetwave run --watch`: once more whenever the scenario, or a file that it names, changes. */
import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { painterOf } from './colour.ts';
import { ExitCode, InputError } from './exit.ts';
import { exitCodeOf, type Signal } from './interrupt.ts';
import { reported } from './reporting.ts';
import { run } from './run.ts';
import type { RunOptions } from './run-options.ts';

/** Between two looks at the files, ms. Looks find what editors put in the place of a file, too. */
const LOOK_EVERY_MS = 150;

/** What a file was when it was read; empty where there was none. */
type Stamps = Map<string, string>;

/** Ends by a signal alone: while it waits with 0 for Ctrl-C, in a run with that of the run. */
export async function watch(options: RunOptions): Promise<ExitCode> {
  if (options.file === '-') {
    throw new InputError(['fleetwave run: --watch needs a file: standard input changes never']);
  }
  const signals = new Signals();
  try {
    for (let number = 1; ; number++) {
      const stamps: Stamps = new Map([[options.file, stampOf(options.file)]]);
      const code = await attempt(options, (path) => stamps.set(path, stampOf(path)));
      if (signals.first !== undefined) return exitCodeOf(signals.first);
      say(options, `Waiting for a change of ${[...stamps.keys()].join(', ')}, Ctrl-C ends`, code);
      const changed = await nextChange(stamps, signals);
      if (changed === undefined) return waitEnded(signals);
      say(options, `${changed} has changed: run ${number + 1}`);
    }
  } finally {
    signals.stop();
  }
}

const waitEnded = ({ first }: Signals): ExitCode =>
  first === 'SIGTERM' ? ExitCode.terminated : ExitCode.good;

/** Reports an invalid scenario or a failed run, and waits for the next change. */
async function attempt(options: RunOptions, onFile: (path: string) => void): Promise<ExitCode> {
  try {
    return await run(options, onFile);
  } catch (error) {
    return reported(error);
  }
}

/** A line between two runs; beside a document on standard output it stands on stderr. */
function say({ json, quiet }: RunOptions, sentence: string, code?: ExitCode): void {
  const stream = json || quiet ? process.stderr : process.stdout;
  const { heading } = painterOf(stream);
  const ended = code === undefined || code === ExitCode.good ? '' : ` (exit code ${code})`;
  stream.write(`${heading(`──── ${sentence}${ended} ────`)}\n`);
}

/** The first file that is another than it was, once all of them rest; undefined: a signal came. */
async function nextChange(stamps: Stamps, signals: Signals): Promise<string | undefined> {
  for (;;) {
    await setTimeout(LOOK_EVERY_MS);
    if (signals.first !== undefined) return undefined;
    const changed = [...stamps].find(([path, stamp]) => stampOf(path) !== stamp)?.[0];
    if (changed === undefined) continue;
    await rest([...stamps.keys()]);
    return changed;
  }
}

/** Waits for editors that write a file in several pieces. */
async function rest(paths: readonly string[]): Promise<void> {
  const now = () => paths.map(stampOf).join();
  for (let before = now(); ; ) {
    await setTimeout(LOOK_EVERY_MS);
    const after = now();
    if (after === before) return;
    before = after;
  }
}

function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    // It is away, or cannot be looked at: as a rule while an editor puts another in its place.
    return '';
  }
}

/** The first signal to stop; a second one ends the process at once. */
class Signals {
  first: Signal | undefined;
  readonly #note = (signal: Signal) => {
    if (this.first !== undefined) process.exit(exitCodeOf(signal));
    this.first = signal;
  };

  constructor() {
    process.on('SIGINT', this.#note);
    process.on('SIGTERM', this.#note);
  }

  stop(): void {
    process.off('SIGINT', this.#note);
    process.off('SIGTERM', this.#note);
  }
}
