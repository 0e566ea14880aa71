/** A believable update of 1 000 of the sample's meters, made without a world. */
import type { CampaignResult, RunResult } from '../../core/result.ts';
import type { ReportInput } from '../../reports/report-input.ts';
import { lehmer } from './lehmer.ts';
import { sampleInput, sampleResult } from './sample-result.ts';

const DEVICES = 1_000;
const UPDATED = 968;
const START_SECONDS = 21_600;
/** Seconds since the campaign's start: the last fragment, the first repairs, the end. */
const SENT = 4_620;
const REPAIRED = 9_900;
const ENDED = 23_400;

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
    devices: DEVICES,
    delegated: 0,
    success: UPDATED,
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
    failures: {
      'missing fragments': 12,
      'set-up unanswered': 9,
      'MIC error': 6,
      'not enough memory': 3,
      'session missed': 2,
    },
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
  const updated = map.xMeters.map((_, d) => (d >= DEVICES ? 0 : failed.has(d) ? 3 : 1));
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
