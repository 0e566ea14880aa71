/**
 * A ping slot after the answer to an uplink (sim/network-server/class-b.ts): the gateway needs its
 * lead time and some slack between the two frames.
 */
import { describe, expect, it } from 'vitest';
import { EventKind } from '../../sim/events.ts';
import { carryOut } from '../../sim/network/requests.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import { Injector } from '../support/injector.ts';
import { MINUTE_US, SECOND_US } from '../support/small-network.ts';

/** A frame is made so long before its slot. */
const AHEAD_US = 2 * SECOND_US;
const SLACK_US = 10_000;
/** The device is in class B by then, and its latest uplink was minutes ago. */
const NOW_US = 25 * MINUTE_US;

/** The slot of a downlink that is queued now; `answerUntilUs`: the answer is on the air so long. */
function slotAfter(answerUntilUs: (leadTimeUs: number) => number): number {
  const plan = classBNetwork();
  const injector = new Injector(plan);
  const { network, agenda } = injector;
  injector.runUntil(NOW_US);
  const { server } = network.sides;
  expect(server.classB.isActive(0)).toBe(true);
  const { leadTimeUs } = server.gateways.stations[0]!;
  server.registrations.column.answerUntilUs[0] = answerUntilUs(leadTimeUs);
  const { devEui } = plan.devices[0]!;
  const sender = { kind: 'application', id: '' } as const;
  const payload = Uint8Array.of(1);
  carryOut(network, { kind: 'downlink', id: 1, sender, devEui, fPort: 1, payload }, NOW_US);
  // The server looks at a queue a microsecond after something came into it.
  injector.runUntil(NOW_US + 1);
  return agenda.dueUs(EventKind.classBDue, 0) + AHEAD_US;
}

describe('a ping slot after an answer', () => {
  const slotUs = slotAfter(() => NOW_US + MINUTE_US);

  it('is the first one that leaves the gateway its lead time and 10 ms', () => {
    expect(slotUs).toBeGreaterThan(NOW_US + MINUTE_US);
    expect(slotAfter((leadTimeUs) => slotUs - leadTimeUs - SLACK_US)).toBe(slotUs);
  });

  it('is a later one where a microsecond of that is missing', () => {
    expect(slotAfter((leadTimeUs) => slotUs - leadTimeUs - SLACK_US + 1)).toBeGreaterThan(slotUs);
  });
});
