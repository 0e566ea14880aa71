/** A campaign says what a whole firmware update says that three implementations verified. */
import { describe, expect, it } from 'vitest';
import {
  classCSessionReq,
  dataFragment,
  fragSetupReq,
  groupSetupReq,
  readAnswers,
  resyncReq,
  statusReq,
  timeAns,
  versionReq,
} from '../../core/update-service/campaigns/payloads.ts';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { sha256 } from '../../sim/base/sha256.ts';
import { FragmentDecoder } from '../../sim/lorawan/fragmentation-code.ts';
import { decodeFrame, encodeFrame } from '../../sim/lorawan/frame-codec.ts';
import { deriveMulticastKeys } from '../../sim/lorawan/keys.ts';
import { DataFragment } from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { type FrameRow, fuotaSession } from '../support/fuota-session.ts';
import { Bench, S } from './bench.ts';

const { unicast, multicast, genAppKey, sessions } = fuotaSession;

const update = sessions[0]!;
const mcAddr = Number.parseInt(multicast.mcAddr, 16);
const fragmentFrames = update.frames.filter(({ dir }) => dir === 'down multicast');

function frame(start: string): FrameRow {
  return update.frames.find(({ name }) => name.startsWith(start))!;
}

const mcKeyEncrypted = deriveMulticastKeys({
  version: '1.0',
  rootKey: genAppKey,
  mcKey: multicast.mcKey,
  mcAddr,
}).mcKeyEncrypted;

/** Our payload for each unicast frame of the update that a campaign sends. */
const PAYLOADS: readonly (readonly [string, Uint8Array])[] = [
  ['AppTimeAns', timeAns(7, 0)],
  ['McGroupSetupReq', groupSetupReq({ mcAddr, firstFCnt: 0 }, mcKeyEncrypted)],
  [
    'FragSessionSetupReq',
    fragSetupReq({
      fragIndex: 0,
      nbFrag: update.nbFrag,
      fragSize: update.fragSize,
      padding: update.padding,
      descriptor: Uint8Array.of(1, 2, 3, 4),
      blockAckDelay: 2,
    }),
  ],
  [
    'McClassCSessionReq',
    classCSessionReq({
      sessionTime: 1_388_534_400,
      timeOut: 8,
      frequencyHz: 869_525_000,
      dataRate: 3,
    }),
  ],
  ['FragSessionStatusReq', statusReq(0)],
];

describe('the payloads of a campaign', () => {
  it.each(PAYLOADS)('are those of the update: %s', (name, payload) => {
    const row = frame(name);
    expect(toHex(payload)).toBe(row.frmPayload);
    const devAddr = Number.parseInt(unicast.devAddr, 16);
    const { fCnt, fPort } = row;
    const ours = encodeFrame(
      { mType: 'UnconfirmedDataDown', devAddr, fCnt, fPort, frmPayload: payload },
      unicast,
    );
    expect(toHex(ours)).toBe(row.phyPayload);
  });

  it('join a correction and the next request for the time', () => {
    expect(toHex(resyncReq(null))).toBe('0301');
    expect(toHex(resyncReq({ seconds: -2, token: 5 }))).toBe('01feffffff050301');
    expect(toHex(versionReq())).toBe('01');
  });

  it('are read when the update answers', () => {
    const answers = update.frames
      .filter(({ dir }) => dir === 'up unicast')
      .flatMap(({ fPort, frmPayload }) => readAnswers(USUAL_PACKAGES, fPort, fromHex(frmPayload)));
    expect(answers.slice(0, 5).map(({ name }) => name)).toEqual([
      'AppTimeReq',
      'McGroupSetupAns',
      'FragSessionSetupAns',
      'McClassCSessionAns',
      'FragSessionStatusAns',
    ]);
    expect(answers[3]!.payload).toMatchObject({ timeToStart: 480 });
    expect(answers[4]!.payload).toMatchObject({ nbFragReceived: 13, missingFrag: 0 });
  });

  it('are none of ours on other ports, nor behind an unknown command', () => {
    expect(readAnswers(USUAL_PACKAGES, 10, Uint8Array.of(1, 2, 3))).toEqual([]);
    expect(readAnswers(USUAL_PACKAGES, -1, new Uint8Array(0))).toEqual([]);
    expect(readAnswers(USUAL_PACKAGES, 200, Uint8Array.of(2, 0, 99, 2, 0)).length).toBe(1);
  });

  it('may be several answers in one uplink', () => {
    const answers = readAnswers(USUAL_PACKAGES, 200, fromHex('02000400e00100'));
    expect(answers.map(({ name }) => name)).toEqual(['McGroupSetupAns', 'McClassCSessionAns']);
  });
});

