/** A whole firmware update over multicast class C, as three implementations verified it. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { encodeFragments, FragmentDecoder } from '../../sim/lorawan/fragmentation-code.ts';
import { RankModel } from '../../sim/lorawan/fragmentation-rank.ts';
import { decodeFrame, encodeFrame } from '../../sim/lorawan/frame-codec.ts';
import { deriveMulticastKeys } from '../../sim/lorawan/keys.ts';
import { type CommandSet, readCommands } from '../../sim/lorawan/message.ts';
import { clockSync } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import { DataFragment, fragmentation } from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McGroupSetupReq,
  multicastSetup,
} from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { firmwareManagement } from '../../sim/lorawan/packages/ts006-firmware.ts';
import { fuotaSession } from '../support/fuota-session.ts';

const { unicast, multicast, genAppKey, sessions } = fuotaSession;

const session = sessions[0]!;
const PACKAGES_BY_PORT: Readonly<Record<number, Record<'uplink' | 'downlink', CommandSet>>> = {
  200: multicastSetup[1],
  201: fragmentation[1],
  202: clockSync[1],
  203: firmwareManagement[1],
};

describe('a firmware update', () => {
  it.each(session.frames)('sends $name', (row) => {
    const { nwkSKey, appSKey } = row.dir === 'down multicast' ? multicast : unicast;
    const phyPayload = fromHex(row.phyPayload);
    const decoded = decodeFrame(phyPayload, { nwkSKey, appSKey });
    if (!decoded.ok) throw new Error(decoded.failure.message);
    const { micOk, fPort, ...frame } = decoded.value;
    expect(micOk).toBe(true);
    expect([frame.fCnt, fPort, toHex(frame.frmPayload)]).toEqual([
      row.fCnt,
      row.fPort,
      row.frmPayload,
    ]);
    expect(encodeFrame({ ...frame, fPort: row.fPort }, { nwkSKey, appSKey })).toEqual(phyPayload);
    const set = PACKAGES_BY_PORT[row.fPort]![row.dir === 'up unicast' ? 'uplink' : 'downlink'];
    const run = readCommands(set, frame.frmPayload);
    expect(run.unreadBytes).toBe(0);
    expect(row.name.startsWith(run.commands[0]!.name)).toBe(true);
  });

  it('gives the group its keys', () => {
    const setup = session.frames.find((row) => row.name.startsWith('McGroupSetupReq'))!;
    const request = McGroupSetupReq.decode(fromHex(setup.frmPayload));
    if (!request.ok) throw new Error(request.failure.message);
    const { mcAddr, mcKeyEncrypted } = request.value;
    const keys = deriveMulticastKeys({
      version: '1.0',
      rootKey: genAppKey,
      mcKeyEncrypted,
      mcAddr,
    });
    expect(mcAddr).toBe(Number.parseInt(multicast.mcAddr, 16));
    expect(toHex(keys.mcKey)).toBe(multicast.mcKey);
    expect(toHex(keys.mcNwkSKey)).toBe(multicast.nwkSKey);
    expect(toHex(keys.mcAppSKey)).toBe(multicast.appSKey);
  });

  it('rebuilds the image at the fragment where the reference decoders do', () => {
    const { nbFrag, fragSize, padding, redundancy, lostN, decodedAfterN } = session;
    const image = fromHex(session.image);
    const sent = encodeFragments(1, image, fragSize, redundancy);
    const decoder = new FragmentDecoder(1, nbFrag, fragSize);
    const received = new Int32Array(1);
    let completeAfter = -1;
    for (const row of session.frames.filter((each) => each.dir === 'down multicast')) {
      const message = DataFragment.decode(fromHex(row.frmPayload));
      if (!message.ok) throw new Error(message.failure.message);
      const { fragmentNumber, fragment } = message.value;
      expect(fragment).toEqual(sent[fragmentNumber - 1]);
      if (lostN.includes(fragmentNumber)) continue;
      received[0]! |= 1 << (fragmentNumber - 1);
      if (decoder.complete) continue;
      if (decoder.add(fragmentNumber, fragment)) completeAfter = fragmentNumber;
    }
    expect(completeAfter).toBe(decodedAfterN);
    expect(decoder.received).toBe(session.nbFragReceivedWhenDecoded);
    expect(new RankModel(1, nbFrag).completesAt(received, 0, nbFrag + redundancy)).toBe(
      decodedAfterN,
    );
    const rebuilt = decoder.block()!.subarray(0, nbFrag * fragSize - padding);
    expect(rebuilt).toEqual(image);
    expect(createHash('sha256').update(rebuilt).digest('hex')).toBe(session.imageSha256);
  });
});
