/**
 * What the network does for each request of the contract (`sim/contract/requests.ts`).
 *
 * To add one, write its member there, and its function and its row in `REQUESTS` here: without the
 * row nothing compiles. The network refuses nothing, and asserts what it relies on.
 */
import { assert } from '../base/assert.ts';
import type { News } from '../contract/news.ts';
import type { NetworkRequest } from '../contract/requests.ts';
import { becomeClass } from '../device/class-c.ts';
import { traceEnergy } from '../device/energy.ts';
import { dropReceptionState, endClassBMulticastSessions } from '../device/multicast-session.ts';
import { settle, settleAll } from '../device/multicast-settling.ts';
import {
  joinStandingGroup,
  leaveStandingGroup,
  retuneStandingGroup,
  reviewStandingGroups,
} from '../device/standing-groups.ts';
import { EventKind } from '../events.ts';
import { NONE } from '../kernel/columns.ts';
import { isHeardBySome } from '../network-server/best-gateway.ts';
import { giveUp } from '../network-server/dispatch.ts';
import { clearWaiting, dropAll, reportUnheard } from '../network-server/downlink-fates.ts';
import { blocksOf, isAnswered } from '../network-server/mac-commands/blocks.ts';
import { sendMulticast } from '../network-server/multicast.ts';
import { wake } from '../network-server/wake.ts';
import type { GatewayPlan } from '../plan/network-plan.ts';
import {
  admitGateway,
  drawLinks,
  drownGateway,
  loseFrames,
  muteDevice,
  powerDevice,
  rebootDevice,
  setFault,
  slowGateway,
  stepDeviceClock,
  traceDelay,
  traceFault,
  traceStrength,
  weakenDevice,
  weakenGateway,
} from './faults.ts';
import { gatewayRowOf, registrationOf, rowOf } from './named.ts';
import type { Network } from './network.ts';
import type { Sides } from './sides.ts';
import { concludeMessage } from './uplink-passage.ts';

type Kind = NetworkRequest['kind'];
type FieldsOf<K extends Kind> = Omit<Extract<NetworkRequest, { readonly kind: K }>, 'kind'>;
/** Takes the network, the request's fields and the present instant, µs. */
type Effect<K extends Kind> = (network: Network, fields: FieldsOf<K>, nowUs: number) => void;

type Rows = {
  readonly [K in Kind]: readonly [
    effect: Effect<K>,
    /** What it is news of once it is granted; null: nothing that anybody else hears. */
    news: ((request: FieldsOf<K>) => News) | null,
  ];
};

/** By kind: what the network does, and the news of it. */
const REQUESTS: Rows = {
  'device.create': [createDevice, ({ device: { devEui } }) => ({ kind: 'deviceCreated', devEui })],
  'device.change': [changeDevice, ({ devEui }) => ({ kind: 'deviceChanged', devEui })],
  'device.class': [switchClass, ({ devEui }) => ({ kind: 'deviceChanged', devEui })],
  'device.behaviour': [setBehaviour, null],
  'device.rootKey': [noteRootKey, null],
  'device.remove': [removeDevice, ({ devEui }) => ({ kind: 'deviceRemoved', devEui })],
  'device.weaken': [weakenDevice, null],
  'device.mute': [muteDevice, null],
  'device.reboot': [rebootDevice, null],
  'device.power': [powerDevice, null],
  'device.lose': [loseFrames, null],
  'device.stepClock': [stepDeviceClock, null],
  'gateway.create': [createGateway, ({ gateway: { eui } }) => ({ kind: 'gatewayCreated', eui })],
  'gateway.change': [changeGateway, ({ eui }) => ({ kind: 'gatewayChanged', eui })],
  'gateway.fault': [setFault, ({ eui, fault, on }) => ({ kind: 'gatewayState', eui, fault, on })],
  'gateway.weaken': [weakenGateway, null],
  'gateway.drown': [drownGateway, null],
  'gateway.slow': [slowGateway, null],
  'gateway.remove': [retireGateway, ({ eui }) => ({ kind: 'gatewayRemoved', eui })],
  downlink: [enqueueDownlink, null],
  clearDownlinks: [clearDownlinks, null],
  'mac.request': [requestMac, null],
  watch: [watch, null],
  'multicast.open': [openMulticast, null],
  'multicast.close': [closeMulticast, null],
  'multicast.send': [sendCopy, null],
  'group.open': [openGroup, null],
  'group.retune': [retuneGroup, null],
  'group.close': [closeGroup, null],
  'group.join': [joinGroup, null],
  'group.leave': [leaveGroup, null],
};

/** Carries out a request. */
export function carryOut<K extends Kind>(
  network: Network,
  request: FieldsOf<K> & { readonly kind: K },
  nowUs: number,
): void {
  const rows: Rows = REQUESTS;
  rows[request.kind][0](network, request, nowUs);
}

