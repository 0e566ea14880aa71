/**
 * The network: devices, air, gateways and server under one clock. START HERE for the radio side.
 *
 * `dispatch` is the table of contents: one switch over all kinds of events. What an event means
 * where the two sides meet stands in `passages.ts`; the rules of a side stand in its folder.
 */

import { unreachable } from '../base/assert.ts';
import { fromHex } from '../base/bytes.ts';
import { type EntityKey, entityKey, type Seed } from '../base/random.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { becomeClass } from '../device/class-c.ts';
import { traceDrawn } from '../device/energy.ts';
import { onCompletionCheck, onTimer, onWindowsClose } from '../device/mac.ts';
import { endSlotSessions, retireListener } from '../device/multicast-session.ts';
import { onLinksDrawn, settle, settleAll } from '../device/multicast-settling.ts';
import { EventKind, type NetworkEvent } from '../events.ts';
import type { Agenda } from '../kernel/agenda.ts';
import { NONE } from '../kernel/columns.ts';
import { onClassBDue } from '../network-server/class-b.ts';
import { onClassCDue } from '../network-server/class-c.ts';
import { giveUp } from '../network-server/dispatch.ts';
import { blocksOf, isAnswered } from '../network-server/mac-commands/blocks.ts';
import { type MulticastWish, sendMulticast } from '../network-server/multicast.ts';
import { wake } from '../network-server/wake.ts';
import type { DevicePlan, GatewayPlan, NetworkPlan } from '../plan/network-plan.ts';
import { bringUpDevice, installGateway } from './arrivals.ts';
import { buildSides, type NetworkOptions } from './build.ts';
import {
  answerDue,
  downlinkArrives,
  downlinkBegins,
  downlinkEnds,
  refusalArrives,
  uplinkCollected,
  uplinkEnds,
} from './passages.ts';
import type { Sides } from './sides.ts';
import { loadSides, type SavedSides, saveSides } from './state.ts';

export type NetworkFailure =
  | 'device.exists'
  | 'device.unknown'
  | 'gateway.exists'
  | 'gateway.unknown'
  | 'downlink.invalid'
  | 'mac.invalid'
  | 'device.class';

export class Network {
  readonly sides: Sides;
  readonly plan: NetworkPlan;
  readonly seed: Seed;
  /** How often each name was created: a device created again has other luck. */
  readonly #incarnations = new Map<string, number>();

  constructor(plan: NetworkPlan, seed: Seed, agenda: Agenda, options: NetworkOptions) {
    this.plan = plan;
    this.seed = seed;
    this.sides = buildSides(plan, agenda, options);
  }

  /** Puts the plan's gateways and devices in place; a restored network has them already. */
  populate(): void {
    for (const gateway of this.plan.gateways) this.#install(gateway);
    const { devices } = this.plan;
    for (const device of devices) this.#bringUp(device, 0);
  }

