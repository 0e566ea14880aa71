/** The records of managed campaigns and of their devices, and what both are found by. */
import { assert } from '../../../sim/base/assert.ts';
import { type Fold, foldField } from '../../base/fold.ts';
import { keyOfOwned, Store } from '../../base/store.ts';
import { isComplete, isGathering } from './stages.ts';
import {
  type Child,
  isProblematic,
  type ManagedCampaign,
  type ManagedDevice,
  type Updated,
} from './state.ts';

/** Plain data. */
export interface SavedManaged {
  readonly campaigns: readonly ManagedCampaign[];
  readonly devices: readonly ManagedDevice[];
  /** Managed campaigns created so far. */
  readonly latestNumber: number;
}

const CAMPAIGNS_BY = {
  number: ({ number }: ManagedCampaign) => [`${number}`],
  child: ({ children }: ManagedCampaign) => children.map(({ campaignId }) => campaignId),
  image: ({ owner, input, stage }: ManagedCampaign) =>
    isComplete(stage) ? [] : [keyOfOwned(owner, input.image_name)],
};

const DEVICES_BY = {
  managed: ({ managed }: ManagedDevice) => [`${managed}`],
  device: ({ devEui }: ManagedDevice) => [devEui],
};

export class Records {
  readonly #campaigns = new Store(
    'managedCampaigns',
    ({ id }: ManagedCampaign) => id,
    CAMPAIGNS_BY,
  );
  readonly #devices = new Store('managedDevices', keyOf, DEVICES_BY);
  /** Ids of those that may still create campaigns, or wait for one. */
  readonly #active = new Set<string>();
  /** Numbers are never used again. */
  #latestNumber = 0;

  // ── managed campaigns ──────────────────────────────────────────────────────────────────────────

  get(owner: string, id: string): ManagedCampaign | undefined {
    return this.#campaigns.get(owner, id);
  }

  /** In the order of their creation. */
  list(owner: string): readonly ManagedCampaign[] {
    return [...this.#campaigns.list(owner)].sort(byNumber);
  }

  /** Of all owners, likewise. */
  all(): readonly ManagedCampaign[] {
    return [...this.#campaigns.all()].sort(byNumber);
  }

  get isEmpty(): boolean {
    return this.#campaigns.all().length === 0;
  }

  has(id: string): boolean {
    return this.#campaigns.ofAnybody(id) !== undefined;
  }

  numbered(number: number): ManagedCampaign | undefined {
    return this.#campaigns.by('number', `${number}`)[0];
  }

  /** Whose child an owner's campaign is. */
  parentOf(owner: string, campaignId: string): ManagedCampaign | undefined {
    return this.#campaigns.by('child', campaignId).find((each) => each.owner === owner);
  }

  usesImage(owner: string, name: string): boolean {
    return this.#campaigns.by('image', keyOfOwned(owner, name)).length > 0;
  }

  get areIdle(): boolean {
    return this.#active.size === 0;
  }

  nextNumber(): number {
    return ++this.#latestNumber;
  }

  put(campaign: ManagedCampaign): ManagedCampaign {
    const { id, stage } = campaign;
    this.#campaigns.put(campaign);
    if (isGathering(stage) || stage === 'RUNNING_LAST_CAMPAIGN') this.#active.add(id);
    else this.#active.delete(id);
    return campaign;
  }

  remove({ owner, id, number }: ManagedCampaign): void {
    for (const device of this.devicesOf(number)) this.#removeDevice(device);
    this.#campaigns.remove(owner, id);
    this.#active.delete(id);
  }

  // ── their devices ──────────────────────────────────────────────────────────────────────────────

  /** Of one managed campaign, in the order of their DevEUIs. */
  devicesOf(number: number): readonly ManagedDevice[] {
    return this.#devices.by('managed', `${number}`);
  }

  problematicOf(number: number): readonly ManagedDevice[] {
    return this.devicesOf(number).filter(isProblematic);
  }

  /** A device has succeeded in a child: what it reported, and that it did not fail in this one. */
  succeeds(campaign: ManagedCampaign, { number }: Child, devEui: string, updated: Updated): void {
    const old = this.#device(campaign, devEui);
    this.#keepDevice({ ...old, failures: except(old, number), updated });
  }

  fails(
    campaign: ManagedCampaign,
    { number: child }: Child,
    devEui: string,
    failure: Omit<ManagedDevice['failures'][number], 'child'>,
  ): void {
    const old = this.#device(campaign, devEui);
    this.#keepDevice({ ...old, failures: [...except(old, child), { child, ...failure }] });
  }

  /** No device has failed. */
  clear(number: number): void {
    for (const device of this.devicesOf(number)) {
      if (device.failures.length > 0) this.#keepDevice({ ...device, failures: [] });
    }
  }

  /** What is of a device goes with it. */
  forget(owner: string, devEui: string): void {
    for (const device of this.#devices.by('device', devEui)) {
      if (device.owner === owner) this.#removeDevice(device);
    }
  }

  #device({ owner, number: managed }: ManagedCampaign, devEui: string): ManagedDevice {
    const fresh = { owner, managed, devEui, failures: [], updated: null };
    return this.#devices.get(owner, keyOf(fresh)) ?? fresh;
  }

  /** Devices without data have no record. */
  #keepDevice(device: ManagedDevice): void {
    if (device.failures.length > 0 || device.updated !== null) this.#devices.put(device);
    else this.#removeDevice(device);
  }

  #removeDevice(device: ManagedDevice): void {
    this.#devices.remove(device.owner, keyOf(device));
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  fold(fold: Fold): void {
    this.#campaigns.saving.fold(fold);
    this.#devices.saving.fold(fold);
    foldField(fold, 'managedCampaignsCreated', this.#latestNumber);
  }

  save(): SavedManaged {
    const campaigns = this.#campaigns.saving.save();
    const devices = this.#devices.saving.save();
    return { campaigns, devices, latestNumber: this.#latestNumber };
  }

  load({ campaigns, devices, latestNumber }: SavedManaged): void {
    assert(latestNumber >= campaigns.length, 'each managed campaign has a number');
    this.#active.clear();
    this.#campaigns.saving.load(campaigns);
    for (const campaign of this.#campaigns.all()) this.put(campaign);
    this.#devices.saving.load(devices);
    this.#latestNumber = latestNumber;
  }
}

const keyOf = ({ managed, devEui }: Pick<ManagedDevice, 'managed' | 'devEui'>): string =>
  `${managed} ${devEui}`;

const byNumber = (a: ManagedCampaign, b: ManagedCampaign): number => a.number - b.number;

const except = ({ failures }: ManagedDevice, number: number) =>
  failures.filter(({ child }) => child !== number);
