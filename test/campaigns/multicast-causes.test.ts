/** The precedence of the causes for which a device loses a multicast frame (ARCHITECTURE.md). */
import { describe, expect, it } from 'vitest';
import { groupReceiver } from '../../sim/device/group-receiver.ts';
import { multicastFate } from '../../sim/device/multicast-reception.ts';
import { McSessionState, NO_PING_SLOTS } from '../../sim/device/multicast-state.ts';
import type { AirCopy } from '../../sim/radio/air-row.ts';
import { Injector } from '../support/injector.ts';
import { networkOf, SECOND_US } from '../support/small-network.ts';

/** From the cause that precedes all others to the one that all others precede. */
const CAUSES = [
  'noBeacon',
  'notListening',
  'ownUplink',
  'lockedOnOther',
  'tooWeak',
  'frameLoss',
  'noise',
  'interfered',
] as const;
type Cause = (typeof CAUSES)[number];

const FREQUENCY_HZ = 869_525_000;
const DATA_RATE = 3;
const START_US = 100 * SECOND_US;
const AIRTIME_US = 200_000;

/**
 * What becomes of a frame at a device where all of these causes hold at once. `otherCentiDb`: how
 * far above what the device notices the frame is that it may be locked on, 1/100 dB.
 */
function fateWith(causes: ReadonlySet<Cause>, otherCentiDb = 3_000): string {
  const plan = networkOf({
    type: { frameLossPpm: causes.has('frameLoss') ? 1_000_000 : 0 },
    radio: {
      reception: { model: 'theory', implementationLossCentiDb: [0, 0, 0, 0, 0, 0] },
    },
  });
  const side = new Injector(plan).network.sides.device;
  const { column: g } = side.multicast.mcGroups;
  const group = side.multicast.mcGroups.take();
  g.device[group] = 0;
  g.mcAddr[group] = 0x1234;
  g.sessionState[group] = McSessionState.open;
  g.periodicity[group] = causes.has('noBeacon') ? 0 : NO_PING_SLOTS;
  g.sessionTimeS[group] = (side.gpsStartUs + START_US) / SECOND_US - 10;
  g.timeOut[group] = 8;
  g.opensAtUs[group] = causes.has('notListening') ? START_US + AIRTIME_US : 10 * SECOND_US;
  g.closesAtUs[group] = 10 * START_US;
  g.frequencyHz[group] = FREQUENCY_HZ;
  g.dataRate[group] = DATA_RATE;
  const { mcGroups, openClassCSessions } = side.column;
  g.next[group] = mcGroups[0];
  mcGroups[0] = group;
  openClassCSessions[0] = 1;
  const flights = side.uplinkAir.flights.column;
  flights.startsAtUs[0] = START_US + 1;
  flights.endsAtUs[0] = START_US + (causes.has('ownUplink') ? 2 : 1);

  const noticed = side.plan.deviceNoticesCentiDbm[DATA_RATE]!;
  const gain = side.downlinkAir.levels.centiDbm(0, 0, 0, 0);
  const sentAt = (startUs: number, level: number): AirCopy => ({
    gateway: 0,
    startUs,
    endUs: startUs + AIRTIME_US,
    eirpCentiDbm: level - gain,
    spreadingFactor: side.plan.spreadingFactor[DATA_RATE]!,
    bandwidthHz: side.plan.bandwidthHz[DATA_RATE]!,
    frequencyHz: FREQUENCY_HZ,
    frame: 0,
  });
  const strong = noticed + 3_000;
  const barely = causes.has('noise') ? noticed : strong;
  const copy = sentAt(START_US, causes.has('tooWeak') ? noticed - 1 : barely);
  const others = [
    ...(causes.has('lockedOnOther')
      ? [sentAt(START_US - AIRTIME_US / 2, noticed + otherCentiDb)]
      : []),
    ...(causes.has('interfered') ? [sentAt(START_US + 20_000, strong + 3_000)] : []),
  ];
  const bytes = new Uint8Array(20);
  const span = { startUs: copy.startUs, endUs: copy.endUs };
  const air = { mcAddr: 0x1234, bytes, copies: [copy], others, ...span };
  return multicastFate(side, groupReceiver(side, 0, group), air);
}

describe('the causes of a lost multicast frame', () => {
  it('have one precedence: of all that hold, the first of the list is the one', () => {
    for (let subset = 0; subset < 1 << CAUSES.length; subset++) {
      const held = CAUSES.filter((_, i) => (subset & (1 << i)) !== 0);
      expect(`${held}: ${fateWith(new Set(held))}`).toBe(`${held}: ${held[0] ?? 'heard'}`);
    }
  });

  it.each([
    ['at the level that the device notices', 0, 'lockedOnOther'],
    ['0.01 dB below it', -1, 'heard'],
  ])('have another frame that keeps the radio if it arrives %s', (_, otherCentiDb, fate) => {
    expect(fateWith(new Set(['lockedOnOther']), otherCentiDb)).toBe(fate);
  });
});
