/** One update of an outside server: set-up, session, fragments, and what each device has of it. */
import type {
  OutsideDevice,
  OutsideDevices,
  OutsideFragments,
  OutsideStep,
  OutsideUpdate,
} from '../../core/result/outside-server.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import type { OpenedFrame, TransmissionAnswer } from '../../sim/contract/forwarding.ts';
import { DataFragment } from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  classBTimeOutS,
  classCTimeOutS,
} from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { gatewaysOf } from './bridged-plan.ts';
import { count, hexAddress, type PackageMessage } from './record-parts.ts';
import { checksOf, type GroupFrame, median } from './update-checks.ts';

/** Devices that the result lists. */
const MOST_LISTED = 50;
const SECOND_US = 1_000_000;
const BITS = 8;

interface Step {
  readonly name: string;
  readonly firstUs: number;
  lastUs: number;
  requests: number;
  readonly asked: Set<string>;
  readonly answered: Set<string>;
}

interface Member {
  readonly name: string;
  readonly devEui: string;
  nbFrag: number;
  complete: boolean;
  completeUs: number | undefined;
  has: number;
  bits: Uint8Array;
  /** It has opened a session of the group. */
  listened: boolean;
  readonly missed: Record<string, number>;
  reported: number | undefined;
}

export class UpdateRecord {
  readonly #mcAddr: number;
  readonly #plan: RunPlan;
  readonly #gpsStartS: number;
  /** By EUI. */
  readonly #gatewayNames: ReadonlyMap<string, string>;
  readonly #steps = new Map<string, Step>();
  readonly #members = new Map<string, Member>();
  readonly #frames = new Map<number, GroupFrame>();
  readonly #byId = new Map<number, GroupFrame>();
  readonly #copies: Record<string, number> = {};
  #nbFrag = 0;
  #fragSize = 0;
  #channel = { frequencyHz: 0, dataRate: 0 };
  #session: { fromS: number; untilS: number; deviceClass: 'B' | 'C' } | undefined;

  constructor(mcAddr: number, plan: RunPlan, gpsStartS: number) {
    this.#mcAddr = mcAddr;
    this.#plan = plan;
    this.#gpsStartS = gpsStartS;
    this.#gatewayNames = new Map(gatewaysOf(plan).map(({ eui, name }) => [eui, name]));
  }

  /** A device is given the group. */
  join(name: string, devEui: string): void {
    if (this.#members.has(name)) return;
    const nothing = { nbFrag: 0, complete: false, completeUs: undefined, has: 0, missed: {} };
    const rest = { bits: new Uint8Array(0), listened: false, reported: undefined };
    this.#members.set(name, { name, devEui, ...nothing, ...rest });
  }

  // ── messages ───────────────────────────────────────────────────────────────────────────────────

  onRequest(device: string, { name, payload }: PackageMessage, atUs: number): void {
    const step = name.replace(/Req$/, '');
    const known = this.#steps.get(step);
    const now = known ?? this.#newStep(step, atUs);
    now.lastUs = atUs;
    now.requests++;
    now.asked.add(device);
    if (name === 'FragSessionSetupReq') {
      this.#nbFrag = Number(payload.nbFrag);
      this.#fragSize = Number(payload.fragSize);
    }
    if (name === 'McClassCSessionReq' || name === 'McClassBSessionReq') this.#plans(name, payload);
  }

  #newStep(name: string, firstUs: number): Step {
    const sets = { asked: new Set<string>(), answered: new Set<string>() };
    const step = { name, firstUs, lastUs: firstUs, requests: 0, ...sets };
    this.#steps.set(name, step);
    return step;
  }

