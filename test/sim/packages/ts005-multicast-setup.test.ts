/** TS005 on the device, beyond its error bits: status, sessions, several groups (§4.2). */
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../../sim/base/bytes.ts';
import { readCommands } from '../../../sim/lorawan/message.ts';
import { AppTimeAns } from '../../../sim/lorawan/packages/ts003-clock-sync.ts';
import {
  DataFragment,
  FragSessionSetupReqV1,
  FragSessionStatusReq,
} from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McClassCSessionReq,
  McGroupDeleteReq,
  McGroupSetupReq,
  McGroupStatusReq,
  multicastSetup,
} from '../../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { Dialogue, type Packages } from '../../support/dialogue.ts';
import { SECOND_US, type Wanted } from '../../support/small-network.ts';

const PORT = 200;
const addressOf = (mcGroupId: number): number => 0x0a000000 + mcGroupId;
const keyOf = (mcGroupId: number): Uint8Array => new Uint8Array(16).fill(mcGroupId + 1);
const CHANNELS = [
  { frequencyHz: 869_525_000, dataRate: 3 },
  { frequencyHz: 868_100_000, dataRate: 5 },
] as const;

const group = (
  dialogue: Dialogue,
  mcGroupId: number,
  maxMcFCount = 1000,
  minMcFCount = 0,
): Uint8Array =>
  McGroupSetupReq.encode({
    mcGroupId,
    mcAddr: addressOf(mcGroupId),
    minMcFCount,
    maxMcFCount,
    mcKeyEncrypted: dialogue.wrapped(keyOf(mcGroupId)),
  });

function session(dialogue: Dialogue, mcGroupId: number, inS: number, channel: 0 | 1): Uint8Array {
  const { frequencyHz, dataRate } = CHANNELS[channel];
  return McClassCSessionReq.encode({
    mcGroupId,
    sessionTime: dialogue.gpsIn(inS),
    timeOut: 7,
    dlFrequencyHz: frequencyHz,
    dr: dataRate,
  });
}

const block = (fragIndex: number, mcGroupBitMask: number): Uint8Array =>
  FragSessionSetupReqV1.encode({
    fragIndex,
    mcGroupBitMask,
    nbFrag: 10,
    fragSize: 10,
    fragAlgo: 0,
    padding: 0,
    blockAckDelay: 0,
    descriptor: new Uint8Array(4),
  });

/** A device that knows the time and has groups on these channels, sessions in 60 s, and blocks. */
function grouped(
  channels: readonly (0 | 1)[],
  packages: Packages = {},
  wanted: Wanted = {},
  minMcFCount = 0,
  maxMcFCount = 1000,
) {
  const dialogue = new Dialogue(packages, { traffic: { meanUs: 2000 * SECOND_US }, ...wanted });
  dialogue.wait(2000, PORT);
  dialogue.setClock();
  channels.forEach((channel, id) => {
    dialogue.say(PORT, group(dialogue, id, maxMcFCount, minMcFCount));
    dialogue.say(201, block(id, 1 << id));
    const { frequencyHz, dataRate } = CHANNELS[channel];
    dialogue.bench.request({
      kind: 'multicast.open',
      group: { mcAddr: addressOf(id), mcKey: keyOf(id), frequencyHz, dataRate },
    });
  });
  channels.forEach((channel, id) => {
    dialogue.say(PORT, session(dialogue, id, 60 - 8 * id, channel));
  });
  dialogue.wait(60, PORT);
  return dialogue;
}

/** Sends to a group, in a second; waits four. */
function sendTo(
  { bench }: Dialogue,
  mcGroupId: number,
  fCnt: number,
  fPort: number,
  payload: Uint8Array,
): void {
  const gatewayEui = bench.network.plan.gateways[0]!.eui;
  const startsAtUs = bench.nowUs + SECOND_US;
  const request = { mcAddr: addressOf(mcGroupId), gatewayEui, fCnt, fPort, payload, startsAtUs };
  bench.request({ kind: 'multicast.send', ...request });
  bench.runUntil(bench.nowUs + 4 * SECOND_US);
  bench.network.settle(bench.nowUs);
}

