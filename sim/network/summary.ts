/** What a network reports when a result is asked for: plain data; asking changes nothing. */
import { assert } from '../base/assert.ts';
import type { BeaconFate, Counts, ReceptionFate } from '../base/counts.ts';
import { ROWS_A_STEP } from '../base/stepwise.ts';
import type {
  DeviceSummary,
  GatewaySummary,
  NetworkSummary,
  RecordedDevice,
} from '../contract/summary.ts';
import { beaconsAhead } from '../device/class-b/beacon.ts';
import { hasRecentBeacon, isRecentBeacon } from '../device/class-b/beacon-age.ts';
import { knowsPingSlots } from '../device/class-b/ping-slots.ts';
import { Activation, NEVER } from '../device/device-table.ts';
import { energyPlan, joulesByCause, radioTimes } from '../device/energy.ts';
import { failuresOf } from '../device/failures.ts';
import { listedCounts } from '../device/listed-traffic.ts';
import { MOST_BANDS } from '../gateway/gateway.ts';
import { NONE } from '../kernel/columns.ts';
import { count, NOT_FORWARDED } from '../observation/tally.ts';
import { gainOf } from '../radio/links.ts';
import { Fate, fateName } from '../radio/uplink-air.ts';
import { uplinkEirp } from './device-truth.ts';
import type { Network } from './network.ts';
import { openMessage } from './uplink-passage.ts';

export function summarise(network: Network): NetworkSummary {
  const { device, server } = network.sides;
  return {
    counted: server.tally,
    gateways: server.gateways.stations.map(({ row }) => gatewaySummary(network, row)),
    devices: {
      length: device.devices.inService,
      /** Each is made when it comes: those of a million devices are not there together. */
      *[Symbol.iterator]() {
        for (const row of device.devices.rowsInService()) yield deviceSummary(network, row);
      },
    },
  };
}

/** The summary in steps, with all devices at once. */
export function* summarising(network: Network) {
  const { devices: each, ...summary } = summarise(network);
  const devices: DeviceSummary[] = [];
  for (const device of each) {
    devices.push(device);
    if (devices.length % ROWS_A_STEP === 0) yield;
  }
  return { ...summary, devices };
}

function gatewaySummary(network: Network, row: number): GatewaySummary {
  const { gateways, tally, plan } = network.sides.server;
  const { label: name, eui, xMeters, yMeters } = gateways.stations[row]!;
  const { downlinksSent, airtimeUs, airtimeByBandUs } = gateways.table.column;
  const bands = plan.bands.map(
    (band, b) => [band.name, airtimeByBandUs[row * MOST_BANDS + b]] as const,
  );
  return {
    name,
    eui,
    xMeters,
    yMeters,
    fates: fatesOf(tally.gateways[row]!),
    downlinksSent: downlinksSent[row],
    airtimeUs: airtimeUs[row],
    airtimeByBandUs: Object.fromEntries(bands.filter(([, us]) => us > 0)),
  };
}

/** By name, without what never occurred; `byNumber` is indexed by `Fate`. */
function fatesOf(byNumber: readonly number[]): Counts<ReceptionFate> {
  assert(byNumber[Fate.pending] === 0, 'only receptions that ended are counted');
  const fates: Partial<Record<ReceptionFate, number>> = {};
  byNumber.forEach((times, fate) => {
    if (times > 0) fates[fate === NOT_FORWARDED ? 'backhaulLoss' : fateName(fate)] = times;
  });
  return fates;
}

