/**
 * Versions that devices reported, the latest of each (docs/operations.md, Device version).
 *
 * A device reports in two forms: DevVersionAns (TS006-1.0.0 §3.2), asked for or not, on the port
 * that its profile gives to firmware management; and an application uplink on FPort 223 of 12
 * bytes, `FWV`, 1, then FWversion and HWversion, most significant byte first.
 */
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { fail, ok } from '../../sim/base/result.ts';
import type { Of } from '../../sim/base/rows/fields.ts';
import type { NetworkView } from '../../sim/contract/view.ts';
import { readCommands } from '../../sim/lorawan/message.ts';
import { firmwareManagement } from '../../sim/lorawan/packages/ts006-firmware.ts';
import { versionHex } from '../base/firmware-versions.ts';
import { formatInstant } from '../base/instant.ts';
import { Store } from '../base/store.ts';
import type { Asking } from '../base/subscribers.ts';
import { declareResource, handlers, type Operations, type Surroundings } from '../kit/resource.ts';
import { byDevEui, HEX_EUI, INSTANT, record, responseField } from '../rows/answers.ts';
import { EUI, EUIS } from '../rows/fields.ts';
import type { Standings } from './group-content.ts';

export interface ReportedVersion {
  readonly owner: string;
  readonly devEui: string;
  /** 16 upper-case hexadecimal digits of firmware and hardware. */
  readonly hex: string;
  /** End of the uplink that reported it, µs. */
  readonly atUs: number;
}

const source = 'firmware update service, device version';
const known = { required: true, source } as const;
const deveui = { ...EUI, ...known, is: 'The device, by its DevEUI.' } as const;
const deveuis = { ...EUIS, ...known, is: 'The devices, by their DevEUIs.' } as const;
const delegated_subscriber_id = {
  type: 'text',
  null: 'absent',
  is: 'Whose delegated devices; one’s own devices when absent.',
  source,
} as const;

/** Field names of the firmware update service. */
const VERSION = record({
  version_hex: responseField({ ...HEX_EUI, is: 'Firmware, then hardware, 8 digits each.', source }),
  reported_at: responseField({ ...INSTANT, is: 'End of the uplink that reported it.', source }),
  firmware_version: responseField({
    type: 'text',
    pattern: /^\d{1,3}(\.\d{1,3}){3}$/,
    allowed: 'four numbers from 0 to 255 with dots between',
    is: 'The firmware as people write it: 1.2.3.4 of 01020304.',
    source,
  }),
});

const OPERATIONS = {
  'deviceVersion.all': {
    verb: 'list',
    takes: { delegated_subscriber_id },
    answers: byDevEui(VERSION),
    fails: ['delegation.none'],
    is: 'Versions by DevEUI, of all devices that reported one.',
  },
  'deviceVersion.several': {
    verb: 'list',
    takes: { deveuis },
    answers: byDevEui(VERSION),
    fails: [],
    is: 'Versions by DevEUI, delegated devices too; who never reported one is left out.',
  },
  'deviceVersion.get': {
    verb: 'get',
    takes: { deveui },
    answers: VERSION,
    fails: ['device.unknown', 'deviceVersion.none'],
    is: 'The version that a device, one’s own or delegated, reported last.',
  },
} as const satisfies Operations;

/** What reported versions use of other resources. */
export interface DeviceVersionNeeds extends Pick<Surroundings, 'viewOf'> {
  readonly delegation: {
    /** Which devices one subscriber delegates to another at an instant. */
    between(from: string, to: string, unixMs: number): (devEui: string) => boolean;
    readonly standings: Standings;
  };
}

/** FPort of reports in an application uplink. */
const VERSION_REPORT_PORT = 223;
const REPORT_BYTES = 12;
/** `FWV` and the number of the form. */
const REPORT_MARK = '46575601';

