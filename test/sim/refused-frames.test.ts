/** Frames that come back from a gateway: which of their payloads wait again, and which do not. */
import { describe, expect, it } from 'vitest';
import type { AppDownlink } from '../../sim/network-server/downlink-queue.ts';
import { DownlinkQueue } from '../../sim/network-server/downlink-queue.ts';
import { takeBackRefused } from '../../sim/network-server/refused-frames.ts';
import type { ServerSide } from '../../sim/network-server/server-side.ts';

const GATEWAY = 2;
const DELAY_US = 77;
const MOST_REFUSALS = 3;

/** A frame with counter 5, the latest to device 0, that carries a confirmed downlink. */
function refused() {
  const queue = new DownlinkQueue();
  const asked = { fPort: 1, payload: new Uint8Array(1), notBeforeUs: 0, confirmed: true };
  const carried = queue.push(0, { ...asked, id: 9, sender: { kind: 'campaign', id: 'spring' } });
  queue.hold(0, carried);
  const given: string[] = [];
  const column = (values: Record<string, number>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
  const r = column({ alive: 1, active: 1, minor: 0, aFCntDown: 90, fCntDown: 6, awaitsAck: 1 });
  const d = column({ registration: 0, counter: 5, downlinkId: 9, gateway: GATEWAY, frameSlot: 4 });
  const side = {
    queue,
    registrations: { column: r },
    downlinks: { column: d, give: (row: number) => given.push(`row ${row}`) },
    slots: { give: (slot: number) => given.push(`slot ${slot}`) },
    gateways: { faults: { delayUs: (gateway: number) => (gateway === GATEWAY ? DELAY_US : 0) } },
    tally: { putOff: (reason: string) => given.push(reason) },
    listener: {},
  } as unknown as ServerSide;
  const takeBack = (reason: 'tooLate' | 'collision' = 'collision') =>
    takeBackRefused(side, 0, reason, MOST_REFUSALS);
  return { queue, carried, given, r, d, takeBack };
}

type Refused = ReturnType<typeof refused>;

describe('the payload of a frame that comes back', () => {
  it.each([
    ['collision', 0],
    ['tooLate', DELAY_US],
  ] as const)('waits again, and has the gateway that refused it: %s', (reason, lateUs) => {
    const { carried, given, r, takeBack } = refused();
    expect(takeBack(reason)).toBe(true);
    expect(carried).toMatchObject({ tries: 0, refusals: 1, refusedBy: GATEWAY, lateUs });
    expect(r.awaitsAck).toEqual([0]);
    expect(given).toEqual([reason, 'slot 4', 'row 0']);
  });

  it('is known in 1.1 by the counter of the application', () => {
    const { r, d, takeBack } = refused();
    r.minor![0] = 1;
    expect(takeBack()).toBe(false);
    d.counter![0] = 89;
    expect(takeBack()).toBe(true);
  });

  it('waits again as often as it may be refused, and no more often', () => {
    const often = (carried: AppDownlink, count: number) => {
      carried.refusals = count;
    };
    const last = refused();
    often(last.carried, MOST_REFUSALS - 1);
    expect(last.takeBack()).toBe(true);
    const beyond = refused();
    often(beyond.carried, MOST_REFUSALS);
    expect(beyond.takeBack()).toBe(false);
  });

  it.each<[string, (refused: Refused) => void]>([
    ['the device is gone', ({ r }) => (r.alive = [0])],
    ['it has no session', ({ r }) => (r.active = [0])],
    ['a later frame was made', ({ r }) => (r.fCntDown = [7])],
    ['it has another session', ({ r }) => (r.fCntDown = [0])],
    ['it carries nothing of an application', ({ d }) => (d.downlinkId = [0])],
    ['its downlink has come to its end', ({ d }) => (d.downlinkId = [8])],
    ['that was the last try', ({ r }) => (r.awaitsAck = [0])],
  ])('does not wait again where %s', (_, change) => {
    const one = refused();
    change(one);
    expect(one.takeBack()).toBe(false);
    expect([one.given, one.carried.tries]).toEqual([[], 1]);
  });
});
