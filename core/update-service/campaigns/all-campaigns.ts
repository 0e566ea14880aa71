/**
 * All campaigns, and what each must know of the others: whose devices are in which of them, whose
 * group address is in use. What is looked up here costs no look at every campaign; the indexes are
 * made anew when campaigns are loaded.
 *
 * A device is in one campaign at a time, whosever that is. A campaign that starts while some of its
 * devices are in another waits until that is over (docs/campaigns.md).
 */
import { assert } from '../../../sim/base/assert.ts';
import { NEVER_US } from '../../base/instant.ts';
import { NO_ROW, Places } from '../../base/places.ts';
import { copyPlain } from '../../base/plain.ts';
import { MOST_PER_WAKE } from '../../base/slices.ts';
import { lookAgain } from './campaign.ts';
import type { Campaign, Neighbours } from './context.ts';
import { type Attempt, allMembers, Member } from './member.ts';
import { Step } from './member-columns.ts';
import { isOver, isUnderway } from './stages.ts';

/** What one subscriber has, over or not. */
interface Owned {
  readonly campaigns: Map<number, Campaign>;
  /** How many campaigns send an image, by its name, and update a device group, by its id. */
  readonly images: Map<string, number>;
  readonly groups: Map<string, number>;
}

/** Of a campaign that is gone. */
interface Leaving {
  readonly devEuis: readonly string[];
  /** The first whose place is not gone yet. */
  readonly next: number;
}

/** Plain data: a campaign's number, its devices, and how many of them have left. */
export type SavedLeaving = readonly (readonly [number, Leaving])[];

/** An attempt to update a device, as the update history reports it. */
export interface CampaignAttempt extends Attempt {
  readonly campaignId: string;
  /** Pattern of 16 characters (versions.ts). */
  readonly expectedVersion: string;
}

export class AllCampaigns implements Neighbours {
  /** By number, ascending. */
  #byNumber = new Map<number, Campaign>();
  /** Of all that were ever added: numbers are never used again. */
  #largestNumber = 0;
  #byId = new Map<string, Campaign>();
  #owned = new Map<string, Owned>();
  /** Those that are not over. */
  #running = new Set<Campaign>();
  /** All that are active, and maybe some that were so when somebody last looked. */
  readonly #mayBeActive = new Set<Campaign>();
  /** By group address: the one of them that began a round last. */
  #byAddress = new Map<number, Campaign>();
  #places = new Places();
  /** Those that took a device of another subscriber into a round. */
  readonly #ofOthers = new Set<Campaign>();
  /** By number: campaigns that are gone, whose devices still have places in them. */
  #leaving = new Map<number, Leaving>();
  /** Rounds that campaigns have begun so far. */
  roundsBegun = 0;
  readonly #onOver: (campaign: Campaign, nowUs: number) => void;

  readonly #isOfOthers: (mcAddr: number) => boolean;

  /**
   * `onOver`: called for each finished campaign, once every member has its fate; `isOfOthers`:
   * whether a group that is none of a campaign has an address.
   */
  constructor(
    onOver: (campaign: Campaign, nowUs: number) => void,
    isOfOthers: (mcAddr: number) => boolean,
  ) {
    this.#onOver = onOver;
    this.#isOfOthers = isOfOthers;
  }

  // ── which there are ────────────────────────────────────────────────────────────────────────────

  /** In the order of their creation. */
  all(): IterableIterator<Campaign> {
    return this.#byNumber.values();
  }

  byNumber(number: number): Campaign | undefined {
    return this.#byNumber.get(number);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  find(owner: string, id: string): Campaign | undefined {
    const campaign = this.#byId.get(id);
    return campaign?.state.owner === owner ? campaign : undefined;
  }