function deviceSummary(network: Network, row: number): DeviceSummary {
  const { devices, types } = network.sides.device;
  const { registrations } = network.sides.server;
  const r = registrations.column;
  const { devEui, xMeters, yMeters } = devices.identities.of(row);
  const c = devices.column;
  const type = types[c.type[row]]!;
  const joinedAtUs = devices.joinedAtUs(row);
  const own = registrations.byEui(devEui);
  assert(own !== NONE, 'the server has a registration of every device in service');
  return {
    name: registrations.identities.of(own).name,
    devEui,
    type: type.name,
    typeRow: c.type[row]!,
    otaa: c.personalised[row] === 0,
    active: c.activation[row] === Activation.active,
    xMeters,
    yMeters,
    joinUs: joinedAtUs === NEVER ? null : joinedAtUs - c.startsAtUs[row],
    joinRequests: devices.joinRequests(row),
    sent: c.sent[row],
    ...latestMessageOf(network, row),
    delivered: r.delivered[own],
    dropped: c.messagesDropped[row],
    ...listedSummary(network, row),
    status:
      r.statusAnswers[own] === 0
        ? null
        : { battery: r.battery[own], marginDb: r.statusMarginDb[own] },
    timeSyncs: c.timeSyncs[row],
    linkChecks: c.linkChecks[row],
    retransmissions: c.retransmissions[row],
    confirmedSent: c.confirmedSent[row],
    confirmedAcknowledged: c.confirmedAcknowledged[row],
    confirmedFailed: c.confirmedFailed[row],
    dutyCycleWaits: c.dutyCycleWaits[row],
    dataRate: c.dataRate[row],
    fwVersion: c.fwVersion[row],
    hwVersion: c.hwVersion[row],
    ...failuresOf(network.sides.device, row),
    ...energySummary(network, row),
    ...beaconSummary(network, row),
    inReach: isInReach(network, row, type.maxEirpCentiDbm),
  };
}

function latestMessageOf({ sides }: Network, row: number) {
  const latestMessage = openMessage(sides.device, row);
  return latestMessage === undefined ? {} : { latestMessage };
}

/** Absent for a device whose traffic is of no list. */
function listedSummary(network: Network, row: number) {
  const listed = listedCounts(network.sides.device, row);
  return listed === undefined ? {} : { listed };
}

/**
 * Whether it is in class B, and fates of the beacons that it has not looked at yet, which are in no
 * count so far; absent for a device that looks for none.
 */
function beaconSummary(network: Network, row: number) {
  const { device: side } = network.sides;
  if (!side.classB.follows(row)) return {};
  const { nowUs } = side.agenda;
  const ahead = beaconsAhead(side, row, nowUs);
  const hears = ahead.some(
    ({ fate, startUs }) => fate === 'heard' && isRecentBeacon(startUs, nowUs),
  );
  const inClassB = knowsPingSlots(side, row) && (hears || hasRecentBeacon(side, row, nowUs));
  const fates: Partial<Record<BeaconFate, number>> = {};
  for (const { fate } of ahead) count(fates, fate);
  return { beacons: { inClassB, ahead: fates } };
}

/** Drawn since power-on; absent where nobody counts. */
function energySummary(network: Network, row: number) {
  const { device: side } = network.sides;
  if (energyPlan(side, row) === undefined) return {};
  const { nowUs } = side.agenda;
  const { aliveUs } = radioTimes(side, row, nowUs);
  const died = side.energy.column.diedAtUs[row] >= 0;
  return { energy: { aliveUs, died, joules: joulesByCause(side, row, nowUs) } };
}

/** Devices in service that are recorded, with what was; none without a recorder. */
export function* recordedDevices(network: Network): Generator<RecordedDevice> {
  const { devices, recorder, links, plan } = network.sides.device;
  for (const row of devices.rowsInService()) {
    const record = recorder?.recordOf(row);
    if (record === undefined) continue;
    const sensitivity = plan.gatewaySensitivityCentiDbm[devices.column.dataRate[row]]!;
    const hasLink = links.counts[row]! > 0;
    const { device } = network.sides;
    const level = hasLink ? uplinkEirp(device, row) + gainOf(links.all[links.starts[row]]) : 0;
    const marginCentiDb = hasLink ? level - sensitivity : null;
    yield { ...deviceSummary(network, row), recorded: { ...record, marginCentiDb } };
  }
}

function isInReach(network: Network, row: number, eirpCentiDbm: number): boolean {
  const { links, plan } = network.sides.device;
  if (links.counts[row] === 0) return false;
  const level = eirpCentiDbm + gainOf(links.all[links.starts[row]]);
  return level >= plan.gatewayNoticesCentiDbm[plan.slowest(false)]!;
}
