/** Notation for class B: devices that follow the beacon of one gateway with GPS time. */
import type { TimedCommand } from '../../core/command.ts';
import type { NetworkPlan } from '../../sim/network-plan.ts';
import type { TraceRow } from '../../sim/observer.ts';
import { MINUTE_US, networkOf, type Trace, type Wanted } from './small-network.ts';

/** 2026-01-01, a multiple of 128 s of GPS time plus 18 s. */
const START_UNIX_MS = 1_767_225_600_000;

/** Class B devices with clocks of up to 20 ppm that speak every ten minutes. */
export const classBNetwork = (wanted: Wanted = {}): NetworkPlan => ({
  ...networkOf({
    ...wanted,
    type: { deviceClass: 'B', pingSlotPeriodicity: 4, driftPpb: 20_000, ...wanted.type },
    gateway: { gps: true, ...wanted.gateway },
    traffic: { meanUs: 10 * MINUTE_US, ...wanted.traffic },
  }),
  startUnixMs: START_UNIX_MS,
});

/** An application downlink of one byte to the first device. */
export function downlinkAt(
  atUs: number,
  { devices }: NetworkPlan,
  confirmed = false,
): TimedCommand {
  const { devEui } = devices[0]!;
  return {
    atUs,
    command: { kind: 'downlink.enqueue', devEui, fPort: 9, payloadHex: 'a5', confirmed },
  };
}

type Planned = Extract<TraceRow, { kind: 'downlinkPlanned' }>;

/** Frames planned for ping slots. */
export const pingsOf = (trace: Trace): Planned[] =>
  trace.of('downlinkPlanned').filter(({ pingSlot }) => pingSlot === true);

/** Beacons that a gateway sent. */
export const beaconsOf = (trace: Trace): Planned[] => {
  const begun = new Set(trace.of('downlinkBegins').map((row) => `${row.gateway} ${row.downlink}`));
  return trace
    .of('downlinkPlanned')
    .filter(
      ({ purpose, gateway, downlink }) =>
        purpose === 'beacon' && begun.has(`${gateway} ${downlink}`),
    );
};

/** Whether an uplink has the ClassB bit. */
export const hasClassBBit = (phyPayload: string): boolean =>
  (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x10) !== 0;
