/** A believable update of 1 000 of the sample's meters, made without a world. */
import type { DeviceOutcome, FailureCause } from '../../core/result/outcome.ts';
import { type CampaignResult, type RunResult, UNHEARD } from '../../core/result/result.ts';
import type { ReportInput } from '../../reports/stories/run/report-input.ts';
import { lehmer } from './lehmer.ts';
import { sampleInput, sampleResult } from './sample-result.ts';

const DEVICES = 1_000;
const UPDATED = 968;
const START_SECONDS = 21_600;
/** Seconds since the campaign's start: the last fragment, the first repairs, the end. */
const SENT = 4_620;
const REPAIRED = 9_900;
const ENDED = 23_400;

/** Two devices run the image all the same, and one has left the network. */
const FAILURES = {
  'missing fragments': 11,
  'set-up unanswered': 9,
  'MIC error': 6,
  'not enough memory': 3,
  'answer lost': 2,
  'device removed': 1,
} as const;

const { 'device removed': _, ...FAILURES_OF_METERS } = FAILURES;
const OF_METERS = {
  devices: DEVICES - 1,
  running: UPDATED + 2,
  success: UPDATED,
  inProgress: 0,
  failed: DEVICES - UPDATED - 1,
  failures: FAILURES_OF_METERS,
};
const OF_LEFT = {
  devices: 1,
  running: 0,
  success: 0,
  inProgress: 0,
  failed: 1,
  failures: { 'device removed': 1 },
};

function sampleFailed(): DeviceOutcome[] {
  const device = (number: number, cause: FailureCause): DeviceOutcome => ({
    devEui: `02000000000000${String(number).padStart(2, '0')}`,
    name: `meter-${number}`,
    population: 'meter',
    fate: 'failed',
    cause,
    step: 'fragmentation set-up',
    runs: cause === 'answer lost',
    dataRate: 3,
    gateways: 2,
    fragmentsHeld: 214,
    fragmentsNeeded: 218,
    fragmentsMissing: cause === 'answer lost' ? 0 : 6,
    versionBefore: '0203000000000000',
    version: cause === 'answer lost' ? '0204000000000000' : '0203000000000000',
    joules: 12.5,
  });
  const { devEui } = device(3, 'device removed');
  const left: DeviceOutcome = {
    devEui,
    name: null,
    population: null,
    fate: 'failed',
    cause: 'device removed',
    step: null,
    runs: null,
    dataRate: null,
    gateways: null,
    fragmentsHeld: null,
    fragmentsNeeded: null,
    fragmentsMissing: null,
    versionBefore: null,
    version: null,
    joules: null,
  };
  return [device(1, 'missing fragments'), device(2, 'answer lost'), left];
}

/** An evening's update of the indoor meters; every sum is consistent with its parts. */
export function sampleCampaign(): CampaignResult {
  const completionSeconds = sampleCompletions();
  return {
    name: 'spring-update',
    image: {
      name: 'meter-2.4.0.bin',
      bytes: 23_980,
      sha256: '4f0c1b7e5a92d3886e0b17c4a1f25d9038c6e7b14a5d92f0c83b6e1745a9d20c7',
    },
    stage: 'FINISHED',
    rounds: 2,
    devices: DEVICES,
    delegated: 0,
    running: UPDATED + 2,
    success: UPDATED,
    inProgress: 0,
    failed: DEVICES - UPDATED,
    t50: completionSeconds[499]!,
    t90: completionSeconds[899]!,
    t99: null,
    sent: 786,
    nbFrag: 218,
    fragSize: 110,
    redundancy: 44,
    repairs: 1_273,
    dataRate: 3,
    frequencyHz: 869_525_000,
    gateways: ['town-hall', 'water-tower', 'harbour'],
    stages: [
      { stage: 'INITIALIZING', atSeconds: START_SECONDS },
      { stage: 'CHECKING_VERSIONS', atSeconds: START_SECONDS + 40 },
      { stage: 'SETTING_UP_DEVICES', atSeconds: START_SECONDS + 1_500 },
      { stage: 'SENDING_FRAGMENTS', atSeconds: START_SECONDS + 2_700 },
      { stage: 'VERIFYING', atSeconds: START_SECONDS + SENT },
      { stage: 'FINISHED', atSeconds: START_SECONDS + ENDED },
    ],
    funnel: [
      { step: 'version check', devices: 995 },
      { step: 'clock sync', devices: 993 },
      { step: 'multicast set-up', devices: 991 },
      { step: 'fragmentation set-up', devices: 988 },
      { step: 'session', devices: 986 },
      { step: 'status', devices: 974 },
      { step: 'final version', devices: UPDATED },
    ],
    failures: FAILURES,
    populations: [
      { ...OF_METERS, name: 'meter' },
      { ...OF_LEFT, name: null },
    ],
    failedDevices: sampleFailed(),
    fragmentLosses: {
      tooWeak: 19_842,
      interfered: 6_310,
      ownUplink: 1_204,
      notListening: 3_668,
      lockedOnOther: 402,
    },
    completionSeconds,
    verified: { rebuilt: 16, right: 16 },
  };
}

/** Most are done when enough fragments were sent, the others as their repairs arrive. */
function sampleCompletions(): number[] {
  const random = lehmer(4_711);
  const soon = (device: number) => 3_950 + (SENT - 3_950) * random() + (device % 7) * 30;
  const late = () =>
    SENT + 600 + (REPAIRED - SENT) * random() * random() + 8_000 * sixthPower(random());
  return Array.from({ length: UPDATED }, (_, device) =>
    Math.round(device < 700 ? soon(device) : late()),
  ).sort((a, b) => a - b);
}

/** The sample day with this campaign: the first 1 000 devices of the map are its own. */
export function sampleCampaignResult(): RunResult {
  const sample = sampleResult();
  const { map } = sample.devices;
  const own = map.deliveredPermille.slice(0, DEVICES);
  const failed = new Set(
    own
      .map((permille, d) => ({ permille, d }))
      .sort((a, b) => a.permille - b.permille || a.d - b.d)
      .slice(0, DEVICES - UPDATED)
      .map(({ d }) => d),
  );
  const unheard = new Set([...failed].slice(0, 2));
  const updated = map.xMeters.map((_, d) => {
    if (unheard.has(d)) return UNHEARD;
    return d >= DEVICES ? 0 : failed.has(d) ? 3 : 1;
  });
  const campaigns = [sampleCampaign()];
  return { ...sample, campaigns, devices: { ...sample.devices, map: { ...map, updated } } };
}

export function sampleCampaignInput(): ReportInput {
  const { expectations, ...input } = sampleInput();
  const updated = { expectation: 'campaign.updated >= 95 %', actual: 0.968, holds: true };
  return { ...input, result: sampleCampaignResult(), expectations: [updated, ...expectations] };
}

function sixthPower(value: number): number {
  return value * value * value * value * value * value;
}
