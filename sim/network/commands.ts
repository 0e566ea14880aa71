/**
 * The commands of a network, a row each: the kind, the fields that it takes, and what it does.
 *
 * To add one, write its function and its row in `COMMANDS`: the type `NetworkCommand`, the dispatch
 * and the World derive from the row. A command takes effect after all events of its instant. What
 * it cannot do is a failure, which changes nothing.
 */
import { fromHex } from '../base/bytes.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { becomeClass } from '../device/class-c.ts';
import { traceEnergy } from '../device/energy.ts';
import { dropReceptionState, endClassBMulticastSessions } from '../device/multicast-session.ts';
import { onLinksDrawn, settle, settleAll } from '../device/multicast-settling.ts';
import { EventKind } from '../events.ts';
import { NONE } from '../kernel/columns.ts';
import { giveUp } from '../network-server/dispatch.ts';
import { blocksOf, isAnswered } from '../network-server/mac-commands/blocks.ts';
import { wake } from '../network-server/wake.ts';
import type { DevicePlan, GatewayPlan } from '../plan/network-plan.ts';
import type { Network } from './network.ts';

/** Row by kind. A row takes the network, the command's fields and the present instant, µs. */
const COMMANDS = {
  'device.create': createDevice,
  'device.remove': removeDevice,
  'gateway.create': createGateway,
  'gateway.remove': removeGateway,
  'gateway.move': moveGateway,
  'downlink.enqueue': enqueueDownlink,
  'device.class': switchClass,
  'mac.request': requestMac,
};

type Kind = keyof typeof COMMANDS;
type Fields = { readonly [K in Kind]: Parameters<(typeof COMMANDS)[K]>[1] };

/** Commands that the network decides, or those of some kinds. */
export type NetworkCommand<Of extends Kind = Kind> = {
  readonly [K in Of]: { readonly kind: K } & Fields[K];
}[Of];

export const NETWORK_COMMAND_KINDS = Object.keys(COMMANDS) as readonly Kind[];

/** Carries out a command, or says why it cannot be carried out. */
export function carryOut<Of extends Kind>(
  network: Network,
  command: NetworkCommand<Of>,
  nowUs: number,
): Result<void> {
  const rows: {
    readonly [K in Kind]: (network: Network, fields: Fields[K], nowUs: number) => Result<void>;
  } = COMMANDS;
  return rows[command.kind](network, command, nowUs);
}

/** Whether a command is one of the network's. */
export const isNetworkCommand = <Given extends { readonly kind: string }>(
  command: Given,
): command is Extract<Given, { readonly kind: Kind }> => Object.hasOwn(COMMANDS, command.kind);

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

/** A device appears, registered and powered; it starts within its type's spread from now on. */
function createDevice(
  network: Network,
  { device }: { readonly device: DevicePlan },
  nowUs: number,
): Result<void> {
  if (network.sides.device.devices.byEui.has(device.devEui)) {
    return fail(
      'device.exists',
      `A device with DevEUI ${device.devEui} is in the network already.`,
    );
  }
  if (network.plan.deviceTypes[device.type] === undefined) {
    return fail('device.unknown', `Device type ${device.type} does not exist.`);
  }
  network.bringUp(device, nowUs);
  return ok(undefined);
}

/** A device is gone: off the air, out of the server, its events cancelled. */
function removeDevice(
  { sides }: Network,
  { devEui }: { readonly devEui: string },
  nowUs: number,
): Result<void> {
  const { devices, uplinkAir, downlinkAir, slots, agenda, observer } = sides.device;
  const row = devices.byEui.get(devEui);
  if (row === undefined) return unknownDevice(devEui);
  settle(sides.device, row, nowUs);
  traceEnergy(sides.device, row);
  dropReceptionState(sides.device, row, nowUs);
  uplinkAir.abort(row);
  downlinkAir.deafen(row);
  slots.give(devices.column.frameSlot[row]);
  devices.column.frameSlot[row] = NONE;
  for (const kind of [EventKind.uplinkEnds, EventKind.windowsClose, EventKind.deviceTimer]) {
    agenda.cancel(kind, row);
  }
  devices.retire(row);
  const { registrations, queue, requests } = sides.server;
  const registration = registrations.byEui(devEui);
  queue.clear(registration);
  requests.clear(registration);
  registrations.retire(registration);
  observer?.trace({ kind: 'deviceRemoved', atUs: nowUs, device: devices.identities[row]!.name });
  return ok(undefined);
}

/**
 * A device of class A or C gets the other class at run time; of class B devices it is refused. A
 * 1.1 device informs the server by DeviceModeInd; of others the server knows at once.
 */
function switchClass(
  { sides: { device: side, server } }: Network,
  { devEui, deviceClass }: { readonly devEui: string; readonly deviceClass: 'A' | 'C' },
  nowUs: number,
): Result<void> {
  const row = side.devices.byEui.get(devEui);
  if (row === undefined) return unknownDevice(devEui);
  if (side.types[side.devices.column.type[row]]!.deviceClass === 'B') {
    return fail('device.class', `${devEui} is of class B, which it does not leave.`);
  }
  settle(side, row, nowUs);
  if (deviceClass === 'C') endClassBMulticastSessions(side, row, nowUs);
  becomeClass(side, row, deviceClass === 'C', nowUs);
  const { registrations } = server;
  const registration = registrations.byEui(devEui);
  if (registrations.column.minor[registration] === 1) return ok(undefined);
  registrations.column.classC[registration] = deviceClass === 'C' ? 1 : 0;
  wake(server, registration, nowUs);
  return ok(undefined);
}