const fragment = (fragIndex: number, fragmentNumber: number): Uint8Array =>
  DataFragment.encode({ fragIndex, fragmentNumber, fragment: new Uint8Array(10) });

const taken = ({ bench }: Dialogue): string[] =>
  bench.trace
    .of('fragmentTaken')
    .map(({ fragIndex, fragmentNumber }) => `${fragIndex}/${fragmentNumber}`);

describe('a device whose type names no packages', () => {
  it('has four groups, 0 to 3: all that the two bits of McGroupIDHeader can name', () => {
    const dialogue = new Dialogue(null);
    for (const id of [0, 1, 2, 3]) {
      const answer = dialogue.say(PORT, group(dialogue, id));
      expect(readCommands(multicastSetup[1].uplink, fromHex(answer[0]!)).commands).toMatchObject([
        { payload: { mcGroupId: id, idError: false } },
      ]);
    }
    expect(dialogue.say(PORT, McGroupStatusReq.encode({ reqGroupMask: 0 }))).toEqual(['0140']);
  });
});

describe('McGroupStatusReq', () => {
  it('reports the groups asked for, and counts all', () => {
    const dialogue = new Dialogue();
    for (const id of [0, 2, 3]) dialogue.say(PORT, group(dialogue, id));
    const answer = dialogue.say(PORT, McGroupStatusReq.encode({ reqGroupMask: 0b0110 }));
    expect(answer).toEqual(['0134' + '02' + '0200000a']);
    dialogue.say(PORT, McGroupDeleteReq.encode({ mcGroupId: 2 }));
    expect(dialogue.say(PORT, McGroupStatusReq.encode({ reqGroupMask: 0b0110 }))).toEqual(['0120']);
  });

  it('leaves out the highest ids when the answer would not fit', () => {
    const dialogue = new Dialogue(
      {},
      { type: { deviceClass: 'C', dataRate: { from: 'fixed', dataRate: 0 } } },
    );
    for (const id of [0, 1, 2, 3]) {
      dialogue.say(PORT, group(dialogue, id));
      dialogue.wait(30, PORT);
    }
    dialogue.wait(60, PORT);
    const ask = McGroupStatusReq.encode({ reqGroupMask: 15 });
    // Of 51 bytes the first answer takes 22, the second the 27 that four groups need, or less.
    const [answer] = [...dialogue.say(PORT, ask, ask, ask), ...dialogue.wait(60, PORT)];
    const answers = readCommands(multicastSetup[1].uplink, fromHex(answer!)).commands;
    expect(answers.map(({ payload }) => payload)).toMatchObject([
      { nbTotalGroups: 4, ansGroupMask: 15 },
      { nbTotalGroups: 4, ansGroupMask: 15 },
      { nbTotalGroups: 4, ansGroupMask: 1 },
    ]);
  });
});

describe('McClassCSessionAns', () => {
  it('counts TimeToStart from its own sending', () => {
    for (const answerDelayUs of [0, 50 * SECOND_US]) {
      const dialogue = new Dialogue({ answerDelayUs });
      dialogue.setClock();
      dialogue.say(PORT, group(dialogue, 0));
      dialogue.wait(60, PORT);
      const startS = dialogue.gpsIn(300);
      dialogue.say(PORT, session(dialogue, 0, 300, 0));
      dialogue.wait(60, PORT);
      const { endedAtUs, hex } = dialogue.bench.heard.filter(({ fPort }) => fPort === PORT).at(-1)!;
      const { payload } = readCommands(multicastSetup[1].uplink, fromHex(hex)).commands[0]!;
      const leftS = startS - dialogue.bench.view.gpsSeconds(endedAtUs);
      const reported = (payload as { timeToStart: number }).timeToStart;
      expect(Math.abs(reported - leftS)).toBeLessThanOrEqual(1);
    }
  });

  it('leaves the group out in LoRaMac-node', () => {
    const answers = (['standard', 'LoRaMac-node'] as const).map((stack) => {
      const dialogue = new Dialogue({ stack });
      dialogue.setClock();
      dialogue.say(PORT, group(dialogue, 2));
      return dialogue.say(PORT, session(dialogue, 2, 300, 0))[0]!.slice(0, 4);
    });
    expect(answers).toEqual(['0402', '0400']);
  });
});

