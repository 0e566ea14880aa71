/**
 * A reference model of the firmware update service, written from its document alone: what three
 * subscribers have, which of their commands are refused, and why. It knows nothing of the radio:
 * how far a campaign or a job is, it is reported.
 */
import type { FailureClass } from '../../core/kit/failures.ts';

export const WHO = ['ann', 'bob', 'eve'] as const;
export type Who = (typeof WHO)[number];

/** Their firmware is 1.2.3.0 and 1.2.4.0. */
export const IMAGES = ['app-1.2.3.bin', 'app-1.2.4.bin'] as const;

interface Owned {
  readonly id: string;
  readonly owner: Who;
}

export interface ModelDevice extends Owned {
  readonly deviceClass: 'A' | 'C';
}

export interface ModelGroup extends Owned {
  devices: readonly string[];
  /** Of a child of a managed campaign: it goes with that. */
  readonly isChilds: boolean;
  /** Its class was given: that of devices does not matter. */
  isOfClass: boolean;
}

export interface ModelCampaign extends Owned {
  readonly groupId: string;
  readonly image: string;
  readonly managedId: string | undefined;
  /** As it was reported last. */
  stage: number;
  /** A command restarted or halted it since then. */
  isRestarted: boolean;
  isHalted: boolean;
  /** It is deleted, and gone by this instant. */
  goneByUs: number | undefined;
}

export interface ModelManaged extends Owned {
  readonly name: string;
  readonly image: string;
  readonly gateway: string;
  readonly include: string;
  readonly exclude: string | undefined;
  readonly expected: string;
  readonly time: string;
  readonly runUntilMs: number;
  stage: number;
  isHalted: boolean;
}

export interface ModelJob extends Owned {
  readonly groupId: string | undefined;
  readonly devices: readonly string[];
  readonly maxRetries: number;
  status: 'running' | 'stopped' | 'finished';
  /** Reported last, while nothing may change in it; undefined: something may. */
  last: string | undefined;
  succeeded: ReadonlySet<string>;
}

/** Pairs of a delegator and a delegatee with patterns. */
export interface Cover {
  readonly from: string;
  readonly to: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface ModelDelegation extends Cover {
  readonly id: string;
  readonly expiresMs: number;
}

/** The document's patterns: any digit for a dot, exclusion wins. */
const isOf = (patterns: readonly string[], digits: string): boolean =>
  patterns.some((pattern) => new RegExp(`^${pattern}$`, 'i').test(digits));
const covers = ({ include, exclude }: Cover, devEui: string): boolean =>
  isOf(include, devEui) && !isOf(exclude, devEui);

export const isOver = (stage: number): boolean => stage >= 7;

export class ServiceModel {
  readonly devices = new Map<string, ModelDevice>();
  readonly gateways = new Map<string, Owned>();
  readonly images = new Set<string>();
  readonly groups = new Map<string, ModelGroup>();
  readonly campaigns = new Map<string, ModelCampaign>();
  readonly managed = new Map<string, ModelManaged>();
  readonly jobs = new Map<string, ModelJob>();
  readonly delegations = new Map<string, ModelDelegation>();
  /** What delegations said once. */
  readonly former: Cover[] = [];
  /** Every id that was ever given. */
  readonly ids = new Set<string>();
  /** Whose a device was, now or before. */
  readonly everOf = new Map<string, Set<string>>();
  /** A gateway was taken away or had a fault: who is heard is not the model's to say. */
  wasDeaf = false;

  of<Thing extends { readonly owner: string }>(
    things: ReadonlyMap<string, Thing>,
    who: string,
  ): Thing[] {
    return [...things.values()].filter(({ owner }) => owner === who);
  }

  hasImage(who: string, name: string): boolean {
    return this.images.has(`${who}/${name}`);
  }

  addDevice(device: ModelDevice): void {
    this.devices.set(device.id, device);
    const owners = this.everOf.get(device.id) ?? new Set();
    this.everOf.set(device.id, owners.add(device.owner));
  }

  removeDevice(devEui: string): void {
    this.devices.delete(devEui);
    for (const group of this.groups.values()) {
      group.devices = group.devices.filter((each) => each !== devEui);
    }
  }

  // ── delegation ─────────────────────────────────────────────────────────────────────────────────

  live(from: string, to: string, nowMs: number): ModelDelegation[] {
    return [...this.delegations.values()].filter(
      (each) => each.from === from && each.to === to && nowMs <= each.expiresMs,
    );
  }

