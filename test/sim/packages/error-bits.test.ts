/**
 * Every error bit of every answer of TS004, TS005 and TS006 can be had of a device, and none comes
 * without its reason (TS004 §3, TS005 §4, TS006 §3).
 */
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../../sim/base/bytes.ts';
import { DECODERS } from '../../../sim/lorawan/decoder-rules.ts';
import { type CommandSet, readCommands } from '../../../sim/lorawan/message.ts';
import {
  DataFragment,
  FragSessionDeleteReq,
  FragSessionSetupReqV1,
  FragSessionSetupReqV2,
  FragSessionStatusReq,
  fragmentation,
} from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McClassCSessionReq,
  McGroupDeleteReq,
  McGroupSetupReq,
  multicastSetup,
} from '../../../sim/lorawan/packages/ts005-multicast-setup.ts';
import {
  DevDeleteImageReq,
  firmwareManagement,
} from '../../../sim/lorawan/packages/ts006-firmware.ts';
import { Dialogue, type Packages, V2 } from '../../support/dialogue.ts';

const DESCRIPTOR = Uint8Array.of(1, 2, 0, 0);
const BLOCK = { fragIndex: 0, mcGroupBitMask: 1, nbFrag: 4, fragSize: 10, fragAlgo: 0 };
const USUAL_V1 = { ...BLOCK, blockAckDelay: 0, padding: 0, descriptor: DESCRIPTOR };

const setUp = (change: Partial<typeof USUAL_V1> = {}): Uint8Array =>
  FragSessionSetupReqV1.encode({ ...USUAL_V1, ...change });
const setUp2 = (sessionCnt: number, change: Partial<typeof USUAL_V1> = {}): Uint8Array =>
  FragSessionSetupReqV2.encode({
    ...USUAL_V1,
    ackReception: false,
    sessionCnt,
    mic: 7,
    ...change,
  });
const group = (mcGroupId: number): Uint8Array =>
  McGroupSetupReq.encode({
    mcGroupId,
    mcAddr: 0x01000000,
    mcKeyEncrypted: new Uint8Array(16),
    minMcFCount: 0,
    maxMcFCount: 100,
  });
const session = (dialogue: Dialogue, inS: number, change: object = {}): Uint8Array =>
  McClassCSessionReq.encode({
    mcGroupId: 0,
    sessionTime: dialogue.gpsIn(inS),
    timeOut: 4,
    dlFrequencyHz: 869_525_000,
    dr: 3,
    ...change,
  });
const fragments = (...numbers: readonly number[]): Uint8Array[] =>
  numbers.map((fragmentNumber) =>
    DataFragment.encode({ fragIndex: 0, fragmentNumber, fragment: new Uint8Array(10) }),
  );
const statusReq = FragSessionStatusReq.encode({ fragIndex: 0, participants: true });

/** The set of answers on a port. */
const SETS: Readonly<Record<number, readonly [CommandSet, CommandSet]>> = {
  200: [multicastSetup[1].uplink, multicastSetup[2].uplink],
  201: [fragmentation[1].uplink, fragmentation[2].uplink],
  203: [firmwareManagement[1].uplink, firmwareManagement[1].uplink],
};

interface Case {
  readonly answer: string;
  readonly bit: string;
  readonly version?: 1 | 2;
  readonly packages?: Packages;
  readonly port: 200 | 201 | 203;
  /** What is said before; then the command in question, with the bit and without. */
  readonly before?: (dialogue: Dialogue) => void;
  readonly wrong: (dialogue: Dialogue) => Uint8Array;
  readonly right: (dialogue: Dialogue) => Uint8Array;
}

const frag = (
  bit: string,
  wrong: Uint8Array,
  right: Uint8Array,
  more: Partial<Case> = {},
): Case => ({
  answer: 'FragSessionSetupAns',
  bit,
  port: 201 as const,
  wrong: () => wrong,
  right: () => right,
  ...more,
});
const multi = (
  bit: string,
  wrong: (d: Dialogue) => Uint8Array,
  more: Partial<Case> = {},
): Case => ({
  answer: 'McClassCSessionAns',
  bit,
  port: 200 as const,
  before: (dialogue) => {
    dialogue.setClock();
    dialogue.say(200, group(0));
  },
  wrong,
  right: (dialogue) => session(dialogue, 100),
  ...more,
});
/** One of four fragments got lost, and the coded one finds no room in the matrix. */
const forgetful: Packages = { decoder: { ...DECODERS.unlimited, maxLost: 0, inOrder: true } };
const send = (dialogue: Dialogue, ...numbers: readonly number[]): void => {
  for (const fragment of fragments(...numbers)) dialogue.say(201, fragment);
};

