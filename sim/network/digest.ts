/**
 * Every live record of a network folded in the order of identity (DevEUI, gateway EUI), so that
 * rows, pools and the history of capacities never show.
 */
import { doAll, ROWS_A_STEP, type Stepwise } from '../base/stepwise.ts';
import { energyPlan } from '../device/energy.ts';
import { settingsPlan } from '../device/settings.ts';
import { EventKind } from '../events.ts';
import type { Agenda } from '../kernel/agenda.ts';
import { NONE } from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import type { KeyAt } from '../lorawan/frame-security-11.ts';
import type { Network } from './network.ts';

const DEVICE_KINDS = [
  EventKind.uplinkEnds,
  EventKind.windowsClose,
  EventKind.uplinkCollected,
  EventKind.deviceTimer,
];
const GATEWAY_KINDS = [
  EventKind.downlinkEnds,
  EventKind.downlinkBegins,
  EventKind.downlinkArrives,
  EventKind.refusalArrives,
];

type Part = 'outcome' | 'bytes';

/**
 * `outcome` folds what decides; `bytes` folds keys and frames, which differ between frame modes.
 */
export function digestNetwork(network: Network, agenda: Agenda, digest: Digest, part: Part): void {
  doAll(digestingNetwork(network, agenda, digest, part));
}

/** `digestNetwork` in steps. The network does not change meanwhile. */
export function* digestingNetwork(
  network: Network,
  agenda: Agenda,
  digest: Digest,
  part: Part,
): Stepwise {
  const { devices } = network.sides.device;
  const { gateways } = network.sides.server;
  const euiOf = (row: number) => devices.identities.of(row).devEui;
  const rows = devices.rowsInService().sort((a, b) => (euiOf(a) < euiOf(b) ? -1 : 1));
  yield;
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_A_STEP === 0) yield;
    const devEui = euiOf(row);
    digest.addText(devEui);
    if (part === 'bytes') digestDeviceBytes(network, devEui, row, digest);
    else digestDevice(network, agenda, devEui, row, digest);
  }
  if (part === 'bytes') return;
  const inService = [...gateways.inService()].sort((a, b) => (a.eui < b.eui ? -1 : 1));
  for (const { eui, row } of inService) {
    digest.addText(eui);
    digestGateway(network, agenda, row, digest);
  }
}

function digestDevice(
  network: Network,
  agenda: Agenda,
  devEui: string,
  row: number,
  digest: Digest,
): void {
  const { device, server } = network.sides;
  const { registrations, collector } = server;
  device.devices.table.digestRow(row, digest);
  device.links.deviceFaults.digest(row, digest);
  device.troubles.digest(row, digest);
  device.channelSets.digestSet(device.devices.column.channelSet[row], digest);
  device.uplinkAir.flights.digestRow(row, digest);
  device.downlinkAir.listeners.digestRow(row, digest);
  agenda.digestTarget(DEVICE_KINDS, row, digest);
  const { bands } = device.plan;
  for (let b = 0; b < bands.length; b++) {
    device.dutyCycle.digestAccount(row * bands.length + b, agenda.nowUs, digest);
  }
  const registration = registrations.byEui(devEui);
  registrations.table.digestRow(registration, digest);
  server.channelSets.digestSet(registrations.column.channelSet[registration], digest);
  device.classB.digestDevice(row, digest);
  server.classB.digest(registration, digest);
  server.queue.digest(registration, digest);
  server.requests.digest(registration, digest);
  collector.digestPending(row, digest);
  if (energyPlan(device, row) !== undefined) device.energy.table.digestRow(row, digest);
  if (settingsPlan(device, row) !== undefined) device.settings.table.digestRow(row, digest);
  device.failures.digest(row, digest);
  device.listed.digest(row, digest);
  digestPackages(network, row, digest);
  const { next } = device.uplinkAir.receptions.column;
  let reception = device.uplinkAir.flights.column.firstReception[row];
  for (; reception !== NONE; reception = next[reception]) {
    device.uplinkAir.receptions.table.digestRow(reception, digest);
  }
}

/** Messages that wait, rules of answers, groups, blocks with their fragments. */
function digestPackages(network: Network, row: number, digest: Digest): void {
  const { behaviours, devices, outgoing, multicast } = network.sides.device;
  const c = devices.column;
  const { next } = outgoing.pool.column;
  if (c.outgoingInHand[row] !== NONE) outgoing.digestRow(c.outgoingInHand[row], digest);
  for (const heads of [c.outgoing, c.riding]) {
    for (let at = heads[row]; at !== NONE; at = next[at]) outgoing.digestRow(at, digest);
  }
  behaviours.digest(row, digest);
  const g = multicast.mcGroups.column;
  for (let at = c.mcGroups[row]; at !== NONE; at = g.next[at]) {
    multicast.mcGroups.table.digestRow(at, digest);
  }
  const s = multicast.fragSessions.column;
  for (let at = c.fragSessions[row]; at !== NONE; at = s.next[at]) {
    multicast.fragSessions.table.digestRow(at, digest);
    for (let word = 0; word << 5 < s.highest[at]; word++) {
      digest.addWord(multicast.fragmentBits.words[s.bitsAt[at] + word]);
    }
  }
}

function digestGateway(network: Network, agenda: Agenda, row: number, digest: Digest): void {
  const { gateways, downlinks, dutyCycle, plan } = network.sides.server;
  const { next } = downlinks.column;
  gateways.table.digestRow(row, digest);
  gateways.faults.digest(row, digest);
  network.sides.device.links.gatewayFaults.digest(row, digest);
  network.sides.device.downlinkAir.flights.digestRow(row, digest);
  agenda.digestTarget(GATEWAY_KINDS, row, digest);
  const { arriving, queue, refused, sending } = gateways.table.column;
  for (const heads of [arriving, queue, refused]) {
    for (let d = heads[row]; d !== NONE; d = next[d]) downlinks.table.digestRow(d, digest);
  }
  if (sending[row] !== NONE) downlinks.table.digestRow(sending[row], digest);
  for (let b = 0; b < plan.bands.length; b++) {
    dutyCycle.digestAccount(row * plan.bands.length + b, agenda.nowUs, digest);
  }
}

function digestDeviceBytes(network: Network, devEui: string, row: number, digest: Digest): void {
  const { registrations } = network.sides.server;
  const { devices } = network.sides.device;
  const c = devices.column;
  addKeyAt(digest, devices.nwkSKeys.of(row));
  addKeyAt(digest, devices.appSKeys.of(row));
  addKey(digest, c.sNwkSIntKey, row);
  addKey(digest, c.nwkSEncKey, row);
  const registration = registrations.byEui(devEui);
  addKeyAt(digest, registrations.nwkSKeys.of(registration));
  addKeyAt(digest, registrations.appSKeys.of(registration));
  network.sides.server.queue.digestBytes(registration, digest);
}

function addKeyAt(digest: Digest, { keys, at }: KeyAt): void {
  for (let i = at; i < at + KEY_BYTES; i++) digest.addWord(keys[i]);
}

/** Zeros where the column was not made. */
function addKey(digest: Digest, keys: Uint8Array, row: number): void {
  const at = row * KEY_BYTES;
  for (let i = 0; i < KEY_BYTES; i++) digest.addWord(keys.length === 0 ? 0 : keys[at + i]);
}
