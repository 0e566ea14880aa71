/** A LoRaWAN 1.1 device in a campaign: McRootKey comes from its AppKey (TS005-1.0.0 §4.3). */
import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { decodeFrame } from '../../sim/lorawan/frame-codec.ts';
import { runCampaign, takenBy, upTo, type WantedCampaign } from './notation.ts';

const type = { lorawan: '1.1', activation: 'otaa', deviceClass: 'C' } as const;
const WANTED: WantedCampaign = { type, traffic: { meanUs: 60_000_000 }, minutes: 40 };

const aes = (key: Buffer, block: Buffer): Buffer =>
  createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block);
/** A key derived from a constant, an address perhaps, and zeros. */
const derive = (key: Buffer, constant: number, address: Buffer = Buffer.alloc(0)): Buffer =>
  aes(key, Buffer.concat([Buffer.of(constant), address, Buffer.alloc(15 - address.length)]));
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** McAddr and encrypted McKey of the McGroupSetupReq that went to the device. */
function groupSetup(trace: ReturnType<typeof runCampaign>): { mcAddr: Buffer; mcKey: Buffer } {
  for (const { purpose, phyPayload, keys } of trace.of('downlinkPlanned')) {
    if (purpose !== 'data' || keys?.sNwkSIntKey === undefined) continue;
    const { appSKey, nwkSKey, sNwkSIntKey, nwkSEncKey } = keys;
    const session = { appSKey, fNwkSIntKey: nwkSKey, sNwkSIntKey, nwkSEncKey: nwkSEncKey! };
    const frame = decodeFrame(Uint8Array.from(hex(phyPayload)), session);
    if (!frame.ok || frame.value.fPort !== 200 || frame.value.frmPayload[0] !== 2) continue;
    const payload = Buffer.from(frame.value.frmPayload);
    return { mcAddr: payload.subarray(2, 6), mcKey: payload.subarray(6, 22) };
  }
  throw new Error('no McGroupSetupReq was sent');
}

describe('a campaign for a 1.1 device', () => {
  const real = runCampaign({ ...WANTED, frames: 'real' });

  it('reaches it: it takes every fragment and runs the image', () => {
    expect(takenBy(real, 'meter-1')).toEqual(upTo(20));
    expect(real.of('imageActivated')).toHaveLength(1);
  });

  it('wraps McKey by McKEKey of E(AppKey, 20 | 0…), and sends by the keys of McKey', () => {
    const appKey = hex(real.of('deviceStarts')[0]!.appKey);
    const { mcAddr, mcKey } = groupSetup(real);
    const mcKEKey = derive(derive(appKey, 0x20), 0);
    const plain = aes(mcKEKey, mcKey);
    const sent = real.of('downlinkPlanned').filter(({ purpose }) => purpose === 'multicast');
    expect(sent).toHaveLength(20);
    for (const { keys } of sent) {
      expect(keys).toMatchObject({
        appSKey: derive(plain, 1, mcAddr).toString('hex'),
        nwkSKey: derive(plain, 2, mcAddr).toString('hex'),
      });
    }
  });

  it('produces the same in counted frames', () => {
    const counted = runCampaign({ ...WANTED, frames: 'counted' });
    expect(counted.world.digest().outcome).toBe(real.world.digest().outcome);
    expect(takenBy(counted, 'meter-1')).toEqual(upTo(20));
  });

  it('keeps every law', () => {
    expect(judge(real.rows, real.world.plan.network)).toEqual({});
  });
});