/** What there is to say once a request is granted; undefined: nothing. */
export function newsOf<K extends Kind>(
  request: FieldsOf<K> & { readonly kind: K },
): News | undefined {
  const rows: Rows = REQUESTS;
  return rows[request.kind][1]?.(request);
}

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

/** A device appears, registered and powered; it starts within its type's spread from now on. */
function createDevice(
  network: Network,
  { device }: FieldsOf<'device.create'>,
  nowUs: number,
): void {
  network.bringUp(device, nowUs);
}

/**
 * A device gets another label, another place, or both. One that moves stays what it is, with its
 * session and its luck: its links are drawn for the new place, and what is lost on the way into its
 * building goes with it. What it sends just then is received as it began. So is a frame that it is
 * locked on, but for what disturbs that at the new place.
 */
function changeDevice(
  { sides }: Network,
  { devEui, name, place }: FieldsOf<'device.change'>,
  nowUs: number,
): void {
  const { device: side, server } = sides;
  if (name !== undefined) server.registrations.rename(registrationOf(server, devEui), name);
  if (place === undefined) return;
  const row = rowOf(side, devEui);
  settle(side, row, nowUs);
  side.devices.place(row, place);
  drawLinks(sides, row, nowUs);
}

/**
 * A device of class A or C gets the other class at run time. A 1.1 device informs the server by
 * DeviceModeInd; of others the server knows at once.
 */
function switchClass(
  { sides: { device: side, server } }: Network,
  { devEui, deviceClass }: FieldsOf<'device.class'>,
  nowUs: number,
): void {
  const row = rowOf(side, devEui);
  const { deviceClass: ofType } = side.types[side.column.type[row]]!;
  assert(ofType !== 'B', 'a device of class B does not leave it');
  settle(side, row, nowUs);
  if (deviceClass === 'C') endClassBMulticastSessions(side, row, nowUs);
  becomeClass(side, row, deviceClass === 'C', nowUs);
  reviewStandingGroups(side, row, nowUs);
  const { registrations } = server;
  const registration = registrations.byEui(devEui);
  if (registrations.column.minor[registration] === 1) return;
  registrations.column.classC[registration] = deviceClass === 'C' ? 1 : 0;
  wake(server, registration, nowUs);
}

/**
 * A device answers application downlinks by these rules from now on, or with null by those of its
 * type again. What it has heard before is answered as it was.
 */
function setBehaviour(
  { sides: { device: side } }: Network,
  { devEui, answers }: FieldsOf<'device.behaviour'>,
  nowUs: number,
): void {
  const row = rowOf(side, devEui);
  settle(side, row, nowUs);
  side.behaviours.set(row, answers ?? undefined);
  const device = side.devices.identities.of(row).name;
  side.observer?.trace({ kind: 'deviceBehaves', atUs: nowUs, device, answers });
}

/** The server knows the root of a device's multicast keys from now on, or no longer. */
function noteRootKey(
  { sides: { server } }: Network,
  { devEui, known }: FieldsOf<'device.rootKey'>,
): void {
  server.registrations.learnRootKey(registrationOf(server, devEui), known);
}

/** A device is gone: off the air, out of the server, its events cancelled. */
function removeDevice(
  { sides }: Network,
  { devEui }: FieldsOf<'device.remove'>,
  nowUs: number,
): void {
  const { devices, uplinkAir, downlinkAir, slots, agenda, witness } = sides.device;
  const row = rowOf(sides.device, devEui);
  settle(sides.device, row, nowUs);
  traceEnergy(sides.device, row);
  dropReceptionState(sides.device, row, nowUs);
  concludeMessage(sides, row);
  uplinkAir.abort(row);
  downlinkAir.deafen(row);
  slots.give(devices.column.frameSlot[row]);
  devices.column.frameSlot[row] = NONE;
  for (const kind of [EventKind.uplinkEnds, EventKind.windowsClose, EventKind.deviceTimer]) {
    agenda.cancel(kind, row);
  }
  sides.device.behaviours.set(row, undefined);
  devices.retire(row);
  const { registrations, requests } = sides.server;
  const registration = registrations.byEui(devEui);
  dropAll(sides.server, registration);
  requests.clear(registration);
  registrations.retire(registration);
  witness?.trace({ kind: 'deviceRemoved', atUs: nowUs, device: devices.identities.of(row).name });
}

// ── gateways ─────────────────────────────────────────────────────────────────────────────────────

/** A gateway goes into service; every device in its reach has a link more. */
function createGateway(
  network: Network,
  { gateway }: FieldsOf<'gateway.create'>,
  nowUs: number,
): void {
  putUp(network, gateway, gateway.name, nowUs);
}

