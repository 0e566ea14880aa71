/**
 * How properties run here: more often when asked for, and a failure is written at once. A test's
 * timeout cannot stop synchronous code, so a property that fails in a large world would shrink for
 * minutes without output. Its first counter-example is written as soon as it is known, with what it
 * takes to run it again. Shrinking ends after a fixed time with the smallest one so far, which is
 * stored in the corpus where it is a world.
 */
import { writeSync } from 'node:fs';
import type { IRawProperty, Parameters, PreconditionFailure } from 'fast-check';

type FastCheck = Omit<typeof import('fast-check'), 'default'>;
/** What a run of a property amounts to: nothing, a failure, or values that it was not for. */
type Outcome = ReturnType<IRawProperty<unknown, false>['run']>;

/** Shrinking goes on for so long after the first failure, ms. */
const USUAL_SHRINK_MS = 30_000;
/** Most characters of a counter-example that are shown; a world has many more. */
const SHOWN = 2_000;

export interface Wishes {
  /** `FLEETWAVE_RUNS`: that many times the usual number of runs; empty for once. */
  readonly runs: string | undefined;
  /** `FLEETWAVE_SHRINK_MS`: how long to shrink; empty for the usual time. */
  readonly shrinkMs: string | undefined;
  /** Part of the usual runs that is a sample of them, 0…1, where nobody asks for more. */
  readonly sample?: number;
  /** Stores the smallest arguments with which a property has failed; returns where, if it did. */
  readonly store?: (values: unknown) => string | undefined;
}

/** A whole number of at least 1 from a variable of the environment; throws on anything else. */
export function countFrom(variable: string, wish: string | undefined, usual: number): number {
  if (wish === undefined || wish === '') return usual;
  const count = Number(wish);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new Error(`${variable} is ${wish}, not a whole number from 1 on`);
}

/** `fc.assert` with these numbers of runs and times. */
export function assertWith(
  fc: FastCheck,
  { runs, shrinkMs, sample = 1, store = () => undefined }: Wishes,
  write: (words: string) => void = (words) => writeSync(2, words),
): FastCheck['assert'] {
  const wished = countFrom('FLEETWAVE_RUNS', runs, 0);
  const times = wished > 0 ? wished : sample;
  const budgetMs = countFrom('FLEETWAVE_SHRINK_MS', shrinkMs, USUAL_SHRINK_MS);
  const assert = (property: IRawProperty<unknown>, given: Parameters<unknown> = {}) => {
    const { numRuns = 100, seed } = { ...fc.readConfigureGlobal(), ...given };
    const watched = new Watched(fc, property, { seed, path: given.path, budgetMs, write });
    const afterFailure = (error: unknown): never => {
      const path = watched.failure && store(watched.failure.values);
      if (path !== undefined) write(`smallest counter-example: ${path}\n`);
      throw error;
    };
    const settings = { ...given, numRuns: Math.ceil(numRuns * times) };
    try {
      const ended: unknown = fc.assert(watched as IRawProperty<unknown, false>, settings);
      return ended instanceof Promise ? ended.catch(afterFailure) : ended;
    } catch (error) {
      return afterFailure(error);
    }
  };
  return assert as FastCheck['assert'];
}

interface Watch {
  readonly seed: number | undefined;
  readonly path: string | undefined;
  readonly budgetMs: number;
  readonly write: (words: string) => void;
}

/** A property that writes its first failure, and lets itself be shrunk for a time only. */
class Watched {
  readonly #fc: FastCheck;
  readonly #property: IRawProperty<unknown>;
  readonly #watch: Watch;
  #runs = 0;
  #failedAtMs: number | undefined;
  /** The latest failure, which is the smallest: what fails is shrunk further. */
  failure: { readonly values: unknown } | undefined;

  constructor(fc: FastCheck, property: IRawProperty<unknown>, watch: Watch) {
    this.#fc = fc;
    this.#property = property;
    this.#watch = watch;
  }

  isAsync = () => this.#property.isAsync();
  generate = (...given: Arguments<'generate'>) => this.#property.generate(...given);
  shrink = (...given: Arguments<'shrink'>) => this.#property.shrink(...given);
  runBeforeEach = () => this.#property.runBeforeEach();
  runAfterEach = () => this.#property.runAfterEach();

  run = (value: unknown) => {
    if (this.#isOverdue()) return new this.#fc.PreconditionFailure(true);
    const run = this.#runs++;
    const outcome = this.#property.run(value);
    if (outcome instanceof Promise) return outcome.then((one) => this.#note(one, value, run));
    return this.#note(outcome as Outcome, value, run);
  };

  #isOverdue(): boolean {
    const { budgetMs } = this.#watch;
    return this.#failedAtMs !== undefined && Date.now() - this.#failedAtMs > budgetMs;
  }

  #note(outcome: Outcome, value: unknown, run: number): Outcome {
    const isFailure = outcome !== null && !this.#fc.PreconditionFailure.isFailure(outcome);
    if (isFailure) this.failure = { values: value };
    if (isFailure && this.#failedAtMs === undefined) {
      this.#failedAtMs = Date.now();
      this.#watch.write(this.#words(outcome as Failed, value, run));
    }
    return outcome;
  }

  #words(outcome: Failed, value: unknown, run: number): string {
    const { seed, path = `${run}`, budgetMs } = this.#watch;
    const text = this.#fc.stringify(value);
    const shown =
      text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
    const reason = outcome.error instanceof Error ? outcome.error.message : String(outcome.error);
    return (
      `\na property fails: { seed: ${seed}, path: "${path}" }; ` +
      `shrinking for ${budgetMs / 1000} s\n` +
      `first counter-example: ${shown}\n${reason.split('\n')[0]}\n`
    );
  }
}

type Arguments<Name extends 'generate' | 'shrink'> = Parameters_<IRawProperty<unknown>[Name]>;
type Parameters_<F> = F extends (...given: infer Given) => unknown ? Given : never;
type Failed = Exclude<Outcome, null | PreconditionFailure>;