const CASES: readonly Case[] = [
  frag('encodingUnsupported', setUp({ fragAlgo: 1 }), setUp()),
  frag('encodingUnsupported', setUp({ nbFrag: 0 }), setUp()),
  frag('encodingUnsupported', setUp({ fragSize: 0 }), setUp()),
  frag('notEnoughMemory', setUp({ nbFrag: 22 }), setUp({ nbFrag: 21 }), {
    packages: { decoder: DECODERS['LoRaMac-node'] },
  }),
  frag('notEnoughMemory', setUp({ fragSize: 51 }), setUp({ fragSize: 50 }), {
    packages: { decoder: DECODERS['LoRaMac-node'] },
  }),
  frag('notEnoughMemory', setUp({ nbFrag: 101 }), setUp({ nbFrag: 100 }), {
    packages: { decoder: DECODERS.LBM },
  }),
  frag('notEnoughMemory', setUp({ fragIndex: 1 }), setUp(), {
    packages: { decoder: DECODERS.LBM },
    before: (dialogue) => void dialogue.say(201, setUp()),
  }),
  frag(
    'notEnoughMemory',
    setUp({ nbFrag: 2622, fragSize: 100 }),
    setUp({ nbFrag: 2621, fragSize: 100 }),
    {
      packages: { decoder: DECODERS['fuota-fragmentation-rs'] },
    },
  ),
  frag('indexNotSupported', setUp({ fragIndex: 2 }), setUp({ fragIndex: 1 }), {
    packages: { fragIndices: 2 },
  }),
  frag('wrongDescriptor', setUp({ descriptor: Uint8Array.of(9, 0, 0, 0) }), setUp(), {
    packages: { descriptors: [0x01020000] },
  }),
  frag('sessionCntReplay', setUp2(5), setUp2(6), {
    version: 2,
    before: (dialogue) => void dialogue.say(201, setUp2(5)),
  }),
  frag('encodingUnsupported', setUp2(1, { fragAlgo: 2 }), setUp2(1), { version: 2 }),
  {
    answer: 'FragSessionDeleteAns',
    bit: 'sessionDoesNotExist',
    port: 201,
    before: (dialogue) => void dialogue.say(201, setUp()),
    wrong: () => FragSessionDeleteReq.encode({ fragIndex: 1 }),
    right: () => FragSessionDeleteReq.encode({ fragIndex: 0 }),
  },
  {
    answer: 'FragSessionStatusAns',
    bit: 'sessionDoesNotExist',
    port: 201,
    version: 2,
    before: (dialogue) => void dialogue.say(201, setUp2(1)),
    wrong: () => FragSessionStatusReq.encode({ fragIndex: 1, participants: true }),
    right: () => statusReq,
  },
  {
    answer: 'FragSessionStatusAns',
    bit: 'notEnoughMatrixMemory',
    port: 201,
    packages: forgetful,
    before: (dialogue) => {
      dialogue.say(201, setUp());
      send(dialogue, 1, 2, 3);
    },
    wrong: (dialogue) => {
      send(dialogue, 5);
      return statusReq;
    },
    right: () => statusReq,
  },
  {
    answer: 'FragSessionStatusAns',
    bit: 'memoryError',
    port: 201,
    version: 2,
    packages: forgetful,
    before: (dialogue) => {
      dialogue.say(201, setUp2(1));
      send(dialogue, 1, 2, 3);
    },
    wrong: (dialogue) => {
      send(dialogue, 5);
      return statusReq;
    },
    right: () => statusReq,
  },
  {
    answer: 'FragSessionStatusAns',
    bit: 'micError',
    port: 201,
    version: 2,
    wrong: (dialogue) => {
      dialogue.say(201, setUp2(1));
      send(dialogue, 1, 2, 3, 4);
      return statusReq;
    },
    right: (dialogue) => {
      const mic = dialogue.mic(2, 0, 0x01020000, new Uint8Array(40));
      dialogue.say(201, setUp2(2, { mic } as object));
      send(dialogue, 1, 2, 3, 4);
      return statusReq;
    },
  },
  {
    answer: 'McGroupSetupAns',
    bit: 'idError',
    port: 200,
    packages: { mcGroups: 1 },
    wrong: () => group(1),
    right: () => group(0),
  },
  {
    answer: 'McGroupDeleteAns',
    bit: 'mcGroupUndefined',
    port: 200,
    before: (dialogue) => void dialogue.say(200, group(0)),
    wrong: () => McGroupDeleteReq.encode({ mcGroupId: 1 }),
    right: () => McGroupDeleteReq.encode({ mcGroupId: 0 }),
  },
  multi('drError', (dialogue) => session(dialogue, 100, { dr: 15 })),
  multi('freqError', (dialogue) => session(dialogue, 100, { dlFrequencyHz: 902_300_000 })),
  multi('mcGroupUndefined', (dialogue) => session(dialogue, 100, { mcGroupId: 1 })),
  multi('mcGroupUndefined', (dialogue) => session(dialogue, -100)),
  multi('mcGroupUndefined', (dialogue) => session(dialogue, -5), {
    packages: { stack: 'LoRaMac-node' },
  }),
  multi('startMissed', (dialogue) => session(dialogue, -5), { version: 2 }),
  multi('drError', (dialogue) => session(dialogue, 100, { dr: 15 }), { version: 2 }),
  {
    answer: 'DevDeleteImageAns',
    bit: 'errorNoValidImage',
    port: 203,
    packages: { imageActivation: 'onCommand' },
    wrong: () => DevDeleteImageReq.encode({ firmwareToDeleteVersion: 0x01020000 }),
    right: (dialogue) => {
      dialogue.say(201, setUp());
      send(dialogue, 1, 2, 3, 4);
      return DevDeleteImageReq.encode({ firmwareToDeleteVersion: 0x01020000 });
    },
  },
  {
    answer: 'DevDeleteImageAns',
    bit: 'errorInvalidVersion',
    port: 203,
    packages: { imageActivation: 'onCommand' },
    before: (dialogue) => {
      dialogue.say(201, setUp());
      send(dialogue, 1, 2, 3, 4);
    },
    wrong: () => DevDeleteImageReq.encode({ firmwareToDeleteVersion: 0x01030000 }),
    right: () => DevDeleteImageReq.encode({ firmwareToDeleteVersion: 0x01020000 }),
  },
];

