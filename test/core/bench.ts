/**
 * A platform on the bench: a network that delivers at once and a few devices, enough to run whole
 * campaigns in memory.
 */
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import { Outbox, type PlatformRequest } from '../../core/base/outbox.ts';
import type { Caller } from '../../core/base/subscribers.ts';
import type { Answered, Answers, PlatformCommand } from '../../core/operations.ts';
import { Platform } from '../../core/platform.ts';
import type { CampaignResult } from '../../core/result/result.ts';
import { newGateway } from '../../core/simulator/gateways.ts';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import type { DeviceGroupInput } from '../../core/update-service/device-groups.ts';
import { platformDraws } from '../../core/world/platform-draws.ts';
import { toHex } from '../../sim/base/bytes.ts';
import { expandSeed } from '../../sim/base/random.ts';
import type { Result } from '../../sim/base/result.ts';
import { type DownlinkFateNews, isSameSender } from '../../sim/contract/downlinks.ts';
import type { MulticastTxStatus } from '../../sim/contract/news.ts';
import {
  type DownlinkRequest,
  MULTICAST_LEAD_US,
  type NetworkRequest,
} from '../../sim/contract/requests.ts';
import type { NewGateway } from '../../sim/contract/things.ts';
import type {
  DeviceTypeView,
  DeviceView,
  GatewayView,
  NetworkView,
} from '../../sim/contract/view.ts';
import { loraAirtimeUs } from '../../sim/lorawan/airtime.ts';
import { gpsMsOfUnixMs, unixMsOfGpsMs } from '../../sim/lorawan/gps-time.ts';
import { deriveMulticastKeys } from '../../sim/lorawan/keys.ts';
import {
  centreRangesHz,
  loraDataRate,
  maxFrmPayload,
  region,
  subBandOf,
} from '../../sim/lorawan/region.ts';
import { newsOf } from '../../sim/network/requests.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { asReported } from '../support/answers.ts';
import { groundTruthOf } from './device-truth.ts';
import { ORDINARY, readRequests, type Script, ScriptedDevice } from './scripted-device.ts';

export const S = 1_000_000;
export const GPS_START = 1_450_000_000;
export const GATEWAY = 'AA00000000000001';
const EU868 = region('EU868');
const SENSITIVITY = [-13_700, -13_450, -13_200, -12_950, -12_700, -12_450];

type MulticastSend = Extract<NetworkRequest, { kind: 'multicast.send' }>;

export interface LoggedRequest {
  readonly atUs: number;
  readonly request: PlatformRequest;
}

/** What a gateway does with a copy; `ordinal` counts the requests for this copy from 0. */
export type GatewayRule = (send: MulticastSend, ordinal: number) => MulticastTxStatus['outcome'];

export interface BenchOptions {
  readonly gateways?: readonly string[];
  readonly gatewayRule?: GatewayRule;
}

/** Device types of the bench's world. */
export const TYPES: readonly DeviceTypeView[] = [
  { name: 'meter', deviceClass: 'A', lorawan: '1.0', rootKeyKnown: true, answers: [{}] },
  { name: 'valve', deviceClass: 'C', lorawan: '1.0', rootKeyKnown: false, answers: [] },
  { name: 'modern', deviceClass: 'A', lorawan: '1.1', rootKeyKnown: false, answers: [{}] },
  { name: 'siren', deviceClass: 'B', lorawan: '1.0', rootKeyKnown: false, answers: [{}] },
];

export class Bench {
  nowUs = 0;
  /** What the view reports of every gateway's air time, 0…1. */
  budgetUsed = 0;
  /** What the view reports of every gateway's backhaul. */
  backhaul = { up: true, sinceUs: 0 };
  /** Whether the view reports that every gateway's radio works. */
  radioUp = true;
  /** Latest statuses of gateways that send none any more, µs. */
  readonly silentSinceUs = new Map<string, number>();
  readonly outbox = new Outbox();
  readonly devices = new Map<string, ScriptedDevice>();
  readonly log: LoggedRequest[] = [];
  /** DevAddrs that were given to devices. */
  readonly addresses = new Set<number>();
  readonly view: NetworkView;
  platform: Platform;
  /** Ids of what was made last. */
  groupId = '';
  campaignId = '';
  readonly #gateways: Map<string, NewGateway>;
  readonly #rule: GatewayRule;
  /** By time; of equal times the older first. */
  readonly #events: { atUs: number; run: () => void }[] = [];
  readonly #timers = new Map<number, number>();
  readonly #watched = new Set<string>();
  /** Devices whose radio has failed, and since when, µs. */
  readonly #mute = new Map<string, number>();
  readonly #queues = new Map<string, DownlinkRequest[]>();
  readonly #groups = new Map<number, string>();
  readonly #asked = new Map<string, number>();

