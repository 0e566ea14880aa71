/**
 * Gateways that some alert monitors, followed by a timer each: what they are, and what is settled.
 * A gateway that is on no alert costs nothing.
 */
import { assert } from '../../../sim/base/assert.ts';
import { type Fold, foldField } from '../../base/fold.ts';
import { type Owned, Store } from '../../base/store.ts';
import type { Surroundings } from '../../kit/resource.ts';
import type { AlertsResult } from '../../result/delivery.ts';
import { Changes, type SavedChanges } from './changes.ts';
import { begun, lookAgainUs, type Standing, statusOf } from './connection.ts';
import { type Debounced, dueUs, settled, turned } from './debounce.ts';

/** Plain data. */
export interface Followed extends Owned, Debounced {
  readonly eui: string;
  /** From 1: its timer's. */
  readonly number: number;
}

/** Plain data. */
export interface SavedFollowing {
  readonly gateways: readonly Followed[];
  readonly latest: number;
  readonly changes: SavedChanges;
}

export interface FollowingNeeds extends Pick<Surroundings, 'timers' | 'viewOf'> {
  readonly baseStation: {
    /** When a gateway came, µs; 0: at the start. */
    createdAtUs(eui: string): number;
  };
}

/** Called for a gateway whose status has persisted. */
export type Notify = (gateway: Followed, nowUs: number) => void;

export class Following {
  readonly #needs: FollowingNeeds;
  readonly #report: Notify;
  readonly #all = new Store('followedGateways', ({ eui }: Followed) => eui, {
    number: ({ number }: Followed) => [`${number}`],
  });
  #latest = 0;
  readonly #changes = new Changes();

  constructor(needs: FollowingNeeds, report: Notify) {
    this.#needs = needs;
    this.#report = report;
  }

  /** Follows a gateway, or follows it no more. */
  follow(owner: string, eui: string, isMonitored: boolean, nowUs: number): void {
    const known = this.#all.ofAnybody(eui);
    if (isMonitored === (known !== undefined)) return;
    if (known !== undefined) {
      this.#needs.timers.wakeNever(known.number, nowUs);
      return this.#all.remove(known.owner, eui);
    }
    const standing = this.#standingOf(owner, eui);
    const gateway = { owner, eui, number: ++this.#latest, ...begun(standing, nowUs) };
    this.#changes.begin(eui, gateway);
    this.#keep(gateway, standing, nowUs, false);
  }

  /** Something has happened to a gateway, maybe a followed one. */
  onNews(eui: string, nowUs: number): void {
    const gateway = this.#all.ofAnybody(eui);
    if (gateway !== undefined) this.#look(gateway, nowUs);
  }

  onTimer(number: number, nowUs: number): void {
    const gateway = this.#all.by('number', `${number}`)[0];
    assert(gateway !== undefined, 'a timer that is due is a followed gateway’s');
    this.#look(gateway, nowUs);
  }

  /** How often gateways went online or offline while they were monitored. */
  results(nameOf: (eui: string) => string): Omit<AlertsResult, 'alerts'> {
    return this.#changes.results(nameOf, (eui) => this.#all.ofAnybody(eui));
  }

  fold(fold: Fold): void {
    this.#all.saving.fold(fold);
    foldField(fold, 'latestFollowed', this.#latest);
  }

  save(): SavedFollowing {
    const [gateways, changes] = [this.#all.saving.save(), this.#changes.save()];
    return { gateways, latest: this.#latest, changes };
  }

  load({ gateways, latest, changes }: SavedFollowing): void {
    this.#changes.load(changes);
    this.#all.saving.load(gateways);
    this.#latest = latest;
  }

  /** A status has persisted until its last instant, whatever it becomes in that. */
  #look(old: Followed, nowUs: number): void {
    const standing = this.#standingOf(old.owner, old.eui);
    const isDue = (dueUs(old) ?? Number.POSITIVE_INFINITY) <= nowUs;
    const response = isDue ? { ...old, ...settled(old) } : old;
    const now = { ...response, ...turned(response, statusOf(standing, nowUs), nowUs) };
    this.#keep(now, standing, nowUs);
    if (now.status !== response.status) this.#changes.turned(old.eui);
    if (!isDue) return;
    this.#changes.told(old.eui);
    this.#report(response, nowUs);
  }

  #keep(gateway: Followed, standing: Standing, nowUs: number, byTimer = true): void {
    this.#all.put(gateway);
    const instants = [dueUs(gateway), lookAgainUs(standing, nowUs, byTimer)];
    const atUs = Math.min(...instants.filter((each) => each !== undefined));
    const { timers } = this.#needs;
    if (atUs === Number.POSITIVE_INFINITY) timers.wakeNever(gateway.number, nowUs);
    else timers.wakeAt(gateway.number, atUs, nowUs);
  }

  #standingOf(owner: string, eui: string): Standing {
    const gateway = this.#needs.viewOf(owner).gateway(eui);
    assert(gateway !== undefined, 'a gateway that is followed is in service');
    return { gateway, isPlanned: this.#needs.baseStation.createdAtUs(eui) === 0 };
  }
}
