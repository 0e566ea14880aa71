/** What is asked of a plan, with a choice for everything that was left open; or what is wrong. */

import { LONGEST_FRAG_SIZE } from '../../core/update-service/campaigns/commands.ts';
import { chooseFragSize } from '../../core/update-service/campaigns/plan.ts';
import { MILLION } from '../../sim/base/units.ts';
import { fragmentCount, MAX_FRAGMENT_NUMBER } from '../../sim/lorawan/fragmentation-code.ts';
import {
  NOT_IN_PLAN,
  type Region,
  region,
  rx1DataRate,
  subBandChannelsHz,
  subBandOf,
} from '../../sim/lorawan/region.ts';
import { SNR_FLOORS_DB } from '../../sim/radio/packet-error.ts';
import { FRAGMENT_HEAD_BYTES } from './fragment-plan.ts';
import {
  type Asked,
  commandRates,
  type Fault,
  fragmentRates,
  isFault,
  multicastHz,
  type Rate,
  rateOf,
  uplinkRates,
} from './plan-settings.ts';

export interface Settled extends Omit<Asked, 'dataRate' | 'rx2DataRate' | 'uplinkDataRate'> {
  readonly plan: Region;
  readonly rate: Rate;
  readonly rx2: Rate;
  readonly uplink: Rate;
  /** Index of RX1's data rate; that of RX2 where the region has none for this uplink. */
  readonly rx1DataRate: number;
  readonly frequencyHz: number;
  /** Share of an hour that a gateway may send in the sub-band of the fragments, 0…1. */
  readonly dutyCycle: number;
  /** The same in that of RX1, and whether both are one sub-band. */
  readonly rx1DutyCycle: number;
  readonly isOneBand: boolean;
  /** Channels that devices share. */
  readonly uplinkChannels: number;
  readonly fragSize: number;
  readonly nbFrag: number;
  readonly paddingBytes: number;
  readonly asked: Asked;
}

export interface Wrong {
  readonly faults: readonly Fault[];
}

export function settle(asked: Asked): Settled | Wrong {
  const plan = region(asked.region);
  const rate = ratesOf(asked, plan);
  const faults = Object.values(rate).filter(isFault);
  if (faults.length > 0) return { faults };
  const chosen = rate as Record<keyof typeof rate, Rate>;
  const cut = cutOf(asked, chosen.rate);
  if ('faults' in cut) return cut;
  const { dataRate: _, rx2DataRate: _rx2, uplinkDataRate: _uplink, ...rest } = asked;
  const frequencyHz = multicastHz(plan);
  const band = subBandOf(plan, frequencyHz);
  const firstHz =
    plan.downlinkChannels === 'asUplink' ? plan.uplinkChannels[0]!.firstHz : frequencyHz;
  const rx1Band = subBandOf(plan, firstHz);
  const rx1 = rx1DataRate(plan, chosen.uplink.index, 0, plan.dwellAtStart.downlink);
  return {
    ...rest,
    ...chosen,
    ...cut,
    plan,
    rx1DataRate: rx1 === NOT_IN_PLAN ? chosen.rx2.index : rx1,
    frequencyHz,
    dutyCycle: dutyCycleOf(plan, band),
    rx1DutyCycle: dutyCycleOf(plan, rx1Band),
    isOneBand: band === rx1Band,
    uplinkChannels:
      subBandChannelsHz(plan, 1).length > 0 ? SUB_BAND : plan.uplinkChannels[0]!.count,
    asked,
  };
}

/** Channels of 125 kHz in a sub-band of a fixed plan, which networks use. */
const SUB_BAND = 8;

const dutyCycleOf = (plan: Region, band: number): number =>
  plan.subBands[band]!.dutyCyclePpm / MILLION;

// ── data rates ───────────────────────────────────────────────────────────────────────────────────

/**
 * Fragments at the data rate of the region’s ping slots: it is meant for all devices of a cell at
 * once. RX2 as the region has it, where that carries all commands.
 */
function ratesOf(asked: Asked, plan: Region) {
  const [fragments, commands, uplinks] = [
    fragmentRates(plan),
    commandRates(plan),
    uplinkRates(plan),
  ];
  const choose = (of: 'dataRate' | 'rx2DataRate', usual: number, all: readonly Rate[]) => {
    const given = asked[of];
    if (given !== undefined) return rateOf(of, given, all, asked.region);
    return all.find(({ index }) => index >= usual) ?? all.at(-1)!;
  };
  const rate = choose('dataRate', plan.pingSlot.dataRate, fragments);
  const rx2 = choose('rx2DataRate', plan.rx2.dataRate, commands);
  const { uplinkDataRate } = asked;
  const uplink =
    uplinkDataRate === undefined
      ? asFar(isFault(rate) ? fragments[0]! : rate, uplinks)
      : rateOf('uplinkDataRate', uplinkDataRate, uplinks, asked.region);
  return { rate, rx2, uplink };
}

/** How weak a frame may be, dB above that of SF12 at 1 Hz: the lower, the farther it reaches. */
const weakestDb = ({ spreadingFactor, bandwidthHz }: Rate): number =>
  SNR_FLOORS_DB[spreadingFactor - 5]! +
  (bandwidthHz === 500_000 ? 6 : bandwidthHz === 250_000 ? 3 : 0);

/** The fastest data rate of uplinks that reaches as far as the fragments do. */
const asFar = (rate: Rate, uplinks: readonly Rate[]): Rate =>
  uplinks.filter((one) => weakestDb(one) <= weakestDb(rate)).at(-1) ?? uplinks[0]!;

// ── fragments ────────────────────────────────────────────────────────────────────────────────────

/** Bytes of the largest fragment at a data rate. */
export const largestAt = ({ payloadBytes }: Rate): number =>
  Math.min(payloadBytes - FRAGMENT_HEAD_BYTES, LONGEST_FRAG_SIZE);

type Cut = Pick<Settled, 'fragSize' | 'nbFrag' | 'paddingBytes'>;

const wrong = (fault: Fault) => ({ faults: [fault] });

function cutOf({ imageBytes, fragSize: given }: Asked, rate: Rate): Cut | Wrong {
  const most = largestAt(rate);
  // The code adds nothing to a single fragment.
  const useful = Math.min(most, Math.ceil(imageBytes / 2));
  if (given !== undefined && (given < 1 || given > useful)) {
    const what =
      useful < most
        ? 'leaves a single fragment, to which redundancy adds nothing'
        : `does not fit a frame of DR${rate.index}`;
    return wrong({ of: 'fragSize', what, allowed: `1 to ${useful} bytes` });
  }
  const fragSize = given ?? chooseFragSize(imageBytes, most);
  const nbFrag = fragmentCount(imageBytes, fragSize);
  if (nbFrag > MAX_FRAGMENT_NUMBER) {
    const most = `TS004 numbers ${MAX_FRAGMENT_NUMBER}`;
    const what = `is ${nbFrag} fragments of ${fragSize} bytes, and ${most}`;
    const bytes = MAX_FRAGMENT_NUMBER * fragSize;
    return wrong({ of: 'imageBytes', what, allowed: `at most ${bytes} bytes at DR${rate.index}` });
  }
  return { fragSize, nbFrag, paddingBytes: nbFrag * fragSize - imageBytes };
}