  constructor(options: BenchOptions = {}) {
    const gateways = options.gateways ?? [GATEWAY];
    this.#gateways = new Map(gateways.map((eui) => [eui, gatewayOf(eui)]));
    this.#rule = options.gatewayRule ?? (() => ({ kind: 'sent' }));
    this.view = this.#makeView();
    this.platform = this.newPlatform();
  }

  newPlatform(keepsRecords = true): Platform {
    const draws = platformDraws(expandSeed('bench'));
    return new Platform(this.view, this.outbox, draws, {
      records: keepsRecords,
      codecs: codecEngine(),
    });
  }

  /** Puts the platform's state into a fresh platform, through JSON-like plain data. */
  reload(): void {
    const fresh = this.newPlatform();
    fresh.contents.load(this.platform.contents.all());
    fresh.load(this.platform.save());
    this.platform = fresh;
  }

  add(count: number, script: (i: number) => Partial<Script> = () => ({})): string[] {
    return Array.from({ length: count }, () => {
      const i = this.devices.size;
      const devEui = `D00000000000${(i + 1).toString(16).padStart(4, '0').toUpperCase()}`;
      const device = new ScriptedDevice(devEui, { ...ORDINARY, ...script(i) });
      this.devices.set(devEui, device);
      if (device.script.uplinkEveryS > 0) {
        this.at(device.script.firstUplinkS * S + i * 100_000, () => this.#period(device));
      }
      return devEui;
    });
  }

  device(devEui: string): ScriptedDevice {
    return this.devices.get(devEui)!;
  }

  at(atUs: number, run: () => void): void {
    let low = 0;
    for (let high = this.#events.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.#events[middle].atUs <= atUs) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, { atUs, run });
  }

  runUntil(untilUs: number): void {
    for (;;) {
      const next = this.#events[0];
      if (next === undefined || next.atUs > untilUs) break;
      this.#events.shift();
      this.nowUs = next.atUs;
      next.run();
      this.drain();
    }
    this.nowUs = untilUs;
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  upload(name: string, bytes: Uint8Array): void {
    this.execute({ kind: 'image.create', by: 'default', name, bytes, tags: [] });
  }

  group(group: DeviceGroupInput): string {
    this.groupId = this.execute({
      kind: 'deviceGroup.create',
      by: 'default',
      group,
    }).device_group_id;
    return this.groupId;
  }

  /** Of the latest group, unless another one is given. */
  campaign(input: Partial<CampaignInput> = {}): string {
    const campaign = this.campaignInput(input);
    this.campaignId = this.execute({
      kind: 'campaign.create',
      by: 'default',
      campaign,
    }).campaign_id;
    return this.campaignId;
  }

  campaignInput(input: Partial<CampaignInput> = {}): CampaignInput {
    const device_group_id = this.groupId;
    return { name: 'spring', image_name: 'app-1.2.3.bin', device_group_id, ...input };
  }

  /** What a command, anyone who wrote it, is answered with: what its row says. */
  try<Given extends PlatformCommand & Caller>(command: Given): Answered<Given['kind']> {
    const admitted = this.platform.admit(command);
    const answer = admitted.ok ? this.platform.execute(admitted.value, this.nowUs) : admitted;
    this.drain();
    return asReported(command.kind, answer) as Answered<Given['kind']>;
  }

  execute<Given extends PlatformCommand & Caller>(command: Given): Answers[Given['kind']] {
    const answer = this.try(command) as Result<Answers[Given['kind']]>;
    if (!answer.ok) throw new Error(`${answer.failure.code}: ${answer.failure.message}`);
    return answer.value;
  }

  get result(): CampaignResult {
    return this.platform.resources.campaign.results()[0]!;
  }

  /** Runs until the campaign is over, for at most that many days. */
  finish(days = 3): CampaignResult {
    const endUs = this.nowUs + days * 86_400 * S;
    while (this.nowUs < endUs && !/FINISHED|HALTED|ERROR/.test(this.result.stage)) {
      this.runUntil(this.nowUs + 60 * S);
    }
    return this.result;
  }

  remove(devEui: string): void {
    this.devices.delete(devEui);
    this.platform.hear({ kind: 'deviceRemoved', devEui }, this.nowUs);
    this.drain();
  }

  /** Names of the unicast commands that were requested, in order. */
  commandsTo(devEui: string): string[] {
    return this.log.flatMap(({ request }) =>
      request.kind === 'downlink' && request.devEui === devEui
        ? [
            readRequests(request.fPort, request.payload)
              .map(({ name }) => name)
              .join('+'),
          ]
        : [],
    );
  }

  get sends(): { readonly atUs: number; readonly request: MulticastSend }[] {
    return this.log.flatMap(({ atUs, request }) =>
      request.kind === 'multicast.send' ? [{ atUs, request }] : [],
    );
  }

  isWatched(devEui: string): boolean {
    return this.#watched.has(devEui);
  }

  /** The downlink that waits for a device first waits no more: the platform hears why. */
  reportNext(devEui: string, what: DownlinkFateNews): void {
    const [next, ...others] = this.#queues.get(devEui) ?? [];
    if (next === undefined) return;
    this.#queues.set(devEui, others);
    const { id, sender } = next;
    this.platform.hear({ kind: 'downlink', id, sender, devEui, what }, this.nowUs);
    this.drain();
  }

  // ── requests ───────────────────────────────────────────────────────────────────────────────────

  drain(): void {
    while (!this.outbox.isEmpty) for (const request of this.outbox.drain()) this.#grant(request);
    this.outbox.rest();
  }

  #grant(request: PlatformRequest): void {
    const { nowUs } = this;
    this.log.push({ atUs: nowUs, request });
    switch (request.kind) {
      case 'watch':
        if (request.on) this.#watched.add(request.devEui);
        else this.#watched.delete(request.devEui);
        return;
      case 'downlink':
        return this.#downlink(request);
      case 'clearDownlinks':
        return this.#clear(request);
      case 'multicast.open':
        this.#groups.set(request.group.mcAddr, toHex(request.group.mcKey));
        return;
      case 'group.open':
        // Devices of the script have no keys of such groups.
        this.#groups.set(request.group.mcAddr, '');
        return;
      case 'group.close':
      case 'multicast.close':
        this.#groups.delete(request.mcAddr);
        return;
      case 'multicast.send':
        return this.#multicast(request);
      case 'wakeAt':
        return this.#wakeAt(request.timer, request.atUs);
      case 'wakeNever':
        this.#timers.delete(request.timer);
        return;
      default:
        this.#manage(request);
    }
    const news = newsOf(request);
    if (news !== undefined) this.platform.hear(news, nowUs);
  }

  /** Devices and gateways that come, change and go; what is asked of a device is logged only. */
  #manage(request: PlatformRequest): void {
    switch (request.kind) {
      case 'device.create': {
        const { devEui } = request.device;
        const device = new ScriptedDevice(devEui, ORDINARY);
        const { credentials, ...created } = request.device;
        this.devices.set(devEui, Object.assign(device, created, { createdAtUs: this.nowUs }));
        if (credentials !== undefined) device.activation = credentials.activation;
        if (credentials?.activation === 'abp') this.addresses.add(credentials.devAddr);
        return;
      }
      case 'device.change': {
        const { kind, devEui, place, ...change } = request;
        Object.assign(this.device(devEui), place, change);
        return;
      }
      case 'device.class':
        this.device(request.devEui).script.deviceClass = request.deviceClass;
        return;
      case 'device.mute':
        if (request.on) this.#mute.set(request.devEui, this.nowUs);
        else this.#mute.delete(request.devEui);
        return;
      case 'device.remove':
        this.devices.delete(request.devEui);
        this.#queues.delete(request.devEui);
        this.#watched.delete(request.devEui);
        return;
      case 'gateway.create':
        this.#gateways.set(request.gateway.eui, request.gateway);
        return;
      case 'gateway.change': {
        const { kind, eui, place, hardware, ...change } = request;
        const { name, xMeters, yMeters, ...before } = this.#gateways.get(eui)!;
        const stays = { eui, name, xMeters, yMeters, ...(hardware ?? before) };
        this.#gateways.set(eui, { ...stays, ...place, ...change });
        return;
      }
      case 'gateway.remove':
        this.#gateways.delete(request.eui);
    }
  }

  #wakeAt(timer: number, atUs: number): void {
    if (atUs <= this.nowUs || !Number.isInteger(atUs)) throw new Error(`wake at ${atUs}`);
    this.#timers.set(timer, atUs);
    this.at(atUs, () => {
      if (this.#timers.get(timer) !== atUs) return;
      this.#timers.delete(timer);
      this.platform.onTimer(timer, atUs);
    });
  }

  #downlink(request: DownlinkRequest): void {
    const device = this.devices.get(request.devEui);
    if (device === undefined) throw new Error('a downlink to a device that is gone');
    if (device.script.deviceClass === 'C') {
      this.at(this.nowUs + 0.5 * S, () => this.#deliver(device, request));
      return;
    }
    const queue = this.#queues.get(request.devEui) ?? [];
    this.#queues.set(request.devEui, [...queue, request]);
  }

  #clear({ devEui, sender }: Extract<NetworkRequest, { kind: 'clearDownlinks' }>): void {
    const queue = this.#queues.get(devEui) ?? [];
    const others = queue.filter((one) => !isSameSender(one.sender, sender));
    this.#queues.set(devEui, others);
    for (const { id } of queue.filter((one) => !others.includes(one))) {
      const what = { kind: 'dropped', reason: 'cleared' } as const;
      this.platform.hear({ kind: 'downlink', id, sender, devEui, what }, this.nowUs);
    }
  }

