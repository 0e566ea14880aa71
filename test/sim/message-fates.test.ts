/** What became of messages (sim/network/uplink-passage.ts), beside what the trace shows of them. */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import type { Counts, TransmissionFate } from '../../sim/base/counts.ts';
import {
  eui,
  HOUR_US,
  MINUTE_US,
  networkOf,
  type Wanted,
  watch,
} from '../support/small-network.ts';

const LOSSY: Wanted = {
  devices: 6,
  type: { nbTrans: 3, frameLossPpm: 600_000, activation: 'otaa' },
  traffic: { meanUs: 2 * MINUTE_US },
};

/** Fates by device and counter: received once, or lost as the last transmission was. */
function fatesIn(trace: ReturnType<typeof watch>): Counts<string> {
  const sent = new Map<string, { readonly key: string; readonly isData: boolean }>();
  const messages = new Map<string, string>();
  for (const row of trace.rows) {
    if (row.kind === 'uplinkBegins') {
      const isData = Number.parseInt(row.phyPayload.slice(0, 2), 16) >> 5 !== 0;
      const key = `${row.device} ${row.counter}`;
      sent.set(`${row.device} ${row.frame}`, { key, isData });
    }
    if (row.kind !== 'uplinkEnds') continue;
    const { key, isData } = sent.get(`${row.device} ${row.frame}`)!;
    if (!isData || messages.get(key) === 'received') continue;
    const isReceived = row.gateways.some(({ fate }) => fate === 'received');
    messages.set(key, isReceived ? 'received' : 'frameLoss');
  }
  const counts: Record<string, number> = {};
  for (const fate of messages.values()) counts[fate] = (counts[fate] ?? 0) + 1;
  return counts;
}

const summed = (trace: ReturnType<typeof watch>): Counts<TransmissionFate> =>
  trace.world.result().devices.populations[0]!.messageFates!;

describe('the fate of a message', () => {
  it('is that of its last transmission, unless one of them was received', () => {
    const trace = watch(networkOf(LOSSY), 3 * HOUR_US);
    const fates = summed(trace);
    expect(fates).toEqual(fatesIn(trace));
    expect(fates.frameLoss).toBeGreaterThan(50);
    expect(fates.received).toBeGreaterThan(300);
  });

  it('of devices that are gone counts, too', () => {
    const gone = (number: number): TimedCommand => ({
      atUs: HOUR_US + number * MINUTE_US,
      command: { kind: 'device.remove', by: 'default', devEui: eui('02', number) },
    });
    const trace = watch(networkOf(LOSSY), 2 * HOUR_US, [1, 2, 3].map(gone));
    expect(summed(trace)).toEqual(fatesIn(trace));
  });
});
