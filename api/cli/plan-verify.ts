/** `fleetwave plan --verify`: the simulation of a plan, or of a part that takes some seconds. */
import type { RunResult } from '../../core/result/result.ts';
import { World } from '../../core/world/world.ts';
import { count, counted } from '../../reports/text/format.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { forecast } from '../../scenarios/forecast/forecast.ts';
import type { FigureComparison } from '../../scenarios/planning/comparison.ts';
import { compare } from '../../scenarios/planning/comparison.ts';
import type { Estimate } from '../../scenarios/planning/estimate.ts';
import { plannedScenario } from '../../scenarios/planning/planned-scenario.ts';
import { type Sample, sampleOf } from '../../scenarios/planning/sample.ts';
import { replicateSeed } from '../../scenarios/study/seeds.ts';
import { readScenario } from '../../scenarios/texts.ts';
import { drive } from '../host/clock/run-in-slices.ts';
import { interruptible, type Signal } from './interrupt.ts';
import { startProgress } from './progress.ts';

/** A world takes no longer than about this, unless a number of devices is asked for. */
const AFFORDED_S = 3;
/** Most devices in the first sample. */
const FIRST_LOOK = 2_000;
const FEWEST = 50;

export interface Verified {
  readonly sample: Sample;
  readonly seeds: readonly string[];
  readonly rows: readonly FigureComparison[];
  readonly holds: boolean;
}

export async function verifyPlan(
  whole: Estimate,
  seeds: number,
  devices: number | undefined,
  quiet: boolean,
): Promise<Verified | Signal> {
  const sample = devices === undefined ? affordedSample(whole) : sampleOf(whole, devices);
  const names = Array.from({ length: seeds }, (_, at) => replicateSeed('planned', at + 1));
  if (!quiet) process.stderr.write(`${whatRuns(sample, whole, seeds)}\n`);
  const { scenario } = readScenario(plannedScenario(sample.estimate, ''));
  const results: RunResult[] = [];
  const stopped = await interruptible(async (stops) => {
    for (const seed of names) {
      const world = World.create(populate(scenario, seed), seed);
      const progress = await startProgress(quiet);
      try {
        if (!(await drive(world, stops, () => progress.update(world)))) return false;
      } finally {
        progress.stop();
      }
      results.push(world.result());
    }
    return true;
  });
  if (stopped !== undefined) return stopped;
  const rows = compare(sample.estimate, results);
  return { sample, seeds: names, rows, holds: holdsOf(sample.estimate, rows, seeds) };
}

/** As many devices as a world of some seconds has. */
function affordedSample(whole: Estimate): Sample {
  let sample = sampleOf(whole, FIRST_LOOK);
  while (secondsOf(sample.estimate) > AFFORDED_S && sample.estimate.settled.devices > FEWEST) {
    sample = sampleOf(whole, Math.floor(sample.estimate.settled.devices / 2));
  }
  return sample;
}

function secondsOf(one: Estimate): number {
  const { scenario } = readScenario(plannedScenario(one, ''));
  return forecast(populate(scenario, 'planned')).cost.cpuSeconds;
}

/** What is simulated, in a sentence. */
function whatRuns({ estimate, kind }: Sample, whole: Estimate, seeds: number): string {
  const { devices, gateways } = estimate.settled;
  const worlds = seeds === 1 ? 'a world' : `${seeds} worlds`;
  if (kind === 'all') return `Simulated: ${worlds} of all ${counted(devices, 'device')}.`;
  const all = counted(whole.settled.devices, 'device');
  const some = `Simulated: ${worlds} of ${count(devices)} of the ${all}`;
  return kind === 'gateways'
    ? `${some}, all of ${counted(gateways, 'gateway')}, at the pace of ${whole.settled.gateways}.`
    : `${some}, of one gateway: they are set up sooner, and the estimate beside is of these.`;
}

/** Durations agree to this share; the redundancy suffices, chance left aside. */
export const BAND = 0.15;
const SIGMAS = 3;

function holdsOf(
  { holding, settled }: Estimate,
  rows: readonly FigureComparison[],
  seeds: number,
): boolean {
  return rows.every(({ figure, unit, estimated, simulated }) => {
    if (simulated === null) return false;
    if (unit === 'seconds') return Math.abs(simulated / estimated - 1) <= BAND;
    if (figure !== 'holding') return true;
    const spread = Math.sqrt((holding * (1 - holding)) / (settled.devices * seeds));
    return simulated >= holding - SIGMAS * spread;
  });
}
