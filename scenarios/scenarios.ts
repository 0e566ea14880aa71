/**
 * The public face `fleetwave/scenarios`: scenario files as the command line reads them, to plans of
 * worlds and back, without a file system.
 *
 *     const { scenario } = readScenario(text, { set: ['devices.meter.count=20'] });
 *     const world = World.create(populate(scenario), seedOf(scenario)); // of fleetwave/core
 *     world.runUntil(world.endUs);
 *     const verdicts = judge(scenario.expectations, world.result());
 *
 * Times in a scenario are whole µs, levels 1/100 dB and dBm, lengths metres, shares parts per
 * million: each knob's unit stands in `scenarioJsonSchema()`.
 */

export type { Explanation } from '../core/result/explanation.ts';
export type { ExpectationResult } from '../core/result/result.ts';
export type { RunPlan, WorldPlan } from '../core/world/plan.ts';
export { type Expectation, judge } from './expectations/expectations.ts';
export { type ExplainOptions, explainRun } from './explain/explain-text.ts';
export { populate, populateServed, seedOf } from './filling/populate.ts';
export { format as problemLine, type Problem } from './language/problem.ts';
export type { Loaded } from './load.ts';
export { scenarioText } from './scenario-text.ts';
export { type Scenario, scenarioJsonSchema } from './schema/schema.ts';
export { type Session, sessionText } from './session.ts';
export { gridPoints } from './study/designs/grid.ts';
export { latinHypercube } from './study/designs/latin-hypercube.ts';
export { oneAtATimePoints } from './study/designs/one-at-a-time.ts';
export { saltelliPoints } from './study/designs/saltelli.ts';
export { replicateSeed } from './study/seeds.ts';
export { loadScenario, type ReadScenario, readScenario, type TextOptions } from './texts.ts';
