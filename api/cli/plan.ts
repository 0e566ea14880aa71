/** `fleetwave plan`: a campaign in closed form, its scenario, and its simulation beside. */
import { existsSync, writeFileSync } from 'node:fs';
import { VERSION } from '../../reports/version.ts';
import { type Change, changes } from '../../scenarios/planning/changes.ts';
import { type Estimate, estimate } from '../../scenarios/planning/estimate.ts';
import { notWritten, plannedScenario } from '../../scenarios/planning/planned-scenario.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { exitCodeOf } from './interrupt.ts';
import { askedOf, commandOf, inWordsOf, type PlanWords } from './plan-options.ts';
import { comparisonText, planText } from './plan-text.ts';
import type { Verified } from './plan-verify.ts';
import { whole } from './words.ts';

export interface PlanOptions extends PlanWords {
  readonly write?: string | undefined;
  readonly force?: boolean | undefined;
  readonly verify?: boolean | undefined;
  readonly seeds?: string | undefined;
  readonly sample?: string | undefined;
  readonly json?: boolean | undefined;
}

const STOPPED = 'Stopped before the end: nothing is there to compare.';
const MOST_SEEDS = 100;
const MOST_SAMPLE = 1_000_000;

export async function plan(options: PlanOptions): Promise<ExitCode> {
  const asked = askedOf(options);
  const { seeds, sample } = verification(options);
  const found = estimate(asked);
  if ('faults' in found) throw new InputError(found.faults.map((one) => inWordsOf(one, options)));
  if (options.write !== undefined || options.verify) refuseUnwritten(found, options);
  if (options.write !== undefined) write(found, options.write, options);
  const all = changes(found);
  const json = options.json === true;
  const paint = painterOf(process.stdout);
  if (!json) {
    process.stdout.write(planText(found, all, options, paint));
    if (options.write !== undefined) process.stdout.write(`Scenario: ${options.write}\n`);
  }
  let verified: Verified | undefined;
  if (options.verify) {
    const { verifyPlan, BAND } = await import('./plan-verify.ts');
    const came = await verifyPlan(found, seeds, sample, json);
    if (typeof came === 'string') {
      process.stderr.write(`${painterOf(process.stderr).warning(STOPPED)}\n`);
      return exitCodeOf(came);
    }
    verified = came;
    const said = came.holds
      ? paint.good(
          `The simulation agrees: durations within ${100 * BAND} %, and the image is there.`,
        )
      : paint.bad('The simulation does not agree: see the ratios, and the warnings.');
    if (!json) process.stdout.write(`${comparisonText(came.rows)}\n${said}\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify(document(found, all, verified))}\n`);
  return verified?.holds === false ? ExitCode.expectationFails : ExitCode.good;
}

function verification({ verify, seeds, sample }: PlanOptions) {
  const faults: string[] = [];
  const count = whole('--seeds', seeds ?? '1', 1, MOST_SEEDS, faults);
  const devices = sample && whole('--sample', sample, 1, MOST_SAMPLE, faults);
  const given = Object.entries({ '--seeds': seeds, '--sample': sample });
  for (const [option, word] of given) {
    if (word !== undefined && !verify) faults.push(`${option} is for --verify`);
  }
  if (faults.length > 0) throw new InputError(faults.map((fault) => `fleetwave plan: ${fault}`));
  return { seeds: count, sample: devices === undefined || devices === '' ? undefined : devices };
}

function refuseUnwritten(found: Estimate, { write }: PlanOptions): void {
  const why = notWritten(found);
  if (why === undefined) return;
  const option = write === undefined ? '--verify' : '--write';
  throw new InputError([`fleetwave plan: ${option} does not go with this plan: ${why}`]);
}

function write(found: Estimate, path: string, options: PlanOptions): void {
  if (path === '') throw new InputError(['fleetwave plan: --write is empty; allowed: a path']);
  if (existsSync(path) && !options.force) {
    throw new InputError([`${path}: a file is in the way (--force: write over it)`]);
  }
  const text = plannedScenario(found, commandOf(options));
  writing(path, () => writeFileSync(path, text, { flag: options.force ? 'w' : 'wx' }));
}

function document(found: Estimate, all: readonly Change[], verified: Verified | undefined): object {
  const { settled, session, setUp, energy, ...figures } = found;
  const { asked, plan, rate, rx2, uplink, ...settings } = settled;
  const { index, spreadingFactor, bandwidthHz } = rate;
  return {
    version: VERSION,
    ...settings,
    region: plan.name,
    dataRate: index,
    spreadingFactor,
    bandwidthHz,
    rx2DataRate: rx2.index,
    uplinkDataRate: uplink.index,
    asked,
    ...figures,
    setUp,
    sending: session,
    energy,
    changes: all,
    ...(verified && { verified: verifiedDocument(verified) }),
  };
}

function verifiedDocument({ sample, seeds, rows, holds }: Verified): object {
  const { devices, gateways } = sample.estimate.settled;
  const ratio = (estimated: number, simulated: number | null) =>
    simulated === null ? null : simulated / estimated;
  return {
    of: sample.kind,
    devices,
    gateways,
    seeds,
    holds,
    figures: rows.map((row) => ({ ...row, ratio: ratio(row.estimated, row.simulated) })),
  };
}
