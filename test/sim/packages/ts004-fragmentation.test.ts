/** TS004 on the device, beyond its error bits (docs/standard.md, Fragmentation). */
import { describe, expect, it } from 'vitest';
import { toHex } from '../../../sim/base/bytes.ts';
import { DECODERS } from '../../../sim/lorawan/decoder-rules.ts';
import { encodeFragments } from '../../../sim/lorawan/fragmentation-code.ts';
import { PackageVersionReq } from '../../../sim/lorawan/packages/package-version.ts';
import {
  DataFragment,
  FragDataBlockReceivedAns,
  FragSessionDeleteReq,
  FragSessionSetupReqV1,
  FragSessionSetupReqV2,
  FragSessionStatusReq,
} from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import { Dialogue, type Packages, V2 } from '../../support/dialogue.ts';
import { SECOND_US } from '../../support/small-network.ts';

const PORT = 201;
const DESCRIPTOR = 0x01020000;
const BLOCK = Uint8Array.from({ length: 77 }, (_, i) => i * 11 + 3);
const PADDING = 3;

interface Set2 {
  readonly sessionCnt?: number;
  readonly mic?: number;
  readonly ackReception?: boolean;
  readonly blockAckDelay?: number;
}

/** 8 fragments of 10 bytes. */
const setUp = {
  fragIndex: 0,
  mcGroupBitMask: 1,
  nbFrag: 8,
  fragSize: 10,
  fragAlgo: 0,
  padding: PADDING,
  blockAckDelay: 0,
  descriptor: Uint8Array.of(1, 2, 0, 0),
};
const setUp1 = (): Uint8Array => FragSessionSetupReqV1.encode(setUp);
const setUp2 = (dialogue: Dialogue, change: Set2 = {}): Uint8Array => {
  const { sessionCnt = 1 } = change;
  const mic = dialogue.mic(sessionCnt, 0, DESCRIPTOR, BLOCK);
  return FragSessionSetupReqV2.encode({
    ...setUp,
    ackReception: false,
    sessionCnt,
    mic,
    ...change,
  });
};

const fragment = (version: 1 | 2, fragmentNumber: number): Uint8Array =>
  DataFragment.encode({
    fragIndex: 0,
    fragmentNumber,
    fragment: encodeFragments(version, BLOCK, 10, 40)[fragmentNumber - 1]!,
  });
const send = (dialogue: Dialogue, version: 1 | 2, ...numbers: readonly number[]): void => {
  for (const number of numbers) dialogue.say(PORT, fragment(version, number));
};
const status = (participants = true): Uint8Array =>
  FragSessionStatusReq.encode({ fragIndex: 0, participants });
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('PackageVersionReq', () => {
  it('is answered by identifier and version on the port of the package', () => {
    for (const [port, id] of [
      [200, 2],
      [201, 3],
      [202, 1],
      [203, 4],
    ] as const) {
      const request = PackageVersionReq.encode({});
      expect(new Dialogue().say(port, request)).toEqual([`000${id}01`]);
      const two = port === 203 ? 1 : 2;
      expect(new Dialogue(V2).say(port, request)).toEqual([`000${id}0${two}`]);
    }
  });

  it('is heard on the port that the device has it on, and on no other', () => {
    const packages: Packages = { fragmentation: { version: 1, fPort: 77 } };
    const request = PackageVersionReq.encode({});
    expect(new Dialogue(packages).say(77, request)).toEqual(['000301']);
    expect(new Dialogue(packages).say(201, request)).toEqual([]);
  });
});

describe('FragSessionStatusReq', () => {
  it('is not answered in version 1 where there is no session', () => {
    expect(new Dialogue().say(PORT, status())).toEqual([]);
  });

  it('reports SessionDoesNotExist in version 2, and nothing after it', () => {
    expect(new Dialogue(V2).say(PORT, status())).toEqual(['0104']);
  });

  it('counts repetitions as received, and as missing what is neither received nor rebuilt', () => {
    const dialogue = new Dialogue();
    dialogue.say(PORT, setUp1());
    send(dialogue, 1, 1, 2, 2, 2);
    // NbFragReceived 4, MissingFrag 6, Status 0.
    expect(dialogue.say(PORT, status())).toEqual(['0104000600']);
  });

  it('is answered by a complete device only when all participants are asked', () => {
    const dialogue = new Dialogue();
    dialogue.say(PORT, setUp1());
    send(dialogue, 1, ...upTo(8));
    expect(dialogue.say(PORT, status(false))).toEqual([]);
    expect(dialogue.say(PORT, status(true))).toEqual(['0108000000']);
    // Once rebuilt, further fragments are dropped.
    send(dialogue, 1, 9);
    expect(dialogue.say(PORT, status(true))).toEqual(['0108000000']);
  });

  it('is judged by the last number alone in LoRaMac-node', () => {
    const dialogue = new Dialogue({ stack: 'LoRaMac-node' });
    dialogue.say(PORT, setUp1());
    send(dialogue, 1, 7);
    expect(dialogue.say(PORT, status())).toEqual(['0101000100']);
  });
});

