/**
 * The public face `fleetwave/testing`: property tests of networks in a user's own test suite.
 *
 * Worlds and scenario files are generated with fast-check, run, and judged by invariants that know
 * nothing of the simulator: each reads only the trace, which shows every frame on the air, every
 * window and every decision. `docs/property-tests.md` shows it at work.
 */

import { encodeUtf8 } from '../core/base/utf8.ts';
import type { CodecEngine } from '../core/codecs/engine.ts';
import type { NewsAbout } from '../core/kit/resource.ts';
import type { News } from '../core/network-news.ts';
import { populate, seedOf } from './filling/populate.ts';
import type { ArbitraryWorld } from './generators/arbitraries.ts';
import { judge, LAWS, type LawName } from './invariants/laws.ts';
import { format } from './language/problem.ts';
import type { Scenario } from './language/schema.ts';
import { load } from './load.ts';
import { type Trace, type WatchedRun, watchWorld } from './trace.ts';

export type { CodecEngine } from '../core/codecs/engine.ts';
export type { NewsAbout } from '../core/kit/resource.ts';
export type { News } from '../core/network-news.ts';
export type { TraceRow } from '../sim/observation/observer.ts';
export {
  type ArbitraryWorld,
  seeds,
  type WorldLimits,
  worldPlans,
  worlds,
} from './generators/arbitraries.ts';
export {
  type ScenarioDocument,
  scenarioDocuments,
  scenarioTexts,
} from './generators/arbitrary-scenarios.ts';
export type { LawName as InvariantName } from './invariants/laws.ts';
export type { Trace, WatchedRun } from './trace.ts';

export interface ScenarioRun {
  /** Any text; the scenario's own seed when absent. */
  readonly seed?: string;
  /** Overrides such as `devices.meter.count=20`. */
  readonly set?: readonly string[];
  /** Which of the file's variants; the file itself when absent. */
  readonly variant?: string;
  /** Texts of further files that the scenario names, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Receives all news of the network with whose they are, as they come; it changes nothing. */
  readonly news?: (news: News, about: NewsAbout) => void;
  /**
   * What runs codecs in JavaScript, where the scenario has some: `codecEngine()` of
   * `fleetwave/api`.
   */
  readonly codecs?: CodecEngine;
}

/**
 * Runs a scenario file to its end and keeps its trace. Throws an Error that lists every fault, a
 * line each, when the text is no scenario, and one that names the files that are missing.
 */
export function runScenario(text: string, run: ScenarioRun = {}): WatchedRun {
  const scenario = scenarioFrom(text, run);
  const seed = run.seed ?? seedOf(scenario);
  return watchWorld(populate(scenario, seed), seed, [], run);
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
  return judge(rows, network);
}

const FILE = 'scenario.yaml';

function scenarioFrom(
  text: string,
  { set = [], files = {}, codecs, variant }: ScenarioRun,
): Scenario {
  const texts = { ...files, [FILE]: text };
  const bundle = new Map(Object.entries(texts).map(([path, one]) => [path, encodeUtf8(one)]));
  const loaded = load(FILE, bundle, set, codecs, variant);
  if (loaded.outcome === 'scenario') return loaded.scenario;
  if (loaded.outcome === 'needs') throw new Error(`files are missing: ${loaded.paths.join(', ')}`);
  throw new Error(loaded.problems.map(format).join('\n'));
}
