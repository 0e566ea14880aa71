/** TS006 on the device: versions, reboots, the image that waits (TS006-1.0.0 §3). */
import { describe, expect, it } from 'vitest';
import {
  DataFragment,
  FragSessionSetupReqV1,
  FragSessionSetupReqV2,
  FragSessionStatusReq,
} from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McClassCSessionReq,
  McGroupSetupReq,
  McGroupStatusReq,
} from '../../../sim/lorawan/packages/ts005-multicast-setup.ts';
import {
  DevDeleteImageReq,
  DevRebootCountdownReq,
  DevRebootTimeReq,
  DevUpgradeImageReq,
  DevVersionReq,
  REBOOT_COUNTDOWN_CANCEL,
  REBOOT_TIME_CANCEL,
} from '../../../sim/lorawan/packages/ts006-firmware.ts';
import { Dialogue, type Packages, V2 } from '../../support/dialogue.ts';

const PORT = 203;
const ON_COMMAND: Packages = { imageActivation: 'onCommand' };
const setUp = {
  fragIndex: 0,
  mcGroupBitMask: 1,
  nbFrag: 2,
  fragSize: 10,
  fragAlgo: 0,
  padding: 0,
  blockAckDelay: 0,
  descriptor: Uint8Array.of(1, 2, 0, 0),
};
const IMAGE_VERSION = 0x01020000;

/** A device that has a whole block. */
function updated(packages: Packages = ON_COMMAND): Dialogue {
  const dialogue = new Dialogue(packages);
  dialogue.say(201, FragSessionSetupReqV1.encode(setUp));
  sendBlock(dialogue);
  return dialogue;
}

function sendBlock(dialogue: Dialogue): void {
  for (const fragmentNumber of [1, 2]) {
    const fragment = new Uint8Array(10).fill(fragmentNumber);
    dialogue.say(201, DataFragment.encode({ fragIndex: 0, fragmentNumber, fragment }));
  }
}

const rebootIn = (countdown: number) => DevRebootCountdownReq.encode({ countdown });
const upgrade = DevUpgradeImageReq.encode({});

describe('DevVersionReq', () => {
  it('is answered by firmware and hardware', () => {
    expect(new Dialogue().say(PORT, DevVersionReq.encode({}))).toEqual(['010000000100000001']);
  });
});

describe('DevUpgradeImageReq', () => {
  it('reports that there is no image', () => {
    expect(new Dialogue(ON_COMMAND).say(PORT, upgrade)).toEqual(['0400']);
  });

  it('reports a valid image with its version', () => {
    expect(updated().say(PORT, upgrade)).toEqual(['040300000201']);
  });

  it('reports an image for other hardware, which no reboot brings', () => {
    const dialogue = updated({ ...ON_COMMAND, foreignDescriptors: [IMAGE_VERSION] });
    expect(dialogue.say(PORT, upgrade)).toEqual(['0402']);
    dialogue.say(PORT, rebootIn(0));
    expect(dialogue.fwVersion).toBe(0x01000000);
  });

  it('reports an image whose MIC is wrong', () => {
    const dialogue = new Dialogue({ ...V2, ...ON_COMMAND });
    const wrong = { ...setUp, ackReception: false, sessionCnt: 0, mic: 5 };
    dialogue.say(201, FragSessionSetupReqV2.encode(wrong));
    sendBlock(dialogue);
    expect(dialogue.say(PORT, upgrade)).toEqual(['0401']);
  });
});

describe('DevDeleteImageReq', () => {
  it('takes the image away', () => {
    const dialogue = updated();
    const request = DevDeleteImageReq.encode({ firmwareToDeleteVersion: IMAGE_VERSION });
    expect(dialogue.say(PORT, request)).toEqual(['0500']);
    expect(dialogue.say(PORT, upgrade)).toEqual(['0400']);
    expect(dialogue.say(PORT, request)).toEqual(['0501']);
  });

  it('stops an activation that would come by itself', () => {
    const dialogue = updated({});
    const request = DevDeleteImageReq.encode({ firmwareToDeleteVersion: IMAGE_VERSION });
    expect(dialogue.say(PORT, request)).toEqual(['0500']);
    dialogue.wait(30, PORT);
    expect(dialogue.fwVersion).toBe(0x01000000);
  });
});