describe('the counters of a group', () => {
  it('begin at minMcFCount', () => {
    const dialogue = grouped([0], {}, {}, 5);
    for (const fCnt of [3, 4, 5, 6]) sendTo(dialogue, 0, fCnt, 201, fragment(0, fCnt));
    expect(taken(dialogue)).toEqual(['0/5', '0/6']);
  });

  it('end below maxMcFCount, but at it in LoRaMac-node', () => {
    const counts = (['standard', 'LoRaMac-node'] as const).map((stack) => {
      const dialogue = grouped([0], { stack });
      for (const fCnt of [998, 999, 1000, 1001])
        sendTo(dialogue, 0, fCnt, 201, fragment(0, fCnt - 990));
      return taken(dialogue);
    });
    expect(counts).toEqual([
      ['0/8', '0/9'],
      ['0/8', '0/9', '0/10'],
    ]);
  });
});

/** Counters that a device of a group takes, of fragments with these; 1 is the first. */
function counted(min: number, max: number, counters: readonly number[], packages: Packages = {}) {
  const dialogue = grouped([0], packages, {}, min, max);
  const numbers = counters.map((fCnt, at) => {
    sendTo(dialogue, 0, fCnt, 201, fragment(0, at + 1));
    return `0/${at + 1}`;
  });
  const own = new Set(taken(dialogue));
  return counters.filter((_, at) => own.has(numbers[at]!));
}

describe('the counter of a group', () => {
  it.each([{}, { stack: 'LoRaMac-node' }] as const)('goes on over 16 bits: %j', (packages) => {
    const all = [65_534, 65_535, 65_536, 65_540, 65_539];
    expect(counted(65_530, 0xffff_ffff, all, packages)).toEqual(all.slice(0, 4));
    expect(counted(65_536, 0xffff_ffff, [65_535, 65_536], packages)).toEqual([65_536]);
  });

  it('is taken across any gap that 16 bits can tell, and across no longer one', () => {
    expect(counted(0, 0xffff_ffff, [3, 20_000, 85_535])).toEqual([3, 20_000, 85_535]);
    expect(counted(0, 0xffff_ffff, [3, 65_540, 20])).toEqual([3, 20]);
    expect(counted(100, 0xffff_ffff, [65_700, 120])).toEqual([120]);
  });

  it('ends below 2³² − 1, but at it in LoRaMac-node', () => {
    const counters = [0xffff_fffd, 0xffff_fffe, 0xffff_ffff];
    const min = 0xffff_fff0;
    expect(counted(min, 0xffff_ffff, counters)).toEqual(counters.slice(0, 2));
    const stack = 'LoRaMac-node';
    expect(counted(min, 0xffff_ffff, counters, { stack })).toEqual(counters);
  });
});

describe('sessions of two groups', () => {
  it('are both heard on one channel', () => {
    const dialogue = grouped([0, 0]);
    sendTo(dialogue, 0, 0, 201, fragment(0, 1));
    sendTo(dialogue, 1, 0, 201, fragment(1, 1));
    sendTo(dialogue, 0, 1, 201, fragment(0, 2));
    expect(taken(dialogue)).toEqual(['0/1', '1/1', '0/2']);
  });

  it('on two channels are heard in the lower group, and in the other when that has ended', () => {
    const dialogue = grouped([0, 1]);
    sendTo(dialogue, 0, 0, 201, fragment(0, 1));
    sendTo(dialogue, 1, 0, 201, fragment(1, 1));
    dialogue.say(PORT, McGroupDeleteReq.encode({ mcGroupId: 0 }));
    dialogue.bench.runUntil(dialogue.nowUs + SECOND_US);
    expect(taken(dialogue)).toEqual(['0/1']);
    const decided = dialogue.bench.trace.of('multicastDecided').map(({ fate }) => fate);
    expect(decided).toEqual(['heard', 'notListening']);
  });

  it('take no fragments for a block of another group', () => {
    const dialogue = grouped([0, 0]);
    sendTo(dialogue, 0, 0, 201, fragment(1, 1));
    sendTo(dialogue, 1, 0, 201, fragment(0, 1));
    expect(taken(dialogue)).toEqual([]);
  });
});

