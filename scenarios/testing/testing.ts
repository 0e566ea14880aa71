/**
 * The public face `fleetwave/testing`: property tests of networks in a user's own test suite.
 *
 * Worlds and scenario files are generated with fast-check, run, and judged by invariants that know
 * nothing of the simulator: each reads only the trace, which shows every frame on the air, every
 * window and every decision. `docs/property-tests.md` shows it at work.
 */

import type { NewsAbout } from '../../core/kit/resource.ts';
import type { ExpectationResult, RunResult } from '../../core/result/result.ts';
import {
  checkOptions,
  functionOption,
  lineOption,
  type OptionRows,
} from '../../sim/base/options.ts';
import type { News } from '../../sim/contract/news.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { judge } from '../expectations/expectations.ts';
import { populate, seedOf } from '../filling/populate.ts';
import type { Problem } from '../language/problem.ts';
import type { Scenario } from '../schema/schema.ts';
import { readOrThrow, TEXT_OPTIONS, type TextOptions, warningOf } from '../texts.ts';
import { rowsOf, type Trace, type WatchedRun, watchWorld } from '../trace.ts';
import type { ArbitraryWorld } from './generators/arbitraries.ts';
import { judge as judgeTrace, LAWS, type LawName } from './laws/laws.ts';

export type { CodecEngine } from '../../core/codecs/engine.ts';
export type { NewsAbout } from '../../core/kit/resource.ts';
export type { DeviceExplanation } from '../../core/result/explanation.ts';
export type { News } from '../../sim/contract/news.ts';
export type { TraceRow } from '../../sim/observation/observer.ts';
export { scenarioText } from '../scenario-text.ts';
export type { Trace, WatchedRun } from '../trace.ts';
export { explainBroken } from './broken-law.ts';
export {
  type ArbitraryWorld,
  seeds,
  type WorldLimits,
  worldPlans,
  worlds,
} from './generators/arbitraries.ts';
export type { ScenarioDocument } from './generators/arbitrary-scenarios.ts';
export {
  DrawnScenario,
  type ScenarioOptions,
  scenarioDocuments,
  scenarios,
  scenarioTexts,
} from './generators/generated-scenarios.ts';
export type { LawName as InvariantName } from './laws/laws.ts';

/** What a scenario file is run with. */
export interface ScenarioRun extends TextOptions {
  /** Any text of 1 to 200 characters on one line; the scenario's own seed when absent. */
  readonly seed?: string;
  /** Receives all news of the network with whose they are, as they come; it changes nothing. */
  readonly news?: (news: News, about: NewsAbout) => void;
}

/** A result with the verdicts on what its scenario expects, as `result.json` has it. */
export interface JudgedResult extends RunResult {
  /** In the scenario's order; empty when it states none. */
  readonly expectations: readonly ExpectationResult[];
}

/** A run that came to its end. */
export interface ScenarioOutcome {
  readonly result: JudgedResult;
  readonly trace: Trace;
}

const SCENARIO_RUN: OptionRows<ScenarioRun> = {
  seed: lineOption(200),
  ...TEXT_OPTIONS,
  news: functionOption('a function of each piece of news, and of whose it is'),
};

/**
 * Runs a scenario file to its end, keeps its trace, and judges what the file expects. Throws an
 * Error that lists every fault, a line each, when the text is no scenario, and one that names the
 * files that are missing. Options that are none are a TypeError.
 */
export function runScenario(text: string, run: ScenarioRun = {}): ScenarioOutcome {
  checkOptions('runScenario', run, SCENARIO_RUN);
  const { scenario, warnings } = readOrThrow(text, run);
  const seed = run.seed ?? seedOf(scenario);
  const { result, trace } = watchWorld(populate(scenario, seed), seed, [], run);
  return { result: judged(scenario, result, warnings), trace };
}

/** With what the loader warned of, as the command line has it. */
function judged(
  { expectations }: Scenario,
  result: RunResult,
  warnings: readonly Problem[],
): JudgedResult {
  const whole = { ...result, warnings: [...warnings.map(warningOf), ...result.warnings] };
  return { ...whole, expectations: judge(expectations, whole) };
}

/**
 * The trace of a scenario file, row by row while the world runs: `for (const row of
 * traceOf(text))`. A loop that is left ends the run there, and each loop is a run of its own.
 * Throws as `runScenario` does, at once.
 */
export function traceOf(text: string, run: ScenarioRun = {}): Iterable<TraceRow> {
  checkOptions('traceOf', run, SCENARIO_RUN);
  const { scenario } = readOrThrow(text, run);
  const seed = run.seed ?? seedOf(scenario);
  return { [Symbol.iterator]: () => rowsOf(populate(scenario, seed), seed, run) };
}

/** Runs a generated world, its commands at their stamps, and keeps its trace. */
export function runWorld({ plan, seed, commands }: ArbitraryWorld): WatchedRun {
  return watchWorld(plan, seed, commands);
}

/** Names of all invariants, in the order in which they are judged. */
export const INVARIANT_NAMES = Object.keys(LAWS) as readonly LawName[];

/**
 * What breaks the invariants: complaints by the invariant's name, a sentence each; empty when all
 * of them hold. The trace stays as it is.
 */
export function checkInvariants({ rows, network }: Trace): Partial<Record<LawName, string[]>> {
  return judgeTrace(rows, network);
}
