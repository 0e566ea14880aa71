/**
 * A world whose gateways are packet forwarders of a real network server: it follows the wall's
 * clock. START HERE for the bridge.
 *
 * Problem: the server answers within tenths of a second, and the world must stay a pure function
 * of plan, seed and log. Approach: the world runs to where the clock is, then the datagrams of its
 * gateways leave; a PULL_RESP is an entry of the log with the world's instant as its stamp
 * (docs/decisions/0122). Rejected: real time inside the world, which nobody could repeat.
 */
import { coordinatesOf, USUAL_ORIGIN } from '../../core/base/geography.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { type Run, World } from '../../core/world/world.ts';
import type {
  ForwardedUplink,
  OpenedFrame,
  TransmissionAnswer,
} from '../../sim/contract/forwarding.ts';
import type { DatagramJson } from '../../sim/gateway/forwarder-datagram.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { GatewayPlan } from '../../sim/plan/network-plan.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';
import type { Appointment, HostTime } from '../host/clock/host-time.ts';
import { Slices } from '../host/clock/slice.ts';
import { Departures } from './departures.ts';
import { Forwarder, type ForwarderCounts, MOST_FRAMES } from './forwarder.ts';
import { Lag, type LagFigures } from './lag.ts';
import { inaudible, isJoinRequest, readTxpk, rxpk, stat } from './packets.ts';
import type { ServerLink } from './server-link.ts';

const US_A_MS = 1_000;
/** Wall time of a slice, ms. */
const SLICE_MS = 10;
const LONGEST_SLEEP_MS = 200;
/** As the reference forwarder is usually configured. */
const PULL_EVERY_MS = 5_000;
const STAT_EVERY_MS = 30_000;
/** Frames of one gateway that wait for the scenario's backhaul. */
const MOST_FRAMES_WAITING = 1_024;
/** A frame is answered within so long, ms: a join in its second window. */
const ANSWERED_WITHIN_MS = 7_000;

/** A server that answers no join for so long knows neither the devices nor their channels, µs. */
const JOINS_UNANSWERED_US = 60_000_000;

/** What the bridge hears of the world beside the datagrams. */
export interface BridgeObserver {
  trace(row: TraceRow): void;
  opened(frame: OpenedFrame): void;
  answered(answer: TransmissionAnswer): void;
}

export interface BridgeNeeds {
  readonly plan: RunPlan;
  readonly seed: string;
  readonly speed: number;
  /** All that ever send: those of the plan, then those that its timeline adds. */
  readonly gateways: readonly GatewayPlan[];
  /** One a gateway, in their order. */
  readonly links: readonly ServerLink[];
  readonly time: HostTime;
  readonly observer: BridgeObserver;
  readonly options: Pick<WorldOptions, 'log' | 'codecs'>;
  /** Hears of what a server has sent that is wrong, once a kind. */
  readonly warn: (sentence: string) => void;
}

/** What the host counted; nothing of it is in the world. */
export interface BridgeCounts extends ForwarderCounts {
  readonly gateways: number;
  readonly connected: number;
  /** Refusals TOO_LATE that would not have been without the lag of this process. */
  readonly ownLagRefusals: number;
  readonly lag: LagFigures;
}

type Departing =
  | {
      readonly kind: 'frame';
      readonly gateway: number;
      readonly json: DatagramJson;
      readonly atUs: number;
    }
  | { readonly kind: 'answer'; readonly gateway: number; readonly answer: TransmissionAnswer };

export class Bridge {
  readonly world: Run;
  readonly forwarders: readonly Forwarder[];
  readonly #needs: BridgeNeeds;
  readonly #rates: ChannelPlan;
  readonly #slices: Slices;
  readonly #departures = new Departures<Departing>();
  /** Frames that wait, by gateway. */
  readonly #waiting: number[];
  /** Whether it stands; one that the timeline adds, takes down and puts up again does at times. */
  readonly #isUp: boolean[];
  readonly #isCut: boolean[];
  readonly #byEui: ReadonlyMap<string, number>;
  readonly #byName = new Map<string, number>();
  readonly #lag = new Lag();
  /** How late the latest late frame of each gateway left, and when: its answer may be late. */
  readonly #frameLag: { lateUs: number; atMs: number }[];
  readonly #warned = new Set<string>();
  #transmissions = 0;
  #firstJoinUs = Number.POSITIVE_INFINITY;
  #ownLagRefusals = 0;
  #beganMs = 0;
  #next: Appointment | undefined;
  readonly #clocks: Appointment[] = [];
  #onEnd: (() => void) | undefined;
  #onFault: ((error: unknown) => void) | undefined;
  #runs = false;