/**
 * A gateway gets another label, another place or other hardware. One that moves or is rebuilt is
 * taken down and put up in the same instant, as the next incarnation of its first name: what it was
 * to send is lost, what it was receiving is cut, and all its links are drawn anew. Its EUI stays.
 */
function changeGateway(
  network: Network,
  { eui, name, place, hardware }: FieldsOf<'gateway.change'>,
  nowUs: number,
): void {
  const { gateways } = network.sides.server;
  const row = gatewayRowOf(network.sides.server, eui);
  if (name !== undefined) gateways.rename(row, name);
  if (place === undefined && hardware === undefined) return;
  const { plan, label } = gateways.stations[row]!;
  removeGateway(network, { eui }, nowUs);
  const { name: first, xMeters, yMeters } = plan;
  const rebuilt = hardware === undefined ? plan : { ...hardware, name: first, eui };
  putUp(network, { ...rebuilt, xMeters, yMeters, ...place }, label, nowUs, row);
  const moved = gatewayRowOf(network.sides.server, eui);
  gateways.faults.inherit(moved, gateways.stations[row]!, nowUs);
  if (!gateways.faults.isUp(moved, 'backhaul')) traceFault(network, moved, 'backhaul', true, nowUs);
  if (!gateways.hasRadio(moved)) traceFault(network, moved, 'radio', true, nowUs);
  const delayUs = gateways.faults.delayUs(moved);
  if (delayUs > 0) traceDelay(network, moved, delayUs, nowUs);
  for (const fault of network.sides.device.links.gatewayFaults.of(moved)) {
    traceStrength(network, moved, fault, nowUs);
  }
}

/** `before`: the row that it had, where it stood elsewhere. */
function putUp(
  network: Network,
  gateway: GatewayPlan,
  label: string,
  nowUs: number,
  before = NONE,
): void {
  settleAll(network.sides.device, nowUs);
  network.install(gateway, label);
  const row = gatewayRowOf(network.sides.server, gateway.eui);
  if (before !== NONE) network.sides.device.links.gatewayFaults.inherit(row, before);
  admitGateway(network, row, nowUs);
}

/** A gateway goes for good, and its outages with it. */
function retireGateway(network: Network, request: FieldsOf<'gateway.remove'>, nowUs: number): void {
  const { tally } = network.sides.server;
  for (const part of ['backhaul', 'radio'] as const) tally.endOutage(request.eui, part, nowUs);
  removeGateway(network, request, nowUs);
}

/** A gateway goes out of service; what it was to send is lost. */
function removeGateway(
  { sides: { server } }: Network,
  { eui }: FieldsOf<'gateway.remove'>,
  nowUs: number,
): void {
  const { gateways, agenda, witness } = server;
  const row = gatewayRowOf(server, eui);
  for (const downlink of gateways.retire(row)) giveUp(server, downlink, 'gatewayGone');
  agenda.cancel(EventKind.downlinkArrives, row);
  agenda.cancel(EventKind.downlinkBegins, row);
  const { name } = gateways.stations[row]!;
  witness?.trace({ kind: 'gatewayRemoved', atUs: nowUs, gateway: name });
}

// ── the server ───────────────────────────────────────────────────────────────────────────────────
// A conversation may come to speak of a device after its removal: downlinks to it, and whether it
// is watched, then mean nothing.

/** Queues an application downlink: class A at its next window, class C at once; in their order. */
function enqueueDownlink(
  { sides: { server } }: Network,
  { id, sender, devEui, fPort, payload, ...how }: FieldsOf<'downlink'>,
  nowUs: number,
): void {
  const { confirmed = false, tries: mostTries, notBeforeUs = 0 } = how;
  const { registrations, queue, listener } = server;
  const row = registrations.byEui(devEui);
  if (row === NONE) {
    const what = { kind: 'dropped', reason: 'deviceRemoved' } as const;
    return listener.onDownlink({ id, sender, devEui, what });
  }
  const asked = { id, sender, fPort, payload, confirmed, mostTries, notBeforeUs };
  const downlink = queue.push(row, asked);
  if (!isHeardBySome(server, row)) reportUnheard(server, row, downlink);
  wake(server, row, nowUs);
}

/** Drops a sender's downlinks that wait for a device; what is on its way goes on. */
function clearDownlinks(
  { sides: { server } }: Network,
  { devEui, sender }: FieldsOf<'clearDownlinks'>,
): void {
  const row = server.registrations.byEui(devEui);
  if (row !== NONE) clearWaiting(server, row, sender);
}

/**
 * The server asks a device by MAC commands, with each downlink until they are answered. Commands
 * of one kind that follow each other are one block.
 */
