/**
 * The network: devices, air, gateways and server under one clock. START HERE for the radio side.
 *
 * Problem: devices and server affect each other at exact instants, while device state is derived
 * late. Approach: `dispatch` is one switch over all kinds of events, and settles a device before
 * each event of it (docs/decisions/0029). Handlers of both sides are in `uplink-passage.ts`,
 * `downlink-passage.ts` and `requests.ts`; the rules of a side are in its folder. Rejected:
 * handlers or closures inside events, which cannot be saved or hashed (docs/decisions/0001).
 * Settling in the handlers: it was a rule for authors, and was broken.
 */
import { assert, unreachable } from '../base/assert.ts';
import { type EntityKey, entityKey, type Seed } from '../base/random.ts';
import { doAll, ROWS_A_STEP, type Stepwise } from '../base/stepwise.ts';
import { onCompletionCheck, onTimer, onWindowsClose } from '../device/mac.ts';
import { settle, settlingAll } from '../device/multicast-settling.ts';
import { EventKind, type NetworkEvent } from '../events.ts';
import type { Agenda } from '../kernel/agenda.ts';
import { onClassBDue } from '../network-server/class-b.ts';
import { onClassCDue } from '../network-server/class-c.ts';
import type { DevicePlan, GatewayPlan, NetworkPlan } from '../plan/network-plan.ts';
import { bringUpDevice, installGateway } from './arrivals.ts';
import { buildSides, type NetworkOptions } from './build.ts';
import {
  downlinkArrives,
  downlinkBegins,
  downlinkEnds,
  refusalArrives,
} from './downlink-passage.ts';
import { Incarnations, type SavedIncarnations } from './incarnations.ts';
import type { Sides } from './sides.ts';
import { loadingSides, type SavedSides, saveSides } from './state.ts';
import { answerDue, uplinkCollected, uplinkEnds } from './uplink-passage.ts';

export class Network {
  readonly sides: Sides;
  readonly plan: NetworkPlan;
  readonly seed: Seed;
  readonly #incarnations = new Incarnations();

  constructor(plan: NetworkPlan, seed: Seed, agenda: Agenda, options: NetworkOptions) {
    this.plan = plan;
    this.seed = seed;
    this.sides = buildSides(plan, agenda, options);
  }

  /** Puts the plan's gateways and devices in place; a restored network has them already. */
  populate(): void {
    doAll(this.populating());
  }

  /** Puts all devices and gateways in, in steps. */
  *populating(): Stepwise {
    for (const gateway of this.plan.gateways) this.install(gateway);
    for (const [at, device] of this.plan.devices.entries()) {
      if (at % ROWS_A_STEP === 0) yield;
      this.bringUp(device, 0);
    }
    this.#incarnations.onPlanned(this.plan);
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

  /**
   * Derives what every device has heard so far. When that is done changes nothing, so anyone who
   * asks does it first. What ends in the present microsecond is left to the events that follow in
   * it: not all of it may be known yet.
   */
  settle(nowUs: number): void {
    doAll(this.settling(nowUs));
  }

  /** Settles all devices, in steps. */
  settling(nowUs: number): Stepwise {
    return settlingAll(this.sides.device, nowUs - 1);
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  save(): SavedNetwork {
    return { sides: saveSides(this.sides), incarnations: this.#incarnations.save() };
  }

  load(saved: SavedNetwork): void {
    doAll(this.loading(saved));
  }

  /** Loads what `save` has returned, in steps. */
  *loading(saved: SavedNetwork): Stepwise {
    yield* loadingSides(this.sides, saved.sides);
    this.#incarnations.load(saved.incarnations);
  }

  // ── arrivals ───────────────────────────────────────────────────────────────────────────────────

  /**
   * Puts a gateway into service, as the next incarnation of its name; the label is what people call
   * it. Links are not drawn yet.
   */
  install(gateway: GatewayPlan, label = gateway.name): void {
    installGateway(this.sides, gateway, this.#key(gateway.name), label);
  }

  /** Registers a device and switches it on within its type's spread from `nowUs` on. */
  bringUp(device: DevicePlan, nowUs: number): void {
    const type = this.plan.deviceTypes[device.type];
    assert(type !== undefined, 'a device is of a type of the plan');
    bringUpDevice(this.sides, device, type, this.#key(device.name), nowUs);
  }

  #key(name: string): EntityKey {
    return entityKey(this.seed, this.#incarnations.next(name, this.plan));
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
  readonly incarnations: SavedIncarnations;
}
