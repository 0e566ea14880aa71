/**
 * What an observer saw of a world with campaigns, put together for the eager oracle: lives of
 * devices with their transmissions, windows, sessions and links, and what gateways sent.
 */
import { catches } from '../../../scenarios/testing/laws/story.ts';
import { DrawPurpose, entityKey, type Seed } from '../../../sim/base/random.ts';
import { readCommands } from '../../../sim/lorawan/message.ts';
import {
  type McGroupSetupReq,
  multicastSetup,
} from '../../../sim/lorawan/packages/ts005-multicast-setup.ts';
import type {
  DownlinkBegins,
  DownlinkPlanned,
  FragmentationSessionBegins,
  MulticastSessionOpens,
  SessionKeysRow,
  TraceRow,
  WindowRow,
} from '../../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import { Fading } from '../../../sim/radio/fading.ts';

export interface Span {
  readonly fromUs: number;
  readonly untilUs: number;
}

export interface Channel {
  readonly frequencyHz: number;
  readonly spreadingFactor: number;
}

export const overlap = (a: Span, b: Span): number =>
  Math.min(a.untilUs, b.untilUs) - Math.max(a.fromUs, b.fromUs);

export const sameChannel = (a: Channel, b: Channel): boolean =>
  a.frequencyHz === b.frequencyHz && a.spreadingFactor === b.spreadingFactor;

/** A gateway's transmission. */
export interface Copy extends Span, Channel {
  readonly gateway: string;
  /** Number of this transmission of its gateway, from 1. */
  readonly frame: number;
  readonly bandwidthHz: number;
  readonly eirpCentiDbm: number;
  /** Group address of a multicast frame, 0 for others. */
  readonly mcAddr: number;
  /** 32 bits. */
  readonly counter: number;
  /** PHYPayload, payload in clear. */
  readonly bytes: Uint8Array;
  /** Of the group, or of the device's session. */
  readonly keys: SessionKeysRow | undefined;
}

/** Time in which a radio is tuned elsewhere; channel undefined: to none. */
export interface Busy extends Span {
  readonly channel: Channel | undefined;
}

export interface Listening extends Span, Channel {
  readonly mcAddr: number;
  readonly mcGroupId: number;
  /** In class B: its slots, and from when to when. */
  readonly slots: MulticastSessionOpens['slots'] | undefined;
  /** When it really ended. */
  endedAtUs: number;
}

export interface Life {
  /** As its luck is keyed: with `#n` from the second life on. */
  readonly name: string;
  readonly plainName: string;
  /** Root of its multicast keys, hexadecimal; empty before it started. */
  rootKey: string;
  readonly busy: Busy[];
  readonly sessions: Listening[];
  /** When the beacons began that it heard. */
  readonly beacons: number[];
  /** Gain by gateway name, its antenna included, 1/100 dB. */
  readonly gains: Map<string, number>;
}

/** What happens to the groups and blocks of a life, in order. */
export type BlockEvent =
  | { readonly atUs: number; readonly life: Life; readonly setUp: McGroupSetupReq }
  | { readonly atUs: number; readonly life: Life; readonly begins: FragmentationSessionBegins }
  | { readonly atUs: number; readonly life: Life; readonly endsIndex: number }
  | { readonly atUs: number; readonly life: Life; readonly unicast: Uint8Array };

export interface SessionStory {
  readonly plan: NetworkPlan;
  readonly lives: readonly Life[];
  readonly copies: readonly Copy[];
  readonly blockEvents: readonly BlockEvent[];
}

interface Windows {
  readonly rx1: Mutable<WindowRow>;
  readonly rx2: Mutable<WindowRow>;
  answered: boolean;
}
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function sessionsOf(rows: readonly TraceRow[], plan: NetworkPlan, seed: Seed): SessionStory {
  const teller = new Teller(new Fades(plan, seed), plan);
  for (const row of rows) teller.hear(row);
  teller.closeAll();
  const { lives, copies, blockEvents } = teller;
  return { plan, lives, copies, blockEvents };
}

/** What the moment adds to links, 1/100 dB, by the names of both ends and the frame's number. */
export class Fades {
  readonly #fading: Fading;
  readonly #seed: Seed;

  constructor({ radio }: NetworkPlan, seed: Seed) {
    this.#fading = new Fading(radio.fading);
    this.#seed = seed;
  }

