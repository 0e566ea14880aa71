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
import { formatInstant } from '../kit/instant.ts';
import { declareResource, handlers, type Listeners, type Operations } from '../kit/resource.ts';
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

/** Field names of the firmware update service. */
export interface DeviceVersionAnswer {
  readonly version_hex: string;
  readonly reported_at: string;
  readonly firmware_version: string;
}

/** By DevEUI. */
export type DeviceVersionMap = Readonly<Record<string, DeviceVersionAnswer>>;

const DEV_EUI = { type: 'hex', digits: 16, failure: 'device.dev-eui' } as const;

const OPERATIONS = {
  'deviceVersion.all': {
    verb: 'list',
    takes: {
      delegated_subscriber_id: {
        type: 'text',
        is: 'Whose delegated devices; one’s own if absent.',
      },
    },
    is: 'Versions of all devices that reported one.',
  },
  'deviceVersion.several': {
    verb: 'list',
    takes: {
      deveuis: {
        type: 'list',
        of: DEV_EUI,
        most: 1_000_000,
        distinct: true,
        required: true,
        is: 'DevEUIs.',
      },
    },
    is: 'What is unknown or never reported is left out.',
  },
  'deviceVersion.get': {
    verb: 'get',
    takes: { deveui: { ...DEV_EUI, required: true, is: 'DevEUI.' } },
    is: 'The version that a device reported last.',
  },
} as const satisfies Operations;

type DeviceVersionFailure = 'device.unknown' | 'deviceVersion.none' | 'delegation.none';

/** What reported versions use of other resources. */
export interface DeviceVersionNeeds {
  readonly delegation: {
    /** Which devices one subscriber delegates to another at an instant; undefined: none. */
    between(from: string, to: string, unixMs: number): ((devEui: string) => boolean) | undefined;
  };
}

/** FPort of reports in an application uplink. */
const VERSION_REPORT_PORT = 223;
const REPORT_BYTES = 12;
/** `FWV` and the number of the form. */
const REPORT_MARK = '46575601';

export class ReportedVersions {
  readonly #versions = new Store<ReportedVersion>('versions', ({ devEui }) => devEui);
  readonly #needs: DeviceVersionNeeds;

  readonly handle = handlers(OPERATIONS, {
    'deviceVersion.all': ({ delegated_subscriber_id }, asking) =>
      delegated_subscriber_id === undefined
        ? ok(answersOf(this.#versions.list(asking.by), asking.view))
        : this.#delegated(delegated_subscriber_id, asking),
    'deviceVersion.several': ({ deveuis }, { by, view }) =>
      ok(
        answersOf(
          deveuis.flatMap((devEui) => this.get(by, devEui) ?? []),
          view,
        ),
      ),
    'deviceVersion.get': ({ deveui }, asking) => this.#one(deveui, asking),
  });

  readonly hears: Listeners = {
    uplink: ({ uplink }, { owner }) => this.#take(owner, uplink),
    deviceRemoved: ({ devEui }, { owner }) => this.#versions.remove(owner, devEui),
  };

  constructor(needs: DeviceVersionNeeds) {
    this.#needs = needs;
  }

  /** Takes in an uplink of a subscriber's device; one that reports nothing changes nothing. */
  #take(owner: string, { devEui, fPort, payload, endedAtUs }: ReceivedUplink): void {
    const hex = reportedBy(fPort, payload);
    if (hex !== undefined) this.#versions.put({ owner, devEui, hex, atUs: endedAtUs });
  }

  get(owner: string, devEui: string): ReportedVersion | undefined {
    return this.#versions.get(owner, devEui);
  }

  readonly fold = (fold: Fold) => this.#versions.saving.fold(fold);
  readonly save = () => this.#versions.saving.save();
  readonly load = (saved: readonly ReportedVersion[]) => this.#versions.saving.load(saved);

  // ── queries ────────────────────────────────────────────────────────────────────────────────────

  #one(devEui: string, { by, view }: Asking): Result<DeviceVersionAnswer, DeviceVersionFailure> {
    const found = this.get(by, devEui);
    if (found !== undefined) return ok(answerOf(found, view));
    return view.device(devEui) === undefined
      ? fail('device.unknown', `There is no device ${devEui}.`)
      : fail('deviceVersion.none', `${devEui} has not reported a version.`);
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
  permission: 'Device',
  failures: {
    'device.dev-eui': 'malformed',
    'deviceVersion.none': 'unknown',
    'delegation.none': 'unknown',
  },
  operations: OPERATIONS,
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