describe('DevRebootCountdownReq', () => {
  it('brings the image after that many seconds, and no sooner', () => {
    const dialogue = updated();
    expect(dialogue.say(PORT, rebootIn(60))).toEqual(['033c0000']);
    dialogue.wait(48, PORT);
    expect(dialogue.fwVersion).toBe(0x01000000);
    dialogue.wait(12, PORT);
    expect(dialogue.fwVersion).toBe(IMAGE_VERSION);
    expect(dialogue.say(PORT, upgrade)).toEqual(['0400']);
  });

  it('of zero reboots now, without an answer', () => {
    const dialogue = updated();
    expect(dialogue.say(PORT, rebootIn(0))).toEqual([]);
    expect(dialogue.fwVersion).toBe(IMAGE_VERSION);
  });

  it('of all ones takes a reboot back', () => {
    const dialogue = updated();
    dialogue.say(PORT, rebootIn(60));
    expect(dialogue.say(PORT, rebootIn(REBOOT_COUNTDOWN_CANCEL))).toEqual(['03ffffff']);
    dialogue.wait(100, PORT);
    expect(dialogue.fwVersion).toBe(0x01000000);
  });
});

describe('DevRebootTimeReq', () => {
  const at = (rebootTime: number) => DevRebootTimeReq.encode({ rebootTime: rebootTime >>> 0 });

  it('is refused with 0 by a device whose clock was never set', () => {
    const dialogue = updated();
    expect(dialogue.say(PORT, at(dialogue.gpsIn(60)))).toEqual(['0200000000']);
  });

  it('is refused with 0 for a time that is past', () => {
    const dialogue = updated();
    dialogue.setClock();
    expect(dialogue.say(PORT, at(dialogue.gpsIn(-60)))).toEqual(['0200000000']);
  });

  it('is answered by the seconds that are left, and reboots then', () => {
    const dialogue = updated();
    dialogue.setClock();
    const [answer] = dialogue.say(PORT, at(dialogue.gpsIn(60)));
    expect(Buffer.from(answer!, 'hex').readUInt32LE(1)).toBeGreaterThanOrEqual(55);
    expect(Buffer.from(answer!, 'hex').readUInt32LE(1)).toBeLessThanOrEqual(60);
    dialogue.wait(50, PORT);
    expect(dialogue.fwVersion).toBe(0x01000000);
    dialogue.wait(5, PORT);
    expect(dialogue.fwVersion).toBe(IMAGE_VERSION);
  });

  it('of all ones takes a reboot back', () => {
    const dialogue = updated();
    dialogue.say(PORT, rebootIn(60));
    expect(dialogue.say(PORT, at(REBOOT_TIME_CANCEL))).toEqual(['02ffffffff']);
    dialogue.wait(100, PORT);
    expect(dialogue.fwVersion).toBe(0x01000000);
  });

  it('of zero reboots now, without an answer', () => {
    const dialogue = updated();
    expect(dialogue.say(PORT, at(0))).toEqual([]);
    expect(dialogue.fwVersion).toBe(IMAGE_VERSION);
  });
});

describe('a reboot on command', () => {
  it('loses sessions and incomplete blocks, keeps groups and the LoRaWAN session', () => {
    const dialogue = new Dialogue(ON_COMMAND);
    dialogue.setClock();
    const group = { mcGroupId: 0, mcAddr: 0x01020304, mcKeyEncrypted: new Uint8Array(16) };
    dialogue.say(200, McGroupSetupReq.encode({ ...group, minMcFCount: 0, maxMcFCount: 9 }));
    const session = { mcGroupId: 0, sessionTime: dialogue.gpsIn(60), timeOut: 5 };
    dialogue.say(200, McClassCSessionReq.encode({ ...session, dlFrequencyHz: 869525000, dr: 3 }));
    dialogue.say(201, FragSessionSetupReqV1.encode(setUp));
    dialogue.say(PORT, rebootIn(0));
    const status = FragSessionStatusReq.encode({ fragIndex: 0, participants: true });
    expect(dialogue.say(201, status)).toEqual([]);
    const groups = McGroupStatusReq.encode({ reqGroupMask: 15 });
    expect(dialogue.say(200, groups)).toEqual(['0111' + '00' + '04030201']);
    dialogue.wait(120, 200);
    expect(dialogue.bench.trace.of('multicastSessionOpens')).toEqual([]);
  });
});
