/**
 * What operators regret later of a campaign: it is allowed, and not wise. A round that has begun is
 * judged by its plan, one that has not by the plan that it would have now.
 */
import { SECOND_US } from '../../../sim/base/units.ts';
import type { NetworkView } from '../../../sim/contract/view.ts';
import { isDefective } from '../../../sim/lorawan/fragmentation-code.ts';
import { type Image, opaqueSentence } from '../images.ts';
import { nearestGoodFragSize, type Plan, sessionS } from './plan.ts';
import { type Repairing, whyNoRepair } from './repair.ts';
import type { Settings } from './settings.ts';

/** What a plan is judged by. */
export interface Judged extends Repairing {
  readonly settings: Settings;
  readonly imageBytes: number;
}

/** Sentences; `members` shows all devices of the campaign, and null: no session can be planned. */
export function warningsOf(
  judged: Judged,
  image: Image,
  plan: Plan | null,
  members: NetworkView,
): string[] {
  const ofPlan = plan === null ? [] : planWarnings(judged, plan, members);
  return [...imageWarnings(image), ...ofPlan];
}

/** The name of the image promises a form that it does not have. */
function imageWarnings({ name, opaque }: Image): string[] {
  return opaque === undefined ? [] : [opaqueSentence(name, opaque)];
}

/** Of the code: docs/standard.md, Redundancy code. */
function planWarnings(judged: Judged, plan: Plan, members: NetworkView): string[] {
  const { imageBytes, settings } = judged;
  const { nbFrag, fragSize, redundancy, fragSendDelayUs, startMarginUs, airtimeUs } = plan;
  const warnings: string[] = [];
  if (isDefective(nbFrag)) {
    const better = nearestGoodFragSize(imageBytes, fragSize);
    warnings.push(
      `NbFrag ${nbFrag} is served badly by the code: pairs of fragments are too similar. ` +
        `The nearest good FragSize is ${better} bytes.`,
    );
  }
  if (nbFrag === 1 && redundancy > 0) {
    warnings.push('A single fragment gains nothing from redundancy.');
  }
  if (fragSendDelayUs < airtimeUs) {
    warnings.push(
      `frag_send_delay ${fragSendDelayUs / SECOND_US} s is below the air time of a fragment, ` +
        `${airtimeUs / SECOND_US} s: a gateway that still sends refuses the next fragment, and ` +
        'what it refuses is left out.',
    );
  }
  if (plan.meets !== undefined) warnings.push(plan.meets);
  const noRepair = whyNoRepair(judged, plan, members);
  if (noRepair !== '') warnings.push(noRepair);
  const neededS = (startMarginUs + (nbFrag + redundancy) * fragSendDelayUs) / SECOND_US;
  const lastsS = sessionS(plan) - settings.acceptable_time_drift / SECOND_US;
  if (neededS > lastsS) {
    warnings.push(
      `The fragments take ${Math.ceil(neededS)} s, the session lasts ${lastsS} s for every clock.`,
    );
  }
  return warnings;
}
