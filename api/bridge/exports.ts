/** Import forms of network servers: lists of The Things Stack (CSV, JSON), and JSON with all. */

import type { RegionName } from '../../sim/lorawan/region.ts';
import type { DeviceKeys } from '../../sim/network/device-keys.ts';
import type { Fleet } from './fleet.ts';
import { BridgeFault } from './sockets.ts';

export type ExportFormat = 'csv' | 'things-stack' | 'json';

/** By version: what The Things Stack calls it, and the regional parameters that go with it. */
const VERSIONS = {
  '1.0.2': ['MAC_V1_0_2', 'PHY_V1_0_2_REV_B'],
  '1.0.3': ['MAC_V1_0_3', 'PHY_V1_0_3_REV_A'],
  '1.0.4': ['MAC_V1_0_4', 'RP002_V1_0_3'],
  '1.1': ['MAC_V1_1', 'PHY_V1_1_REV_B'],
} as const;

/** Frequency plans of The Things Stack by region. */
const FREQUENCY_PLANS: Partial<Readonly<Record<RegionName, string>>> = {
  EU868: 'EU_863_870_TTN',
  US915: 'US_902_928_FSB_2',
  AU915: 'AU_915_928_FSB_2',
  'AS923-1': 'AS_923',
  'AS923-2': 'AS_923_2',
  IN865: 'IN_865_867',
  KR920: 'KR_920_923_TTN',
};

export function exported(fleet: Fleet, format: ExportFormat): string {
  switch (format) {
    case 'csv':
      return csv(fleet);
    case 'things-stack':
      return fleet.devices
        .map((device) => `${JSON.stringify(endDevice(fleet, device))}\n`)
        .join('');
    case 'json':
      return `${JSON.stringify(fleet, null, 2)}\n`;
  }
}

/** Names in the identifiers of The Things Stack: lower case, digits and hyphens. */
const idOf = ({ devEui }: DeviceKeys): string => `eui-${devEui.toLowerCase()}`;

function frequencyPlan({ region }: Fleet): string {
  const plan = FREQUENCY_PLANS[region];
  if (plan !== undefined) return plan;
  const known = Object.keys(FREQUENCY_PLANS).join(', ');
  throw new BridgeFault(`no frequency plan of The Things Stack is known of ${region}; of ${known}`);
}

const versionOf = ({ lorawan }: DeviceKeys) => VERSIONS[lorawan ?? '1.0.3'];

type Cell = readonly [
  name: string,
  of: (device: DeviceKeys, fleet: Fleet) => string | boolean | undefined,
];

/** Columns that The Things Stack reads. */
const COLUMNS: readonly Cell[] = [
  ['id', idOf],
  ['dev_eui', ({ devEui }) => devEui],
  ['join_eui', ({ joinEui }) => joinEui],
  ['name', ({ name }) => name],
  ['frequency_plan_id', (_, fleet) => frequencyPlan(fleet)],
  ['lorawan_version', (device) => versionOf(device)[0]],
  ['lorawan_phy_version', (device) => versionOf(device)[1]],
  ['app_key', ({ appKey, session }) => (session ? undefined : appKey)],
  ['nwk_key', ({ nwkKey, lorawan }) => (lorawan === '1.1' ? nwkKey : undefined)],
  ['supports_class_c', ({ type }, { profiles }) => profiles[type]!.deviceClass === 'C'],
  ['dev_addr', ({ session }) => session?.devAddr],
  ['app_s_key', ({ session }) => session?.appSKey],
  ['f_nwk_s_int_key', ({ session }) => session?.nwkSKey],
];

function csv(fleet: Fleet): string {
  const rows = fleet.devices.map((device) =>
    COLUMNS.map(([, of]) => cell(of(device, fleet))).join(';'),
  );
  return [COLUMNS.map(([name]) => name).join(';'), ...rows, ''].join('\n');
}

function cell(value: string | boolean | undefined): string {
  const text = value === undefined ? '' : String(value);
  return /[;"\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An end device as The Things Stack imports it from JSON. */
function endDevice(fleet: Fleet, device: DeviceKeys): object {
  const { devEui, joinEui, name, appKey, nwkKey, lorawan, session } = device;
  const [macVersion, phyVersion] = versionOf(device);
  const key = (value: string) => ({ key: value });
  return {
    ids: { device_id: idOf(device), dev_eui: devEui, join_eui: joinEui },
    name,
    lorawan_version: macVersion,
    lorawan_phy_version: phyVersion,
    frequency_plan_id: frequencyPlan(fleet),
    supports_join: session === undefined,
    supports_class_c: fleet.profiles[device.type]!.deviceClass === 'C',
    ...(session === undefined
      ? {
          root_keys: {
            app_key: key(appKey),
            ...(lorawan === '1.1' && { nwk_key: key(nwkKey) }),
          },
        }
      : {
          session: {
            dev_addr: session.devAddr,
            keys: { app_s_key: key(session.appSKey), f_nwk_s_int_key: key(session.nwkSKey) },
          },
        }),
  };
}
