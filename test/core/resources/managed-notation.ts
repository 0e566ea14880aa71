/** Notation for tests of managed campaigns: a subscriber with an image, whose devices report. */
import { formatInstant } from '../../../core/base/instant.ts';
import type { ManagedInput } from '../../../core/update-service/managed-campaigns/fields.ts';
import { type Bench, S, someImage } from '../bench.ts';
import type { Script } from '../scripted-device.ts';
import { Subscriber } from './service.ts';

export const IMAGE = 'app-1.2.3.bin';
/** Of firmware 1.0.0.0 and 1.2.3.0. */
export const OLD = '0100000000000001';
export const NEW = '0102030000000001';
export const DAY_S = 86_400;

export class Manager extends Subscriber {
  readonly gateway: string;

  constructor(bench: Bench, by: string, gateway: string) {
    super(bench, by);
    this.gateway = gateway;
    this.do({ kind: 'image.create', name: IMAGE, bytes: someImage(500), tags: [] });
  }

  /** Devices that the gateway hears, and that have reported a version. */
  fleet(count: number, script: (i: number) => Partial<Script> = () => ({}), version = OLD) {
    const levels = { [this.gateway]: -100 };
    const devEuis = this.devices(count, (i) => ({ levels, ...script(i) }));
    for (const devEui of devEuis) this.report(devEui, version);
    return devEuis;
  }

  input(input: Partial<ManagedInput> = {}): ManagedInput {
    const usual = { include_versions: ['010.............'], image_name: IMAGE };
    return { ...usual, gateways: [this.gateway], ...input };
  }

  create(input: Partial<ManagedInput> = {}) {
    return this.do({ kind: 'managedCampaign.create', managedCampaign: this.input(input) });
  }

  createNew(input: Partial<ManagedInput> = {}): string {
    return this.create(input).managed_campaign_id;
  }

  managed(managed_campaign_id: string) {
    return this.ask({ kind: 'managedCampaign.get', managed_campaign_id });
  }

  stage(id: string): string {
    return this.managed(id).stage_str;
  }

  problematic(managed_campaign_id: string) {
    return this.ask({ kind: 'managedCampaign.problematicDevices', managed_campaign_id });
  }

  clear(managed_campaign_id: string): void {
    this.do({ kind: 'managedCampaign.clearProblematicDevices', managed_campaign_id });
  }

  halt(managed_campaign_id: string): void {
    this.do({ kind: 'managedCampaign.halt', managed_campaign_id });
  }

  /** Names of the campaigns that it has, in the order of their creation. */
  get campaigns(): string[] {
    return this.ask({ kind: 'campaign.list' }).map(({ name }) => name);
  }

  /** The campaign with a name. */
  campaign(name: string) {
    const found = this.ask({ kind: 'campaign.list' }).find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no campaign ${name}`);
    return found;
  }

  go(seconds: number): void {
    this.bench.runUntil(this.bench.nowUs + seconds * S);
  }

  /** To a time of the UTC day, seconds after midnight, the next one. */
  goTo(seconds: number): void {
    const sinceMidnight = (this.bench.view.unixMs(this.bench.nowUs) / 1000) % DAY_S;
    this.go((((seconds - sinceMidnight) % DAY_S) + DAY_S) % DAY_S || DAY_S);
  }

  get nowText(): string {
    return formatInstant(this.bench.view.unixMs(this.bench.nowUs));
  }

  in(seconds: number): string {
    return formatInstant(this.bench.view.unixMs(this.bench.nowUs) + seconds * 1000);
  }
}
