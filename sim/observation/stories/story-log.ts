/**
 * What the story of any device of a run takes (docs/decisions/0137): transmissions and single
 * events in the order of time, as numbers. It changes nothing. Where there is no more room it has
 * no story at all.
 *
 * Problem: nobody knows beforehand whose story is asked for, and rows of the trace cost more than
 * the events that they are of. Approach: plain numbers of all devices, one after the other, which
 * are read when somebody asks.
 */
import type { BeaconFate, DownlinkRefusal } from '../../base/counts.ts';
import type { BeaconStory, GatewayStory, StoryRecords, StoryStep } from '../../contract/stories.ts';
import { FOPTS_OFFSET, MIC_BYTES } from '../../lorawan/frame.ts';
import type { Observer, TraceRow } from '../observer.ts';
import { FACT, FactLog } from './facts.ts';
import { UplinkLog } from './uplink-log.ts';

export interface StoryLogOptions {
  /** FPorts of application packages, of all types of devices. */
  readonly ports: ReadonlySet<number>;
  /** Transmissions that are stored. */
  readonly uplinks: number;
}

const NONE = -1;
/** Numbers of single events that are stored for each transmission that there is room for. */
const NUMBERS_AN_UPLINK = 8;
const FOPTS_LENGTH = 0x0f;
const FCTRL = 5;

export class StoryLog implements Observer, StoryRecords {
  readonly #options: StoryLogOptions;
  readonly uplinks: UplinkLog;
  readonly #facts: FactLog;
  readonly #rowOf = new Map<string, number>();
  /** By row of the device. */
  readonly names: string[] = [];
  readonly devEuis: string[] = [];
  readonly rows: TraceRow[] = [];
  readonly steps: StoryStep[] = [];
  readonly beacons = new Map<number, BeaconStory>();
  readonly gateways = new Map<string, GatewayStory>();
  readonly #framesSeen = new Map<number, Set<number>>();
  /** Names of gateways whose backhaul is down. */
  readonly #down = new Set<string>();
  #messages = new Uint8Array(4_096);
  #messagesLength = 0;
  #isCut = false;

  constructor(options: StoryLogOptions) {
    this.#options = options;
    this.uplinks = new UplinkLog(options.uplinks);
    this.#facts = new FactLog(NUMBERS_AN_UPLINK * options.uplinks);
  }

  /** Whether nothing is missing. */
  get isWhole(): boolean {
    return !(this.#isCut || this.uplinks.isFull || this.#facts.isFull);
  }

  /** There is no room for something. */
  cut(): void {
    this.#isCut = true;
  }

  /** In the order of events: what of them is seldom, and comes as a row. */
  trace(row: TraceRow): void {
    const place = this.rows.push(row) - 1;
    this.#facts.note(FACT.row, place, row.atUs);
    if (row.kind !== 'gatewayFault' || row.fault !== 'backhaul') return;
    if (row.on) this.#down.add(row.gateway);
    else this.#down.delete(row.gateway);
    if (row.on) this.#gateway(row.gateway).notForwarded.push({ fromUs: row.atUs, frames: 0 });
  }

  #gateway(name: string): GatewayStory {
    let story = this.gateways.get(name);
    if (story === undefined) {
      story = { sent: {}, refused: {}, notForwarded: [] };
      this.gateways.set(name, story);
    }
    return story;
  }

  // ── devices ────────────────────────────────────────────────────────────────────────────────────

  starts(
    device: number,
    { name, devEui }: { readonly name: string; readonly devEui: string },
    {
      atUs,
      driftPpb,
      isPersonalised,
    }: Readonly<Record<'atUs' | 'driftPpb', number>> & {
      readonly isPersonalised: boolean;
    },
  ): void {
    this.#rowOf.set(devEui, device);
    this.names[device] = name;
    this.devEuis[device] = devEui;
    this.#facts.note(FACT.starts, device, atUs, driftPpb, isPersonalised ? 1 : 0);
  }

