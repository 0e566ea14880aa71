/** Notation for tests of device configurations: a subscriber whose devices have certain codecs. */

import type { ConfigurationAnswer } from '../../../core/delivery/device-configuration/rows.ts';
import type { JsonObject } from '../../../sim/base/json.ts';
import type { DownlinkFateNews } from '../../../sim/contract/downlinks.ts';
import {
  CONFIGURING,
  deviceReport,
  giveCodecs,
  REPORT_FPORT,
} from '../../support/configuration-codecs.ts';
import { GATEWAY, S } from '../bench.ts';
import type { Script } from '../scripted-device.ts';
import { annAndBob, failureOf, type Subscriber, service } from './service.ts';

/** Devices speak when a test lets them. */
const QUIET = { uplinkEveryS: 0 } as const;

export const SENT = { kind: 'sent', gatewayEui: GATEWAY } as const;
export const ACKNOWLEDGED = { kind: 'acknowledged' } as const;

export class Configuring {
  readonly who: Subscriber;
  readonly #types = new Map<string, string>();

  constructor(who: Subscriber = service()) {
    this.who = who;
    giveCodecs(who.bench.platform);
    for (const Name of Object.keys(CONFIGURING)) {
      const decoderType = { Name, PayloadDecoder: 'RAW_HEX' } as const;
      this.#types.set(Name, who.do({ kind: 'decoderType.create', decoderType }).Id);
    }
  }

  get bench() {
    return this.who.bench;
  }

  /** The platform is saved, and another one goes on from there. */
  reload(): void {
    this.bench.reload();
    giveCodecs(this.bench.platform);
  }

  /** A device with one of these codecs. */
  device(codec: string, script: Partial<Script> = {}): string {
    return this.devices(1, codec, script)[0]!;
  }

  devices(count: number, codec: string, script: Partial<Script> = {}): string[] {
    const devEuis = this.who.devices(count, () => ({ ...QUIET, ...script }));
    for (const devEui of devEuis) this.give(devEui, codec);
    return devEuis;
  }

  /** Gives a device another decoder type; '' takes its own away. */
  give(DevEUI: string, codec: string): void {
    const DecoderType = codec === '' ? '' : this.#types.get(codec)!;
    this.who.do({ kind: 'endDevice.update', DevEUI, device: { DecoderType } });
  }

  set(dev_eui: string, config: JsonObject) {
    return this.who.try({ kind: 'deviceConfiguration.setDesired', dev_eui, desired: { config } });
  }

  /** The failure that a configuration meets. */
  refused(dev_eui: string, config: JsonObject) {
    return failureOf(this.set(dev_eui, config));
  }

  cancel(dev_eui: string): void {
    this.who.do({ kind: 'deviceConfiguration.cancel', dev_eui });
  }

  get(dev_eui: string): ConfigurationAnswer {
    return this.who.ask({ kind: 'deviceConfiguration.get', dev_eui });
  }

  rollout(devEui: string) {
    return this.get(devEui).desired!;
  }

  /** States of the rollout and of its fragments. */
  states(devEui: string): string {
    const { status, progress } = this.rollout(devEui);
    return [status, ...progress.fragments.map((each) => each.status)].join(' ');
  }

  wait(seconds: number): void {
    this.bench.runUntil(this.bench.nowUs + seconds * S);
  }

  /** What becomes of the downlink that waits for the device. */
  writeReport(devEui: string, what: DownlinkFateNews = SENT): void {
    this.bench.reportNext(devEui, what);
  }

  /** What becomes of the latest downlink to the device, which waits no more. */
  reportLatest(devEui: string, what: DownlinkFateNews): void {
    const { id, sender } = this.sent(devEui).at(-1)!;
    const { platform, nowUs } = this.bench;
    platform.hear({ kind: 'downlink', id, sender, devEui, what }, nowUs);
    this.bench.drain();
  }

  /** Downlinks that were asked for, in order. */
  sent(devEui: string) {
    return this.bench.log.flatMap(({ request }) =>
      request.kind === 'downlink' && request.devEui === devEui ? [request] : [],
    );
  }

  waiting(devEui: string): number {
    return this.bench.view.device(devEui)!.waitingDownlinks.length;
  }

  /** The device says something that reports nothing. */
  speak(devEui: string): void {
    this.who.hear(devEui, 1, Uint8Array.of(9));
  }

  /** The device reports what it is set to. */
  report(devEui: string, config: Readonly<Record<string, number>>): void {
    this.who.hear(devEui, REPORT_FPORT, deviceReport(config));
  }
}

/** Two subscribers of one platform with such devices. */
export function twoConfiguring(): readonly [ann: Configuring, bob: Configuring] {
  const [ann, bob] = annAndBob();
  return [new Configuring(ann), new Configuring(bob)];
}
