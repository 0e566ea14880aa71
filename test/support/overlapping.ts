/**
 * Networks whose devices are in sessions of several groups at once: groups on the same or other
 * channels, blocks that one group brings or several, requests that end or replace them meanwhile.
 */
import * as fc from 'fast-check';
import { DECODERS, type DecoderRules } from '../../sim/lorawan/decoder-rules.ts';
import { encodeFragments } from '../../sim/lorawan/fragmentation-code.ts';
import { AppTimeAns } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import {
  DataFragment,
  FragSessionDeleteReq,
  FragSessionSetupReqV1,
  FragSessionSetupReqV2,
  FragSessionStatusReq,
} from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McClassCSessionReq,
  McGroupDeleteReq,
  McGroupSetupReq,
} from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type PackagesPlan, USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { BENCH_START_UNIX_MS, Bench, type Saved } from './bench.ts';
import { networkOf, SECOND_US } from './small-network.ts';

/** Devices know the time, groups and blocks by then. */
const SESSIONS_S = 400;
const END_S = 800;
const CHANNELS = [
  { frequencyHz: 869_525_000, dr: 3 },
  { frequencyHz: 868_100_000, dr: 5 },
  { frequencyHz: 869_525_000, dr: 5 },
] as const;

const groupParts = fc.record({
  channel: fc.nat(CHANNELS.length - 1),
  /** Session and first frame, s after the usual. */
  beginsS: fc.integer({ min: 0, max: 60 }),
  sendsS: fc.integer({ min: -10, max: 60 }),
  timeOut: fc.integer({ min: 5, max: 8 }),
  intervalMs: fc.integer({ min: 300, max: 5_000 }),
  frames: fc.integer({ min: 5, max: 40 }),
  /** Gateways that send them. */
  sentBy: fc.constantFrom('all' as const, 'first' as const, 'last' as const),
  /** Blocks whose fragments it sends in turn. */
  blocks: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 2 }),
});

const blockParts = fc.record({
  mask: fc.integer({ min: 1, max: 15 }),
  nbFrag: fc.integer({ min: 2, max: 30 }),
});

const intrusions = fc.record({
  atS: fc.integer({ min: SESSIONS_S, max: SESSIONS_S + 150 }),
  device: fc.nat(5),
  which: fc.nat(3),
  does: fc.constantFrom('status', 'fragment', 'deleteGroup', 'deleteBlock', 'session', 'block'),
});

const { unlimited } = DECODERS;

/** Versions and decoders; ports and limits of the usual kind. */
const packageParts: fc.Arbitrary<PackagesPlan> = fc
  .record({
    version: fc.constantFrom(1 as const, 2 as const),
    decoder: fc.constantFrom<DecoderRules>(
      unlimited,
      { ...unlimited, inOrder: true },
      { ...unlimited, maxLost: 2 },
      { ...unlimited, maxLost: 4, inOrder: true },
    ),
    imageActivation: fc.constantFrom('automatic' as const, 'onCommand' as const),
    answerDelayUs: fc.constantFrom(0, 3 * SECOND_US),
  })
  .map(({ version, ...rest }) => ({
    ...USUAL_PACKAGES,
    fragmentation: { version, fPort: 201 },
    multicastSetup: { version, fPort: 200 },
    ...rest,
  }));

const scriptParts = fc.record({
  devices: fc.integer({ min: 1, max: 4 }),
  deviceClass: fc.constantFrom('A' as const, 'C' as const),
  meanS: fc.integer({ min: 15, max: 60 }),
  driftPpb: fc.constantFrom(0, 100_000),
  frameLossPpm: fc.constantFrom(0, 100_000),
  gatewaysAt: fc.constantFrom([100], [0, 400], [-3000, 3000]),
  interference: fc.constantFrom('energy' as const, 'aloha' as const, 'off' as const),
  groups: fc.array(groupParts, { minLength: 2, maxLength: 4 }),
  blocks: fc.array(blockParts, { minLength: 4, maxLength: 4 }),
  intrusions: fc.array(intrusions, { maxLength: 4 }),
  packages: packageParts,
  seed: fc.string({ minLength: 1, maxLength: 4 }),
});
export type OverlapScript = typeof scriptParts extends fc.Arbitrary<infer P> ? P : never;

export const overlapScripts: fc.Arbitrary<OverlapScript> = scriptParts;

