/** What an uplink says of downlinks that were on the air before it (LoRaWAN 1.0.4 §4.3.1.2). */
import { describe, expect, it } from 'vitest';
import { noteAnswer } from '../../sim/network-server/downlink-fates.ts';
import { type AppDownlink, DownlinkQueue } from '../../sim/network-server/downlink-queue.ts';
import type { ServerSide } from '../../sim/network-server/server-side.ts';

/** An uplink from 100 to 200 µs. */
const ANSWER = { beganAtUs: 100, endedAtUs: 200, fCnt: 7, fPort: 3, ack: false };

/** A downlink that has left its line: its first and last frame began then. */
function leftWith(confirmed: boolean, firstBeganUs: number, lastBeganUs = firstBeganUs) {
  const queue = new DownlinkQueue();
  const asked = { fPort: 1, payload: new Uint8Array(1), notBeforeUs: 0, confirmed };
  const sender = { kind: 'campaign', id: 'spring' } as const;
  const downlink = queue.push(0, { ...asked, id: 9, sender }) as AppDownlink;
  queue.leave(0, downlink);
  Object.assign(downlink, { firstBeganUs, lastBeganUs, underway: false });
  const news: string[] = [];
  const side = {
    queue,
    registrations: {
      column: { awaitsAck: [0] },
      identities: { of: () => ({ devEui: '0200000000000001' }) },
    },
    listener: {
      onDownlink: ({ what }: { what: { kind: string; reason?: string } }) =>
        news.push(what.reason ?? what.kind),
    },
  } as unknown as ServerSide;
  const answer = (more: Partial<typeof ANSWER> = {}) => {
    noteAnswer(side, 0, { ...ANSWER, ...more });
    return [[...news], queue.left(0).length];
  };
  return { downlink, answer };
}

describe('a downlink that is sent once', () => {
  it('is answered by the first uplink that ends after it began, and then forgotten', () => {
    expect(leftWith(false, 199).answer()).toEqual([['answered'], 0]);
    expect(leftWith(false, 200).answer()).toEqual([[], 1]);
  });

  it('is forgotten when it is answered, while a frame of it is underway', () => {
    const { downlink, answer } = leftWith(false, 50);
    downlink.underway = true;
    expect(answer()).toEqual([['answered'], 0]);
  });
});

describe('a confirmed downlink after its last try', () => {
  it('is acknowledged by an uplink that began after its first frame', () => {
    expect(leftWith(true, 99).answer({ ack: true })).toEqual([['answered', 'acknowledged'], 0]);
  });

  it('is never acknowledged, as an uplink says that came after its last frame', () => {
    const never = [['answered', 'neverAcknowledged'], 0];
    expect(leftWith(true, 50, 199).answer()).toEqual(never);
    expect(leftWith(true, 150).answer({ ack: true })).toEqual(never);
  });

  it('waits for another uplink where its last frame began later, or is underway', () => {
    expect(leftWith(true, 50, 200).answer()).toEqual([['answered'], 1]);
    const { downlink, answer } = leftWith(true, 50, 60);
    downlink.underway = true;
    expect(answer()).toEqual([['answered'], 1]);
    downlink.underway = false;
    expect(answer({ beganAtUs: 300, endedAtUs: 400 })).toEqual([
      ['answered', 'neverAcknowledged'],
      0,
    ]);
  });
});
