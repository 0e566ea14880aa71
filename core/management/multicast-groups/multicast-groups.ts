/**
 * Multicast groups of device and gateway management (v0): devices that hold the keys of a group
 * with their own, and gateways that send its frames. A message to the group's EUI goes out through
 * its gateways (sending.ts), and who listens receives it (docs/model.md, Multicast groups).
 */
import { fromHex } from '../../../sim/base/bytes.ts';
import { andThen, fail, found, ok, type Result } from '../../../sim/base/result.ts';
import type { Of } from '../../../sim/base/rows/fields.ts';
import { MOST_STANDING_GROUPS } from '../../../sim/base/standing-group.ts';
import type { MulticastTxStatus } from '../../../sim/contract/news.ts';
import type { GatewayView } from '../../../sim/contract/view.ts';
import { type Fold, foldField } from '../../base/fold.ts';
import { oneStep, slicesOf } from '../../base/in-steps.ts';
import { type Owned, Store } from '../../base/store.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import { declareResource, handlers, type Surroundings } from '../../kit/resource.ts';
import { type GroupRecord, GroupRecords } from '../group-records.ts';
import { responded } from '../response.ts';
import { join, leave } from './membership.ts';
import { OPERATIONS } from './operations.ts';
import { type Creation, PING_SLOT_PERIODS, type RESPONSE_FIELDS } from './rows.ts';
import { GroupLines, type GroupMessage, type SavedLines, type SendingGroup } from './sending.ts';

/** A group as it is stored: what the network has of it (keys, who listens) stands there. */
export interface Heading extends Owned {
  readonly eui: string;
  /** From 1, unique in the world. */
  readonly number: number;
  readonly name: string;
  /** 8 upper-case hexadecimal digits. */
  readonly address: string;
  readonly groupType: 'B' | 'C';
  readonly dataRate: number;
  readonly frequencyHz: number;
  /** Seconds; 0 in class C. */
  readonly pingSlotPeriod: number;
}

/** Plain data. */
export interface SavedGroups {
  readonly groups: readonly Heading[];
  readonly devices: readonly GroupRecord[];
  readonly gateways: readonly GroupRecord[];
  readonly lines: SavedLines;
  readonly latest: number;
}

/** What groups use of the platform and of other resources. */
export interface MulticastGroupNeeds extends Pick<Surroundings, 'outbox' | 'timers' | 'viewOf'> {
  readonly world: Pick<Surroundings['world'], 'has'>;
  readonly baseStation: {
    /** The caller's own gateway, by its Id or its node id. */
    known(idOrNodeId: string, view: OwnView): GatewayView | undefined;
  };
  readonly campaign: {
    /** Whether the group of a campaign that runs has this address. */
    hasAddress(mcAddr: number): boolean;
  };
}

/** A node id; an Id is another with each letter's case. */
const HEX_ID = /^[0-9A-Fa-f]{16}$/;

/** Groups per slice of a list. */
const PER_SLICE = 512;

/** A message to a group, as it was read. */
export interface MessageToGroup extends GroupMessage {
  readonly flush: boolean;
}

