/** A class C device hears the acknowledgement outside its windows (LoRaWAN 1.0.4 §4.3.1.4). */
import { describe, expect, it } from 'vitest';
import { NEVER } from '../../sim/device/device-table.ts';
import { onHeardOutsideWindows } from '../../sim/device/mac.ts';
import { Injector } from '../support/injector.ts';
import { MINUTE_US, networkOf, SECOND_US } from '../support/small-network.ts';

/** A device whose confirmed message nobody has heard: it waits to be sent a second time. */
function waiting() {
  const injector = new Injector(
    networkOf({
      gatewaysAt: [1e6],
      type: { deviceClass: 'C' },
      traffic: { meanUs: 10 * MINUTE_US, confirmedPpm: 1e6 },
    }),
  );
  const side = injector.network.sides.device;
  const c = side.column;
  const sent = () => injector.observer.of('uplinkBegins').length;
  while (sent() === 0) injector.runUntil(injector.agenda.nowUs + SECOND_US / 10);
  while (c.transmitDueAtUs[0] === NEVER) injector.runUntil(injector.agenda.nowUs + SECOND_US / 100);
  expect([sent(), c.attempts[0]]).toEqual([1, 1]);
  return { injector, side, c, sent };
}

/** What is sent within the minute after a frame came outside the windows. */
function sentAfter({ injector, side, sent }: ReturnType<typeof waiting>): number {
  onHeardOutsideWindows(side, 0, injector.agenda.nowUs);
  injector.runUntil(injector.agenda.nowUs + MINUTE_US);
  return sent() - 1;
}

describe('a message that waits to be sent again', () => {
  it('is not, once it is acknowledged', () => {
    const one = waiting();
    one.c.acknowledged[0] = 1;
    expect(sentAfter(one)).toBe(0);
    expect([one.c.confirmedAcknowledged[0], one.c.confirmedFailed[0]]).toEqual([1, 0]);
  });

  it('is, when the frame acknowledges nothing', () => {
    const one = waiting();
    expect(sentAfter(one)).toBeGreaterThan(0);
    expect(one.c.confirmedAcknowledged[0]).toBe(0);
  });

  it('is, when it asked for no acknowledgement', () => {
    const one = waiting();
    one.c.acknowledged[0] = 1;
    one.c.confirmed[0] = 0;
    onHeardOutsideWindows(one.side, 0, one.injector.agenda.nowUs);
    expect(one.c.transmitDueAtUs[0]).not.toBe(NEVER);
  });

  it('is, when it was never sent before', () => {
    const one = waiting();
    one.c.acknowledged[0] = 1;
    one.c.attempts[0] = 0;
    onHeardOutsideWindows(one.side, 0, one.injector.agenda.nowUs);
    expect(one.c.transmitDueAtUs[0]).not.toBe(NEVER);
  });
});