describe('DataFragment', () => {
  it('counts only as the one command of its message', () => {
    const dialogue = new Dialogue();
    dialogue.say(PORT, setUp1());
    dialogue.say(PORT, PackageVersionReq.encode({}), fragment(1, 1));
    expect(dialogue.say(PORT, status())).toEqual(['0100000800']);
  });

  it('of another size is dropped', () => {
    const dialogue = new Dialogue();
    dialogue.say(PORT, setUp1());
    const short = { fragIndex: 0, fragmentNumber: 1, fragment: new Uint8Array(9) };
    dialogue.say(PORT, DataFragment.encode(short));
    expect(dialogue.say(PORT, status())).toEqual(['0100000800']);
  });

  it('that comes late is counted but not used by a decoder that wants order', () => {
    const dialogue = new Dialogue({ decoder: DECODERS['LoRaMac-node'] });
    dialogue.say(PORT, setUp1());
    send(dialogue, 1, 1, 2, 4, 3);
    expect(dialogue.say(PORT, status())).toEqual(['0104000500']);
  });
});

describe('a block of version 2', () => {
  it('is rebuilt from coded fragments of version 2 and found intact', () => {
    const dialogue = new Dialogue(V2);
    dialogue.say(PORT, setUp2(dialogue));
    send(dialogue, 2, 1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 13, 14);
    const [answer] = dialogue.say(PORT, status());
    expect(answer).toMatch(/^0100..0000$/);
    expect(dialogue.bench.blocks.map(({ block }) => toHex(block))).toEqual([toHex(BLOCK)]);
    dialogue.wait(11, PORT);
    expect(dialogue.fwVersion).toBe(DESCRIPTOR);
  });

  it('of fragments of version 1 is rebuilt wrongly, and its MIC shows it', () => {
    const dialogue = new Dialogue(V2);
    dialogue.say(PORT, setUp2(dialogue));
    send(dialogue, 1, 1, 2, 3, ...upTo(30).slice(8));
    const [answer] = dialogue.say(PORT, status());
    // Status: MICError; nothing is missing.
    expect(answer).toMatch(/^0102....00$/);
    dialogue.wait(11, PORT);
    expect(dialogue.fwVersion).toBe(0x01000000);
  });

  it('has the same fate with frames in clear and encrypted', () => {
    const heard = (['real', 'counted'] as const).map((frames) => {
      const dialogue = new Dialogue(V2, { frames });
      dialogue.say(PORT, setUp2(dialogue, { ackReception: true }));
      send(dialogue, 2, 1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 13, 14);
      dialogue.say(PORT, setUp2(dialogue, { sessionCnt: 2, mic: 99 }));
      send(dialogue, 2, ...upTo(8));
      dialogue.say(PORT, status());
      return [dialogue.bench.heard, dialogue.bench.outcome()];
    });
    expect(heard[0]).toEqual(heard[1]);
  });

  it('is set up anew by a higher SessionCnt only, session or none', () => {
    const dialogue = new Dialogue(V2);
    const answers = [3, 3, 4].map((sessionCnt) =>
      dialogue.say(PORT, setUp2(dialogue, { sessionCnt })),
    );
    dialogue.say(PORT, FragSessionDeleteReq.encode({ fragIndex: 0 }));
    answers.push(dialogue.say(PORT, setUp2(dialogue, { sessionCnt: 4 })));
    expect(answers).toEqual([['0200'], ['0210'], ['0200'], ['0210']]);
  });
});

describe('AckReception', () => {
  const acknowledged = (change: Set2, seed = 'bench') => {
    const dialogue = new Dialogue(V2, {}, seed);
    dialogue.say(PORT, setUp2(dialogue, { ackReception: true, ...change }));
    send(dialogue, 2, ...upTo(8));
    return dialogue;
  };

  it('has the device report the block within 2^(BlockAckDelay+4) s, until answered', () => {
    const dialogue = acknowledged({});
    const first = dialogue.wait(16, PORT);
    const before = [...dialogue.bench.heard];
    expect(before.filter(({ hex }) => hex === '0400').length).toBeGreaterThan(0);
    expect(first.every((hex) => hex === '0400')).toBe(true);
    const later = dialogue.wait(200, PORT);
    expect(later.length).toBeGreaterThanOrEqual(5);
    expect(new Set(later)).toEqual(new Set(['0400']));
    dialogue.say(PORT, FragDataBlockReceivedAns.encode({ fragIndex: 0 }));
    expect(dialogue.wait(200, PORT)).toEqual([]);
  });

  it('spreads devices over the whole delay', () => {
    const pauses = Array.from({ length: 40 }, (_, i) => i).flatMap((i) => {
      const dialogue = acknowledged({ blockAckDelay: 1 }, `${i}`);
      dialogue.wait(40, PORT);
      const { trace, heard } = dialogue.bench;
      const done = trace.of('fragmentTaken').find(({ completes }) => completes);
      const reported = heard.find(({ hex }) => hex === '0400');
      // A device that was just sending may have missed a fragment.
      if (done === undefined || reported === undefined) return [];
      return [(reported.endedAtUs - done.receivedAtUs) / SECOND_US];
    });
    expect(pauses.length).toBeGreaterThan(15);
    expect(Math.min(...pauses)).toBeLessThan(8);
    expect(Math.max(...pauses)).toBeGreaterThan(24);
    // An uplink of its own may come first.
    expect(Math.max(...pauses)).toBeLessThan(38);
  });

  it('reports a wrong MIC too', () => {
    const dialogue = acknowledged({ mic: 1 });
    dialogue.wait(40, PORT);
    expect(dialogue.bench.heard.some(({ hex }) => hex === '0404')).toBe(true);
  });

  it('ends with the session', () => {
    const dialogue = acknowledged({ blockAckDelay: 2 });
    dialogue.say(PORT, FragSessionDeleteReq.encode({ fragIndex: 0 }));
    expect(dialogue.wait(300, PORT)).toEqual([]);
  });
});