  /** Goes on the air now. */
  #deliver(device: ScriptedDevice, { id, sender, fPort, payload }: DownlinkRequest): void {
    const what = { kind: 'sent', gatewayEui: GATEWAY } as const;
    const { devEui } = device;
    this.platform.hear({ kind: 'downlink', id, sender, devEui, what }, this.nowUs);
    if (!this.devices.has(device.devEui) || device.script.losesDownlink(device.downlinks++)) return;
    this.at(this.nowUs + 2 * S, () => {
      const answers = device.take(fPort, payload, this.view.gpsSeconds(this.nowUs));
      for (const answer of answers) this.#uplink(device, answer.fPort, answer.payload);
    });
  }

  #period(device: ScriptedDevice): void {
    if (!this.devices.has(device.devEui)) return;
    this.#uplink(device, 10, Uint8Array.of(1));
    this.at(this.nowUs + device.script.uplinkEveryS * S, () => this.#period(device));
  }

  /** Ends now; the platform hears of it after 0.2 s, the window opens after 1 s. */
  #uplink(device: ScriptedDevice, fPort: number, payload: Uint8Array): void {
    const endedAtUs = this.nowUs;
    const { devEui, script } = device;
    if (!this.devices.has(devEui) || script.losesUplink(device.uplinks++)) return;
    this.at(endedAtUs + 0.2 * S, () => {
      device.lastUplinkAtUs = endedAtUs;
      if (!this.#watched.has(devEui)) return;
      const fCnt = device.uplinks;
      const { dataRate } = script;
      const atUs = this.nowUs;
      const uplink = { devEui, atUs, endedAtUs, fCnt, fPort, payload, dataRate };
      this.platform.hear({ kind: 'uplink', uplink }, atUs);
    });
    this.at(endedAtUs + S, () => {
      const queue = this.#queues.get(devEui) ?? [];
      const next = queue.find(({ notBeforeUs = 0 }) => notBeforeUs <= this.nowUs);
      if (next === undefined) return;
      this.#queues.set(
        devEui,
        queue.filter((one) => one !== next),
      );
      this.#deliver(device, next);
    });
  }

  #multicast(request: MulticastSend): void {
    const { mcAddr, gatewayEui, fCnt, startsAtUs } = request;
    if (startsAtUs < this.nowUs + MULTICAST_LEAD_US)
      throw new Error('a frame is requested too late');
    if (!this.#groups.has(mcAddr)) throw new Error('a frame to a group that is closed');
    const key = `${gatewayEui} ${fCnt}`;
    const ordinal = this.#asked.get(key) ?? 0;
    this.#asked.set(key, ordinal + 1);
    const outcome = this.#rule(request, ordinal);
    const status = { mcAddr, gatewayEui, fCnt, outcome };
    const report = () => void this.platform.hear({ kind: 'multicast', status }, this.nowUs);
    if (outcome.kind === 'noBudget') return report();
    this.at(startsAtUs, () => {
      report();
      if (outcome.kind === 'sent') this.#radiate(request);
    });
  }

  #radiate({ mcAddr, gatewayEui, fCnt, payload }: MulticastSend): void {
    const gps = this.view.gpsSeconds(this.nowUs);
    for (const device of this.devices.values()) {
      const level = device.script.levels[gatewayEui] ?? -200;
      if (level < -137 || device.group?.mcAddr !== mcAddr) continue;
      if (device.group.mcKey !== this.#groups.get(mcAddr)) continue;
      device.takeMulticast(fCnt, payload, gatewayEui, gps);
    }
  }

  // ── view ───────────────────────────────────────────────────────────────────────────────────────

  #makeView(): NetworkView {
    return {
      region: 'EU868',
      gpsSeconds: (atUs) => GPS_START + Math.floor(atUs / S),
      worldUs: (gpsSeconds) => (gpsSeconds - GPS_START) * S,
      unixMs: (atUs) => unixMsOfGpsMs(GPS_START * 1000 + Math.floor(atUs / 1000)),
      worldUsOfUnixMs: (unixMs) => (gpsMsOfUnixMs(unixMs) - GPS_START * 1000) * 1000,
      device: (devEui) => this.#deviceView(devEui),
      devices: () => [...this.devices.keys()].map((devEui) => this.#deviceView(devEui)!),
      deviceGroundTruths: (devEuis) =>
        devEuis.filter((devEui) => this.devices.has(devEui)).map(groundTruthOf),
      deviceColumns: (devEuis = [...this.devices.keys()]) => {
        const known = devEuis.filter((devEui) => this.devices.has(devEui));
        const devices = known.map((devEui) => this.devices.get(devEui)!);
        return {
          devEui: known,
          name: devices.map(({ name }) => name),
          type: devices.map(({ type }) => type),
          typeName: devices.map(({ type }) => TYPES[type]!.name),
          activation: devices.map(({ activation }) => activation),
          createdAtUs: devices.map(({ createdAtUs }) => createdAtUs),
          lastUplinkAtUs: devices.map(({ lastUplinkAtUs }) => lastUplinkAtUs),
        };
      },
      gateway: (eui) => (this.#gateways.has(eui) ? this.#gatewayView(eui) : undefined),
      gateways: () => [...this.#gateways.keys()].map((eui) => this.#gatewayView(eui)),
      devicesNamed: (name) =>
        [...this.devices.values()]
          .filter((each) => each.name === name)
          .map(({ devEui }) => this.#deviceView(devEui)!),
      deviceTypes: TYPES.length,
      deviceType: (row) => TYPES[row],
      isAddressTaken: (devAddr) => this.addresses.has(devAddr),
      channelAt: (frequencyHz) => ({ subBand: 2, channel: (frequencyHz - 867_900_000) / 200_000 }),
      dataRate: (index) => {
        const rate = loraDataRate(EU868, index);
        if (rate === undefined) return undefined;
        const { spreadingFactor, bandwidthHz } = rate;
        return {
          spreadingFactor,
          bandwidthHz,
          maxFrmPayload: maxFrmPayload(EU868, index),
          deviceSensitivityCentiDbm: SENSITIVITY[index] ?? -12_000,
        };
      },
      downlinkAirtimeUs: (index, phyBytes) => {
        const rate = loraDataRate(EU868, index)!;
        return loraAirtimeUs(rate.spreadingFactor, rate.bandwidthHz, phyBytes, false);
      },
      dutyCycle: regionsShare,
      mayCarry: (frequencyHz, index) =>
        subBandOf(EU868, frequencyHz, loraDataRate(EU868, index)?.bandwidthHz) >= 0,
      downlinkDataRates: [0, 1, 2, 3, 4, 5, 6],
      downlinkRangesHz: (index) => centreRangesHz(EU868, loraDataRate(EU868, index)?.bandwidthHz),
      uplinkChannelsHz: [868_100_000, 868_300_000, 868_500_000],
      rx2: EU868.rx2,
    };
  }

  #deviceView(devEui: string): DeviceView | undefined {
    const device = this.devices.get(devEui);
    if (device === undefined) return undefined;
    const { deviceClass, dataRate, rootKeyKnown, levels } = device.script;
    const heardBy = Object.entries(levels).map(([gatewayEui, dbm]) => ({
      gatewayEui,
      downlinkCentiDbm: dbm * 100,
    }));
    heardBy.sort((a, b) => b.downlinkCentiDbm - a.downlinkCentiDbm);
    const { lastUplinkAtUs } = device;
    const isUp = { active: true, lacksBeacon: false, declaredPauseUs: 0 };
    const state = { ...isUp, rootKeyKnown, lastUplinkAtUs, dataRate };
    const { name, xMeters, yMeters, type } = device;
    return {
      devEui,
      name,
      xMeters,
      yMeters,
      profile: { type, ...TYPES[type]!, activation: device.activation },
      deviceClass,
      createdAtUs: device.createdAtUs,
      ...state,
      heardBy,
      packages: USUAL_PACKAGES,
      answers: [],
      answersOfType: true,
      settings: undefined,
      settingsDownlinks: undefined,
      faults: [this.#mute.get(devEui)].flatMap((sinceUs) =>
        sinceUs === undefined ? [] : { fault: 'radio', sinceUs, centiDb: 0 },
      ),
      waitingDownlinks: (this.#queues.get(devEui) ?? []).map(
        ({ id, sender, fPort, payload, confirmed = false }) => {
          return { id, sender: sender.kind, fPort, payload, confirmed };
        },
      ),
      blockMic: () => 0,
      wrapMcKey: (mcKey, rootKey = device.rootKey) =>
        deriveMulticastKeys({ version: '1.0', rootKey, mcKey, mcAddr: 0 }).mcKeyEncrypted,
    };
  }

  #gatewayView(eui: string): GatewayView {
    const { name, xMeters, yMeters, gps, ...hardware } = this.#gateways.get(eui)!;
    const air = { dutyCycle: regionsShare, budgetUsed: () => this.budgetUsed };
    const works = {
      backhaulUp: this.backhaul.up,
      backhaulSinceUs: this.backhaul.sinceUs,
      radioUp: this.radioUp,
      radioSinceUs: 0,
      faults: [],
      lastStatusAtUs: (nowUs: number) => this.silentSinceUs.get(eui) ?? nowUs,
      nextStatusAtUs: (afterUs: number) => afterUs + 30 * S,
      putUpAtUs: 0,
      firstSentUs: (afterUs: number, untilUs: number) =>
        afterUs + 30 * S <= untilUs ? afterUs + 30 * S : null,
      latestSentUs: (afterUs: number, untilUs: number) => (untilUs > afterUs ? untilUs : null),
    };
    return { eui, name, xMeters, yMeters, gps, hardware: { gps, ...hardware }, ...air, ...works };
  }
}

function regionsShare(frequencyHz: number): number {
  const band = EU868.subBands[subBandOf(EU868, frequencyHz)];
  return (band?.dutyCyclePpm ?? 0) / 1_000_000;
}

function gatewayOf(eui: string): NewGateway {
  const created = newGateway({ eui, name: `gateway ${eui.slice(-1)}` });
  if (!created.ok) throw new Error(created.failure.message);
  return created.value;
}

/** Bytes without a pattern that the code could profit from. */
export function someImage(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    return state >>> 16;
  });
}

/** A bench with an image, devices and a group of them, ready for a campaign. */
export function ready(
  count: number,
  script: (i: number) => Partial<Script> = () => ({}),
  options: BenchOptions & { readonly imageBytes?: number; readonly gatewaysListed?: string[] } = {},
): Bench {
  const bench = new Bench(options);
  const devices = bench.add(count, script);
  bench.upload('app-1.2.3.bin', someImage(options.imageBytes ?? 1_000));
  bench.group({ name: 'all', devices, gateways: options.gatewaysListed ?? [] });
  return bench;
}
