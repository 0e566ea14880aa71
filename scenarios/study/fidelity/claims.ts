/**
 * What others published or their programs print, as claims that Fleetwave is held to. A claim names
 * its source, the scenario of the library that reproduces it, and how far ours may be from it.
 */
import type { RunResult } from '../../../core/result/result.ts';
import type { UplinkLoss } from '../../../sim/base/counts.ts';
import { redundancyNeeded } from '../../planning/fragment-plan.ts';

/** One published figure. Shares are 0…1, counts are numbers of fragments. */
export interface Claim {
  readonly figure: string;
  readonly published: number;
  /** Greatest distance between the published figure and the mean of ours. */
  readonly tolerance: number;
}

/** A claim about a run of a scenario. */
export interface RunClaim extends Claim {
  readonly of: (result: RunResult) => number;
}

/** Claims about one setting of a scenario of the library. */
export interface Setting {
  /** Below scenarios/library. */
  readonly file: string;
  /** Overrides, as `--set` takes them. */
  readonly set: readonly string[];
  /** Seeds of the mean when nobody asks for other ones: 1, 2 and so on. */
  readonly seeds: number;
  readonly claims: readonly RunClaim[];
}

/** A claim about the redundancy code, which needs no world: ours has no seed. */
export interface CodeClaim extends Claim {
  readonly value: () => number;
}

export interface Claims {
  /** Word by which a block is asked for. */
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly unit: 'share' | 'count';
  readonly settings: readonly (Setting & { readonly at: string })[];
  readonly code: readonly (CodeClaim & { readonly at: string })[];
}

/** A number of devices or fragments, with a space before thousands. */
const spaced = (count: number): string => `${count}`.replace(/(?=(\d{3})+$)(?!^)/g, ' ');

const delivered = ({ radio }: RunResult): number => radio.received / radio.uplinks;
const lostTo =
  (cause: UplinkLoss) =>
  ({ radio }: RunResult): number =>
    (radio.lost[cause] ?? 0) / radio.uplinks;
const atRate =
  (dataRate: number) =>
  ({ devices }: RunResult): number =>
    (devices.byDataRate[`DR${dataRate}`] ?? 0) / devices.total;

const aloha = (senders: number, published: number) => ({
  at: `${spaced(senders)} senders`,
  file: `validation/aloha-${senders}.yaml`,
  set: [],
  seeds: 2,
  claims: [{ figure: 'frames delivered', published, tolerance: 0.005, of: delivered }],
});

const capture = (senders: number, days: number, published: number) => ({
  at: `${spaced(senders)} senders`,
  file: 'validation/capture.yaml',
  set: [`devices.sender.count=${senders}`, `duration=${days} d`],
  seeds: 3,
  claims: [{ figure: 'frames delivered', published, tolerance: 0.01, of: delivered }],
});

/** Means over that many seeds differ from those of others by less than this (ns-3, 20 seeds). */
const W1_TOLERANCE = 0.015;

const w1 = (devices: number, seeds: number, shares: readonly [number, number, number]) => {
  const [pdr, interfered, noPath] = shares;
  const tolerance = W1_TOLERANCE;
  return {
    at: `${spaced(devices)} devices`,
    file: 'validation/w1.yaml',
    set: [`devices.device.count=${devices}`],
    seeds,
    claims: [
      { figure: 'frames delivered', published: pdr, tolerance, of: delivered },
      {
        figure: 'lost to interference',
        published: interfered,
        tolerance,
        of: lostTo('interfered'),
      },
      { figure: 'lost to no free path', published: noPath, tolerance, of: lostTo('noPath') },
    ],
  };
};

/** Shares of devices at SF7 … SF12. */
const SF_SHARES = [0.213, 0.089, 0.134, 0.186, 0.171, 0.208];

const allocation = {
  at: '2 000 devices',
  file: 'validation/w1.yaml',
  set: ['duration=1 s'],
  seeds: 20,
  claims: SF_SHARES.map((published, place) => ({
    figure: `devices at SF${7 + place}`,
    published,
    tolerance: W1_TOLERANCE,
    of: atRate(5 - place),
  })),
};

/**
 * Coded fragments until 50, 90 and 99 % of devices are complete. Both are Monte Carlo over the code
 * as it is: a fragment or 3 % apart, and three for the last hundredth of devices, which few draws
 * decide.
 */
function coded(nbFrag: number, loss: number, published: readonly [number, number, number]) {
  let needed: readonly (number | undefined)[] | undefined;
  return published.map((most, place) => ({
    at: `${spaced(nbFrag)} fragments, ${loss * 100} % lost`,
    figure: `coded fragments for ${[50, 90, 99][place]} % of devices`,
    published: most,
    tolerance: Math.max(place === 2 ? 3 : 1, Math.round(most * 0.03)),
    value: () => {
      needed ??= redundancyNeeded(nbFrag, loss);
      return needed[place] ?? Number.NaN;
    },
  }));
}

/** In the order in which they are shown. */
export const CLAIMS: readonly Claims[] = [
  {
    name: 'aloha',
    title: 'Pure ALOHA: any overlap loses both frames',
    source: 'exp(−2 (N − 1) T / (P + T)); LoRaSim (Bor et al., MSWiM 2016) agrees within 0.002',
    unit: 'share',
    settings: [aloha(50, 0.8789), aloha(200, 0.592), aloha(1000, 0.072)],
    code: [],
  },
  {
    name: 'capture',
    title: 'LoRaSim’s capture rule: 6 dB, and the first three preamble symbols',
    source: 'LoRaSim (Bor et al., MSWiM 2016)',
    unit: 'share',
    settings: [capture(50, 10, 0.9035), capture(200, 3, 0.6659), capture(1000, 1, 0.164)],
    code: [],
  },
  {
    name: 'ns3',
    title: 'The uplink-only network of ns-3’s lorawan module (W1)',
    source: 'signetlabdei/lorawan, complete-network-example, means over 20 seeds',
    unit: 'share',
    settings: [
      w1(100, 20, [0.9947, 0.005, 0]),
      w1(500, 8, [0.9568, 0.043, 0]),
      w1(2000, 5, [0.8331, 0.166, 0.001]),
      w1(10_000, 1, [0.3447, 0.292, 0.364]),
    ],
    code: [],
  },
  {
    name: 'ns3-rates',
    title: 'Spreading factors that W1’s devices pick',
    source: 'signetlabdei/lorawan, complete-network-example; the disc’s geometry gives SF12 .198',
    unit: 'share',
    settings: [allocation],
    code: [],
  },
  {
    name: 'fragmentation',
    title: 'Redundancy that a campaign needs (TS004 version 1, memoryless loss)',
    source: 'Monte Carlo over the matrices of TS004-1.0.0 by others; M = 1 000 at 10 % corrected',
    unit: 'count',
    settings: [],
    code: [
      ...coded(100, 0.1, [13, 18, 26]),
      ...coded(1000, 0.1, [112, 127, 141]),
      ...coded(1000, 0.3, [432, 463, 482]),
    ],
  },
];
