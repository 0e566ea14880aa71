/**
 * Campaigns that were measured on real hardware. What ours differ in from one another are data rate
 * and policy alone; all else stands in one file and its presets (docs/presets.md).
 */
import type { RunResult } from '../../../core/result/result.ts';
import { timeOnAirUs } from '../../../sim/lorawan/airtime.ts';
import { type Claims, parameter, percent, type RunClaim } from './claim.ts';

const SOURCE = 'klementc/fuotaa-reprod, logs and power traces';

/** When the first uplink begins, s. */
const FIRST_UPLINK_S = 10;
/** From the session's start to the first fragment, s. */
const START_MARGIN_S = 2;
const FRAME_BYTES = 16;
const BANDWIDTH_HZ = 125_000;

const TIME_PERCENT = 2;
const ENERGY_PERCENT = 5;

function stageAt({ campaigns }: RunResult, stage: string, campaign = 0): number {
  const found = campaigns[campaign]?.stages.find((one) => one.stage === stage);
  return found?.atSeconds ?? Number.NaN;
}

/** From the first uplink to the end of the last fragment, s. */
const procedure = (result: RunResult): number => stageAt(result, 'VERIFYING') - FIRST_UPLINK_S;

/** From one fragment to the next, s. */
function meanGap(result: RunResult, dataRate: number): number {
  const { nbFrag = 0, fragSize = 0 } = result.campaigns[0] ?? {};
  const frame = { spreadingFactor: 12 - dataRate, bandwidthHz: BANDWIDTH_HZ, crc: false };
  const airtimeS = timeOnAirUs({ ...frame, phyPayloadBytes: FRAME_BYTES + fragSize }) / 1e6;
  const firstEndsAt = stageAt(result, 'SENDING_FRAGMENTS') + START_MARGIN_S + airtimeS;
  return (stageAt(result, 'VERIFYING') - firstEndsAt) / (nbFrag - 1);
}

const joules = ({ energy }: RunResult): number => energy?.meanJoules ?? Number.NaN;

const time = (
  figure: string,
  published: number,
  of: (result: RunResult) => number,
  least = 0,
): RunClaim => {
  const tolerance = Math.max(least, percent(TIME_PERCENT, published));
  return { figure, unit: 'seconds', published, tolerance, of };
};

/** Means of five samples of a data rate. */
interface Measured {
  readonly dataRate: number;
  readonly fragments: number;
  readonly gapS: number;
  readonly procedureS: number;
  readonly joules: number;
  /** Mean length of the power traces, s. */
  readonly traceS: number;
}

const single = ({ dataRate, fragments, gapS, procedureS, ...energy }: Measured) => ({
  at: `DR${dataRate}`,
  file: 'validation/stm32wl55.yaml',
  set: [
    `devices.nucleo.dataRate=DR${dataRate}`,
    `campaigns.update.multicastDataRate=${dataRate}`,
    // The joules are those of a whole recording.
    `duration=${energy.traceS} s`,
  ],
  seeds: 1,
  claims: [
    time('whole procedure', procedureS, procedure),
    // The phase of the server's second is not known, and shows in the mean of a few gaps.
    time('between two fragments', gapS, (run) => meanGap(run, dataRate), 1 / (fragments - 1)),
    {
      figure: 'energy',
      unit: 'joules',
      published: energy.joules,
      tolerance: percent(ENERGY_PERCENT, energy.joules),
      of: joules,
    } as const,
  ],
});

const SINGLE: readonly Measured[] = [
  { dataRate: 0, fragments: 52, gapS: 20.71, procedureS: 1674, joules: 33.29, traceS: 1753 },
  { dataRate: 1, fragments: 52, gapS: 11.09, procedureS: 1179.2, joules: 20.76, traceS: 1255 },
  { dataRate: 2, fragments: 52, gapS: 6.28, procedureS: 930.5, joules: 14.59, traceS: 1007 },
  { dataRate: 3, fragments: 19, gapS: 7.193, procedureS: 738.6, joules: 9.984, traceS: 810 },
  { dataRate: 4, fragments: 10, gapS: 7.47, procedureS: 676.3, joules: 8.53, traceS: 766 },
  { dataRate: 5, fragments: 9, gapS: 4.646, procedureS: 645.9, joules: 7.568, traceS: 728 },
];

