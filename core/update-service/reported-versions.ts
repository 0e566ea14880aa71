/**
 * Versions that devices reported, the latest of each (docs/operations.md, Device version).
 *
 * A device reports in two forms: DevVersionAns (TS006-1.0.0 §3.2), asked for or not, on the port of
 * firmware management; and an application uplink on FPort 223 of 12 bytes, `FWV`, 1, then FWversion
 * and HWversion, most significant byte first.
 */
import { toHex } from '../../sim/base/bytes.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { readCommands } from '../../sim/lorawan/message.ts';
import { PACKAGES } from '../../sim/lorawan/packages/package-version.ts';
import { firmwareManagement } from '../../sim/lorawan/packages/ts006-firmware.ts';
import type { Fold } from '../kit/fold.ts';
import type { Handlers } from '../kit/handlers.ts';
import { formatInstant } from '../kit/instant.ts';
import { declareResource } from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
import type { Asking } from '../kit/subscribers.ts';
import type { NetworkView, ReceivedUplink } from '../network-face.ts';
import { versionHex } from './versions.ts';

export interface ReportedVersion {
  readonly owner: string;
  readonly devEui: string;
  /** 16 upper-case hexadecimal digits of firmware and hardware. */
  readonly hex: string;
  /** End of the uplink that reported it, µs. */
  readonly atUs: number;
}

export type DeviceVersionQuery =
  | { readonly kind: 'deviceVersion.get'; readonly deveui: string }
  /** What is unknown or never reported is left out. */
  | { readonly kind: 'deviceVersion.several'; readonly deveuis: readonly string[] }
  /** Of all the asker's devices; or of those that another subscriber delegated to the asker. */
  | { readonly kind: 'deviceVersion.all'; readonly delegated_subscriber_id?: string };

/** Field names of the firmware update service. */
export interface DeviceVersionAnswer {
  readonly version_hex: string;
  readonly reported_at: string;
  readonly firmware_version: string;
}

/** By DevEUI. */
export type DeviceVersionMap = Readonly<Record<string, DeviceVersionAnswer>>;

export interface DeviceVersionAnswers {
  'deviceVersion.get': DeviceVersionAnswer;
  'deviceVersion.several': DeviceVersionMap;
  'deviceVersion.all': DeviceVersionMap;
}

export type DeviceVersionFailure =
  | 'device.unknown'
  | 'device.dev-eui'
  | 'deviceVersion.none'
  | 'delegation.none';

/** What reported versions use of other resources. */
export interface DeviceVersionNeeds {
  readonly delegation: {
    /** Which devices one subscriber delegates to another at an instant; undefined: none. */
    between(from: string, to: string, unixMs: number): ((devEui: string) => boolean) | undefined;
  };
}

const DEV_EUI = /^[0-9A-F]{16}$/;

/** FPort of reports in an application uplink. */
const VERSION_REPORT_PORT = 223;
const REPORT_BYTES = 12;
/** `FWV` and the number of the form. */
const REPORT_MARK = '46575601';

export class ReportedVersions {
  readonly #versions = new Store<ReportedVersion>(({ devEui }) => devEui);
  readonly #needs: DeviceVersionNeeds;

  readonly queries: Handlers<DeviceVersionQuery, DeviceVersionAnswers, DeviceVersionFailure>;

