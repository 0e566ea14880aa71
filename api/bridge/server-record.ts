/**
 * What the outside server did, as the report has it: a function of the world and its log alone, so
 * that a repeated session has the same. It follows frames in clear, answers and the trace.
 */
import type { OutsideServerResult } from '../../core/result/outside-server.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import type { OpenedFrame, TransmissionAnswer } from '../../sim/contract/forwarding.ts';
import { gpsMsOfUnixMs } from '../../sim/lorawan/gps-time.ts';
import { type CommandSet, readCommands } from '../../sim/lorawan/message.ts';
import { clockSync } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import { fragmentation } from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import { multicastSetup } from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { firmwareManagement } from '../../sim/lorawan/packages/ts006-firmware.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import type { PackagesPlan } from '../../sim/plan/packages-plan.ts';
import { packagesOf } from '../../sim/plan/packages-plan.ts';
import { count, type PackageMessage } from './record-parts.ts';
import { UpdateRecord } from './update-record.ts';

/** Updates that are recorded; a server that sets up more groups has the first ones. */
const MOST_UPDATES = 64;

interface KnownDevice {
  readonly name: string;
  readonly packages: PackagesPlan;
  /** Group addresses by McGroupID. */
  readonly groups: Map<number, number>;
}

export class ServerRecord {
  readonly #plan: RunPlan;
  readonly #devices = new Map<string, KnownDevice>();
  readonly #requested: Record<string, number> = {};
  readonly #answers: Record<string, number> = {};
  readonly #updates = new Map<number, UpdateRecord>();
  /** The update that a transmission without an answer belongs to. */
  readonly #open = new Map<number, UpdateRecord>();
  /** The latest update of a device, by name. */
  readonly #ofDevice = new Map<string, UpdateRecord>();
  readonly #gpsStartS: number;
  #transmissions = 0;

  constructor(plan: RunPlan) {
    const { devices, deviceTypes, startUnixMs } = plan.network;
    this.#plan = plan;
    this.#gpsStartS = gpsMsOfUnixMs(startUnixMs) / 1_000;
    for (const { devEui, name, type } of devices) {
      const packages = packagesOf(deviceTypes[type]!);
      this.#devices.set(devEui, { name, packages, groups: new Map() });
    }
  }

  // ── frames ─────────────────────────────────────────────────────────────────────────────────────

  opened(frame: OpenedFrame): void {
    if (frame.direction === 'up') return this.#onUp(frame);
    this.#transmissions++;
    const { purpose, devAddr, devEui } = frame;
    if (purpose === 'multicast') {
      count(this.#requested, 'multicast');
      const update = this.#updates.get(devAddr);
      if (update === undefined) return;
      update.onFrame(frame);
      this.#open.set(frame.id, update);
      return;
    }
    const device = devEui === null ? undefined : this.#devices.get(devEui);
    if (device === undefined || frame.fPort <= 0) {
      return count(this.#requested, purpose === 'join' ? 'joinAccept' : 'mac');
    }
    const found = messagesIn(device.packages, frame, 'downlink');
    if (found.length === 0) return count(this.#requested, 'application');
    for (const message of found) {
      count(this.#requested, message.name);
      this.#onRequest(device, devEui!, message, frame.atUs);
    }
  }

  #onRequest(device: KnownDevice, devEui: string, message: PackageMessage, atUs: number): void {
    const { name, payload } = message;
    const groupId = Number(payload.mcGroupId ?? 0);
    if (name === 'McGroupSetupReq') {
      const mcAddr = Number(payload.mcAddr);
      device.groups.set(groupId, mcAddr);
      const update = this.#updateOf(mcAddr);
      if (update === undefined) return;
      this.#ofDevice.set(device.name, update);
      update.join(device.name, devEui);
    }
    const isOfGroup = name.startsWith('Mc');
    const update = isOfGroup
      ? this.#updates.get(device.groups.get(groupId) ?? 0)
      : this.#ofDevice.get(device.name);
    update?.onRequest(device.name, message, atUs);
  }

  #updateOf(mcAddr: number): UpdateRecord | undefined {
    const known = this.#updates.get(mcAddr);
    if (known !== undefined || this.#updates.size >= MOST_UPDATES) return known;
    const update = new UpdateRecord(mcAddr, this.#plan, this.#gpsStartS);
    this.#updates.set(mcAddr, update);
    return update;
  }

  #onUp(frame: OpenedFrame & { readonly direction: 'up' }): void {
    const device = this.#devices.get(frame.devEui);
    if (device === undefined) return;
    for (const message of messagesIn(device.packages, frame, 'uplink')) {
      this.#ofDevice.get(device.name)?.onAnswer(device.name, message);
    }
  }

  answered(answer: TransmissionAnswer): void {
    count(this.#answers, answer.refusal ?? 'sent');
    this.#open.get(answer.id)?.onAnswered(answer);
    this.#open.delete(answer.id);
  }

  // ── what devices make of it ────────────────────────────────────────────────────────────────────

  trace(row: TraceRow): void {
    switch (row.kind) {
      case 'multicastDecided':
        return this.#updates.get(row.mcAddr)?.onDecided(row.device, row.fate);
      case 'multicastSessionOpens':
        return this.#updates.get(row.mcAddr)?.onSession(row.device);
      case 'fragmentationSessionBegins':
      case 'fragmentTaken':
        return this.#ofDevice.get(row.device)?.onBlock(row);
      default:
    }
  }

  /** Of a world that is settled: its result has been asked for. */
  result(): OutsideServerResult {
    return {
      transmissions: this.#transmissions,
      requested: this.#requested,
      answers: this.#answers,
      updates: [...this.#updates.values()].map((update) => update.result()),
    };
  }

  /** A line for each device of each update: what it has, what it lacks, and why. */
  deviceLines(): readonly string[] {
    return [...this.#updates.values()].flatMap((update) => update.deviceLines());
  }
}

/** Messages of the packages whose port a frame has; nothing of other ports. */
function messagesIn(
  {
    clockSync: time,
    fragmentation: frag,
    multicastSetup: group,
    firmwareManagement: fw,
  }: PackagesPlan,
  { fPort, payload }: OpenedFrame,
  direction: 'uplink' | 'downlink',
): readonly PackageMessage[] {
  const sets: readonly (readonly [number, CommandSet])[] = [
    [time.fPort, clockSync[time.version][direction]],
    [frag.fPort, fragmentation[frag.version][direction]],
    [group.fPort, multicastSetup[group.version][direction]],
    [fw.fPort, firmwareManagement[fw.version][direction]],
  ];
  const set = sets.find(([port]) => port === fPort)?.[1];
  if (set === undefined) return [];
  return readCommands(set, payload).commands as unknown as readonly PackageMessage[];
}
