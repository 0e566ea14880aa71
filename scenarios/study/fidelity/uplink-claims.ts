/** Published figures of networks that send uplinks: ALOHA, LoRaSim, and ns-3's W1. */
import type { RunResult } from '../../../core/result/result.ts';
import type { UplinkLoss } from '../../../sim/base/counts.ts';
import { type Claims, parameter, spaced } from './claim.ts';

const delivered = ({ radio }: RunResult): number => radio.received / radio.uplinks;
const lostTo =
  (cause: UplinkLoss) =>
  ({ radio }: RunResult): number =>
    (radio.lost[cause] ?? 0) / radio.uplinks;
const atRate =
  (dataRate: number) =>
  ({ devices }: RunResult): number =>
    (devices.byDataRate[`DR${dataRate}`] ?? 0) / devices.total;

const DELIVERED = { figure: 'frames delivered', unit: 'share', of: delivered } as const;

const aloha = (senders: number, published: number) => ({
  at: `${spaced(senders)} senders`,
  file: `validation/aloha-${senders}.yaml`,
  set: [],
  seeds: 2,
  claims: [{ ...DELIVERED, published, tolerance: 0.005 }],
});

const capture = (senders: number, days: number, published: number) => ({
  at: `${spaced(senders)} senders`,
  file: 'validation/capture.yaml',
  set: [`devices.sender.count=${senders}`, `duration=${days} d`],
  seeds: 3,
  claims: [{ ...DELIVERED, published, tolerance: 0.01 }],
});

/** Means over that many seeds differ from those of others by less than this (ns-3, 20 seeds). */
const W1_TOLERANCE = 0.015;

const w1 = (devices: number, seeds: number, shares: readonly [number, number, number]) => {
  const [pdr, interfered, noPath] = shares;
  const tolerance = W1_TOLERANCE;
  const share = (figure: string, published: number, of: (result: RunResult) => number) =>
    ({ figure, unit: 'share', published, tolerance, of }) as const;
  return {
    at: `${spaced(devices)} devices`,
    file: 'validation/w1.yaml',
    set: [`devices.device.count=${devices}`],
    seeds,
    claims: [
      share('frames delivered', pdr, delivered),
      share('lost to interference', interfered, lostTo('interfered')),
      share('lost to no free path', noPath, lostTo('noPath')),
    ],
  };
};

/** Of the messages whose tries are over. */
const acknowledged = ({ devices: { confirmed } }: RunResult): number => {
  const { acknowledged: heard = 0, failed = 0 } = confirmed ?? {};
  return heard / (heard + failed);
};

/** Why few devices' messages are acknowledged less often than there. */
const LONGER_ACKS =
  'its acknowledgements are 9 bytes with a CRC and LoRaWAN’s are 12 without, which takes longer ' +
  'at SF10 and SF11';

const confirmed = (devices: number, seeds: number, published: number) => ({
  at: `${spaced(devices)} devices`,
  file: 'validation/w1-confirmed.yaml',
  set: [`devices.device.count=${devices}`],
  seeds,
  claims: [
    {
      figure: 'messages acknowledged',
      unit: 'share',
      published,
      tolerance: W1_TOLERANCE,
      reason: LONGER_ACKS,
      of: acknowledged,
    } as const,
  ],
});

/** Shares of devices at SF7 … SF12. */
const SF_SHARES = [0.213, 0.089, 0.134, 0.186, 0.171, 0.208];

const allocation = (published: number, place: number) => ({
  at: `SF${7 + place}`,
  file: 'validation/w1.yaml',
  set: ['duration=1 s'],
  seeds: 20,
  claims: [
    {
      figure: 'devices that pick it',
      unit: 'share',
      published,
      tolerance: W1_TOLERANCE,
      of: atRate(5 - place),
    } as const,
  ],
});

/** What 200 senders are varied by, a tenth each way: 7 B of payload are 20 bytes on the air. */
const SENDING = [
  parameter('senders', 'devices.sender.count', 180, 220),
  parameter('mean pause', 'devices.sender.traffic.every', '900 s', '1100 s'),
  parameter('frame length', 'devices.sender.traffic.payload', '5 B', '9 B'),
];

export const UPLINK_CLAIMS: readonly Claims[] = [
  {
    name: 'aloha',
    title: 'Pure ALOHA: any overlap loses both frames',
    source: 'exp(−2 (N − 1) T / (P + T)); LoRaSim (Bor et al., MSWiM 2016) agrees within 0.002',
    settings: [aloha(50, 0.8789), aloha(200, 0.592), aloha(1000, 0.072)],
    code: [],
    variation: {
      setting: 1,
      parameters: [
        ...SENDING,
        parameter('radiated power', 'devices.sender.maxEirp', '12.6 dBm', '15.4 dBm'),
      ],
    },
  },
  {
    name: 'capture',
    title: 'LoRaSim’s capture rule: 6 dB, and the first three preamble symbols',
    source: 'LoRaSim (Bor et al., MSWiM 2016)',
    settings: [capture(50, 10, 0.9035), capture(200, 3, 0.6659), capture(1000, 1, 0.164)],
    code: [],
    variation: {
      setting: 1,
      parameters: [
        ...SENDING,
        parameter('radius', 'devices.sender.placement.disc', '89.1 m', '108.8 m'),
      ],
    },
  },
  {
    name: 'ns3',
    title: 'The uplink-only network of ns-3’s lorawan module (W1)',
    source: 'signetlabdei/lorawan, complete-network-example, means over 20 seeds',
    settings: [
      w1(100, 20, [0.9947, 0.005, 0]),
      w1(500, 8, [0.9568, 0.043, 0]),
      w1(2000, 5, [0.8331, 0.166, 0.001]),
      w1(10_000, 1, [0.3447, 0.292, 0.364]),
    ],
    code: [],
    variation: {
      setting: 2,
      parameters: [
        parameter('devices', 'devices.device.count', 1800, 2200),
        parameter('period', 'devices.device.traffic.every', '540 s', '660 s'),
        parameter('frame length', 'devices.device.traffic.payload', '13 B', '19 B'),
        parameter('path-loss exponent', 'radio.pathLoss.exponent', 3.384, 4.136),
        parameter('reception paths', 'gateways.gateway.receptionPaths', 7, 9),
        parameter('radiated power', 'devices.device.maxEirp', '12.6 dBm', '15.4 dBm'),
      ],
    },
  },
  {
    name: 'ns3-confirmed',
    title: 'The same network with confirmed traffic',
    source: 'signetlabdei/lorawan: one gateway, both sub-bands’ duty cycle, up to 8 tries',
    settings: [
      confirmed(100, 20, 0.796),
      confirmed(200, 10, 0.467),
      confirmed(500, 5, 0.21),
      confirmed(1000, 5, 0.11),
    ],
    code: [],
    variation: {
      setting: 1,
      parameters: [
        parameter('devices', 'devices.device.count', 180, 220),
        parameter('period', 'devices.device.traffic.every', '540 s', '660 s'),
        parameter('frame length', 'devices.device.traffic.payload', '13 B', '19 B'),
        parameter('tries', 'devices.device.nbTrans', 7, 9),
        parameter('path-loss exponent', 'radio.pathLoss.exponent', 3.384, 4.136),
      ],
    },
  },
  {
    name: 'ns3-rates',
    title: 'Spreading factors that W1’s devices pick',
    source: 'signetlabdei/lorawan, complete-network-example; the disc’s geometry gives SF12 .198',
    settings: SF_SHARES.map(allocation),
    code: [],
  },
];