  ofOwner(owner: string): readonly Campaign[] {
    return [...(this.#owned.get(owner)?.campaigns.values() ?? [])];
  }

  /** Whether none is active. A campaign found active is not checked again. */
  get areIdle(): boolean {
    for (const campaign of this.#mayBeActive) {
      if (isActive(campaign)) return false;
      this.#mayBeActive.delete(campaign);
    }
    return true;
  }

  usesImage(owner: string, name: string): boolean {
    return this.#owned.get(owner)?.images.has(name) === true;
  }

  usesGroup(owner: string, id: string): boolean {
    return this.#owned.get(owner)?.groups.has(id) === true;
  }

  /** Of campaigns with one address, one after the other, the latest round is meant. */
  ofAddress(mcAddr: number): Campaign | undefined {
    const campaign = this.#byAddress.get(mcAddr);
    return campaign?.state.multicast?.mcAddr === mcAddr ? campaign : undefined;
  }

  add(campaign: Campaign): void {
    const { number, id, owner, input, group, stage } = campaign.state;
    assert(number > this.#largestNumber, 'campaigns come by number, ascending');
    this.#largestNumber = number;
    this.#byNumber.set(number, campaign);
    this.#byId.set(id, campaign);
    const owned = this.#owned.get(owner) ?? newOwned();
    this.#owned.set(owner, owned);
    owned.campaigns.set(number, campaign);
    count(owned.images, input.image_name, 1);
    count(owned.groups, group.id, 1);
    if (!isOver(stage)) this.#running.add(campaign);
    this.#mayBeActive.add(campaign);
    this.#address(campaign);
    for (const member of allMembers(campaign.state)) {
      if (member.takenInto !== 0) this.#place(campaign, member);
    }
  }

  remove(campaign: Campaign): void {
    const { number, id, owner, input, group, multicast } = campaign.state;
    this.#byNumber.delete(number);
    this.#byId.delete(id);
    this.#running.delete(campaign);
    this.#mayBeActive.delete(campaign);
    this.#ofOthers.delete(campaign);
    const owned = this.#owned.get(owner);
    assert(owned !== undefined, 'a campaign has an owner');
    owned.campaigns.delete(number);
    count(owned.images, input.image_name, -1);
    count(owned.groups, group.id, -1);
    if (owned.campaigns.size === 0) this.#owned.delete(owner);
    this.#leaving.set(number, { devEuis: group.devices, next: 0 });
    if (multicast === null || this.#byAddress.get(multicast.mcAddr) !== campaign) return;
    this.#byAddress.delete(multicast.mcAddr);
    for (const other of this.all()) {
      if (other.state.multicast?.mcAddr === multicast.mcAddr) this.#address(other);
    }
  }

  /** Lets a slice of devices go whose campaign is gone; whether it was the last slice. */
  leaveOn(number: number): boolean {
    const leaving = this.#leaving.get(number);
    assert(leaving !== undefined, 'a campaign leaves once');
    const { devEuis, next } = leaving;
    const end = Math.min(next + MOST_PER_WAKE, devEuis.length);
    for (const devEui of devEuis.slice(next, end)) this.#places.leave(devEui, number);
    if (end < devEuis.length) this.#leaving.set(number, { devEuis, next: end });
    else this.#leaving.delete(number);
    return end === devEuis.length;
  }

  // ── whose devices ──────────────────────────────────────────────────────────────────────────────

  /**
   * Of the latest campaign that took the device while it was this owner's, whosever the campaign
   * is: a device that was another's is a stranger to those that had it then.
   */
  placeOf(owner: string, devEui: string): readonly [Campaign, place: number] | undefined {
    const places = this.#places;
    for (let row = places.latest(devEui); row !== NO_ROW; row = places.before(row)) {
      const campaign = this.#byNumber.get(places.numberAt(row));
      if (campaign?.owner.ownerOf(devEui) === owner) return [campaign, places.placeAt(row)];
    }
    return undefined;
  }

  /** Of the latest campaign that had the device, whosever; undefined: none. */
  memberOf(devEui: string): Member | undefined {
    for (const { number, place } of this.#places.of(devEui)) {
      const campaign = this.#byNumber.get(number);
      if (campaign !== undefined) return new Member(campaign.state, place);
    }
    return undefined;
  }

  /** Whether some campaign speaks with a device, or has not cleared up yet that it did. */
  speakWith(devEui: string): boolean {
    for (const { number, place } of this.#places.of(devEui)) {
      const campaign = this.#byNumber.get(number);
      if (campaign === undefined) continue;
      if (new Member(campaign.state, place).phase !== 'outside') return true;
    }
    return false;
  }

  /**
   * What an owner's campaigns tried with a device, and those of others while it was the owner's,
   * the oldest first.
   */
  attemptsOf(owner: string, devEui: string): readonly CampaignAttempt[] {
    const found: CampaignAttempt[] = [];
    for (const { number, place } of this.#places.of(devEui)) {
      const campaign = this.#byNumber.get(number);
      if (campaign === undefined || !isPartyTo(campaign, owner, devEui)) continue;
      found.push(...attemptsOver(campaign, new Member(campaign.state, place)));
    }
    return found.sort(byTime);
  }

  /** In how many campaigns a device was set up for a session, of those that are not deleted. */
  sessionsOf(devEui: string): number {
    let count = 0;
    for (const { number, place } of this.#places.of(devEui)) {
      const campaign = this.#byNumber.get(number);
      if (campaign === undefined) continue;
      if (new Member(campaign.state, place).passedAtUs(Step.session) !== NEVER_US) count++;
    }
    return count;
  }

  /** The same of every device, in the order of their DevEUIs. */
  attemptsOfAll(owner: string): readonly (readonly [string, readonly CampaignAttempt[]])[] {
    const found = new Map<string, CampaignAttempt[]>();
    const ofOthers = [...this.#ofOthers].filter(
      ({ state, owner: ownerId }) => state.owner !== owner && ownerId.owners.includes(owner),
    );
    for (const campaign of [...this.ofOwner(owner), ...ofOthers]) {
      for (const member of allMembers(campaign.state)) {
        if (!isPartyTo(campaign, owner, member.devEui)) continue;
        const over = attemptsOver(campaign, member);
        if (over.length === 0) continue;
        found.set(member.devEui, [...(found.get(member.devEui) ?? []), ...over].sort(byTime));
      }
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  // ── what a campaign asks and reports ───────────────────────────────────────────────────────────

  holder({ owner, view }: Campaign, members: readonly Member[]) {
    let first: Campaign | undefined;
    let count = 0;
    for (const { devEui } of members) {
      // Nobody waits for a device that is gone, one after the other.
      if (view.device(devEui) === undefined) continue;
      const campaign = this.placeOf(owner.ownerOf(devEui), devEui)?.[0];
      if (campaign === undefined || !holdsDevices(campaign)) continue;
      if (campaign !== first && first !== undefined && first.state.number < campaign.state.number) {
        continue;
      }
      count = campaign === first ? count + 1 : 1;
      first = campaign;
    }
    return first === undefined ? undefined : { campaign: first, count };
  }

  isTaken(mcAddr: number, number: number): boolean {
    return this.#isOfOthers(mcAddr) || this.isInUse(mcAddr, number);
  }

  /** Whether another campaign than the one of this number, which is not over, has the address. */
  isInUse(mcAddr: number, number: number): boolean {
    for (const { state } of this.#running) {
      if (state.number === number) continue;
      const given = state.settings.multicastGroup.mcAddr;
      const own =
        state.multicast?.mcAddr ?? (given === '' ? undefined : Number.parseInt(given, 16));
      if (own === mcAddr) return true;
    }
    return false;
  }

  beginsRound(campaign: Campaign): void {
    campaign.state.roundNumber = ++this.roundsBegun;
    this.#address(campaign);
  }

  takes(campaign: Campaign, member: Member): void {
    member.take(campaign.state.roundNumber);
    this.#place(campaign, member);
  }

  takesAddress(campaign: Campaign): void {
    this.#address(campaign);
  }

  runs(campaign: Campaign, runs: boolean, nowUs: number): void {
    if (runs) this.#running.add(campaign);
    else this.#running.delete(campaign);
    this.#mayBeActive.add(campaign);
    if (!runs) this.#onOver(campaign, nowUs);
  }

  isDeleted(campaign: Campaign): void {
    this.#mayBeActive.add(campaign);
  }

  running(): Iterable<Campaign> {
    return this.#running;
  }

  frees(nowUs: number): void {
    for (const campaign of this.#running) lookAgain(campaign, nowUs);
  }

  // ── what is no campaign's own ──────────────────────────────────────────────────────────────────

  saveLeaving(): SavedLeaving {
    return copyPlain([...this.#leaving]);
  }

  /** After the campaigns: their places were made anew, without those of campaigns that are gone. */
  loadLeaving(saved: SavedLeaving): void {
    this.#leaving = new Map(copyPlain(saved));
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #place(campaign: Campaign, { devEui, place, takenInto: round }: Member): void {
    const { number, delegated } = campaign.state;
    this.#places.take(devEui, { number, place, round });
    if (delegated.length > 0) this.#ofOthers.add(campaign);
  }

  #address(campaign: Campaign): void {
    const { multicast, roundNumber } = campaign.state;
    if (multicast === null) return;
    const known = this.#byAddress.get(multicast.mcAddr);
    if (known === undefined || known.state.roundNumber <= roundNumber) {
      this.#byAddress.set(multicast.mcAddr, campaign);
    }
  }
}

/** Whether an attempt of a campaign is one of a subscriber's: of its campaign, or of its device. */
const isPartyTo = ({ state, owner }: Campaign, subscriber: string, devEui: string): boolean =>
  state.owner === subscriber || owner.ownerOf(devEui) === subscriber;

/** Whether it is not over, or is being cleared up or deleted. */
const isActive = ({ state: { stage, sweep, deletedAtUs } }: Campaign): boolean =>
  !isOver(stage) || sweep !== null || deletedAtUs !== NEVER_US;

/** A campaign that was halted has them until all is cleared up. */
const holdsDevices = ({ state: { stage, sweep } }: Campaign): boolean =>
  isUnderway(stage) || sweep?.kind === 'clearUp';

const newOwned = (): Owned => ({ campaigns: new Map(), images: new Map(), groups: new Map() });

/** One more of a name, or one less; what there is none of has no entry. */
function count(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + by;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}

const attemptsOver = ({ state: { id, settings } }: Campaign, member: Member): CampaignAttempt[] =>
  member.attemptsOver.map((attempt) => ({
    ...attempt,
    campaignId: id,
    expectedVersion: settings.expectedVersion,
  }));

const byTime = (a: Attempt, b: Attempt): number => a.atUs - b.atUs;
