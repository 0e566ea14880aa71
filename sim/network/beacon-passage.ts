/** How a gateway with GPS time sends its beacons, and how they enter the beacon log. */
import { toHex } from '../base/bytes.ts';
import { settle } from '../device/multicast-settling.ts';
import { EventKind } from '../events.ts';
import { DownlinkPurpose } from '../gateway/downlinks.ts';
import { NONE } from '../kernel/columns.ts';
import { NO_DOWNLINK } from '../network-server/downlink-fates.ts';
import type { Sides } from './sides.ts';

/** Puts a gateway's next beacon after `afterUs` in its transmit queue. */
export function planBeacon(sides: Sides, gateway: number, afterUs: number): void {
  const { gateways, downlinks, slots, beacons, agenda, plan } = sides.server;
  const station = gateways.stations[gateway]!;
  const number = beacons.after(afterUs);
  const frequencyHz = beacons.frequencyHz(number);
  const { maxEirpCentiDbm } = plan.bands[plan.bandOf(frequencyHz)]!;
  const bytes = beacons.payload(number, station);
  const row = downlinks.take();
  const d = downlinks.column;
  d.gateway[row] = gateway;
  d.number[row] = gateways.table.column.downlinkNumber[gateway]++;
  d.frameSlot[row] = slots.take();
  slots.copyIn(d.frameSlot[row], bytes, bytes.length);
  d.registration[row] = NONE;
  d.window[row] = 0;
  d.refusal[row] = 0;
  d.firstRefusal[row] = 0;
  d.rx2StartsAtUs[row] = NONE;
  d.purpose[row] = DownlinkPurpose.beacon;
  d.counter[row] = number;
  d.mcAddr[row] = 0;
  d.downlinkId[row] = NO_DOWNLINK;
  d.arrivesAtUs[row] = afterUs;
  d.startsAtUs[row] = beacons.startUs(number);
  d.airtimeUs[row] = beacons.airtimeUs;
  d.frequencyHz[row] = frequencyHz;
  d.dataRate[row] = beacons.dataRate;
  d.eirpCentiDbm[row] = Math.min(station.plan.maxEirpCentiDbm, maxEirpCentiDbm);
  gateways.enqueueBeacon(row);
  tracePlanned(sides, row, bytes);
  const startsAtUs = gateways.nextStartUs(gateway);
  agenda.appoint(EventKind.downlinkBegins, gateway, startsAtUs);
}

/** A gateway's beacon has left the air. */
export function logBeacon(sides: Sides, gateway: number, downlink: number): void {
  const { beaconLog, downlinkAir } = sides.device;
  const { counter, frequencyHz } = sides.server.downlinks.column;
  sides.server.tally.add('beaconsSent');
  const number = counter[downlink];
  if (beaconLog.isLatest(number)) return beaconLog.addCopy(downlinkAir.copy(gateway));
  settleBefore(sides, beaconLog.outgoing(number));
  beaconLog.append(number, frequencyHz[downlink], downlinkAir.ended(gateway));
}

/** Devices that follow the beacon process a row before it leaves the log. */
function settleBefore({ device: side }: Sides, number: number): void {
  if (number === NONE) return;
  const { nextBeacon } = side.classB.column;
  for (let row = 0; row < side.devices.rows; row++) {
    if (side.classB.follows(row) && nextBeacon[row] <= number) settle(side, row, side.agenda.nowUs);
  }
}

function tracePlanned({ server }: Sides, row: number, bytes: Uint8Array): void {
  const { observer, downlinks, gateways, plan, agenda } = server;
  const d = downlinks.column;
  observer?.trace({
    kind: 'downlinkPlanned',
    atUs: agenda.nowUs,
    gateway: gateways.stations[d.gateway[row]]!.name,
    downlink: d.number[row],
    devEui: '',
    window: 0,
    purpose: 'beacon',
    startsAtUs: d.startsAtUs[row],
    counter: d.counter[row],
    frequencyHz: d.frequencyHz[row],
    spreadingFactor: plan.spreadingFactor[d.dataRate[row]]!,
    bandwidthHz: plan.bandwidthHz[d.dataRate[row]]!,
    eirpCentiDbm: d.eirpCentiDbm[row],
    airtimeUs: d.airtimeUs[row],
    phyBytes: bytes.length,
    phyPayload: toHex(bytes),
  });
}