export function networkOfScript(script: OverlapScript, frames: NetworkPlan['frames']): NetworkPlan {
  const { devices, deviceClass, meanS, driftPpb, frameLossPpm, gatewaysAt, interference } = script;
  const plan = networkOf({
    frames,
    devices,
    gatewaysAt,
    type: { deviceClass, driftPpb, frameLossPpm, packages: script.packages },
    traffic: { meanUs: meanS * SECOND_US, process: 'exponential' },
    gateway: { dutyCycle: false },
  });
  const radio = {
    ...plan.radio,
    interference: { ...plan.radio.interference, model: interference },
  };
  return { ...plan, radio, startUnixMs: BENCH_START_UNIX_MS };
}

interface Step {
  readonly atUs: number;
  readonly act: (bench: Bench) => void;
}

/** Carries a script out; `stop` may put a saved and loaded network in the place of the first. */
export function carryOutScript(
  script: OverlapScript,
  frames: NetworkPlan['frames'] = 'counted',
  stop?: (bench: Bench) => void,
): Bench {
  const bench = new Bench(networkOfScript(script, frames), script.seed);
  for (const { atUs, act } of stepsOf(script)) {
    bench.runUntil(atUs);
    stop?.(bench);
    act(bench);
  }
  bench.runUntil(END_S * SECOND_US);
  bench.network.settle(bench.nowUs);
  return bench;
}

/** As above, but the rest from the `at`-th step on is done by a network that was saved before. */
export function carryOutSaved(script: OverlapScript, at: number): Bench {
  const plan = networkOfScript(script, 'counted');
  let bench = new Bench(plan, script.seed);
  stepsOf(script).forEach(({ atUs, act }, i) => {
    bench.runUntil(atUs);
    if (i === at) {
      const saved: Saved = structuredClone(bench.save());
      bench = new Bench(plan, script.seed, saved);
    }
    act(bench);
  });
  bench.runUntil(END_S * SECOND_US);
  return bench;
}

const addressOf = (group: number): number => 0x0100_0000 + group;
const keyOf = (group: number): Uint8Array => new Uint8Array(16).fill(group + 1);
const FRAG_SIZE = 20;

function stepsOf(script: OverlapScript): Step[] {
  const setUp: Step = { atUs: 100 * SECOND_US, act: (bench) => setUpDevices(bench, script) };
  const frames = script.groups.flatMap((_, i) => framesOf(script, i));
  const intruding = script.intrusions.map((one) => intrusionOf(script, one));
  return [setUp, ...frames, ...intruding].sort((a, b) => a.atUs - b.atUs);
}

function setUpDevices(bench: Bench, script: OverlapScript): void {
  const gps = bench.view.gpsSeconds(0);
  for (const { devEui } of bench.network.plan.devices) {
    bench.sendCommands(devEui, 202, AppTimeAns.encode({ timeCorrection: gps | 0, tokenAns: 0 }));
    script.groups.forEach((group, mcGroupId) => {
      bench.sendCommands(devEui, 200, groupSetup(bench, devEui, mcGroupId));
      bench.sendCommands(devEui, 200, sessionOf(bench, group, mcGroupId, 0));
    });
    bench.sendCommands(
      devEui,
      201,
      ...script.blocks.map((_, i) => blockOf(bench, script, devEui, i)),
    );
  }
  script.groups.forEach(({ channel }, group) => {
    const { frequencyHz, dr } = CHANNELS[channel]!;
    bench.request({
      kind: 'multicast.open',
      group: { mcAddr: addressOf(group), mcKey: keyOf(group), frequencyHz, dataRate: dr },
    });
  });
}

const groupSetup = (bench: Bench, devEui: string, mcGroupId: number): Uint8Array =>
  McGroupSetupReq.encode({
    mcGroupId,
    mcAddr: addressOf(mcGroupId),
    mcKeyEncrypted: bench.view.device(devEui)!.wrapMcKey(keyOf(mcGroupId)),
    minMcFCount: 0,
    maxMcFCount: 0xffff_ffff,
  });

type GroupParts = OverlapScript['groups'][number];

function sessionOf(bench: Bench, group: GroupParts, mcGroupId: number, laterS: number): Uint8Array {
  const { frequencyHz, dr } = CHANNELS[group.channel]!;
  return McClassCSessionReq.encode({
    mcGroupId,
    sessionTime: bench.view.gpsSeconds((SESSIONS_S + group.beginsS + laterS) * SECOND_US),
    timeOut: group.timeOut,
    dlFrequencyHz: frequencyHz,
    dr,
  });
}