export const deviceVersionResource = declareResource({
  name: 'deviceVersion',
  is: 'Firmware versions that devices have reported.',
  permission: 'Device',
  failures: {
    'deviceVersion.none': 'unknown',
    'delegation.none': 'unknown',
  },
  operations: OPERATIONS,
  ports: [VERSION_REPORT_PORT],
  packages: ['firmwareManagement'],
  make: (needs: DeviceVersionNeeds) => {
    const versions = new Store<ReportedVersion>('versions', ({ devEui }) => devEui);

    /** The owner of a device whose version a subscriber may read now; undefined: none. */
    const ownersFor = (caller: Pick<Asking, 'by' | 'nowUs'>) => {
      const standing = needs.delegation.standings(caller);
      return (devEui: string): string | undefined => {
        const found = standing(devEui);
        if (found.kind === 'own') return caller.by;
        return found.kind === 'delegated' ? found.owner : undefined;
      };
    };

    return {
      ...versions.saving,
      /** The latest of each of an owner's devices, in the order of their DevEUIs. */
      latest: (owner: string): readonly ReportedVersion[] => versions.list(owner),
      latestOf: (owner: string, devEui: string): ReportedVersion | undefined =>
        versions.get(owner, devEui),
      handle: handlers(OPERATIONS, {
        'deviceVersion.all': ({ delegated_subscriber_id: from }, { by, view, nowUs }) => {
          if (from === undefined) return ok(answersOf(versions.list(by), view));
          const isDelegated = needs.delegation.between(from, by, view.unixMs(nowUs));
          // Patterns that no device is of delegate none.
          if (
            !needs
              .viewOf(from)
              .devices()
              .some(({ devEui }) => isDelegated(devEui))
          ) {
            return fail('delegation.none', `${from} delegates no devices to the caller.`);
          }
          const theirs = versions.list(from).filter(({ devEui }) => isDelegated(devEui));
          return ok(answersOf(theirs, view));
        },
        'deviceVersion.several': ({ deveuis }, { by, view, nowUs }) => {
          const ownerOf = ownersFor({ by, nowUs });
          const reported = deveuis.flatMap((devEui) => {
            const owner = ownerOf(devEui);
            return (owner === undefined ? undefined : versions.get(owner, devEui)) ?? [];
          });
          return ok(answersOf(reported, view));
        },
        'deviceVersion.get': ({ deveui }, { by, view, nowUs }) => {
          const owner = ownersFor({ by, nowUs })(deveui);
          if (owner === undefined) return fail('device.unknown', `There is no device ${deveui}.`);
          const version = versions.get(owner, deveui);
          if (version !== undefined) return ok(answerOf(version, view));
          return fail('deviceVersion.none', `${deveui} has not reported a version.`);
        },
      }),
      hears: {
        uplink: ({ uplink: { devEui, fPort, payload, endedAtUs } }, { owner }) => {
          const device = needs.viewOf(owner).device(devEui);
          const ownPort = device?.packages.firmwareManagement.fPort;
          const hex =
            (fPort === ownPort ? answeredBy(payload) : undefined) ?? writtenIn(fPort, payload);
          if (hex !== undefined) versions.put({ owner, devEui, hex, atUs: endedAtUs });
        },
        deviceRemoved: ({ devEui }, { owner }) => versions.remove(owner, devEui),
      },
    };
  },
});

/** The version in a DevVersionAns among answers of TS006, 16 upper-case digits; undefined: none. */
function answeredBy(payload: Uint8Array): string | undefined {
  const { commands } = readCommands(firmwareManagement[1].uplink, payload);
  const answer = commands.find(({ name }) => name === 'DevVersionAns');
  if (answer?.name !== 'DevVersionAns') return undefined;
  return versionHex(answer.payload.fwVersion, answer.payload.hwVersion);
}

/** The version in an application's report, likewise. */
function writtenIn(fPort: number, payload: Uint8Array): string | undefined {
  if (fPort !== VERSION_REPORT_PORT || payload.length !== REPORT_BYTES) return undefined;
  const digits = toHex(payload).toUpperCase();
  return digits.startsWith(REPORT_MARK) ? digits.slice(REPORT_MARK.length) : undefined;
}

const answerOf = ({ hex, atUs }: ReportedVersion, view: NetworkView): Of<typeof VERSION> => ({
  version_hex: hex,
  reported_at: formatInstant(view.unixMs(atUs)),
  firmware_version: fromHex(hex).subarray(0, 4).join('.'),
});

/** By DevEUI. */
const answersOf = (versions: readonly ReportedVersion[], view: NetworkView) =>
  Object.fromEntries(versions.map((version) => [version.devEui, answerOf(version, view)]));