function requestMac(
  { sides: { server } }: Network,
  { devEui, commands }: FieldsOf<'mac.request'>,
): void {
  const row = registrationOf(server, devEui);
  const blocks = blocksOf(commands);
  assert(blocks.length > 0, 'a device is asked by whole commands');
  for (const block of blocks) {
    if (isAnswered(block[0]!)) server.requests.ask(row, block);
    else server.requests.send(row, block);
  }
}

/** Whether the listener is notified of a device's uplinks. */
function watch({ sides: { server } }: Network, { devEui, on }: FieldsOf<'watch'>): void {
  const { registrations } = server;
  const row = registrations.byEui(devEui);
  if (row !== NONE) registrations.column.watched[row] = on ? 1 : 0;
}

/**
 * A multicast group exists on the server from now on, or has another round; its class C channel is
 * fixed. Of frames of a round that is over nobody is late.
 */
function openMulticast(
  { sides: { device: side, server } }: Network,
  { group: { mcAddr, mcKey, frequencyHz, dataRate } }: FieldsOf<'multicast.open'>,
): void {
  side.multicastAir.openGroup(mcAddr);
  server.multicast.open(mcAddr, mcKey, frequencyHz, dataRate);
}

function closeMulticast(
  { sides: { server } }: Network,
  { mcAddr }: FieldsOf<'multicast.close'>,
): void {
  server.multicast.close(mcAddr);
}

/** One copy of a multicast frame by one gateway. */
function sendCopy(
  { sides: { server } }: Network,
  copy: FieldsOf<'multicast.send'>,
  nowUs: number,
): void {
  assert(copy.fCnt >= 0 && copy.fCnt <= 0xffff_ffff, 'a multicast group’s counter has 32 bits');
  sendMulticast(server, copy, nowUs);
}

// ── standing groups ──────────────────────────────────────────────────────────────────────────────

/** A standing group exists on the server from now on; it has no members yet. */
function openGroup({ sides: { server } }: Network, { group }: FieldsOf<'group.open'>): void {
  const { mcAddr, mcNwkSKey, mcAppSKey, frequencyHz, dataRate, periodicity } = group;
  assert(server.multicast.get(mcAddr) === undefined, 'an address is that of one group');
  const standing = periodicity === undefined ? {} : { periodicity };
  server.multicast.put({ mcAddr, mcNwkSKey, mcAppSKey, frequencyHz, dataRate, standing });
}

/** A standing group has another channel from now on, at the server and at its members. */
function retuneGroup(
  { sides: { device: side, server } }: Network,
  channel: FieldsOf<'group.retune'>,
  nowUs: number,
): void {
  const { mcAddr, frequencyHz, dataRate } = channel;
  server.multicast.put({ ...standingOf(server, mcAddr), frequencyHz, dataRate });
  for (const row of membersOf(side, mcAddr)) {
    settle(side, row, nowUs);
    retuneStandingGroup(side, row, channel, nowUs);
  }
}

/** A standing group is gone, and its members forget it. Copies on their way go on. */
function closeGroup(
  { sides: { device: side, server } }: Network,
  { mcAddr }: FieldsOf<'group.close'>,
  nowUs: number,
): void {
  // The last one first: who leaves is found at the end of the list.
  for (const row of membersOf(side, mcAddr).toReversed()) {
    settle(side, row, nowUs);
    leaveStandingGroup(side, row, mcAddr, nowUs);
  }
  server.multicast.close(mcAddr);
  server.tally.forgetGroup(mcAddr);
}

/** A device is given the keys of a standing group, and takes counters from `fCnt` on. */
function joinGroup(
  { sides: { device: side, server } }: Network,
  { mcAddr, devEui, fCnt }: FieldsOf<'group.join'>,
  nowUs: number,
): void {
  const row = rowOf(side, devEui);
  const { standing, ...group } = standingOf(server, mcAddr);
  settle(side, row, nowUs);
  joinStandingGroup(side, row, { ...group, ...standing, minFCount: fCnt }, nowUs);
}

/** A device forgets a standing group; one that has gone has forgotten it already. */
function leaveGroup(
  { sides: { device: side } }: Network,
  { mcAddr, devEui }: FieldsOf<'group.leave'>,
  nowUs: number,
): void {
  const row = side.devices.byEui(devEui);
  if (row === NONE) return;
  settle(side, row, nowUs);
  leaveStandingGroup(side, row, mcAddr, nowUs);
}

const membersOf = ({ multicast }: Sides['device'], mcAddr: number): readonly number[] => [
  ...(multicast.standing.get(mcAddr)?.members ?? []),
];

function standingOf({ multicast }: Sides['server'], mcAddr: number) {
  const group = multicast.get(mcAddr);
  assert(group?.standing !== undefined, 'a standing group is meant');
  return group;
}