describe('the campaign of the update', () => {
  const bench = new Bench();
  bench.add(1, () => ({
    clockErrorS: -7,
    newFwVersion: 0x01020304,
    losesFragment: (fragmentNumber) => update.lostN.includes(fragmentNumber),
  }));
  bench.upload('app-1.2.3.4.bin', fromHex(update.image));
  bench.group({ name: 'all', devices: [...bench.devices.keys()] });
  bench.campaign({
    image_name: 'app-1.2.3.4.bin',
    mcast_dr: 3,
    frag_size: update.fragSize,
    redundancy: 0.6,
    frag_send_delay: 5,
    mcast_session_timeout: 256,
    multicast_setup_time: 600,
    min_downlink_delay: 1,
  });
  const result = bench.finish();
  const device = bench.device('D000000000000001');

  it('corrects the clock, sets up the session and ends with the new version', () => {
    expect(result).toMatchObject({
      stage: 'FINISHED',
      success: 1,
      sent: 21,
      nbFrag: update.nbFrag,
      redundancy: update.redundancy,
      image: { sha256: update.imageSha256, bytes: 500 },
    });
    const requested = bench.log.flatMap(({ request }) =>
      request.kind === 'downlink' ? [toHex(request.payload)] : [],
    );
    for (const name of ['FragSessionSetupReq', 'FragSessionStatusReq']) {
      expect(requested).toContain(frame(name).frmPayload);
    }
    expect(requested).toContain(frame('AppTimeAns').frmPayload + '0301');
    const session = requested.find((hex) => hex.startsWith('0400'))!;
    expect(session.slice(12)).toBe(frame('McClassCSessionReq').frmPayload.slice(12));
  });

  it('sends the fragments of the update in its order, 5 s apart', () => {
    expect(bench.sends.map(({ request }) => toHex(request.payload))).toEqual(
      fragmentFrames.map(({ frmPayload }) => frmPayload),
    );
    expect(bench.sends.map(({ request }) => request.fCnt)).toEqual(
      fragmentFrames.map(({ fCnt }) => fCnt),
    );
    const starts = bench.sends.map(({ request }) => request.startsAtUs);
    expect(starts).toEqual(starts.map((_, i) => starts[0]! + 5 * i * S));
  });

  it('makes the very frames of the update, under its address and key', () => {
    bench.sends.forEach(({ request }, i) => {
      const { fCnt, fPort, payload } = request;
      const ours = encodeFrame(
        { mType: 'UnconfirmedDataDown', devAddr: mcAddr, fCnt, fPort, frmPayload: payload },
        multicast,
      );
      expect(toHex(ours)).toBe(fragmentFrames[i]!.phyPayload);
    });
  });

  it('is heard with losses, decrypted and rebuilt where the reference decoders complete', () => {
    const decoder = new FragmentDecoder(1, update.nbFrag, update.fragSize);
    let completeAfter = -1;
    for (const row of fragmentFrames) {
      const heard = decodeFrame(fromHex(row.phyPayload), multicast);
      if (!heard.ok) throw new Error(heard.failure.message);
      expect(heard.value.micOk).toBe(true);
      const message = DataFragment.decode(heard.value.frmPayload);
      if (!message.ok) throw new Error(message.failure.message);
      const { fragmentNumber, fragment } = message.value;
      expect(toHex(dataFragment(0, fragmentNumber, fragment))).toBe(row.frmPayload);
      if (update.lostN.includes(fragmentNumber) || decoder.complete) continue;
      if (decoder.add(fragmentNumber, fragment)) completeAfter = fragmentNumber;
    }
    expect(completeAfter).toBe(update.decodedAfterN);
    const image = decoder.block()!.subarray(0, update.nbFrag * update.fragSize - update.padding);
    expect(toHex(sha256(image))).toBe(update.imageSha256);
    expect(device.image).toBe(update.image);
    expect(device.decoder!.received).toBe(update.nbFragReceivedWhenDecoded);
  });
});