export class MulticastGroups {
  readonly #needs: MulticastGroupNeeds;
  readonly #groups = new Store('multicastGroups', ({ eui }: Heading) => eui, {
    address: ({ address }: Heading) => [address],
    number: ({ number }: Heading) => [`${number}`],
  });
  readonly #devices = new GroupRecords('multicastGroupDevices');
  readonly #gateways = new GroupRecords('multicastGroupGateways');
  readonly #lines: GroupLines;
  #latest = 0;

  constructor(needs: MulticastGroupNeeds) {
    this.#needs = needs;
    this.#lines = new GroupLines(
      needs,
      (number) => this.#sending(number),
      (number) => needs.viewOf(this.#numbered(number)!.owner),
    );
  }

  get isIdle(): boolean {
    return this.#lines.isIdle;
  }

  readonly hears = {
    deviceRemoved: ({ devEui }: { readonly devEui: string }) => this.#devices.leave(devEui),
    gatewayRemoved: ({ eui }: { readonly eui: string }) => this.#gateways.leave(eui),
    multicast: ({ status }: { readonly status: MulticastTxStatus }, about: { nowUs: number }) => {
      const group = this.#addressed(status.mcAddr);
      if (group !== undefined) this.#lines.onStatus(group.number, status, about.nowUs);
    },
  };

  onTimer(number: number, nowUs: number): void {
    this.#lines.onTimer(number, nowUs);
  }

  readonly handle = handlers(OPERATIONS, {
    'multicastGroup.create': ({ group, Devices = [], Gateways = [] }, asking) =>
      this.#create(group, Devices, Gateways, asking),
    'multicastGroup.list': (_, { by }) => {
      const all = this.#groups.list(by);
      const response = slicesOf(all.length, PER_SLICE, (at) => answerOf(all[at]!));
      return ok(oneStep({ MulticastGroups: response }));
    },
    'multicastGroup.get': ({ MulticastDevEUI }, { by }) =>
      andThen(this.#known(MulticastDevEUI, by), (group) => ok({ MulticastGroup: answerOf(group) })),
    'multicastGroup.update': ({ MulticastDevEUI, group }, asking) =>
      andThen(this.#known(MulticastDevEUI, asking.by), (old) => this.#change(old, group, asking)),
    'multicastGroup.delete': ({ MulticastDevEUI }, { by, nowUs }) =>
      andThen(this.#known(MulticastDevEUI, by), (group) => responded(this.#remove(group, nowUs))),
    'multicastGroup.addDevices': ({ MulticastDevEUI, Devices }, asking) =>
      andThen(this.#known(MulticastDevEUI, asking.by), (group) =>
        andThen(knownDevices(Devices, asking), () => {
          const [added, ignored] = this.#addDevices(group, Devices, asking.nowUs);
          return ok({ DevicesAdded: added, DevicesIgnored: ignored });
        }),
      ),
    'multicastGroup.removeDevices': ({ MulticastDevEUI, Devices }, asking) =>
      andThen(this.#known(MulticastDevEUI, asking.by), (group) =>
        andThen(knownDevices(Devices, asking), () => {
          const [removed, ignored] = leave(this.#devices, group, Devices);
          for (const devEui of removed) this.#leaves(group, devEui, asking.nowUs);
          return ok({ DevicesRemoved: removed, DevicesIgnored: ignored });
        }),
      ),
    'multicastGroup.gateways': ({ MulticastDevEUI }, { by }) =>
      andThen(this.#known(MulticastDevEUI, by), ({ owner, eui }) =>
        ok({ Gateways: this.#gateways.get(owner, eui)?.members ?? [] }),
      ),
    'multicastGroup.addGateways': ({ MulticastDevEUI, Gateways }, asking) =>
      andThen(this.#known(MulticastDevEUI, asking.by), (group) =>
        andThen(this.#knownGateways(Gateways, asking.view), (euis) => {
          const [added, ignored] = join(this.#gateways, group, euis);
          return ok({ GatewaysAdded: added, GatewaysIgnored: ignored });
        }),
      ),
    'multicastGroup.removeGateways': ({ MulticastDevEUI, Gateways }, asking) =>
      andThen(this.#known(MulticastDevEUI, asking.by), (group) =>
        andThen(this.#knownGateways(Gateways, asking.view), (euis) => {
          const [removed, ignored] = leave(this.#gateways, group, euis);
          return ok({ GatewaysRemoved: removed, GatewaysIgnored: ignored });
        }),
      ),
  });

  // ── what others ask ────────────────────────────────────────────────────────────────────────────

  /** Whether some group of the world has this EUI. */
  hasEui(eui: string): boolean {
    return this.#groups.ofAnybody(eui) !== undefined;
  }

  /** Whether a group of the caller has this EUI, whatever the case of its digits. */
  isKnown(eui: string, by: string): boolean {
    return this.#groups.get(by, eui.toUpperCase()) !== undefined;
  }

  /** Whether some group of the world has this address, unsigned 32 bits. */
  hasAddress(mcAddr: number): boolean {
    return this.#addressed(mcAddr) !== undefined;
  }

  /** The group that frames to this address are for, and whose it is; undefined: none. */
  ofAddress(mcAddr: number): { readonly eui: string; readonly owner: string } | undefined {
    const group = this.#addressed(mcAddr);
    return group && { eui: group.eui, owner: group.owner };
  }

  /** Groups of the world with the address and the name of each, in the order of their numbers. */
  all(): readonly { readonly mcAddr: number; readonly name: string; readonly eui: string }[] {
    return this.#groups
      .all()
      .toSorted((a, b) => a.number - b.number)
      .map(({ address, name, eui }) => ({ mcAddr: mcAddrOf(address), name, eui }));
  }

  /** Queues a message to a group of the caller, that there is. */
  send(
    eui: string,
    { flush, ...message }: MessageToGroup,
    { by, nowUs, view }: Asking,
  ): Result<unknown, 'message.too-long' | 'multicastGroup.no-gateway'> {
    const { number, dataRate } = this.#groups.get(by, eui.toUpperCase())!;
    const most = view.dataRate(dataRate)?.maxFrmPayload ?? 0;
    if (message.payloadHex.length / 2 > most) {
      const what = `DR${dataRate} of the group carries ${most} bytes at most.`;
      return fail('message.too-long', `The payload is too long: ${what}`);
    }
    if (this.#sending(number)!.gateways().length === 0) {
      return fail('multicastGroup.no-gateway', 'No Base Station Available');
    }
    return ok(this.#lines.add(number, message, flush, nowUs));
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  fold(fold: Fold): void {
    this.#groups.saving.fold(fold);
    this.#devices.fold(fold);
    this.#gateways.fold(fold);
    this.#lines.fold(fold);
    foldField(fold, 'latestMulticastGroup', this.#latest);
  }

  save(): SavedGroups {
    return {
      groups: this.#groups.saving.save(),
      devices: this.#devices.save(),
      gateways: this.#gateways.save(),
      lines: this.#lines.save(),
      latest: this.#latest,
    };
  }

  load({ groups, devices, gateways, lines, latest }: SavedGroups): void {
    this.#groups.saving.load(groups);
    this.#devices.load(devices);
    this.#gateways.load(gateways);
    this.#lines.load(lines);
    this.#latest = latest;
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #known(eui: string, by: string) {
    return found(
      this.#groups.get(by, eui),
      'multicastGroup.unknown',
      `There is no multicast group ${eui}.`,
    );
  }

  /** EUIs of gateways that are listed, by Id or node id; they are the caller's. */
  #knownGateways(gateways: readonly string[], view: OwnView) {
    const euis: string[] = [];
    for (const [at, each] of gateways.entries()) {
      const gateway = this.#needs.baseStation.known(each, view);
      if (gateway === undefined) {
        const message = `There is no gateway ${HEX_ID.test(each) ? each.toUpperCase() : each}.`;
        return fail('multicastGroup.unknown-gateway', message, `/Gateways/${at}`);
      }
      euis.push(gateway.eui);
    }
    return ok(euis);
  }

  #addressed(mcAddr: number): Heading | undefined {
    return this.#groups.by('address', addressOf(mcAddr))[0];
  }

  #numbered(number: number): Heading | undefined {
    return this.#groups.by('number', `${number}`)[0];
  }

  #sending(number: number): SendingGroup | undefined {
    const group = this.#numbered(number);
    if (group === undefined) return undefined;
    const { owner, eui, address, dataRate, groupType, pingSlotPeriod } = group;
    const view = this.#needs.viewOf(owner);
    const maySend = (gateway: GatewayView | undefined) =>
      gateway !== undefined && (groupType === 'C' || gateway.gps);
    const periodicity = groupType === 'C' ? undefined : periodicityOf(pingSlotPeriod);
    return {
      number,
      mcAddr: mcAddrOf(address),
      dataRate,
      periodicity,
      gateways: () =>
        (this.#gateways.get(owner, eui)?.members ?? []).filter((each) =>
          maySend(view.gateway(each)),
        ),
    };
  }

  #create(
    given: Creation,
    devices: readonly string[],
    gateways: readonly string[],
    asking: Asking,
  ) {
    const { by, nowUs, view } = asking;
    const { MulticastDevEUI: eui, MulticastDevAddr: address, PingSlotPeriod: period } = given;
    const wrong = wrongChannel(given, view);
    if (!wrong.ok) return wrong;
    if (given.GroupType === 'B' && !isPingSlotPeriod(period)) {
      const what = period === undefined ? 'missing' : period;
      const allowed = `one of ${PING_SLOT_PERIODS.join(', ')}`;
      const message = `PingSlotPeriod is ${what}; class B needs ${allowed} (seconds).`;
      return fail('multicastGroup.ping-slot-period', message, '/PingSlotPeriod');
    }
    if (this.hasEui(eui) || this.#needs.world.has('device', eui)) {
      return fail('multicastGroup.exists', `The EUI ${eui} is taken.`);
    }
    const mcAddr = mcAddrOf(address);
    if (this.hasAddress(mcAddr) || this.#needs.campaign.hasAddress(mcAddr)) {
      const message = `The address ${address} is that of another group.`;
      return fail('multicastGroup.address-taken', message, '/MulticastDevAddr');
    }
    const known = andThen(knownDevices(devices, asking), () => this.#knownGateways(gateways, view));
    if (!known.ok) return known;
    const group: Heading = {
      owner: by,
      eui,
      number: ++this.#latest,
      name: given.Name,
      address,
      groupType: given.GroupType,
      dataRate: given.DataRate,
      frequencyHz: given.Frequency,
      pingSlotPeriod: given.GroupType === 'B' ? period! : 0,
    };
    this.#groups.put(group);
    const { frequencyHz, dataRate } = group;
    const periodicity = this.#sending(group.number)!.periodicity;
    const opened = {
      mcAddr,
      mcNwkSKey: fromHex(given.MulticastNwkSKey),
      mcAppSKey: fromHex(given.MulticastAppSKey),
      frequencyHz,
      dataRate,
      ...(periodicity === undefined ? {} : { periodicity }),
    };
    this.#needs.outbox.add({ kind: 'group.open', group: opened }, nowUs);
    this.#addDevices(group, devices, nowUs);
    join(this.#gateways, group, known.value);
    return responded();
  }

  #change(
    old: Heading,
    given: { readonly Name?: string; readonly DataRate?: number; readonly Frequency?: number },
    { nowUs, view }: Asking,
  ) {
    const { Name = old.name, DataRate = old.dataRate, Frequency = old.frequencyHz } = given;
    return andThen(wrongChannel({ DataRate, Frequency }, view), () => {
      const isRetuned = DataRate !== old.dataRate || Frequency !== old.frequencyHz;
      this.#groups.put({ ...old, name: Name, dataRate: DataRate, frequencyHz: Frequency });
      const channel = { frequencyHz: Frequency, dataRate: DataRate };
      const mcAddr = mcAddrOf(old.address);
      if (isRetuned) this.#needs.outbox.add({ kind: 'group.retune', mcAddr, ...channel }, nowUs);
      return responded();
    });
  }

  #remove({ owner, eui, number, address }: Heading, nowUs: number): void {
    this.#lines.drop(number, nowUs);
    this.#devices.remove(owner, eui);
    this.#gateways.remove(owner, eui);
    this.#groups.remove(owner, eui);
    this.#needs.outbox.add({ kind: 'group.close', mcAddr: mcAddrOf(address) }, nowUs);
  }

  /** Those that were added, and the others: members, and devices that hold no more keys. */
  #addDevices(group: Heading, devices: readonly string[], nowUs: number) {
    const mayJoin = (devEui: string) =>
      this.#devices.groupsOf(devEui).length < MOST_STANDING_GROUPS;
    const [added, ignored] = join(this.#devices, group, devices, mayJoin);
    const mcAddr = mcAddrOf(group.address);
    const fCnt = this.#lines.nextFCnt(group.number);
    for (const devEui of added) {
      this.#needs.outbox.add({ kind: 'group.join', mcAddr, devEui, fCnt }, nowUs);
    }
    return [added, ignored] as const;
  }

  #leaves({ address }: Heading, devEui: string, nowUs: number): void {
    const mcAddr = mcAddrOf(address);
    this.#needs.outbox.add({ kind: 'group.leave', mcAddr, devEui }, nowUs);
  }
}

export const multicastGroupResource = declareResource({
  name: 'multicastGroup',
  is: 'Multicast groups, their devices and gateways.',
  permission: 'Device',
  failures: {
    'multicastGroup.name': 'malformed',
    'multicastGroup.address': 'malformed',
    'multicastGroup.type': 'malformed',
    'multicastGroup.keys': 'malformed',
    'multicastGroup.data-rate': 'malformed',
    'multicastGroup.frequency': 'malformed',
    'multicastGroup.ping-slot-period': 'malformed',
    'multicastGroup.devices': 'malformed',
    'multicastGroup.gateways': 'malformed',
    'multicastGroup.unknown-device': 'malformed',
    'multicastGroup.unknown-gateway': 'malformed',
    'multicastGroup.unknown': 'unknown',
    'multicastGroup.exists': 'conflict',
    'multicastGroup.address-taken': 'conflict',
    'multicastGroup.no-gateway': 'failed',
  },
  operations: OPERATIONS,
  timerSpace: 3,
  make: (needs: MulticastGroupNeeds) => new MulticastGroups(needs),
});

// ── forms ────────────────────────────────────────────────────────────────────────────────────────

const mcAddrOf = (address: string): number => Number.parseInt(address, 16);
const addressOf = (mcAddr: number): string => mcAddr.toString(16).toUpperCase().padStart(8, '0');

/** Periodicity of ping slots with this distance, which is 2^periodicity seconds. */
const periodicityOf = (pingSlotPeriod: number): number =>
  (PING_SLOT_PERIODS as readonly number[]).indexOf(pingSlotPeriod);

const isPingSlotPeriod = (period: number | undefined): boolean =>
  PING_SLOT_PERIODS.some((each) => each === period);

const answerOf = (group: Heading): Of<typeof RESPONSE_FIELDS> => ({
  Name: group.name,
  MulticastDevEUI: group.eui,
  MulticastDevAddr: group.address,
  GroupType: group.groupType,
  DataRate: group.dataRate,
  Frequency: group.frequencyHz,
  ...(group.groupType === 'B' && { PingSlotPeriod: group.pingSlotPeriod }),
});

// ── what is wrong ────────────────────────────────────────────────────────────────────────────────

function wrongChannel(
  { DataRate, Frequency }: { readonly DataRate: number; readonly Frequency: number },
  view: OwnView,
) {
  const { downlinkDataRates } = view;
  if (!downlinkDataRates.includes(DataRate)) {
    const allowed = `one of ${downlinkDataRates.join(', ')}`;
    const message = `DataRate is ${DataRate}; it has to be ${allowed}.`;
    return fail('multicastGroup.data-rate', message, '/DataRate');
  }
  if (!view.mayCarry(Frequency, DataRate)) {
    const ranges = rangesText(view.downlinkRangesHz(DataRate));
    const message = `Frequency is ${Frequency}; with DataRate ${DataRate} it has to be ${ranges}.`;
    return fail('multicastGroup.frequency', message, '/Frequency');
  }
  return ok(undefined);
}

const rangesText = (ranges: readonly (readonly [number, number])[]): string =>
  `${ranges.map(([from, to]) => `${from} to ${to}`).join(', or ')} Hz`;

/** Devices that are listed are the caller's. */
function knownDevices(devices: readonly string[], { view }: Pick<Asking, 'view'>) {
  const wrong = devices.findIndex((devEui) => view.device(devEui) === undefined);
  if (wrong < 0) return ok(devices);
  const message = `There is no device ${devices[wrong]}.`;
  return fail('multicastGroup.unknown-device', message, `/Devices/${wrong}`);
}