  /** GPS seconds of 32 bits are those next to the world's start. */
  #plans(name: string, payload: PackageMessage['payload']): void {
    const timeOut = Number(payload.timeOut);
    const isC = name === 'McClassCSessionReq';
    const ahead = (Number(payload.sessionTime) - Math.floor(this.#gpsStartS)) | 0;
    const fromS = Math.round(1_000 * (ahead - (this.#gpsStartS % 1))) / 1_000;
    const untilS = fromS + (isC ? classCTimeOutS(timeOut) : classBTimeOutS(timeOut));
    this.#session = { fromS, untilS, deviceClass: isC ? 'C' : 'B' };
    this.#channel = { frequencyHz: Number(payload.dlFrequencyHz), dataRate: Number(payload.dr) };
  }

  onAnswer(device: string, { name, payload }: PackageMessage): void {
    this.#steps.get(name.replace(/Ans$/, ''))?.answered.add(device);
    const member = this.#members.get(device);
    if (member === undefined) return;
    if (name === 'FragSessionStatusAns') member.reported = Number(payload.missingFrag ?? 0);
    if (name === 'FragDataBlockReceivedReq') member.reported = payload.micError === true ? 1 : 0;
  }

  // ── fragments ──────────────────────────────────────────────────────────────────────────────────

  onFrame(frame: OpenedFrame & { readonly direction: 'down' }): void {
    const { fCnt, payload, airtimeUs, id, gatewayEui } = frame;
    const isFragment = payload[0] === DataFragment.cid && payload.length > 2;
    const fragmentNumber = isFragment ? (payload[1]! | (payload[2]! << BITS)) & 0x3fff : 0;
    const fresh = { startsAtUs: undefined, copies: 0, refusal: undefined, late: false };
    const known = this.#frames.get(fCnt) ?? { fCnt, fragmentNumber, airtimeUs, ...fresh };
    this.#frames.set(fCnt, known);
    this.#byId.set(id, known);
    count(this.#copies, this.#gatewayNames.get(gatewayEui) ?? gatewayEui);
  }

  onAnswered({ id, refusal, startsAtUs, shortOfUs }: TransmissionAnswer): void {
    const frame = this.#byId.get(id);
    this.#byId.delete(id);
    if (frame === undefined) return;
    if (shortOfUs > 0) frame.late = true;
    if (refusal !== undefined) {
      frame.refusal ??= refusal;
      return;
    }
    frame.copies++;
    frame.startsAtUs = Math.min(frame.startsAtUs ?? startsAtUs, startsAtUs);
  }

  // ── devices ────────────────────────────────────────────────────────────────────────────────────

  onSession(device: string): void {
    const member = this.#members.get(device);
    if (member !== undefined) member.listened = true;
  }

  onDecided(device: string, fate: string): void {
    const member = this.#members.get(device);
    if (member !== undefined && fate !== 'heard') count(member.missed, fate);
  }

  onBlock(row: Extract<TraceRow, { kind: 'fragmentationSessionBegins' | 'fragmentTaken' }>): void {
    const member = this.#members.get(row.device);
    if (member === undefined) return;
    if (row.kind === 'fragmentationSessionBegins') {
      Object.assign(member, { nbFrag: row.nbFrag, complete: false, completeUs: undefined, has: 0 });
      member.bits = new Uint8Array(0);
      return;
    }
    member.has++;
    member.bits = withBit(member.bits, row.fragmentNumber);
    if (!row.completes || member.complete) return;
    member.complete = true;
    member.completeUs = row.receivedAtUs;
  }

  // ── result ─────────────────────────────────────────────────────────────────────────────────────

  result(): OutsideUpdate {
    const frames = [...this.#frames.values()];
    const steps = [...this.#steps.values()].map(stepResult);
    const members = [...this.#members.values()];
    const session = this.#session;
    const fragments = fragmentsResult(frames);
    const devices = this.#devicesResult(members, frames);
    const region = this.#plan.network.region;
    const given = { frames, steps, session, nbFrag: this.#nbFrag, members, fragments, region };
    return {
      mcAddr: hexAddress(this.#mcAddr),
      deviceClass: session?.deviceClass ?? null,
      nbFrag: this.#nbFrag,
      fragSize: this.#fragSize,
      ...this.#channel,
      steps,
      session: session === undefined ? null : { fromS: session.fromS, untilS: session.untilS },
      fragments,
      gateways: Object.entries(this.#copies).map(([name, copies]) => ({ name, copies })),
      checks: checksOf({ ...given, frequencyHz: this.#channel.frequencyHz }),
      devices,
    };
  }

  #devicesResult(members: readonly Member[], frames: readonly GroupFrame[]): OutsideDevices {
    const missed: Record<string, number> = {};
    for (const each of members) {
      for (const [fate, times] of Object.entries(each.missed)) count(missed, fate, times);
    }
    const listed = [...members]
      .sort((a, b) => Number(a.complete) - Number(b.complete))
      .slice(0, MOST_LISTED)
      .map((member) => deviceResult(member, frames));
    return {
      total: members.length,
      complete: members.filter(({ complete }) => complete).length,
      believedComplete: members.filter(({ reported }) => reported === 0).length,
      believedIncomplete: members.filter(({ reported = 0 }) => reported > 0).length,
      unknown: members.filter(({ reported }) => reported === undefined).length,
      missed,
      listed,
    };
  }

  deviceLines(): readonly string[] {
    const frames = [...this.#frames.values()];
    return [...this.#members.values()].map((member) => {
      const { name, devEui, complete, completeS, has, lacks, missed, reported } = deviceResult(
        member,
        frames,
      );
      const why = Object.entries(missed).map(([fate, times]) => `${fate} ${times}`);
      const cells = [hexAddress(this.#mcAddr), name, devEui, complete, completeS ?? '', has];
      return [...cells, lacks, why.join(' '), reported ?? ''].map(cell).join(';');
    });
  }
}

export const DEVICE_LINES_HEAD =
  'group;device;devEui;complete;complete at s;has;lacks of those sent;missed by cause;' +
  'reported missing';

const cell = (value: string | number | boolean): string => {
  const text = String(value);
  return /[;"\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const stepResult = ({ name, firstUs, lastUs, requests, asked, answered }: Step): OutsideStep => ({
  name,
  firstS: firstUs / SECOND_US,
  lastS: lastUs / SECOND_US,
  requests,
  devices: asked.size,
  answered: answered.size,
});

function fragmentsResult(frames: readonly GroupFrame[]): OutsideFragments {
  const all = frames.filter(({ fragmentNumber }) => fragmentNumber > 0);
  const sent = all.filter(({ startsAtUs }) => startsAtUs !== undefined);
  const starts = sent.map(({ startsAtUs }) => startsAtUs! / SECOND_US).sort((a, b) => a - b);
  const gaps = starts.slice(1).map((start, i) => start - starts[i]!);
  const refused: Record<string, number> = {};
  for (const { startsAtUs, refusal } of all) {
    if (startsAtUs === undefined) count(refused, refusal ?? 'noAnswer');
  }
  const airtimeUs = sent.reduce((sum, { airtimeUs: each, copies }) => sum + each * copies, 0);
  return {
    sent: sent.length,
    highest: sent.reduce((most, { fragmentNumber }) => Math.max(most, fragmentNumber), 0),
    copies: sent.reduce((sum, { copies }) => sum + copies, 0),
    refused,
    firstS: starts[0] ?? null,
    lastS: starts.at(-1) ?? null,
    gapS: median(gaps),
    longestGapS: gaps.length === 0 ? null : gaps.reduce((most, gap) => Math.max(most, gap), 0),
    airtimeS: airtimeUs / SECOND_US,
  };
}

function deviceResult(member: Member, frames: readonly GroupFrame[]): OutsideDevice {
  const { name, devEui, complete, completeUs, has, missed, reported } = member;
  const lacks = frames
    .filter(({ startsAtUs, fragmentNumber }) => startsAtUs !== undefined && fragmentNumber > 0)
    .map(({ fragmentNumber }) => fragmentNumber)
    .filter((number) => !hasBit(member.bits, number));
  return {
    name,
    devEui,
    complete,
    completeS: completeUs === undefined ? null : completeUs / SECOND_US,
    has,
    // A device takes no more fragments once it has the block.
    lacks: complete ? '' : ranges(lacks),
    missed,
    reported: reported ?? null,
  };
}

const hasBit = (bits: Uint8Array, number: number): boolean =>
  ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;

function withBit(bits: Uint8Array, number: number): Uint8Array {
  const needed = (number >> 3) + 1;
  const grown = bits.length >= needed ? bits : new Uint8Array(2 * needed);
  if (grown !== bits) grown.set(bits);
  grown[number >> 3]! |= 1 << (number & 7);
  return grown;
}

/** `3-5, 17`. */
function ranges(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let last = i;
    while (sorted[last + 1] === sorted[last]! + 1) last++;
    parts.push(last === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[last]}`);
    i = last + 1;
  }
  return parts.join(', ');
}
