/** Recorded stories against those of a replay: campaigns of class A, B and C, and faults. */
import { expect, it } from 'vitest';
import { populate, seedOf } from '../../scenarios/filling/populate.ts';
import { libraryScenario } from '../support/library.ts';
import { explainedAlike, recordedRun } from '../support/stories.ts';

it.each([
  ['questions/gateway-outage.yaml', ['devices.meter.count=8']],
  ['questions/street-lights.yaml', ['devices.lamp.count=6']],
  ['campaigns/class-b.yaml', ['frames=counted', 'devices.meter.count=4', 'devices.valve.count=8']],
  ['campaigns/failing-devices.yaml', []],
])('stories of %s are those of a replay', { timeout: 120_000 }, (file, set) => {
  const scenario = libraryScenario(file, set);
  const run = recordedRun(populate(scenario), seedOf(scenario));
  expect(run.recorded).toBeDefined();
  explainedAlike(run);
});
