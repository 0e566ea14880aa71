/**
 * Physical faults as they are requested: of gateways and of devices, each until it is ended. What
 * was on the air when one began goes on as it began; a fault that is on already changes nothing.
 */
import type { GatewayFault } from '../base/gateway-fault.ts';
import { Activation } from '../device/device-table.ts';
import { stepClock } from '../device/gps-clock.ts';
import { appoint } from '../device/messages.ts';
import { retimeMulticastSessions } from '../device/multicast-session.ts';
import { onLinksDrawn, settle, settleAll } from '../device/multicast-settling.ts';
import { rebootSoon } from '../device/packages/firmware.ts';
import { cutPower, restorePower } from '../device/power.ts';
import type { DeviceFails } from '../observation/observer.ts';
import type { LinkFault } from '../radio/link-faults.ts';
import { gatewayRowOf, rowOf } from './named.ts';
import type { Network } from './network.ts';
import type { Sides } from './sides.ts';

interface OfDevice {
  readonly devEui: string;
}

interface OfGateway {
  readonly eui: string;
}

interface Strength {
  /** 1/100 dB ≥ 0; 0 ends the fault. */
  readonly centiDb: number;
}

// ── gateways ─────────────────────────────────────────────────────────────────────────────────────

/**
 * The backhaul of a gateway fails or comes back, or its radio does. It concerns what passes the
 * gateway's end of the backhaul from now on, and what its radio sends and receives; what it is
 * sending now goes on to its end.
 */
export function setFault(
  network: Network,
  { eui, fault, on }: OfGateway & { readonly fault: GatewayFault; readonly on: boolean },
  nowUs: number,
): void {
  const { gateways } = network.sides.server;
  const row = gatewayRowOf(network.sides.server, eui);
  const isChange = gateways.setFault(row, fault, !on, nowUs);
  // A radio that is set to another region is silent either way.
  const isSeen = fault === 'backhaul' || !gateways.isElsewhere(row);
  const { tally } = network.sides.server;
  if (isChange && on) tally.beginOutage(eui, fault, nowUs);
  else if (isChange) tally.endOutage(eui, fault, nowUs);
  if (isChange && isSeen) traceFault(network, row, fault, on, nowUs);
}

export function traceFault(
  { sides: { server } }: Network,
  row: number,
  fault: GatewayFault,
  on: boolean,
  nowUs: number,
): void {
  const { name } = server.gateways.stations[row]!;
  server.witness?.trace({ kind: 'gatewayFault', atUs: nowUs, gateway: name, fault, on });
}

/** How strong a fault of a gateway is from now on; one that moved takes it along. */
export function traceStrength(
  { sides: { server } }: Network,
  row: number,
  { fault, centiDb, frequencyHz }: Omit<LinkFault, 'sinceUs'>,
  nowUs: number,
): void {
  if (fault === 'radio') return;
  const { name } = server.gateways.stations[row]!;
  const where = frequencyHz === undefined ? {} : { frequencyHz };
  const strength = centiDb > 0 ? { on: true, centiDb } : { on: false };
  const what = { kind: 'gatewayFault', atUs: nowUs, gateway: name, fault } as const;
  server.witness?.trace({ ...what, ...where, ...strength });
}

/** Something weakens all links of a gateway from now on: they are drawn anew. */
export function weakenGateway(
  network: Network,
  { eui, centiDb }: OfGateway & Strength,
  nowUs: number,
): void {
  const { device: side, server } = network.sides;
  const row = gatewayRowOf(server, eui);
  if (!side.links.gatewayFaults.weaken(row, centiDb, nowUs)) return;
  admitGateway(network, row, nowUs);
  traceStrength(network, row, { fault: 'attenuation', centiDb }, nowUs);
}

/**
 * The noise at a gateway rises or falls, on one channel or on all of them: a frame on the air keeps
 * the path that it has.
 */
export function drownGateway(
  network: Network,
  { eui, centiDb, frequencyHz }: OfGateway & Strength & { readonly frequencyHz?: number },
  nowUs: number,
): void {
  const { device: side, server } = network.sides;
  const row = gatewayRowOf(server, eui);
  const { gatewayFaults } = side.links;
  const isChange =
    frequencyHz === undefined
      ? gatewayFaults.drown(row, centiDb, nowUs)
      : gatewayFaults.drownChannel(row, frequencyHz, centiDb, nowUs);
  const where = frequencyHz === undefined ? {} : { frequencyHz };
  if (isChange) traceStrength(network, row, { fault: 'noise', centiDb, ...where }, nowUs);
}

/** The backhaul of a gateway slows down, or is fast again; what is on its way keeps its time. */
export function slowGateway(
  network: Network,
  { eui, delayUs }: OfGateway & { readonly delayUs: number },
  nowUs: number,
): void {
  const { server } = network.sides;
  const row = gatewayRowOf(server, eui);
  if (server.gateways.faults.slow(row, delayUs, nowUs)) traceDelay(network, row, delayUs, nowUs);
}

