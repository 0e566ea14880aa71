/** What would change a plan most: each single setting moved by a step, and what comes of it. */
import { SECOND_US } from '../../sim/base/units.ts';
import { inWords } from '../forecast/forecast.ts';
import { type Estimate, estimate } from './estimate.ts';
import {
  type Asked,
  commandRates,
  fragmentRates,
  MOST_GATEWAYS,
  type Rate,
  uplinkRates,
} from './plan-settings.ts';
import { leastDelayUs } from './session.ts';

export interface Change {
  /** Which setting, and what it would be. */
  readonly setting: keyof Asked;
  readonly to: string;
  /** From the campaign’s start until the last fragment is sent, µs; and how much later that is. */
  readonly heldAfterUs: number;
  readonly laterUs: number;
  /** Share of the devices that have the image then. */
  readonly holding: number;
}

/** Those that change the duration, the greatest savings first; what does not go is left out. */
export function changes(now: Estimate): readonly Change[] {
  const { asked: said, uplink, rx2 } = now.settled;
  // What depends on another setting when nobody says it stays where it is.
  const asked = { ...said, uplinkDataRate: uplink.index, rx2DataRate: rx2.index };
  // The same way for both: without drawn devices.
  const before = estimate(asked, { draws: false });
  if ('faults' in before) return [];
  return steps(now)
    .flatMap(({ setting, to, value }): readonly Change[] => {
      const then = estimate({ ...asked, [setting]: value }, { draws: false });
      if ('faults' in then) return [];
      const { heldAfterUs, holding } = then;
      return [{ setting, to, heldAfterUs, laterUs: heldAfterUs - before.heldAfterUs, holding }];
    })
    .sort((a, b) => a.laterUs - b.laterUs);
}

interface Step<K extends keyof Asked = keyof Asked> {
  readonly setting: K;
  readonly to: string;
  readonly value: Asked[K];
}

/** Fragments half as large, half of the uplinks’ period, and so on. */
const HALF = 0.5;
const COARSE = 10;

function steps({ settled, session, redundancy }: Estimate): readonly Step[] {
  const { plan, rate, rx2, uplink, fragSize, gateways, timing, periodUs, loss } = settled;
  const found: Step[] = [];
  const faster = (
    setting: 'dataRate' | 'rx2DataRate' | 'uplinkDataRate',
    of: Rate,
    all: readonly Rate[],
  ) => {
    const next = all.find(({ index }) => index > of.index);
    if (next !== undefined) found.push({ setting, to: `DR${next.index}`, value: next.index });
  };
  faster('dataRate', rate, fragmentRates(plan));
  faster('rx2DataRate', rx2, commandRates(plan));
  faster('uplinkDataRate', uplink, uplinkRates(plan));
  const half = Math.floor(fragSize * HALF);
  if (half > 0) found.push({ setting: 'fragSize', to: `${half} B`, value: half });
  const more = redundancy + Math.max(1, Math.round(settled.nbFrag / COARSE));
  found.push({ setting: 'redundancy', to: `${more}`, value: { fragments: more } });
  if (2 * gateways <= Math.min(settled.devices, MOST_GATEWAYS)) {
    found.push({ setting: 'gateways', to: `${2 * gateways}`, value: 2 * gateways });
  }
  if (timing === 'staggered' && gateways > 1 && settled.session === 'C') {
    found.push({ setting: 'timing', to: 'simultaneous', value: 'simultaneous' });
  }
  const other = settled.session === 'C' ? 'B' : 'C';
  found.push({ setting: 'session', to: other, value: other });
  found.push({ setting: 'periodUs', to: inWords(periodUs * HALF), value: periodUs * HALF });
  if (loss > 0) found.push({ setting: 'loss', to: `${100 * loss * HALF} %`, value: loss * HALF });
  const leastUs = leastDelayUs(settled);
  if (leastUs < session.delayUs) {
    found.push({ setting: 'delayUs', to: `${leastUs / SECOND_US} s`, value: leastUs });
  }
  return found;
}
