/**
 * Configurations of devices: who may set one, what a device has reported, and what is desired of
 * it. START HERE; a rollout is in rollout.ts, its states are in machine.ts
 * (docs/decisions/0063).
 */

import { FRESH_US } from '../../../sim/base/gateway-statuses.ts';
import type { JsonObject } from '../../../sim/base/json.ts';
import { andThen, fail, ok } from '../../../sim/base/result.ts';
import type { ReceivedUplink } from '../../../sim/contract/news.ts';
import type { NetworkSummary } from '../../../sim/contract/summary.ts';
import type { DeviceView } from '../../../sim/contract/view.ts';
import { type Cell, type Fold, FoldSum, foldField, newCell } from '../../base/fold.ts';
import { formatInstant, NEVER_US } from '../../base/instant.ts';
import { Pages } from '../../base/pages.ts';
import { copyPlain } from '../../base/plain.ts';
import type { Asking } from '../../base/subscribers.ts';
import type { CodecUplink } from '../../codecs/codec.ts';
import { declareResource, done, handlers, type Listeners, meanwhile } from '../../kit/resource.ts';
import type { ConfigurationCancellation } from '../../result/configuration.ts';
import { knownDevice } from '../../simulator/devices.ts';
import { RolloutAgenda, type SavedAgenda } from './agenda.ts';
import { configurationAnswer } from './answers.ts';
import { type ConfigurationNeeds, DeviceCodecs } from './device-codecs.ts';
import { type Change, ConfigurationHistory, type SavedHistory } from './history.ts';
import { next, ROLLOUT_MOVES } from './machine.ts';
import { isReflected, merged } from './parameters.ts';
import { Policies, type Policy } from './policies.ts';
import {
  begin,
  cancel,
  type DeviceCodec,
  forget,
  lookAtGateways,
  onDownlink,
  onDue,
  onUplink,
  type Site,
} from './rollout.ts';
import { FAILURES, type GivenPolicy, HISTORY_PAGES, MOST_POLICIES, OPERATIONS } from './rows.ts';
import {
  activeOf,
  type Control,
  type DeviceRecord,
  type Fragment,
  foldRecord,
  newRecord,
  newRollout,
  type Rollout,
} from './state.ts';
import { addToTotals, configurationResult, noTotals, type Totals } from './totals.ts';

/** Plain data. */
export interface SavedConfigurations {
  readonly records: readonly DeviceRecord[];
  readonly policies: readonly Policy[];
  readonly history: SavedHistory;
  readonly agenda: SavedAgenda;
  readonly totals: Totals;
  /** Rollouts made so far. */
  readonly latestNumber: number;
}

/** Who asks for a rollout, and why there is one. */
interface Wanted {
  readonly config: JsonObject;
  readonly policy?: Policy;
  readonly by: string;
  readonly nowUs: number;
}

export class DeviceConfigurations {
  readonly #needs: ConfigurationNeeds;
  readonly #codecs: DeviceCodecs;
  readonly #pages: Pages;
  /** By DevEUI, which is unique in a world. */
  readonly #records = new Map<string, Cell<DeviceRecord>>();
  readonly #sum = new FoldSum<DeviceRecord>(foldRecord);
  /** Devices whose rollout is not over, by its number. */
  readonly #active = new Map<number, DeviceRecord>();
  readonly #policies = new Policies();
  readonly #history = new ConfigurationHistory();
  readonly #agenda: RolloutAgenda;
  readonly #site: Site;
  #totals = noTotals();
  /** Numbers are never used again. */
  #latestNumber = 0;