export function traceDelay(
  { sides: { server } }: Network,
  row: number,
  delayUs: number,
  nowUs: number,
): void {
  const { name } = server.gateways.stations[row]!;
  const what = delayUs > 0 ? { on: true, delayUs } : { on: false };
  server.witness?.trace({
    kind: 'gatewayFault',
    atUs: nowUs,
    gateway: name,
    fault: 'delay',
    ...what,
  });
}

/** Every device in service has the link to a gateway that it is to have from now on. */
export function admitGateway(
  { sides: { device: side, server } }: Network,
  gateway: number,
  nowUs: number,
): void {
  settleAll(side, nowUs);
  const { gateways } = server;
  const station = gateways.stations[gateway]!;
  const isInService = (row: number) => gateways.isInService(row);
  for (let row = 0; row < side.devices.rows; row++) {
    if (side.column.alive[row] === 0) continue;
    side.links.admit(row, side.devices.station(row), station, isInService);
    onLinksDrawn(side, row);
  }
}

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

/** Something weakens all links of a device from now on. */
export function weakenDevice(
  { sides }: Network,
  { devEui, centiDb }: OfDevice & Strength,
  nowUs: number,
): void {
  const { links } = sides.device;
  const row = rowOf(sides.device, devEui);
  if (!links.deviceFaults.weaken(row, centiDb, nowUs)) return;
  drawLinks(sides, row, nowUs);
  const on = centiDb > 0;
  traceDevice(sides, row, { fault: 'attenuation', on, ...(on && { centiDb }) }, nowUs);
}

/**
 * The radio of a device fails or works again. The device does not know: it goes on sending what no
 * gateway receives, and its windows stay empty.
 */
export function muteDevice(
  { sides }: Network,
  { devEui, on }: OfDevice & { readonly on: boolean },
  nowUs: number,
): void {
  const row = rowOf(sides.device, devEui);
  // What an earlier failure made it miss is known as long as that is the latest one.
  settle(sides.device, row, nowUs);
  if (!sides.device.links.deviceFaults.mute(row, on, nowUs)) return;
  if (on) sides.device.downlinkAir.breakOff(row);
  drawLinks(sides, row, nowUs);
  traceDevice(sides, row, { fault: 'radio', on }, nowUs);
}

/** A device has the links of its place from now on, as its faults leave them. */
export function drawLinks({ device: side, server }: Sides, row: number, nowUs: number): void {
  settle(side, row, nowUs);
  side.links.connect(row, side.devices.station(row), server.gateways.inService());
  onLinksDrawn(side, row);
}

/**
 * A device reboots, as it does when TS006 commands it: it waits for the message in hand. One that
 * has no session is not on, joins or is dead, and has nothing to lose.
 */
export function rebootDevice(
  { sides: { device: side } }: Network,
  { devEui }: OfDevice,
  nowUs: number,
): void {
  const row = rowOf(side, devEui);
  const { activation, startsAtUs } = side.column;
  // One that is not switched on yet stays off until its power-on.
  if (activation[row] !== Activation.active || nowUs < startsAtUs[row]) return;
  settle(side, row, nowUs);
  rebootSoon(side, row, nowUs);
  appoint(side, row);
  const device = side.devices.identities.of(row).name;
  side.witness?.trace({ kind: 'deviceReboots', atUs: nowUs, device });
}

/** The power of a device is cut, or returns. */
export function powerDevice(
  { sides: { device: side } }: Network,
  { devEui, on }: OfDevice & { readonly on: boolean },
  nowUs: number,
): void {
  const row = rowOf(side, devEui);
  settle(side, row, nowUs);
  if (on) restorePower(side, row, nowUs);
  else cutPower(side, row, nowUs);
}

/** Sets the share of a device's frames lost in addition to the losses of its type. */
export function loseFrames(
  { sides: { device: side } }: Network,
  { devEui, lossPpm }: OfDevice & { readonly lossPpm: number },
  nowUs: number,
): void {
  const row = rowOf(side, devEui);
  settle(side, row, nowUs);
  if (!side.troubles.setLoss(row, lossPpm, nowUs)) return;
  const device = side.devices.identities.of(row).name;
  side.witness?.trace({ kind: 'deviceLoses', atUs: nowUs, device, lossPpm });
}

/** The calendar of a device jumps; sessions that wait follow it. One that is off keeps none. */
export function stepDeviceClock(
  { sides: { device: side } }: Network,
  { devEui, byUs }: OfDevice & { readonly byUs: number },
  nowUs: number,
): void {
  const row = rowOf(side, devEui);
  if (side.column.activation[row] === Activation.none) return;
  settle(side, row, nowUs);
  stepClock(side, row, byUs, nowUs);
  retimeMulticastSessions(side, row, nowUs);
  appoint(side, row);
  const device = side.devices.identities.of(row).name;
  side.witness?.trace({ kind: 'deviceClockSteps', atUs: nowUs, device, byUs });
}

function traceDevice(
  { device: { devices, witness } }: Sides,
  row: number,
  what: Pick<DeviceFails, 'fault' | 'on' | 'centiDb'>,
  nowUs: number,
): void {
  const { name } = devices.identities.of(row);
  witness?.trace({ kind: 'deviceFault', atUs: nowUs, device: name, ...what });
}