/** The error bit in the only answer to a command. */
function bitAfter({ answer, bit, version = 1, port }: Case, heard: readonly string[]): unknown {
  const set = SETS[port]![version - 1]!;
  const answers = heard.flatMap((hex) => readCommands(set, fromHex(hex)).commands);
  expect(answers.map(({ name }) => name)).toEqual([answer]);
  return (answers[0]!.payload as Record<string, unknown>)[bit];
}

describe('an error bit', () => {
  it.each(CASES.map((one) => [one.answer, one.bit, one.version ?? 1, one] as const))(
    'of %s: %s (version %i) is set for its reason, and else not',
    (_, __, version, one) => {
      const dialogue = new Dialogue({ ...(version === 2 ? V2 : {}), ...one.packages });
      one.before?.(dialogue);
      expect(bitAfter(one, dialogue.say(one.port, one.wrong(dialogue)))).toBe(true);
      const other = new Dialogue({ ...(version === 2 ? V2 : {}), ...one.packages });
      one.before?.(other);
      expect(bitAfter(one, other.say(one.port, one.right(other)))).toBe(false);
    },
  );

  it('is in the table, whichever answer knows it', () => {
    const flags = [...Object.values(SETS)].flat().flatMap((set) =>
      Object.entries(set).flatMap(([name, { fields }]) =>
        Object.values(fields)
          .flatMap((field) => Object.entries((field as { ranges?: object }).ranges ?? {}))
          .filter(([, range]) => typeof range === 'number')
          .map(([bit]) => `${name} ${bit}`),
      ),
    );
    const shown = new Set(CASES.map(({ answer, bit }) => `${answer} ${bit}`));
    const others = ['McClassBSessionAns', 'FragDataBlockReceivedReq', 'McGroupStatusAns'];
    const missing = [...new Set(flags)].filter(
      (flag) => !shown.has(flag) && !others.includes(flag.split(' ')[0]!),
    );
    expect(flags.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});