  /**
   * Where the message of a data frame is stored, if it is on the port of a package, else `NONE`;
   * the frame is the first `length` bytes, in clear.
   */
  messageOf(frame: Uint8Array, length: number): number {
    const portAt = FOPTS_OFFSET + (frame[FCTRL]! & FOPTS_LENGTH);
    if (portAt >= length - MIC_BYTES || !this.#options.ports.has(frame[portAt]!)) return NONE;
    return this.#keep(frame[portAt]!, frame.subarray(portAt + 1, length - MIC_BYTES));
  }

  #keep(fPort: number, payload: Uint8Array): number {
    const at = this.#messagesLength;
    const until = at + 2 + payload.length;
    if (until > this.#messages.length) {
      const room = new Uint8Array(2 * until);
      room.set(this.#messages);
      this.#messages = room;
    }
    this.#messages[at] = payload.length;
    this.#messages[at + 1] = fPort;
    this.#messages.set(payload, at + 2);
    this.#messagesLength = until;
    return at;
  }

  /** A gateway whose backhaul may be down received a frame. */
  received(gateway: string): void {
    if (this.#down.size === 0 || !this.#down.has(gateway)) return;
    this.#gateway(gateway).notForwarded.at(-1)!.frames++;
  }

  /** Whether `received` has something to count. */
  get hasOutage(): boolean {
    return this.#down.size > 0;
  }

  joined(device: number, atUs: number): void {
    this.#facts.note(FACT.joined, device, atUs);
  }

  sessionOpens(
    device: number,
    atUs: number,
    session: {
      readonly mcAddr: number;
      readonly opensAtUs: number;
      readonly closesAtUs: number;
      /** Absent in class C. */
      readonly slotsUntilUs?: number | undefined;
      readonly spreadingFactor: number;
    },
  ): void {
    const { mcAddr, opensAtUs, closesAtUs, slotsUntilUs = NONE, spreadingFactor } = session;
    const times = [opensAtUs, closesAtUs, slotsUntilUs] as const;
    this.#facts.note(FACT.session, device, atUs, mcAddr, ...times, spreadingFactor);
  }

  completed(device: number, atUs: number, fragment: number): void {
    this.#facts.note(FACT.completed, device, atUs, fragment);
  }

  activated(device: number, atUs: number, fwVersion: number): void {
    this.#facts.note(FACT.activated, device, atUs, fwVersion);
  }

  beacon(device: number, beganAtUs: number, fate: BeaconFate): void {
    let story = this.beacons.get(device);
    if (story === undefined) {
      story = { firstUs: beganAtUs, lastUs: beganAtUs, fates: {} };
      this.beacons.set(device, story);
    }
    story.lastUs = beganAtUs;
    story.fates[fate] = (story.fates[fate] ?? 0) + 1;
  }

  // ── downlinks ──────────────────────────────────────────────────────────────────────────────────

  /**
   * A downlink of an application goes on the air, or is not sent. `payload`: in clear, of a port;
   * undefined where nobody can open it.
   */
  downlink(
    devEui: string,
    how: Readonly<Record<'atUs' | 'refusal' | 'window' | 'gateway' | 'airtimeUs', number>>,
    fPort: number,
    payload: Uint8Array | undefined,
  ): void {
    const device = this.#rowOf.get(devEui);
    if (device === undefined) return;
    const { atUs, refusal, window, gateway, airtimeUs } = how;
    const isOfPackage = payload !== undefined && this.#options.ports.has(fPort);
    const messageAt = isOfPackage ? this.#keep(fPort, payload) : NONE;
    this.#facts.note(FACT.downlink, device, atUs, refusal, window, gateway, airtimeUs, messageAt);
  }

  downlinkEnds(device: number, atUs: number, fate: number): void {
    this.#facts.note(FACT.downlinkEnds, device, atUs, fate);
  }

  /** A copy of a group's frame goes on the air. */
  groupFrame(mcAddr: number, counter: number, endsAtUs: number): void {
    let seen = this.#framesSeen.get(mcAddr);
    if (seen === undefined) {
      seen = new Set();
      this.#framesSeen.set(mcAddr, seen);
    }
    if (seen.has(counter)) return;
    seen.add(counter);
    this.#facts.note(FACT.groupFrame, mcAddr, endsAtUs, counter);
  }

  sent(gateway: string, purpose: string): void {
    const { sent } = this.#gateway(gateway);
    sent[purpose] = (sent[purpose] ?? 0) + 1;
  }

  refused(gateway: string, reason: DownlinkRefusal): void {
    const { refused } = this.#gateway(gateway);
    refused[reason] = (refused[reason] ?? 0) + 1;
  }

  // ── campaigns ──────────────────────────────────────────────────────────────────────────────────

  step(row: StoryStep): void {
    this.steps.push(row);
  }

  /** What was stored as numbers, in bytes. */
  written(): Readonly<Record<'uplinks' | 'facts' | 'messages', Uint8Array>> {
    return {
      uplinks: this.uplinks.written(),
      facts: this.#facts.written(),
      messages: this.#messages.slice(0, this.#messagesLength),
    };
  }
}