  readonly handle = handlers(OPERATIONS, {
    'deviceConfiguration.get': ({ dev_eui }, asking) =>
      andThen(knownDevice(asking.view, dev_eui), (device) => ok(this.#answer(device, asking))),
    'deviceConfiguration.enableManualControl': ({ dev_eui }, asking) =>
      andThen(knownDevice(asking.view, dev_eui), (device) => this.#takeControl(device, asking)),
    'deviceConfiguration.disableManualControl': ({ dev_eui }, asking) =>
      andThen(knownDevice(asking.view, dev_eui), (device) => this.#leaveControl(device, asking)),
    'deviceConfiguration.setDesired': ({ dev_eui, desired }, asking) =>
      andThen(knownDevice(asking.view, dev_eui), (device) =>
        this.#setDesired(device, desired.config, asking),
      ),
    'deviceConfiguration.cancel': ({ dev_eui }, asking) =>
      andThen(knownDevice(asking.view, dev_eui), ({ devEui }) =>
        done(this.#cancel(devEui, this.#who(asking), 'cancelled', asking.nowUs)),
      ),
    'deviceConfiguration.history': ({ dev_eui, ...asked }, asking) =>
      andThen(knownDevice(asking.view, dev_eui), (device) =>
        this.#historyOf(device, asked, asking),
      ),
    'deviceConfiguration.addPolicy': ({ policy, id }, asking) =>
      this.#addPolicy(policy, id, asking),
  });

  readonly hears: Listeners = {
    uplink: ({ uplink }, { owner, nowUs }) => {
      const record = this.#records.get(uplink.devEui)?.record;
      const isAwaited = record !== undefined && activeOf(record) !== undefined;
      if (isAwaited || this.#codecs.mayReport(uplink.fPort)) this.#onUplink(uplink, owner, nowUs);
    },
    downlink: ({ id, sender, what }, { owner, nowUs }) => {
      const record = sender.kind === 'rollout' ? this.#active.get(Number(sender.id)) : undefined;
      if (record?.owner !== owner) return;
      onDownlink(this.#workOf(record), id, what, nowUs);
      this.#agenda.rearm(nowUs);
    },
    deviceCreated: ({ devEui }, { owner, nowUs }) => {
      if (this.#policies.isEmpty) return;
      const device = this.#needs.viewOf(owner).device(devEui);
      if (device !== undefined) this.#obeyPolicy(device, owner, nowUs);
      this.#agenda.rearm(nowUs);
    },
    deviceRemoved: ({ devEui }, { owner, nowUs }) => this.#forget(owner, devEui, nowUs),
    gatewayState: ({ fault, on }, { nowUs }) => {
      if (fault === 'backhaul' && on) this.#lookAtGateways(nowUs + FRESH_US + 1, nowUs);
    },
    gatewayRemoved: (_, { nowUs }) => this.#lookAtGateways(nowUs + 1, nowUs),
  };

  constructor(needs: ConfigurationNeeds) {
    this.#needs = needs;
    this.#codecs = new DeviceCodecs(needs);
    this.#pages = new Pages(needs.world);
    this.#agenda = new RolloutAgenda(needs.timers, {
      dueAtUsOf: (number) => this.#active.get(number)?.desired?.dueAtUs ?? NEVER_US,
      serve: (number, nowUs) => onDue(this.#workOf(this.#active.get(number)!), nowUs),
      look: (number, nowUs) => {
        const record = this.#active.get(number);
        if (record !== undefined) lookAtGateways(this.#workOf(record), nowUs);
      },
      applyPolicy: (owner, policyId, devEui, nowUs) => {
        const device = this.#needs.viewOf(owner).device(devEui);
        if (device !== undefined) this.#obeyPolicy(device, owner, nowUs, policyId);
      },
      active: () => [...this.#active.keys()],
    });
    this.#site = this.#newSite();
  }

  #newSite(): Site {
    const { downlinks, watching } = this.#needs;
    return {
      downlinks,
      watching,
      isReached: ({ owner, devEui }, nowUs) => this.#codecs.isReached(owner, devEui, nowUs),
      deviceOf: ({ owner, devEui }) => this.#needs.viewOf(owner).device(devEui),
      codecOf: ({ owner, devEui }) => {
        const device = this.#needs.viewOf(owner).device(devEui);
        return device && this.#codecs.of(device, owner);
      },
      appoint: ({ number, dueAtUs }) => this.#agenda.add(number, dueAtUs),
      suspended: () => void this.#totals.suspensions++,
      changed: ({ devEui }) => this.#sum.note(this.#records.get(devEui)!),
      ended: (_, rollout, why = 'cancelled') => {
        this.#active.delete(rollout.number);
        addToTotals(this.#totals, rollout, why);
      },
    };
  }

  // ── control ────────────────────────────────────────────────────────────────────────────────────

  /** Who sets it: as somebody said, else as policies have it since the device is there. */
  #controlOf(device: DeviceView, owner: string): Control {
    const said = this.#records.get(device.devEui)?.record.control;
    if (said) return said;
    const mode = this.#policyOf(device, owner) === undefined ? 'manual' : 'policy';
    return { mode, atUs: device.createdAtUs, by: this.#needs.account.idOf({ by: owner }) };
  }

  #takeControl(device: DeviceView, asking: Asking) {
    const { by: owner, nowUs } = asking;
    if (this.#codecs.of(device, owner) === undefined) return fail(...unsupported(device));
    if (this.#controlOf(device, owner).mode !== 'manual') {
      this.#setControl(device, 'manual', asking);
      const { desired } = this.#recordOf(owner, device.devEui);
      if (desired?.source === 'policy') {
        this.#cancel(device.devEui, this.#who(asking), 'manual control', nowUs);
      }
    }
    return ok(this.#answer(device, asking));
  }

  #leaveControl(device: DeviceView, asking: Asking) {
    if (this.#controlOf(device, asking.by).mode !== 'policy') {
      this.#setControl(device, 'policy', asking);
      this.#obeyPolicy(device, asking.by, asking.nowUs);
      this.#agenda.rearm(asking.nowUs);
    }
    return ok(this.#answer(device, asking));
  }

  #setControl({ devEui }: DeviceView, mode: Control['mode'], asking: Asking): void {
    const record = this.#recordOf(asking.by, devEui);
    record.control = { mode, atUs: asking.nowUs, by: this.#who(asking) };
    this.#site.changed(record);
  }

  // ── policies ───────────────────────────────────────────────────────────────────────────────────

  #addPolicy(given: GivenPolicy, id: string | undefined, asking: Asking) {
    const { by: owner, nowUs, view } = asking;
    const isTaken = (each: string) => this.#policies.get(each) !== undefined;
    if (id !== undefined && isTaken(id)) {
      return fail('deviceConfiguration.policy-exists', `There is a policy ${id}.`, '/id');
    }
    if (this.#policies.count(owner) === MOST_POLICIES) {
      const message = `There are ${MOST_POLICIES} policies, which are as many as there may be.`;
      return fail('deviceConfiguration.policies', message);
    }
    const { name, config, devices: devEuis = [], deviceProfile: profile = '' } = given;
    if (profile !== '' && this.#needs.deviceProfile.get(profile, view) === undefined) {
      const message = `No device profile is ${profile}.`;
      return fail('deviceProfile.unknown', message, '/deviceProfile');
    }
    const policyId = id ?? this.#needs.ids.uuid(isTaken);
    const createdBy = this.#who(asking);
    this.#policies.add({ owner, id: policyId, name, config, devEuis, profile, createdBy });
    const looked = profile === '' ? devEuis : view.deviceColumns().devEui;
    if (looked.length > 0) {
      this.#agenda.begin({ kind: 'policy', owner, policyId, devEuis: looked, next: 0 });
    }
    this.#agenda.rearm(nowUs);
    return ok({ id: policyId });
  }

  #policyOf(device: DeviceView, owner: string): Policy | undefined {
    if (this.#policies.isEmpty) return undefined;
    const { devEui } = device;
    const profile = () => this.#needs.endDevice.registrationOf(device, { by: owner }).deviceProfile;
    return this.#policies.of({ owner, devEui, profile });
  }

  /** A device under the control of a policy, of the one that is meant, gets what that desires. */
  #obeyPolicy(device: DeviceView, owner: string, nowUs: number, meant?: string): void {
    const policy = this.#policyOf(device, owner);
    if (policy === undefined || (meant !== undefined && policy.id !== meant)) return;
    if (this.#controlOf(device, owner).mode !== 'policy') return;
    const { config, createdBy: by } = policy;
    const { devEui } = device;
    const before = this.#records.get(devEui)?.record;
    if (before?.reported && isReflected(config, before.reported.config) && !isOutdated(before)) {
      return this.#cancel(devEui, by, 'reflected', nowUs);
    }
    const record = this.#recordOf(owner, devEui);
    const codec = this.#codecs.of(device, owner);
    const fragments = codec && this.#codecs.fragmentsOf(codec, config);
    const wanted = { config, policy, by, nowUs };
    if (codec !== undefined && fragments?.ok)
      return this.#roll(record, codec, fragments.value, wanted);
    this.#refuse(record, wanted);
  }

  /** What a policy desires is none that the device's codec encodes. */
  #refuse(record: DeviceRecord, wanted: Wanted): void {
    const rollout = this.#replace(record, undefined, [], wanted);
    rollout.status = next(ROLLOUT_MOVES, rollout.status, 'fail');
    rollout.failure = 'not encodable';
    rollout.completedAtUs = wanted.nowUs;
    this.#site.ended(record, rollout);
  }

  // ── rollouts ───────────────────────────────────────────────────────────────────────────────────

  #setDesired(device: DeviceView, config: JsonObject, asking: Asking) {
    const { by: owner, nowUs } = asking;
    const { devEui } = device;
    if (this.#controlOf(device, owner).mode === 'policy') {
      const message = `The device ${devEui} is under the control of a policy.`;
      return fail('deviceConfiguration.policy', message);
    }
    const codec = this.#codecs.of(device, owner);
    if (codec === undefined) return fail(...unsupported(device));
    return andThen(this.#codecs.fragmentsOf(codec, config), (fragments) => {
      const by = this.#who(asking);
      const reported = this.#records.get(devEui)?.record.reported;
      if (reported && isReflected(config, reported.config)) {
        return done(this.#cancel(devEui, by, 'reflected', nowUs));
      }
      this.#roll(this.#recordOf(owner, devEui), codec, fragments, { config, by, nowUs });
      this.#agenda.rearm(nowUs);
      return meanwhile(this.#answer(device, asking));
    });
  }

  #roll(
    record: DeviceRecord,
    codec: DeviceCodec,
    fragments: readonly Fragment[],
    wanted: Wanted,
  ): void {
    const rollout = this.#replace(record, codec, fragments, wanted);
    this.#active.set(rollout.number, record);
    this.#agenda.needLooks(wanted.nowUs);
    begin({ site: this.#site, record, rollout }, wanted.nowUs);
  }

  /** A rollout takes the place of the one before. */
  #replace(
    record: DeviceRecord,
    codec: DeviceCodec | undefined,
    fragments: readonly Fragment[],
    { config, policy, by, nowUs }: Wanted,
  ): Rollout {
    this.#cancel(record.devEui, by, 'replaced', nowUs);
    const rollout = newRollout({
      number: ++this.#latestNumber,
      config,
      source: policy === undefined ? 'manual' : 'policy',
      policyId: policy?.id ?? '',
      decoderType: codec?.decoderType ?? '',
      confirmation: codec?.configuration.confirmation ?? 'downlink-sent',
      echoes: codec?.configuration.echoes ?? false,
      fragments,
      createdBy: by,
      nowUs,
    });
    record.desired = rollout;
    this.#totals.made++;
    this.#site.changed(record);
    return rollout;
  }

  #cancel(devEui: string, by: string, why: ConfigurationCancellation, nowUs: number): void {
    const record = this.#records.get(devEui)?.record;
    const rollout = record && activeOf(record);
    if (record === undefined || rollout === undefined) return;
    cancel({ site: this.#site, record, rollout }, by, why, nowUs);
    this.#agenda.rearm(nowUs);
  }

  // ── what happens ───────────────────────────────────────────────────────────────────────────────

  #onUplink(uplink: ReceivedUplink, owner: string, nowUs: number): void {
    const { devEui, endedAtUs } = uplink;
    const view = this.#needs.viewOf(owner);
    const device = view.device(devEui);
    if (device === undefined) return;
    const given: CodecUplink = {
      devEui,
      fPort: Math.max(0, uplink.fPort),
      fCntUp: uplink.fCnt,
      bytes: uplink.payload,
      recvTimeMs: view.unixMs(uplink.atUs),
    };
    const codec = this.#codecs.of(device, owner)?.configuration;
    const response = codec?.reportFPorts.includes(given.fPort) ? codec.report(given) : undefined;
    if (response !== undefined) this.#noteReport(owner, devEui, response, endedAtUs);
    const record = this.#records.get(devEui)?.record;
    const rollout = record && activeOf(record);
    if (record === undefined || rollout === undefined) return;
    onUplink({ site: this.#site, record, rollout }, endedAtUs, given, nowUs);
    this.#agenda.rearm(nowUs);
  }

  #noteReport(owner: string, devEui: string, response: JsonObject, atUs: number): void {
    if (Object.keys(response).length === 0) return;
    const before = this.#records.get(devEui)?.record.reported?.config;
    const config = merged(before ?? {}, response);
    if (Object.keys(config).length === 0) return;
    const record = this.#recordOf(owner, devEui);
    record.reported = { config, atUs };
    if (config !== before) this.#history.add(owner, devEui, config, atUs);
    this.#site.changed(record);
  }

  #forget(owner: string, devEui: string, nowUs: number): void {
    const cell = this.#records.get(devEui);
    if (cell === undefined) return;
    const rollout = activeOf(cell.record);
    if (rollout !== undefined) forget({ site: this.#site, record: cell.record, rollout });
    this.#records.delete(devEui);
    this.#sum.forget(cell);
    this.#history.forget(owner, devEui);
    this.#agenda.rearm(nowUs);
  }

  #lookAtGateways(atUs: number, nowUs: number): void {
    this.#agenda.lookAt(atUs, this.#active.size > 0);
    this.#agenda.rearm(nowUs);
  }

  onTimer(_timer: number, nowUs: number): void {
    this.#agenda.onTimer(nowUs);
    this.#agenda.rearm(nowUs);
  }

  // ── operations ───────────────────────────────────────────────────────────────────────────────

  #answer(device: DeviceView, { by: owner, view }: Asking) {
    const record = this.#records.get(device.devEui)?.record ?? newRecord(owner, device.devEui);
    return configurationAnswer(record, this.#controlOf(device, owner), view);
  }

  #historyOf(
    { devEui, createdAtUs }: DeviceView,
    asked: { readonly limit?: number; readonly page_token?: string },
    { by, view }: Asking,
  ) {
    const list = {
      by,
      // A device that returns has another history.
      name: `configuration ${devEui} ${createdAtUs}`,
      entries: this.#history.of(by, devEui),
      keyOf: ({ number }: Change) => `${number}`,
      order: (one: string, other: string) => Number(other) - Number(one),
    };
    const page = this.#pages.page(list, asked, HISTORY_PAGES, 'deviceConfiguration.page');
    return andThen(page, ({ data, meta }) =>
      ok({
        data: data.map(({ config, atUs }) => ({
          config,
          reported_at: formatInstant(view.unixMs(atUs)),
        })),
        meta,
      }),
    );
  }

  /** Undefined: no configuration was ever desired of a device. */
  result(summary: Pick<NetworkSummary, 'devices'>) {
    const records = [...this.#records.values()].map(({ record }) => record);
    return configurationResult(this.#totals, records, summary, (record) =>
      this.#codecs.settingsOf(record),
    );
  }

  /** Whether a device is really set as its latest rollout desires, whatever the platform knows. */
  isSet(devEui: string): boolean {
    const record = this.#records.get(devEui)?.record;
    if (record === undefined || record.desired === null) return false;
    const settings = this.#codecs.settingsOf(record);
    return settings !== undefined && isReflected(record.desired.config, settings);
  }

  /** Whether no rollout is underway, and no policy is being applied. */
  get isIdle(): boolean {
    return this.#active.size === 0 && !this.#agenda.hasPasses;
  }

  watches(devEui: string): boolean {
    const record = this.#records.get(devEui)?.record;
    return record !== undefined && activeOf(record) !== undefined;
  }

  fold(fold: Fold): void {
    this.#policies.fold(fold);
    this.#sum.into(fold, 'configurations');
    foldField(fold, 'latestRollout', this.#latestNumber);
  }

  save(): SavedConfigurations {
    return {
      records: Array.from(this.#records.values(), ({ record }) => copyPlain(record)),
      policies: this.#policies.save(),
      history: this.#history.save(),
      agenda: this.#agenda.save(),
      totals: copyPlain(this.#totals),
      latestNumber: this.#latestNumber,
    };
  }

  load(saved: SavedConfigurations): void {
    for (const cell of this.#records.values()) this.#sum.forget(cell);
    this.#records.clear();
    this.#active.clear();
    this.#policies.load(saved.policies);
    this.#history.load(saved.history);
    this.#agenda.load(saved.agenda);
    this.#totals = copyPlain(saved.totals);
    this.#latestNumber = saved.latestNumber;
    for (const each of saved.records) {
      const record = copyPlain(each);
      this.#put(record);
      const rollout = activeOf(record);
      if (rollout !== undefined) this.#active.set(rollout.number, record);
    }
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  #who({ by, as }: Asking): string {
    return this.#needs.account.idOf(as === undefined ? { by } : { by, as });
  }

  #recordOf(owner: string, devEui: string): DeviceRecord {
    return this.#records.get(devEui)?.record ?? this.#put(newRecord(owner, devEui));
  }

  #put(record: DeviceRecord): DeviceRecord {
    const cell = newCell(record);
    this.#records.set(record.devEui, cell);
    this.#sum.note(cell);
    return record;
  }

  #workOf(record: DeviceRecord) {
    return { site: this.#site, record, rollout: activeOf(record)! };
  }
}

/** Whether the device may have taken something else since it reported. */
const isOutdated = ({ reported, desired }: DeviceRecord): boolean =>
  desired?.fragments.some(({ sentAtUs }) => sentAtUs > (reported?.atUs ?? 0)) ?? false;

const unsupported = ({ devEui }: DeviceView) =>
  [
    'deviceConfiguration.unsupported',
    `The decoder type of the device ${devEui} encodes no configuration.`,
  ] as const;

export const configurationResource = declareResource({
  name: 'deviceConfiguration',
  is: 'Reported and desired configuration of devices.',
  permission: 'Device',
  failures: FAILURES,
  operations: OPERATIONS,
  timerSpace: 6,
  make: (needs: ConfigurationNeeds) => new DeviceConfigurations(needs),
});