describe('a command on the address of a group', () => {
  const status = (participants: boolean, fragIndex = 0): Uint8Array =>
    FragSessionStatusReq.encode({ fragIndex, participants });
  const answersTo = (payload: Uint8Array, fPort = 201): string[] => {
    const dialogue = grouped([0]);
    sendTo(dialogue, 0, 0, 201, fragment(0, 1));
    const before = dialogue.bench.heard.length;
    sendTo(dialogue, 0, 1, fPort, payload);
    dialogue.wait(40, 201);
    return dialogue.bench.heard.slice(before).map(({ hex }) => hex);
  };

  it('is answered if it asks for the status of a block of the group', () => {
    expect(answersTo(status(true))).toEqual(['0101000900']);
    expect(answersTo(status(false))).toEqual(['0101000900']);
  });

  it('is not answered for a block that is not the group’s', () => {
    expect(answersTo(status(true, 1))).toEqual([]);
  });

  it('is ignored if it sets something up', () => {
    expect(answersTo(block(2, 1))).toEqual([]);
    expect(answersTo(McGroupStatusReq.encode({ reqGroupMask: 15 }), 200)).toEqual([]);
    expect(answersTo(Uint8Array.of(0))).toEqual([]);
  });

  it('is answered by a fleet spread over 2^(BlockAckDelay+4) s', () => {
    const type = { deviceClass: 'A' as const };
    const traffic = { process: 'exponential' as const, meanUs: 60 * SECOND_US };
    const dialogue = new Dialogue({}, { devices: 40, type, traffic });
    const { bench } = dialogue;
    dialogue.wait(600, PORT);
    const { frequencyHz, dataRate } = CHANNELS[0];
    bench.request({
      kind: 'multicast.open',
      group: { mcAddr: addressOf(0), mcKey: keyOf(0), frequencyHz, dataRate },
    });
    for (const { devEui } of bench.network.plan.devices) {
      const timeCorrection = bench.view.gpsSeconds(0) | 0;
      bench.sendCommands(devEui, 202, AppTimeAns.encode({ timeCorrection, tokenAns: 0 }));
      const mcKeyEncrypted = bench.view.device(devEui)!.wrapMcKey(keyOf(0));
      const limits = { minMcFCount: 0, maxMcFCount: 9 };
      const setUp = { mcGroupId: 0, mcAddr: addressOf(0), mcKeyEncrypted, ...limits };
      bench.sendCommands(devEui, PORT, McGroupSetupReq.encode(setUp));
      bench.sendCommands(devEui, 201, block(0, 1));
      bench.sendCommands(devEui, PORT, session(dialogue, 0, 700, 0));
    }
    dialogue.wait(710, PORT);
    const open = bench.trace.of('multicastSessionOpens').length;
    expect(open).toBeGreaterThan(30);
    sendTo(dialogue, 0, 0, 201, status(true));
    const askedAtUs = bench.nowUs - 3 * SECOND_US;
    dialogue.wait(40, 201);
    const answers = bench.heard.filter(({ hex }) => hex === '0100000a00');
    const pauses = answers.map(({ endedAtUs }) => (endedAtUs - askedAtUs) / SECOND_US);
    expect(answers.length).toBeGreaterThan(open * 0.6);
    expect(Math.min(...pauses)).toBeLessThan(4);
    expect(Math.max(...pauses)).toBeGreaterThan(12);
    expect(Math.max(...pauses)).toBeLessThan(18);
  });
});