  uplink(device: string, gateway: string, frame: number): number {
    return this.#of(device, gateway, DrawPurpose.fadingUp, frame);
  }

  downlink(device: string, gateway: string, frame: number): number {
    return this.#of(device, gateway, DrawPurpose.fadingDown, frame);
  }

  #of(device: string, gateway: string, purpose: DrawPurpose, frame: number): number {
    const [own, other] = [entityKey(this.#seed, device), entityKey(this.#seed, gateway)];
    return this.#fading.centiDb(own, other, purpose, frame);
  }
}

/** Usual ports of the packages, and the CID of DataFragment (TS004-1.0.0, TS005-1.0.0). */
const MULTICAST_FPORT = 200;
const FRAGMENTATION_FPORT = 201;
const DATA_FRAGMENT = 8;

class Teller {
  readonly #fading: Fades;
  readonly lives: Life[] = [];
  readonly copies: Copy[] = [];
  readonly blockEvents: BlockEvent[] = [];
  readonly #present = new Map<string, Life>();
  readonly #lifeCount = new Map<string, number>();
  readonly #uplinks = new Map<Life, { fromUs: number; untilUs: number; eirp: number }>();
  readonly #windows = new Map<Life, Windows>();
  readonly #planned = new Map<string, DownlinkPlanned>();
  readonly #begun = new Map<string, DownlinkBegins>();
  readonly #frames = new Map<string, number>();

  readonly #rootKeys: ReadonlyMap<string, string | undefined>;

  constructor(fading: Fades, { devices }: NetworkPlan) {
    this.#fading = fading;
    this.#rootKeys = new Map(devices.map(({ name, genAppKey }) => [name, genAppKey]));
  }