const four = (dataRate: number, policy: string, procedureS: number, gapS: number) => ({
  at: `${policy}, DR${dataRate}`,
  file: 'validation/stm32wl55-four.yaml',
  set: [`campaigns.update.multicastDataRate=${dataRate}`],
  seeds: 1,
  claims: [
    time('first uplink to last fragment', procedureS, procedure),
    time('between two fragments', gapS, (run) => meanGap(run, dataRate)),
    {
      figure: 'devices with all fragments',
      unit: 'count',
      published: 4,
      tolerance: 0,
      of: ({ campaigns }: RunResult) => campaigns[0]?.running ?? 0,
    } as const,
  ],
});

/** Groups one after the other: from the first uplink to the last fragment of each, s. */
interface Policy {
  readonly file: string;
  readonly name: string;
  readonly groups: readonly (readonly [of: string, endS: number, reason?: string])[];
}

const policy = ({ file, name, groups }: Policy) => ({
  at: name,
  file: `validation/stm32wl55-${file}.yaml`,
  set: [],
  seeds: 1,
  claims: [
    ...groups.map(([of, endS, reason], place) => ({
      ...time(
        `last fragment to ${of}`,
        endS,
        (run) => stageAt(run, 'VERIFYING', place) - FIRST_UPLINK_S,
      ),
      ...(reason === undefined ? {} : { reason }),
    })),
    {
      figure: 'devices with all fragments',
      unit: 'count',
      published: 4,
      tolerance: 0,
      of: ({ campaigns }: RunResult) => campaigns.reduce((sum, { running }) => sum + running, 0),
    } as const,
  ],
});

const POLICIES: readonly Policy[] = [
  {
    file: 'best',
    name: 'each at its own data rate',
    groups: [
      ['DR5', 646.14],
      ['DR4', 1550.47],
      ['DR3', 2557.38],
      ['DR2', 3701],
    ],
  },
  {
    file: 'threshold',
    name: 'two groups',
    groups: [
      ['DR5', 646.04],
      ['DR2 to DR4', 1855.75],
    ],
  },
  {
    file: 'threshold-3',
    name: 'three groups',
    groups: [
      ['DR5', 603.92],
      [
        'DR4',
        1575.46,
        'its first command went a minute later than the pause between the groups of all other ' +
          'runs explains, and its log’s clock runs 43 s ahead',
      ],
      ['DR2 and DR3', 2771.5],
    ],
  },
];

export const HARDWARE_CLAIMS: readonly Claims[] = [
  {
    name: 'hardware',
    title: 'One STM32WL55 that a ChirpStack FUOTA server updates',
    source: `${SOURCE}, five samples a data rate`,
    settings: SINGLE.map(single),
    code: [],
    variation: {
      setting: 2,
      parameters: [
        parameter('bytes of the object', 'images.0.bytes', '1800 B', '2200 B'),
        parameter('pause in air times', 'campaigns.update.frag_send_airtimes', 8.1, 9.9),
        parameter('session after request', 'campaigns.update.session_delay', '270 s', '330 s'),
        parameter('pause between uplinks', 'devices.nucleo.traffic.every', '27 s', '33 s'),
        parameter('current asleep', 'devices.nucleo.energy.sleep', '2.763 mA', '3.377 mA'),
        parameter('current receiving', 'devices.nucleo.energy.rx', '7.164 mA', '8.756 mA'),
        parameter('current sending', 'devices.nucleo.energy.tx', '25.2 mA', '30.8 mA'),
      ],
    },
  },
  {
    name: 'hardware-four',
    title: 'Four STM32WL55 at DR2 to DR5, updated as one group',
    source: `${SOURCE} of four devices`,
    settings: [
      four(0, 'the slowest data rate', 1698.7, 20.73),
      four(2, 'that of the slowest device', 964.8, 6.26),
    ],
    code: [],
  },
  {
    name: 'hardware-policies',
    title: 'The same four in groups, one after the other',
    source: `${SOURCE} of four devices: policies Energy-First, Threshold-2, Threshold-3`,
    settings: POLICIES.map(policy),
    code: [],
  },
];