  /** Carries out the event that the agenda has taken. */
  dispatch(kind: NetworkEvent, target: number, nowUs: number): void {
    const { sides } = this;
    if (isOfDevice(kind)) settle(sides.device, target, nowUs);
    switch (kind) {
      case EventKind.uplinkEnds:
        return uplinkEnds(sides, target, nowUs);
      case EventKind.downlinkEnds:
        return downlinkEnds(sides, target, nowUs);
      case EventKind.downlinkBegins:
        return downlinkBegins(sides, target, nowUs);
      case EventKind.windowsClose:
        return onWindowsClose(sides.device, target, nowUs);
      case EventKind.completionCheck:
        return onCompletionCheck(sides.device, target);
      case EventKind.uplinkCollected:
        return uplinkCollected(sides, target, nowUs);
      case EventKind.answerDue:
        return answerDue(sides, target, nowUs);
      case EventKind.downlinkArrives:
        return downlinkArrives(sides, target, nowUs);
      case EventKind.refusalArrives:
        return refusalArrives(sides, target, nowUs);
      case EventKind.classCDue:
        return onClassCDue(sides.server, target, nowUs);
      case EventKind.classBDue:
        return onClassBDue(sides.server, target, nowUs);
      case EventKind.deviceTimer:
        return onTimer(sides.device, target, nowUs);
      default:
        return unreachable(kind);
    }
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  /** A device appears, registered and powered; it starts within its type's spread from now on. */
  createDevice(device: DevicePlan, nowUs: number): Result<void, NetworkFailure> {
    if (this.sides.device.devices.byEui.has(device.devEui)) {
      return fail(
        'device.exists',
        `A device with DevEUI ${device.devEui} is in the network already.`,
      );
    }
    if (this.plan.deviceTypes[device.type] === undefined) {
      return fail('device.unknown', `Device type ${device.type} does not exist.`);
    }
    this.#bringUp(device, nowUs);
    return ok(undefined);
  }

  /** A device is gone: off the air, out of the server, its events cancelled. */
  removeDevice(devEui: string, nowUs: number): Result<void, NetworkFailure> {
    const { devices, uplinkAir, downlinkAir, slots, agenda, observer } = this.sides.device;
    const row = devices.byEui.get(devEui);
    if (row === undefined) return fail('device.unknown', `No device has DevEUI ${devEui}.`);
    settle(this.sides.device, row, nowUs);
    traceDrawn(this.sides.device, row);
    retireListener(this.sides.device, row, nowUs);
    uplinkAir.abort(row);
    downlinkAir.deafen(row);
    slots.give(devices.column.slot[row]);
    devices.column.slot[row] = NONE;
    for (const kind of [EventKind.uplinkEnds, EventKind.windowsClose, EventKind.deviceTimer]) {
      agenda.cancel(kind, row);
    }
    devices.retire(row);
    const { registrations, queue, requests } = this.sides.server;
    const registration = registrations.byEui(devEui);
    queue.clear(registration);
    requests.clear(registration);
    registrations.retire(registration);
    observer?.trace({ kind: 'deviceRemoved', atUs: nowUs, device: devices.identities[row]!.name });
    return ok(undefined);
  }

  /** A gateway goes into service; every device's links are drawn anew, the old ones unchanged. */
  createGateway(gateway: GatewayPlan): Result<void, NetworkFailure> {
    if (this.sides.server.gateways.rowByEui(gateway.eui) !== NONE) {
      return fail('gateway.exists', `A gateway with EUI ${gateway.eui} is in the network already.`);
    }
    settleAll(this.sides.device, this.sides.device.agenda.nowUs);
    this.#install(gateway);
    const { devices, links } = this.sides.device;
    const stations = this.sides.server.gateways.inService();
    for (const identity of devices.identities) {
      if (devices.column.alive[identity.row] === 0) continue;
      links.connect(identity.row, identity, stations);
      onLinksDrawn(this.sides.device, identity.row);
    }
    return ok(undefined);
  }

  /** A gateway goes out of service; what it was to send is lost. */
  removeGateway(eui: string): Result<void, NetworkFailure> {
    const { gateways, agenda, observer } = this.sides.server;
    const row = gateways.rowByEui(eui);
    if (row === NONE) return fail('gateway.unknown', `No gateway has EUI ${eui}.`);
    for (const downlink of gateways.retire(row)) {
      giveUp(this.sides.server, downlink, 'gatewayGone');
    }
    agenda.cancel(EventKind.downlinkArrives, row);
    agenda.cancel(EventKind.downlinkBegins, row);
    const { name } = gateways.stations[row]!;
    observer?.trace({ kind: 'gatewayRemoved', atUs: agenda.nowUs, gateway: name });
    return ok(undefined);
  }

  /** Queues an application downlink until the device's next uplink. */
  enqueueDownlink(
    devEui: string,
    fPort: number,
    payloadHex: string,
    confirmed: boolean,
    nowUs: number,
  ): Result<void, NetworkFailure> {
    const { registrations, queue } = this.sides.server;
    const row = registrations.byEui(devEui);
    if (row === NONE) return fail('device.unknown', `No device has DevEUI ${devEui}.`);
    if (!/^([0-9a-fA-F]{2}){0,242}$/.test(payloadHex) || fPort < 1 || fPort > 223) {
      return fail('downlink.invalid', 'A downlink has FPort 1…223 and 0…242 bytes in hexadecimal.');
    }
    queue.push(row, { fPort, payload: fromHex(payloadHex), confirmed });
    wake(this.sides.server, row, nowUs);
    return ok(undefined);
  }

  /** A device becomes class A or C; a 1.1 device tells the server by DeviceModeInd. */
  switchClass(devEui: string, to: 'A' | 'C', nowUs: number): Result<void, NetworkFailure> {
    const side = this.sides.device;
    const row = side.devices.byEui.get(devEui);
    if (row === undefined) return fail('device.unknown', `No device has DevEUI ${devEui}.`);
    if (side.types[side.devices.column.type[row]]!.deviceClass === 'B') {
      return fail('device.class', `${devEui} is of class B, which it does not leave.`);
    }
    settle(side, row, nowUs);
    if (to === 'C') endSlotSessions(side, row, nowUs);
    becomeClass(side, row, to === 'C', nowUs);
    const { registrations } = this.sides.server;
    const registration = registrations.byEui(devEui);
    if (registrations.column.minor[registration] === 1) return ok(undefined);
    registrations.column.classC[registration] = to === 'C' ? 1 : 0;
    wake(this.sides.server, registration, nowUs);
    return ok(undefined);
  }

  /**
   * The server asks a device by MAC commands, with each downlink until they are answered. Commands
   * of one kind that follow each other are one block.
   */
  requestMac(devEui: string, commandsHex: string): Result<void, NetworkFailure> {
    const { registrations, requests } = this.sides.server;
    const row = registrations.byEui(devEui);
    if (row === NONE) return fail('device.unknown', `No device has DevEUI ${devEui}.`);
    const blocks = /^([0-9a-fA-F]{2})+$/.test(commandsHex) ? blocksOf(fromHex(commandsHex)) : [];
    if (blocks.length === 0) {
      return fail('mac.invalid', `${commandsHex} is no run of whole commands to a device.`);
    }
    for (const block of blocks) {
      if (isAnswered(block[0]!)) requests.ask(row, block);
      else requests.tell(row, block);
    }
    return ok(undefined);
  }

  // ── wishes of a platform ───────────────────────────────────────────────────────────────────────

  /** Whether the listener is told of a device's uplinks. */
  watch(devEui: string, on: boolean): void {
    const { registrations } = this.sides.server;
    const row = registrations.byEui(devEui);
    if (row !== NONE) registrations.column.watched[row] = on ? 1 : 0;
  }

  /** Queues an unconfirmed downlink; nothing for a device that is gone. */
  queueDownlink(devEui: string, fPort: number, payload: Uint8Array, nowUs: number): void {
    const { registrations, queue } = this.sides.server;
    const row = registrations.byEui(devEui);
    if (row === NONE) return;
    queue.push(row, { fPort, payload, confirmed: false });
    wake(this.sides.server, row, nowUs);
  }

  clearDownlinks(devEui: string): void {
    const { registrations, queue } = this.sides.server;
    const row = registrations.byEui(devEui);
    if (row !== NONE) queue.clear(row);
  }

  openMulticast(mcAddr: number, mcKey: Uint8Array, frequencyHz: number, dataRate: number): void {
    this.sides.server.multicast.open(mcAddr, mcKey, frequencyHz, dataRate);
  }

  closeMulticast(mcAddr: number): void {
    this.sides.server.multicast.close(mcAddr);
  }

  sendMulticast(wish: MulticastWish, nowUs: number): void {
    sendMulticast(this.sides.server, wish, nowUs);
  }

  /**
   * Derives what every device has heard so far. When that is done changes nothing, so whoever asks
   * does it first. What ends in the present microsecond is left to the events that follow in it:
   * not all of it may be known yet.
   */
  settle(nowUs: number): void {
    settleAll(this.sides.device, nowUs - 1);
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  save(): SavedNetwork {
    return { sides: saveSides(this.sides), incarnations: [...this.#incarnations] };
  }

  load(saved: SavedNetwork): void {
    loadSides(this.sides, saved.sides);
    this.#incarnations.clear();
    for (const [name, count] of saved.incarnations) this.#incarnations.set(name, count);
  }

  // ── arrivals ───────────────────────────────────────────────────────────────────────────────────

  #install(gateway: GatewayPlan): void {
    installGateway(this.sides, gateway, this.#key(gateway.name));
  }

  #bringUp(device: DevicePlan, nowUs: number): void {
    const type = this.plan.deviceTypes[device.type]!;
    bringUpDevice(this.sides, device, type, this.#key(device.name), nowUs);
  }

  /** Key of the next incarnation of a name. */
  #key(name: string): EntityKey {
    const incarnation = this.#incarnations.get(name) ?? 0;
    this.#incarnations.set(name, incarnation + 1);
    return entityKey(this.seed, incarnation === 0 ? name : `${name}#${incarnation}`);
  }
}

/** Whether the target of an event is a device that acts. */
const isOfDevice = (kind: NetworkEvent): boolean =>
  kind === EventKind.uplinkEnds ||
  kind === EventKind.windowsClose ||
  kind === EventKind.completionCheck ||
  kind === EventKind.deviceTimer;

export interface SavedNetwork {
  readonly sides: SavedSides;
  readonly incarnations: readonly (readonly [string, number])[];
}
