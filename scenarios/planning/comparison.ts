/** An estimate beside what a simulated campaign came to. */
import type { RunResult } from '../../core/result/result.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { CONFIRMED, type Estimate } from './estimate.ts';

export type Unit = 'share' | 'count' | 'seconds' | 'joules';

export interface FigureComparison {
  readonly figure: string;
  readonly unit: Unit;
  readonly estimated: number;
  /** Mean over the worlds that have it; null: none has. */
  readonly simulated: number | null;
}

/** Each figure of an estimate that worlds have, too; `results` are of its own scenario. */
export function compare(one: Estimate, results: readonly RunResult[]): readonly FigureComparison[] {
  const { settled, setUp, session, energy, redundancy } = one;
  const sent = (settled.nbFrag + redundancy) * settled.gateways;
  const rows: readonly [string, Unit, number, (of: Campaign) => number | null][] = [
    ['fragments', 'count', settled.nbFrag, ({ nbFrag }) => nbFrag],
    ['redundancy', 'count', redundancy, (of) => of.redundancy],
    ['sent', 'count', sent, (of) => of.sent],
    [
      'setUp',
      'seconds',
      (setUp.totalUs + session.waitUs) / SECOND_US,
      (of) => between(of, 'SETTING_UP_DEVICES', 'SENDING_FRAGMENTS'),
    ],
    ['setUpShare', 'share', setUp.share, setUpShare],
    [
      'sending',
      'seconds',
      session.untilVerifyingUs / SECOND_US,
      (of) => between(of, 'SENDING_FRAGMENTS', 'VERIFYING'),
    ],
    ['holding', 'share', one.holding, ({ running, devices }) => running / devices],
    ['confirmed', 'seconds', one.confirmedAfterUs / SECOND_US, confirmedAfter],
    ['listening', 'joules', energy.listeningJoules, ({ listening }) => listening],
  ];
  const campaigns = results.map(campaignOf);
  return rows.map(([figure, unit, estimated, of]) => {
    const found = campaigns.map(of).filter((value) => value !== null);
    const simulated = found.length === 0 ? null : found.reduce((a, b) => a + b, 0) / found.length;
    return { figure, unit, estimated, simulated };
  });
}

type Campaign = ReturnType<typeof campaignOf>;

/** The campaign of the scenario, with what its devices drew for listening to it. */
function campaignOf({ campaigns, energy }: RunResult) {
  const { multicast = 0, ping = 0, beacon = 0 } = energy?.byCause ?? {};
  return { ...campaigns[0]!, listening: energy === undefined ? null : multicast + ping + beacon };
}

function between({ stages }: Campaign, from: string, to: string): number | null {
  const at = (name: string) => stages.find(({ stage }) => stage === name)?.atSeconds;
  const [begins, ends] = [at(from), at(to)];
  return begins === undefined || ends === undefined ? null : ends - begins;
}

function setUpShare({ funnel, devices }: Campaign): number | null {
  const done = funnel.find(({ step }) => step === 'session')?.devices;
  return done === undefined ? null : done / devices;
}

function confirmedAfter({ completionSeconds, running }: Campaign): number | null {
  return completionSeconds[Math.ceil(CONFIRMED * running) - 1] ?? null;
}