  standing(who: string, devEui: string, nowMs: number): 'own' | 'delegated' | 'ended' | 'unknown' {
    const device = this.devices.get(devEui);
    if (device === undefined) return 'unknown';
    const { owner } = device;
    if (owner === who) return 'own';
    if (this.live(owner, who, nowMs).some((each) => covers(each, devEui))) return 'delegated';
    const ever = [...this.delegations.values(), ...this.former].filter(
      ({ from, to }) => from === owner && to === who,
    );
    return ever.some((each) => covers(each, devEui)) ? 'ended' : 'unknown';
  }

  /** Devices that one delegates to another now. */
  delegated(from: string, to: string, nowMs: number): string[] {
    return this.of(this.devices, from)
      .map(({ id }) => id)
      .filter((devEui) => this.standing(to, devEui, nowMs) === 'delegated');
  }

  /** Whether somebody was ever permitted anything by another. */
  wereParties(from: string, to: string): boolean {
    return [...this.delegations.values(), ...this.former].some(
      (each) => each.from === from && each.to === to,
    );
  }

  // ── why a command is refused: every reason that there is; none: it is carried out ──────────────

  whyNotIn(things: ReadonlyMap<string, Owned>, who: string, id: string): FailureClass[] {
    return things.get(id)?.owner === who ? [] : ['unknown'];
  }

  /** Of devices that a request lists, for a group that has others already. */
  whyNotMembers(
    who: string,
    given: readonly string[],
    others: readonly string[] | 'of a class',
    nowMs: number,
  ): FailureClass[] {
    const reasons: FailureClass[] = [];
    const standings = given.map((devEui) => this.standing(who, devEui, nowMs));
    if (standings.includes('unknown')) reasons.push('malformed');
    if (standings.includes('ended')) reasons.push('forbidden');
    if (others === 'of a class') return reasons;
    const seen = [...given, ...others].filter((devEui) =>
      ['own', 'delegated'].includes(this.standing(who, devEui, nowMs)),
    );
    const classes = new Set(seen.map((devEui) => this.devices.get(devEui)!.deviceClass));
    if (classes.size > 1) reasons.push('malformed');
    return reasons;
  }

  whyNoCampaign(who: string, image: string, groupId: string, nowMs: number): FailureClass[] {
    const group = this.groups.get(groupId);
    const reasons: FailureClass[] = [];
    if (!this.hasImage(who, image)) reasons.push('malformed');
    if (group?.owner !== who) return [...reasons, 'malformed'];
    if (group.devices.length === 0) reasons.push('failed');
    if (this.#areEnded(who, group.devices, nowMs)) reasons.push('forbidden');
    return reasons;
  }

  /** `failed`: its devices that failed, as it reports. */
  whyNoRestart(
    who: string,
    { stage }: ModelCampaign,
    failed: readonly string[],
    nowMs: number,
  ): FailureClass[] {
    const reasons: FailureClass[] = [];
    if (!isOver(stage) || failed.length === 0) reasons.push('conflict');
    if (this.#areEnded(who, failed, nowMs)) reasons.push('forbidden');
    return reasons;
  }

  #areEnded(who: string, devEuis: readonly string[], nowMs: number): boolean {
    return devEuis.some((devEui) => this.standing(who, devEui, nowMs) === 'ended');
  }

  whyNoJob(who: string, devices: readonly string[], groupId: string | undefined): FailureClass[] {
    const reasons: FailureClass[] = [];
    const group = groupId === undefined ? undefined : this.groups.get(groupId);
    const all = [...devices, ...(group?.devices ?? [])];
    if (groupId !== undefined && group?.owner !== who) return ['malformed'];
    if (groupId === undefined && devices.length === 0) reasons.push('malformed');
    if (groupId !== undefined && all.length === 0) reasons.push('failed');
    const isOwn = (devEui: string) => this.devices.get(devEui)?.owner === who;
    if (!all.every(isOwn)) reasons.push('malformed');
    return reasons;
  }

  /** Whether a campaign that somebody made, or a running job, uses the group of a child. */
  ofOthers(who: string, groupId: string): boolean {
    const isUser = (each: { readonly groupId: string | undefined }) => each.groupId === groupId;
    return (
      this.of(this.campaigns, who).some((each) => isUser(each) && each.managedId === undefined) ||
      this.of(this.jobs, who).some(isUser)
    );
  }

  /** Campaigns that use a group or an image of somebody; one that goes may do so yet. */
  usersOf(who: string, what: (campaign: ModelCampaign) => boolean) {
    const users = this.of(this.campaigns, who).filter(what);
    const isStaying = ({ goneByUs }: ModelCampaign) => goneByUs === undefined;
    return { staying: users.some(isStaying), any: users.length > 0 };
  }
}