// ── gateways ─────────────────────────────────────────────────────────────────────────────────────

/** A gateway goes into service; every device's links are drawn anew, the old ones unchanged. */
function createGateway(
  network: Network,
  { gateway }: { readonly gateway: GatewayPlan },
  nowUs: number,
): Result<void> {
  const { device: side, server } = network.sides;
  if (server.gateways.rowByEui(gateway.eui) !== NONE) {
    return fail('gateway.exists', `A gateway with EUI ${gateway.eui} is in the network already.`);
  }
  settleAll(side, nowUs);
  network.install(gateway);
  const stations = server.gateways.inService();
  for (const identity of side.devices.identities) {
    if (side.devices.column.alive[identity.row] === 0) continue;
    side.links.connect(identity.row, identity, stations);
    onLinksDrawn(side, identity.row);
  }
  return ok(undefined);
}

/** A gateway goes out of service; what it was to send is lost. */
function removeGateway(
  { sides: { server } }: Network,
  { eui }: { readonly eui: string },
  nowUs: number,
): Result<void> {
  const { gateways, agenda, observer } = server;
  const row = gateways.rowByEui(eui);
  if (row === NONE) return unknownGateway(eui);
  for (const downlink of gateways.retire(row)) giveUp(server, downlink, 'gatewayGone');
  agenda.cancel(EventKind.downlinkArrives, row);
  agenda.cancel(EventKind.downlinkBegins, row);
  const { name } = gateways.stations[row]!;
  observer?.trace({ kind: 'gatewayRemoved', atUs: nowUs, gateway: name });
  return ok(undefined);
}

/**
 * A gateway is taken down and put up at another place in the same instant, as the next incarnation
 * of its name: what it was to send is lost, what it was receiving is cut, and all its links are
 * drawn anew for the new place. EUI and hardware stay, and so does its owner.
 */
function moveGateway(
  network: Network,
  { eui, xMeters, yMeters }: MoveFields,
  nowUs: number,
): Result<void> {
  const { gateways } = network.sides.server;
  const row = gateways.rowByEui(eui);
  if (row === NONE) return unknownGateway(eui);
  const { plan } = gateways.stations[row]!;
  removeGateway(network, { eui }, nowUs);
  return createGateway(network, { gateway: { ...plan, xMeters, yMeters } }, nowUs);
}

interface MoveFields {
  readonly eui: string;
  /** East and north of the area's centre. */
  readonly xMeters: number;
  readonly yMeters: number;
}

// ── the server ───────────────────────────────────────────────────────────────────────────────────

/** Queues an application downlink until the device's next uplink. */
function enqueueDownlink(
  { sides: { server } }: Network,
  { devEui, fPort, payloadHex, confirmed }: DownlinkFields,
  nowUs: number,
): Result<void> {
  const { registrations, queue } = server;
  const row = registrations.byEui(devEui);
  if (row === NONE) return unknownDevice(devEui);
  if (!/^([0-9a-fA-F]{2}){0,242}$/.test(payloadHex) || fPort < 1 || fPort > 223) {
    return fail('downlink.invalid', 'A downlink has FPort 1…223 and 0…242 bytes in hexadecimal.');
  }
  queue.push(row, { fPort, payload: fromHex(payloadHex), confirmed });
  wake(server, row, nowUs);
  return ok(undefined);
}

interface DownlinkFields {
  readonly devEui: string;
  /** 1…223. */
  readonly fPort: number;
  /** FRMPayload in clear. */
  readonly payloadHex: string;
  readonly confirmed: boolean;
}

/**
 * The server asks a device by MAC commands, with each downlink until they are answered. Commands
 * of one kind that follow each other are one block.
 */
function requestMac(
  { sides: { server } }: Network,
  { devEui, commandsHex }: { readonly devEui: string; readonly commandsHex: string },
): Result<void> {
  const { registrations, requests } = server;
  const row = registrations.byEui(devEui);
  if (row === NONE) return unknownDevice(devEui);
  const blocks = /^([0-9a-fA-F]{2})+$/.test(commandsHex) ? blocksOf(fromHex(commandsHex)) : [];
  if (blocks.length === 0) {
    return fail('mac.invalid', `${commandsHex} is no run of whole commands to a device.`);
  }
  for (const block of blocks) {
    if (isAnswered(block[0]!)) requests.ask(row, block);
    else requests.send(row, block);
  }
  return ok(undefined);
}

const unknownDevice = (devEui: string): Result<never> =>
  fail('device.unknown', `No device has DevEUI ${devEui}.`);

const unknownGateway = (eui: string): Result<never> =>
  fail('gateway.unknown', `No gateway has EUI ${eui}.`);