/** The request for a block; a later one has a higher SessionCnt. */
function blockOf(bench: Bench, script: OverlapScript, devEui: string, fragIndex: number) {
  const { mask, nbFrag } = script.blocks[fragIndex]!;
  const request = {
    fragIndex,
    mcGroupBitMask: mask,
    nbFrag,
    fragSize: FRAG_SIZE,
    fragAlgo: 0,
    blockAckDelay: 0,
    padding: 0,
    descriptor: Uint8Array.of(1, 2, 3, fragIndex),
  };
  if (script.packages.fragmentation.version === 1) return FragSessionSetupReqV1.encode(request);
  const sessionCnt = Math.floor(bench.nowUs / SECOND_US);
  const block = bytesOf(nbFrag);
  const signed = { sessionCnt, fragIndex, descriptor: 0x01020300 + fragIndex, block };
  const mic = bench.view.device(devEui)!.blockMic(signed);
  return FragSessionSetupReqV2.encode({ ...request, sessionCnt, mic, ackReception: mask > 7 });
}

const bytesOf = (nbFrag: number): Uint8Array =>
  Uint8Array.from({ length: nbFrag * FRAG_SIZE }, (_, i) => (i * 7919) % 251);

/** Fragments of a block as its version cuts them, entry N − 1 for number N. */
const fragmentsOf = (script: OverlapScript, fragIndex: number): Uint8Array[] => {
  const { nbFrag } = script.blocks[fragIndex]!;
  const { version } = script.packages.fragmentation;
  return encodeFragments(version, bytesOf(nbFrag), FRAG_SIZE, MOST_NUMBER);
};
const MOST_NUMBER = 41;

/** Each that many frames of a group ask for the status of a block. */
const ASKS = 9;

function framesOf(script: OverlapScript, mcGroupId: number): Step[] {
  const group = script.groups[mcGroupId]!;
  const fragments = script.blocks.map((_, fragIndex) => fragmentsOf(script, fragIndex));
  return Array.from({ length: group.frames }, (_, fCnt) => {
    const startsAtUs =
      (SESSIONS_S + group.beginsS + group.sendsS) * SECOND_US + fCnt * group.intervalMs * 1000;
    const fragIndex = group.blocks[fCnt % group.blocks.length]!;
    const fragmentNumber = 1 + Math.floor(fCnt / group.blocks.length);
    const fragment = fragments[fragIndex]![fragmentNumber - 1]!;
    const payload =
      fCnt % ASKS === ASKS - 1
        ? FragSessionStatusReq.encode({ fragIndex, participants: fCnt % 2 === 0 })
        : DataFragment.encode({ fragIndex, fragmentNumber, fragment });
    const act = (bench: Bench): void => {
      const { gateways } = bench.network.plan;
      const [first, last] = [gateways[0]!, gateways.at(-1)!];
      const senders = { all: gateways, first: [first], last: [last] }[group.sentBy];
      for (const { eui } of senders) {
        const request = {
          mcAddr: addressOf(mcGroupId),
          gatewayEui: eui,
          fCnt,
          fPort: 201,
          payload,
        };
        bench.request({ kind: 'multicast.send', ...request, startsAtUs });
      }
    };
    return { atUs: startsAtUs - SECOND_US, act };
  });
}

function intrusionOf(
  script: OverlapScript,
  { atS, device, which, does }: OverlapScript['intrusions'][number],
): Step {
  const group = which % script.groups.length;
  const act = (bench: Bench): void => {
    const { devices } = bench.network.plan;
    const { devEui } = devices[device % devices.length]!;
    switch (does) {
      case 'status':
        return bench.sendCommands(
          devEui,
          201,
          FragSessionStatusReq.encode({ fragIndex: which, participants: true }),
        );
      case 'fragment':
        return bench.sendCommands(
          devEui,
          201,
          DataFragment.encode({
            fragIndex: which,
            fragmentNumber: 40,
            fragment: fragmentsOf(script, which)[39]!,
          }),
        );
      case 'deleteGroup':
        return bench.sendCommands(devEui, 200, McGroupDeleteReq.encode({ mcGroupId: group }));
      case 'deleteBlock':
        return bench.sendCommands(devEui, 201, FragSessionDeleteReq.encode({ fragIndex: which }));
      case 'session':
        return bench.sendCommands(devEui, 200, sessionOf(bench, script.groups[group]!, group, 60));
      default:
        return bench.sendCommands(devEui, 201, blockOf(bench, script, devEui, which));
    }
  };
  return { atUs: atS * SECOND_US, act };
}