  constructor(needs: BridgeNeeds) {
    const { plan, seed, gateways, links, time, options, observer } = needs;
    this.#needs = needs;
    this.#rates = new ChannelPlan(plan.network);
    this.#byEui = new Map(gateways.map(({ eui }, at) => [eui, at]));
    this.#waiting = gateways.map(() => 0);
    this.#isUp = gateways.map(() => false);
    this.#isCut = gateways.map(() => false);
    this.#frameLag = gateways.map(() => ({ lateUs: 0, atMs: 0 }));
    this.forwarders = gateways.map(
      ({ eui }, at) => new Forwarder(eui, 257 * at, (bytes) => this.#send(at, bytes)),
    );
    this.world = World.create(plan, seed, {
      ...options,
      records: false,
      observer: { trace: (row) => this.#observe(row) },
      forwarder: {
        forwarded: (uplink) => this.#onForwarded(uplink),
        answered: (answer) => this.#onAnswered(answer),
        opened: (frame) => observer.opened(frame),
      },
    });
    this.#slices = new Slices(this.world, () => time.elapsedMs());
    for (const [at, link] of links.entries()) {
      link.onDatagram((bytes) => this.#onDatagram(at, bytes));
    }
  }

  // ── the way to the server ──────────────────────────────────────────────────────────────────────

  #send(gateway: number, bytes: Uint8Array): void {
    if (!this.#isCut[gateway]) this.#needs.links[gateway]!.send(bytes);
  }

  // ── the clock ──────────────────────────────────────────────────────────────────────────────────

  /** Follows the clock from `beginsMs` of `elapsedMs` on; resolves when the world is at its end. */
  run(beginsMs: number): Promise<void> {
    this.#beganMs = beginsMs;
    this.#runs = true;
    this.#keepAlive();
    return new Promise((resolve, reject) => {
      this.#onEnd = resolve;
      this.#onFault = reject;
      this.#wakeAfter(0);
    });
  }

  /** Ends where the world is. */
  stop(): void {
    if (!this.#runs) return;
    this.#runs = false;
    this.#next?.cancel();
    for (const clock of this.#clocks) clock.cancel();
    // Whole instants alone can be repeated.
    this.world.runUntil(this.world.nowUs);
    this.#onEnd?.();
  }

  /** Where the world should be, µs. */
  #dueUs(): number {
    const { time, speed } = this.#needs;
    const us = Math.floor((time.elapsedMs() - this.#beganMs) * US_A_MS * speed);
    return Math.max(0, Math.min(us, this.world.endUs));
  }

  /** Brings the world towards the clock, at most a slice. True: it is there. */
  #advance(): boolean {
    const dueUs = this.#dueUs();
    const overdueUs = dueUs - Math.min(this.world.facts.nextUs, this.#departures.nextUs);
    if (overdueUs >= 0) this.#lag.add(overdueUs / US_A_MS / this.#needs.speed);
    const isThere = dueUs <= this.world.nowUs || this.#slices.run({ untilUs: dueUs }, SLICE_MS);
    this.#depart();
    return isThere;
  }

  #turn(): void {
    try {
      const isThere = this.#advance();
      if (!this.#runs) return;
      if (this.world.nowUs >= this.world.endUs) return this.stop();
      if (!isThere) return this.#wakeAfter(0);
      const { endUs, facts } = this.world;
      const nextUs = Math.min(facts.nextUs, this.#departures.nextUs, endUs);
      this.#wakeAfter((nextUs - this.#dueUs()) / US_A_MS / this.#needs.speed);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#runs = false;
    this.#onFault?.(error);
  }

  #wakeAfter(ms: number): void {
    const { time } = this.#needs;
    this.#next?.cancel();
    const act = () => this.#turn();
    this.#next = ms < 1 ? time.soon(act) : time.later(act, Math.min(ms, LONGEST_SLEEP_MS));
  }

  /** A frame leaves its gateway later than it should. */
  #noteFrameLag(gateway: number, lateUs: number): void {
    const nowMs = this.#needs.time.elapsedMs();
    const { lateUs: before, atMs } = this.#frameLag[gateway]!;
    if (lateUs < before && nowMs - atMs < ANSWERED_WITHIN_MS) return;
    this.#frameLag[gateway] = { lateUs, atMs: nowMs };
  }

  /** PULL_DATA and `stat` of each gateway, spread over their intervals. */
  #keepAlive(): void {
    const { length } = this.forwarders;
    const repeat = (everyMs: number, gateway: number, act: () => void) => {
      const again = (afterMs: number) => {
        this.#clocks[2 * gateway + (everyMs === PULL_EVERY_MS ? 0 : 1)] = this.#needs.time.later(
          () => {
            act();
            if (this.#runs) again(everyMs);
          },
          afterMs,
        );
      };
      again((everyMs * gateway) / length);
    };
    for (const gateway of this.forwarders.keys()) {
      this.#greet(gateway);
      repeat(PULL_EVERY_MS, gateway, () => this.#pull(gateway));
      repeat(STAT_EVERY_MS, gateway, () => this.#pushStat(gateway));
    }
  }

  /** The first that a server hears of a gateway that has started. */
  #greet(gateway: number): void {
    this.#pull(gateway);
    this.#pushStat(gateway);
  }

  #pull(gateway: number): void {
    if (this.#isUp[gateway]) this.forwarders[gateway]!.pull();
  }

  #pushStat(gateway: number): void {
    if (!this.#isUp[gateway]) return;
    const { plan, gateways } = this.#needs;
    const place = coordinatesOf(gateways[gateway]!, plan.origin ?? USUAL_ORIGIN);
    const unixMs = plan.network.startUnixMs + Math.floor(this.world.nowUs / US_A_MS);
    this.forwarders[gateway]!.pushStat((counts, share) => stat(counts, share, unixMs, place));
  }

  // ── what leaves ────────────────────────────────────────────────────────────────────────────────

  #onForwarded(uplink: ForwardedUplink): void {
    const gateway = this.#byEui.get(uplink.gatewayEui);
    if (gateway === undefined) return;
    if (this.#waiting[gateway]! >= MOST_FRAMES_WAITING) return this.forwarders[gateway]!.drop(1);
    this.#waiting[gateway]!++;
    if (isJoinRequest(uplink.phyPayload)) this.#onJoinRequest(uplink.endedAtUs);
    const json = rxpk(uplink, this.#rates, this.#needs.plan.network.startUnixMs);
    const atUs = uplink.arrivesAtUs;
    this.#departures.add(atUs, { kind: 'frame', gateway, json, atUs });
  }

  #onJoinRequest(atUs: number): void {
    this.#firstJoinUs = Math.min(this.#firstJoinUs, atUs);
    if (this.#transmissions > 0 || atUs - this.#firstJoinUs < JOINS_UNANSWERED_US) return;
    const channels = this.#rates.heardHz.map((hz) => hz / 1e6).join(', ');
    this.#warn(
      `no join request was answered in ${JOINS_UNANSWERED_US / 1e6} s; it does not know these ` +
        `devices (fleetwave bridge provision), or their region: they send at ${channels} MHz ` +
        `(${this.#needs.plan.network.region})`,
    );
  }

  #onAnswered(answer: TransmissionAnswer): void {
    this.#needs.observer.answered(answer);
    const gateway = this.#byEui.get(answer.gatewayEui);
    if (gateway === undefined) return;
    this.#departures.add(answer.arrivesAtUs, { kind: 'answer', gateway, answer });
    const isLate = answer.refusal === 'tooLate' || answer.refusal === 'tooEarly';
    const { lateUs: latest, atMs } = this.#frameLag[gateway]!;
    const lateUs = this.#needs.time.elapsedMs() - atMs < ANSWERED_WITHIN_MS ? latest : 0;
    if (isLate && answer.shortOfUs > 0 && answer.shortOfUs <= lateUs) this.#ownLagRefusals++;
  }

  /** All that is due by the world's instant; frames of one gateway share a datagram. */
  #depart(): void {
    const frames = new Map<number, DatagramJson[]>();
    for (;;) {
      const departing = this.#departures.takeDue(this.world.nowUs);
      if (departing === undefined) break;
      const { gateway } = departing;
      if (departing.kind === 'answer') this.forwarders[gateway]!.answer(departing.answer);
      else {
        this.#waiting[gateway]!--;
        this.#noteFrameLag(gateway, this.#dueUs() - departing.atUs);
        const together = frames.get(gateway) ?? [];
        frames.set(gateway, together);
        together.push(departing.json);
        if (together.length < MOST_FRAMES) continue;
        this.forwarders[gateway]!.push(together.splice(0));
      }
    }
    for (const [gateway, rest] of frames) if (rest.length > 0) this.forwarders[gateway]!.push(rest);
  }

  // ── what comes ─────────────────────────────────────────────────────────────────────────────────

  #onDatagram(gateway: number, bytes: Uint8Array): void {
    const forwarder = this.forwarders[gateway]!;
    if (!this.#isUp[gateway] || this.#isCut[gateway]) return;
    const request = forwarder.receive(bytes);
    if (request === undefined || !this.#runs) return;
    const { eui, antennaGainCentiDb } = this.#needs.gateways[gateway]!;
    const read = readTxpk(request.json, this.#rates, antennaGainCentiDb);
    if (!read.ok) {
      forwarder.counts.malformed++;
      return this.#warn(`gateway ${eui}: ${read.failure.message}`);
    }
    const { frequencyHz } = read.value;
    if (!this.#rates.isDownlinkFrequency(frequencyHz)) {
      const { region } = this.#needs.plan.network;
      const at = `${frequencyHz / 1e6} MHz`;
      this.#warn(`gateway ${eui}: ${at} is no downlink frequency of ${region}; a wrong region?`);
    }
    const unheard = inaudible(request.json);
    if (unheard !== undefined) this.#warn(`gateway ${eui}: ${unheard}`);
    const id = ++this.#transmissions;
    const { token } = request;
    if (!forwarder.opens(id, token, read.value.eirpCentiDbm, this.#needs.time.elapsedMs())) return;
    try {
      this.#advance();
      this.world.transmit({ id, gatewayEui: eui, ...read.value });
      this.#turn();
    } catch (error) {
      this.#fail(error);
    }
  }

  #warn(sentence: string): void {
    if (this.#warned.size >= 20 || this.#warned.has(sentence)) return;
    this.#warned.add(sentence);
    this.#needs.warn(sentence);
  }

  /**
   * A backhaul that fails cuts the gateway off from the server, its keep-alives too. One that moves
   * is taken down and starts again, by another name in the trace and the same EUI.
   */
  #observe(row: TraceRow): void {
    this.#needs.observer.trace(row);
    if (row.kind === 'gatewayStarts') {
      const started = this.#byEui.get(row.eui);
      if (started === undefined) return;
      this.#byName.set(row.gateway, started);
      this.#isUp[started] = true;
      this.#isCut[started] = false;
      if (this.#runs) this.#greet(started);
      return;
    }
    if (row.kind !== 'gatewayFault' && row.kind !== 'gatewayRemoved') return;
    const gateway = this.#byName.get(row.gateway);
    if (gateway === undefined) return;
    if (row.kind === 'gatewayRemoved') this.#isUp[gateway] = false;
    else if (row.fault === 'backhaul') this.#isCut[gateway] = row.on;
  }

  // ── figures ────────────────────────────────────────────────────────────────────────────────────

  counts(): BridgeCounts {
    const all = this.forwarders.map(({ counts }) => counts);
    const sum = Object.fromEntries(
      Object.keys(all[0] ?? {}).map((name) => [
        name,
        all.reduce((total, counts) => total + counts[name as keyof ForwarderCounts], 0),
      ]),
    ) as unknown as ForwarderCounts;
    return {
      ...sum,
      gateways: this.forwarders.length,
      connected: this.forwarders.filter(({ isConnected }) => isConnected).length,
      ownLagRefusals: this.#ownLagRefusals,
      lag: this.#lag.figures(),
    };
  }
}
