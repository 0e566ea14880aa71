/**
 * The laws that every world keeps, judged from its trace alone. Each is a function from the rows
 * and the plan to its complaints; none uses the simulator.
 */

import type { TraceRow } from '../../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import * as air from './air.ts';
import * as answers from './answers.ts';
import * as budgets from './budgets.ts';
import * as channels from './channels.ts';
import * as classB from './class-b.ts';
import * as devices from './devices.ts';
import * as downlinks from './downlinks.ts';
import * as energy from './energy.ts';
import * as interference from './interference.ts';
import * as mac from './mac.ts';
import * as packages from './packages.ts';
import * as settings from './settings.ts';
import * as silence from './silence.ts';
import { type Law, law, storyOf } from './story.ts';

/** Rows come in the order of time. */
const timeNeverGoesBack = law(({ rows }) =>
  rows.flatMap((row, i) =>
    i > 0 && row.atUs < rows[i - 1]!.atUs ? [`row ${i} (${row.kind}) is before row ${i - 1}`] : [],
  ),
);

export const LAWS = {
  timeNeverGoesBack,
  ...air,
  ...interference,
  ...budgets,
  ...channels,
  ...devices,
  ...mac,
  ...answers,
  ...settings,
  ...downlinks,
  ...silence,
  ...classB,
  ...packages,
  ...energy,
} as const satisfies Readonly<Record<string, Law>>;

export type LawName = keyof typeof LAWS;

/** Complaints by law, of the laws that are broken; the trace and the plan stay as they are. */
export function judge(
  rows: readonly TraceRow[],
  plan: NetworkPlan,
): Partial<Record<LawName, string[]>> {
  const story = storyOf(rows, plan);
  const broken: Partial<Record<LawName, string[]>> = {};
  for (const [name, law] of Object.entries(LAWS) as [LawName, Law][]) {
    const complaints = law.of(story);
    if (complaints.length > 0) broken[name] = complaints;
  }
  return broken;
}
