/** A believable day of 2 000 meters around three gateways, made without a world. */
import type { ExpectationResult, RunResult } from '../../core/result/result.ts';
import type { ReportInput } from '../../reports/stories/run/report-input.ts';
import { lehmer } from './lehmer.ts';

const DEVICES = 2_000;
const SLICES = 96;

const GATEWAYS = [
  { name: 'town-hall', eui: '0016C001F1000001', xMeters: 0, yMeters: 0 },
  { name: 'water-tower', eui: '0016C001F1000002', xMeters: 4_200, yMeters: 1_600 },
  { name: 'harbour', eui: '0016C001F1000003', xMeters: -2_300, yMeters: 3_900 },
] as const;

/** The day that the tests and the eye look at; every sum is consistent with its parts. */
export function sampleResult(): RunResult {
  const series = sampleSeries();
  const uplinks = sum(series.uplinks);
  const received = sum(series.received);
  const interfered = sum(series.interfered);
  const others = {
    tooWeak: uplinks - received - interfered - 2_613,
    noPath: 1_904,
    halfDuplex: 709,
  };
  return {
    scenario: {
      name: 'City water meters',
      description:
        'Two thousand water meters report every hour to three gateways; one in fifty asks for an ' +
        'acknowledgement. The network server adapts data rates.',
    },
    seed: '42',
    digest: '9f3c61d20be7a845',
    complete: true,
    virtualSeconds: 86_400,
    events: 482_913,
    region: 'EU868',
    frames: 'counted',
    radio: {
      uplinks,
      received,
      lost: { ...others, interfered, frameLoss: 0 },
      receptions: {
        received: received + 18_204,
        tooWeak: 44_120,
        interfered: 6_033,
        noPath: 2_870,
      },
    },
    downlinks: {
      multicastSent: 590,
      requested: 5_214,
      sent: 5_077,
      received: 4_893,
      refused: { noBudget: 96, collision: 38, tooLate: 3 },
      retried: { collision: 61 },
      lost: { notHeard: 141, interfered: 43 },
    },
    gateways: sampleGateways(),
    devices: sampleDevices(),
    campaigns: [],
    series,
    counted: { adrChanges: 812 },
    warnings: [
      '26 devices are out of reach of every gateway: their best link is below −137 dBm.',
      'Gateway town-hall used 4.9 % of the 10 % that 869.4-869.65 allows.',
    ],
  };
}

function sampleDevices(): RunResult['devices'] {
  return {
    total: DEVICES,
    joined: 1_974,
    joinSeconds: { p10: 6.1, p50: 7.4, p90: 94.2, max: 4_811 },
    joinRequests: 3_316,
    messages: 47_210,
    messagesDelivered: 44_962,
    messagesDropped: 318,
    confirmed: { sent: 944, acknowledged: 921, failed: 23 },
    retransmissions: 411,
    dutyCycleWaits: 187,
    deliveryRatio: { p10: 0.875, p50: 0.958, p90: 1, max: 1 },
    byDataRate: { DR0: 118, DR1: 96, DR2: 143, DR3: 288, DR4: 411, DR5: 944 },
    populations: [
      {
        name: 'meter-indoor',
        devices: 1_400,
        joined: 1_379,
        messages: 32_950,
        messagesDelivered: 31_012,
        messagesDropped: 280,
        deliveryRatio: { p10: 0.861, p50: 0.952, p90: 1, max: 1 },
      },
      {
        name: 'meter-street',
        devices: 500,
        joined: 498,
        messages: 11_900,
        messagesDelivered: 11_639,
        messagesDropped: 30,
        deliveryRatio: { p10: 0.917, p50: 0.979, p90: 1, max: 1 },
      },
      {
        name: 'pressure-probe',
        devices: 100,
        joined: 97,
        messages: 2_360,
        messagesDelivered: 2_311,
        messagesDropped: 8,
        deliveryRatio: { p10: 0.913, p50: 0.98, p90: 1, max: 1 },
      },
    ],
    map: sampleMap(),
  };
}

