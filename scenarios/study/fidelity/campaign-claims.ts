/** Campaigns that other simulators and closed forms have. */
import type { RunResult } from '../../../core/result/result.ts';
import { timeOnAirUs } from '../../../sim/lorawan/airtime.ts';
import { fragmentCount } from '../../../sim/lorawan/fragmentation-code.ts';
import { type Claims, type CodeClaim, parameter, percent, type Unit } from './claim.ts';

/** FUOTASim's overhead: two bytes of each fragment, eight more on the air. */
const HEAD_BYTES = 2;
const AIR_BYTES = 8;
const REDUNDANT = 30;
/** Fragments beyond the uncoded ones until a device is complete, its current and its supply. */
const SPARE = 3;
const WATT = 16e-3 * 3;

/** Class C: a fragment begins every ten air times, so n of them end after 10 n − 9. */
const endS = (fragments: number, airtimeS: number): number => (10 * fragments - 9) * airtimeS;

type Row = CodeClaim & { readonly at: string };

function closedForm(kib: number, dataRate: number, bytes: number, published: readonly number[]) {
  const uncoded = fragmentCount(kib * 1024, bytes - HEAD_BYTES);
  const frame = { spreadingFactor: 12 - dataRate, bandwidthHz: 125_000, crc: true };
  const airtimeS = timeOnAirUs({ ...frame, phyPayloadBytes: bytes + AIR_BYTES }) / 1e6;
  const values: readonly (readonly [string, Unit, () => number, number])[] = [
    ['fragments sent', 'count', () => uncoded + REDUNDANT, 0],
    ['end of the session', 'seconds', () => endS(uncoded + REDUNDANT, airtimeS), 0.05],
    ['energy of a device', 'joules', () => WATT * endS(uncoded + SPARE, airtimeS), 0.5],
  ];
  return values.map(([figure, unit, value, share], place): Row => {
    const figured = published[place]!;
    const tolerance = percent(share, figured);
    return {
      at: `${kib} KiB at DR${dataRate}`,
      figure,
      unit,
      published: figured,
      tolerance,
      value,
    };
  });
}

const BROADCAST_HOURS = 4.87;

/** Hours from the start of the session to the last fragment. */
const broadcastHours = ({ campaigns }: RunResult): number => {
  const at = (stage: string) =>
    campaigns[0]?.stages.find((one) => one.stage === stage)?.atSeconds ?? Number.NaN;
  return (at('VERIFYING') - at('SENDING_FRAGMENTS')) / 3600;
};

export const CAMPAIGN_CLAIMS: readonly Claims[] = [
  {
    name: 'fuotasim',
    title: 'FUOTASim’s closed form, class C',
    source: 'Abdelfadeel et al., WoWMoM 2020: a fragment every ten air times, 16 mA at 3 V',
    settings: [],
    code: [
      ...closedForm(5, 0, 51, [135, 3526.3, 135.2]),
      ...closedForm(50, 3, 115, [484, 3171, 143.8]),
      ...closedForm(50, 5, 222, [263, 953.5, 41.25]),
    ],
  },
  {
    name: 'broadcast',
    title: 'A campaign of another simulator: 100 kB to ten nodes by broadcast',
    source: 'Malumbres et al., Sensors 2024: SF7, 1 % duty cycle, chunks of 192 bytes',
    settings: [
      {
        at: 'ten nodes',
        file: 'validation/broadcast.yaml',
        set: [],
        seeds: 1,
        claims: [
          {
            figure: 'until the last node has it',
            unit: 'hours',
            published: BROADCAST_HOURS,
            tolerance: percent(3, BROADCAST_HOURS),
            of: broadcastHours,
          },
        ],
      },
    ],
    code: [],
    variation: {
      setting: 0,
      parameters: [
        parameter('bytes of the object', 'images.0.bytes', '90 kB', '110 kB'),
        parameter('bytes of a chunk', 'campaigns.update.frag_size', '173 B', '211 B'),
        parameter('pause in air times', 'campaigns.update.frag_send_airtimes', 90, 110),
      ],
    },
  },
];