  hear(row: TraceRow): void {
    switch (row.kind) {
      case 'uplinkBegins': {
        const life = this.#life(row.device);
        const { atUs, airtimeUs, eirpCentiDbm } = row;
        this.#closeWindows(life);
        this.#uplinks.set(life, { fromUs: atUs, untilUs: atUs + airtimeUs, eirp: eirpCentiDbm });
        life.busy.push({ fromUs: atUs, untilUs: atUs + airtimeUs, channel: undefined });
        break;
      }
      case 'uplinkEnds': {
        const life = this.#life(row.device);
        const { eirp } = this.#uplinks.get(life)!;
        for (const { gateway, rssiCentiDbm } of row.gateways) {
          const fade = this.#fading.uplink(life.name, gateway, row.frame);
          life.gains.set(gateway, rssiCentiDbm - eirp - fade);
        }
        break;
      }
      case 'receiveWindows':
        this.#windows.set(this.#life(row.device), {
          rx1: { ...row.rx1 },
          rx2: { ...row.rx2 },
          answered: false,
        });
        break;
      case 'downlinkPlanned':
        this.#planned.set(`${row.gateway} ${row.downlink}`, row);
        break;
      case 'downlinkBegins':
        this.#begin(row);
        break;
      case 'downlinkEnds':
        for (const { device, fate } of row.devices) this.#caught(row, this.#life(device), fate);
        break;
      case 'deviceRemoved':
        this.#present.delete(row.device);
        break;
      default:
        this.#hearSession(row);
    }
  }

  /** Windows that nothing has ended. */
  closeAll(): void {
    for (const life of this.lives) this.#closeWindows(life);
  }

  #hearSession(row: TraceRow): void {
    if (!('device' in row)) return;
    const life = this.#life(row.device);
    const { atUs } = row;
    if (row.kind === 'deviceStarts') {
      life.rootKey = this.#rootKeys.get(row.device) ?? row.appKey;
    } else if (row.kind === 'multicastSessionOpens') {
      const { mcAddr, mcGroupId, opensAtUs, closesAtUs, frequencyHz, spreadingFactor } = row;
      const span = { fromUs: opensAtUs, untilUs: closesAtUs };
      const endedAtUs = Number.POSITIVE_INFINITY;
      const group = { mcAddr, mcGroupId, frequencyHz, spreadingFactor, slots: row.slots };
      life.sessions.push({ ...span, ...group, endedAtUs });
    } else if (row.kind === 'beaconDecided') {
      if (row.fate === 'heard') life.beacons.push(row.beganAtUs);
    } else if (row.kind === 'multicastSessionCloses') {
      life.sessions.findLast(({ mcAddr }) => mcAddr === row.mcAddr)!.endedAtUs = atUs;
    } else if (row.kind === 'fragmentationSessionBegins') {
      this.blockEvents.push({ atUs, life, begins: row });
    } else if (row.kind === 'fragmentationSessionEnds') {
      this.blockEvents.push({ atUs, life, endsIndex: row.fragIndex });
    }
  }

  #begin(row: DownlinkBegins): void {
    const name = `${row.gateway} ${row.downlink}`;
    const planned = this.#planned.get(name)!;
    this.#begun.set(name, row);
    const bytes = Uint8Array.from(Buffer.from(planned.phyPayload, 'hex'));
    const devAddr = Buffer.from(bytes).readUInt32LE(1);
    const frame = (this.#frames.get(row.gateway) ?? 0) + 1;
    this.#frames.set(row.gateway, frame);
    this.copies.push({
      gateway: row.gateway,
      frame,
      bandwidthHz: row.bandwidthHz,
      eirpCentiDbm: row.eirpCentiDbm,
      frequencyHz: row.frequencyHz,
      spreadingFactor: row.spreadingFactor,
      fromUs: row.atUs,
      untilUs: row.atUs + row.airtimeUs,
      mcAddr: planned.purpose === 'multicast' ? devAddr : 0,
      counter: planned.counter,
      bytes,
      keys: planned.keys,
    });
  }

  /** A window that catches a frame lasts as long, and is the last if the frame was for it. */
  #caught(
    { gateway, downlink, atUs }: { gateway: string; downlink: number; atUs: number },
    life: Life,
    fate: string,
  ): void {
    const begun = this.#begun.get(`${gateway} ${downlink}`)!;
    const windows = this.#windows.get(life);
    if (windows !== undefined) {
      const both = [windows.rx1, windows.rx2];
      const caughtIn = both.find((one) => sameChannel(one, begun) && catches(one, begun.atUs));
      if (caughtIn !== undefined) caughtIn.closesAtUs = Math.max(caughtIn.closesAtUs, atUs);
      if (fate === 'received' && caughtIn === windows.rx1) windows.answered = true;
    }
    const planned = this.#planned.get(`${gateway} ${downlink}`)!;
    if (fate === 'received' && planned.purpose === 'data') this.#unicast(planned, life, atUs);
  }

  /** Commands to the packages in a unicast frame: MHDR, FHDR with FOpts, FPort. */
  #unicast(planned: DownlinkPlanned, life: Life, atUs: number): void {
    const bytes = Uint8Array.from(Buffer.from(planned.phyPayload, 'hex'));
    const fPortAt = 8 + (bytes[5]! & 15);
    const payload = bytes.subarray(fPortAt + 1, bytes.length - 4);
    if (bytes[fPortAt] === MULTICAST_FPORT) this.#setUp(payload, life, atUs);
    const isFragment = bytes[fPortAt] === FRAGMENTATION_FPORT && payload[0] === DATA_FRAGMENT;
    if (isFragment && payload.length > 3) this.blockEvents.push({ atUs, life, unicast: payload });
  }

  #setUp(payload: Uint8Array, life: Life, atUs: number): void {
    for (const command of readCommands(multicastSetup[1].downlink, payload.slice()).commands) {
      if (command.name !== 'McGroupSetupReq') continue;
      this.blockEvents.push({ atUs, life, setUp: command.payload });
    }
  }

  /** The windows after the latest uplink become busy time. */
  #closeWindows(life: Life): void {
    const windows = this.#windows.get(life);
    if (windows === undefined) return;
    this.#windows.delete(life);
    const { rx1, rx2, answered } = windows;
    for (const { opensAtUs, closesAtUs, ...channel } of answered ? [rx1] : [rx1, rx2]) {
      life.busy.push({ fromUs: opensAtUs, untilUs: closesAtUs, channel });
    }
  }

  #life(plainName: string): Life {
    const present = this.#present.get(plainName);
    if (present !== undefined) return present;
    const count = this.#lifeCount.get(plainName) ?? 0;
    this.#lifeCount.set(plainName, count + 1);
    const name = count === 0 ? plainName : `${plainName}#${count}`;
    const gains = new Map<string, number>();
    const parts = { busy: [], sessions: [], beacons: [], gains };
    const life = { name, plainName, rootKey: '', ...parts };
    this.lives.push(life);
    this.#present.set(plainName, life);
    return life;
  }
}