export function sampleExpectations(): readonly ExpectationResult[] {
  const { radio, devices } = sampleResult();
  return [
    { expectation: 'joined >= 98 %', actual: devices.joined / devices.total, holds: true },
    {
      expectation: 'messagesDelivered >= 95 %',
      actual: devices.messagesDelivered / devices.messages,
      holds: true,
    },
    {
      expectation: 'lost.interfered <= 3 %',
      actual: radio.lost.interfered! / radio.uplinks,
      holds: false,
    },
    { expectation: 'joinSeconds.p90 <= 120', actual: 94.2, holds: true },
  ];
}

export function sampleInput(): ReportInput {
  return { result: sampleResult(), expectations: sampleExpectations(), version: '0.1.0' };
}

function sampleGateways(): RunResult['gateways'] {
  const load = [
    {
      received: 31_204,
      sent: 3_140,
      airtime: 4_690,
      sub: { '868.0-868.6': 0.0058, '869.4-869.65': 0.0485 },
    },
    {
      received: 19_880,
      sent: 1_202,
      airtime: 1_811,
      sub: { '868.0-868.6': 0.0021, '869.4-869.65': 0.0189 },
    },
    {
      received: 15_871,
      sent: 735,
      airtime: 1_020,
      sub: { '868.0-868.6': 0.0014, '869.4-869.65': 0.0104 },
    },
  ];
  return GATEWAYS.map((gateway, at) => ({
    ...gateway,
    uplinksReceived: load[at].received,
    fates: {
      received: load[at].received,
      tooWeak: 14_000 + 900 * at,
      interfered: 2_011,
      noPath: 950,
      halfDuplex: 310 - 90 * at,
    },
    downlinksSent: load[at].sent,
    airtimeSeconds: load[at].airtime,
    dutyCycle: load[at].sub,
    dutyCycleLimits: { '869.4-869.65': 0.1, '868.0-868.6': 0.01 },
  }));
}

/** A device delivers the worse the farther its nearest gateway is; some have bad luck indoors. */
function sampleMap(): RunResult['devices']['map'] {
  const random = lehmer(20_261);
  const [xMeters, yMeters, deliveredPermille, dataRate]: number[][] = [[], [], [], []];
  while (xMeters.length < DEVICES) {
    const x = Math.round((random() + random() + random() - 1.5) * 9_000);
    const y = Math.round((random() + random() + random() - 1.2) * 7_000);
    const far = Math.min(...GATEWAYS.map((g) => Math.hypot(g.xMeters - x, g.yMeters - y)));
    const lost = Math.max(
      0,
      (far - 2_200) * 0.09 * random() + (random() < 0.06 ? 300 * random() : 0),
    );
    const sent = 20 + Math.floor(random() * 8);
    const delivered = Math.max(0, sent - Math.round((lost / 1_000) * sent));
    xMeters.push(x);
    yMeters.push(y);
    deliveredPermille.push(random() < 0.013 ? -1 : Math.floor((delivered * 1_000) / sent));
    dataRate.push(Math.max(0, Math.min(5, 5 - Math.floor(far / 900))));
  }
  return { xMeters, yMeters, deliveredPermille, dataRate, updated: xMeters.map(() => 0) };
}

/** Quarter hours with a morning peak, in which more is interfered. */
function sampleSeries(): RunResult['series'] {
  const random = lehmer(77);
  const column = (value: (slice: number) => number) =>
    Array.from({ length: SLICES }, (_, slice) => Math.round(value(slice)));
  const uplinks = column(
    (slice) => 500 + (slice < 3 ? 900 - slice * 260 : 0) + peak(slice) * 380 + random() * 50,
  );
  const interfered = uplinks.map((sent) => Math.round((sent * sent) / 13_500 + random() * 6));
  const received = uplinks.map(
    (sent, at) => sent - interfered[at] - 48 - Math.round(random() * 18),
  );
  const joined = column((slice) => Math.min(1_974, 1_974 - 700 / (1 + slice * slice * 0.4)));
  const downlinks = column((slice) => 40 + peak(slice) * 30 + random() * 12);
  return { sliceSeconds: 900, uplinks, received, interfered, downlinks, joined };
}

function peak(slice: number): number {
  const away = (slice - 30) / 9;
  return 1 / (1 + away * away * away * away);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