  constructor(needs: DeviceVersionNeeds) {
    this.#needs = needs;
    this.queries = {
      'deviceVersion.get': ({ deveui }, asking) => this.#one(deveui.toUpperCase(), asking),
      'deviceVersion.several': ({ deveuis }, asking) => this.#several(deveuis, asking),
      'deviceVersion.all': ({ delegated_subscriber_id }, asking) =>
        delegated_subscriber_id === undefined
          ? ok(answersOf(this.#versions.list(asking.by), asking.view))
          : this.#delegated(delegated_subscriber_id, asking),
    };
  }

  /** Takes in an uplink of a subscriber's device; one that reports nothing changes nothing. */
  onUplink(owner: string, { devEui, fPort, payload, endedAtUs }: ReceivedUplink): void {
    const hex = reportedBy(fPort, payload);
    if (hex !== undefined) this.#versions.put({ owner, devEui, hex, atUs: endedAtUs });
  }

  onDeviceRemoved(owner: string, devEui: string): void {
    this.#versions.remove(owner, devEui);
  }

  get(owner: string, devEui: string): ReportedVersion | undefined {
    return this.#versions.get(owner, devEui);
  }

  fold(fold: Fold): void {
    this.#versions.fold(fold, 'versions');
  }

  save(): readonly ReportedVersion[] {
    return this.#versions.save();
  }

  load(saved: readonly ReportedVersion[]): void {
    this.#versions.load(saved);
  }

  // ── queries ────────────────────────────────────────────────────────────────────────────────────

  #one(devEui: string, { by, view }: Asking): Result<DeviceVersionAnswer, DeviceVersionFailure> {
    if (!DEV_EUI.test(devEui)) return malformed(devEui);
    const found = this.get(by, devEui);
    if (found !== undefined) return ok(answerOf(found, view));
    return view.device(devEui) === undefined
      ? fail('device.unknown', `There is no device ${devEui}.`)
      : fail('deviceVersion.none', `${devEui} has not reported a version.`);
  }

  #several(
    deveuis: readonly string[],
    { by, view }: Asking,
  ): Result<DeviceVersionMap, DeviceVersionFailure> {
    const devEuis = [...new Set(deveuis.map((each) => each.toUpperCase()))];
    const wrong = devEuis.find((devEui) => !DEV_EUI.test(devEui));
    if (wrong !== undefined) return malformed(wrong);
    const found = devEuis.flatMap((devEui) => this.get(by, devEui) ?? []);
    return ok(answersOf(found, view));
  }

  #delegated(
    from: string,
    { by, view, nowUs }: Asking,
  ): Result<DeviceVersionMap, DeviceVersionFailure> {
    const isDelegated = this.#needs.delegation.between(from, by, view.unixMs(nowUs));
    if (isDelegated === undefined) {
      return fail('delegation.none', `${from} delegates no devices to ${by}.`);
    }
    const theirs = this.#versions.list(from).filter(({ devEui }) => isDelegated(devEui));
    return ok(answersOf(theirs, view));
  }
}

export const deviceVersionResource = declareResource({
  name: 'deviceVersion',
  verbs: {
    'deviceVersion.all': 'list',
    'deviceVersion.several': 'list',
    'deviceVersion.get': 'get',
  },
  ports: [PACKAGES.firmwareManagement.fPort, VERSION_REPORT_PORT],
  make: (needs: DeviceVersionNeeds) => new ReportedVersions(needs),
});

/** The version that an uplink reports, 16 upper-case digits; undefined: none. */
function reportedBy(fPort: number, payload: Uint8Array): string | undefined {
  if (fPort === PACKAGES.firmwareManagement.fPort) {
    const { commands } = readCommands(firmwareManagement[1].uplink, payload);
    for (const command of commands) {
      if (command.name !== 'DevVersionAns') continue;
      return versionHex(command.payload.fwVersion, command.payload.hwVersion);
    }
  }
  if (fPort !== VERSION_REPORT_PORT || payload.length !== REPORT_BYTES) return undefined;
  const digits = toHex(payload).toUpperCase();
  return digits.startsWith(REPORT_MARK) ? digits.slice(REPORT_MARK.length) : undefined;
}

function answerOf({ hex, atUs }: ReportedVersion, view: NetworkView): DeviceVersionAnswer {
  // `1.2.3.4` of `01020304` and hardware.
  const numbers = [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return {
    version_hex: hex,
    reported_at: formatInstant(view.unixMs(atUs)),
    firmware_version: numbers.join('.'),
  };
}

function answersOf(versions: readonly ReportedVersion[], view: NetworkView): DeviceVersionMap {
  return Object.fromEntries(versions.map((version) => [version.devEui, answerOf(version, view)]));
}

const malformed = (devEui: string) =>
  fail('device.dev-eui', `${devEui} is no DevEUI of 16 hexadecimal digits.`);
