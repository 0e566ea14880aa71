/**
 * A subscriber's devices as a table: what is told of them is copied at once, so that it stays as
 * it was while a list is filtered, put in order and written (docs/decisions/0055). What does not
 * change (records, names, texts) is shared and not copied; figures are columns of numbers.
 */
import { NEVER_US } from '../../base/instant.ts';
import type { Asking } from '../../base/subscribers.ts';
import type { Column, Named } from '../../listing/cells.ts';
import { HEALTH_STATES } from '../statistics/figures.ts';
import type { StatisticsColumns } from '../statistics/reader.ts';
import type { DEVICE_V2 } from './fields.ts';

/** A column for each field; instants are ms since 1970. */
export interface DeviceTable {
  readonly count: number;
  readonly columns: { readonly [Name in keyof typeof DEVICE_V2]: Column };
}

/** What resources know of devices, beside the network. */
export interface Known {
  readonly statistics: {
    columnsAt(devEuis: readonly string[], nowUs: number): StatisticsColumns;
  };
  readonly endDeviceGroup: {
    groupsOfEach(devEuis: readonly string[]): readonly (readonly Named[])[];
  };
}

/** Of all devices, or of those of the named ones that there are. */
export function deviceTable(
  { statistics, endDeviceGroup }: Known,
  { by, nowUs, view }: Asking,
  devEuis?: readonly string[],
): DeviceTable {
  const { devEui, name, lastUplinkAtUs } = view.deviceColumns(devEuis);
  const heard = statistics.columnsAt(devEui, nowUs);
  const groups = endDeviceGroup.groupsOfEach(devEui);
  const startMs = view.unixMs(nowUs) - nowUs / 1000;
  return {
    count: devEui.length,
    columns: {
      name: (row) => name[row]!,
      dev_eui: (row) => devEui[row]!,
      owner_id: () => by,
      activation_type: () => 'OTAA',
      service_profile: () => '',
      device_profile: () => '',
      decoder_type: () => '',
      output_profile: () => '',
      private_data: () => false,
      created_at: () => startMs,
      updated_at: () => startMs,
      updated_by: () => '',
      last_uplink: (row) =>
        lastUplinkAtUs[row] === NEVER_US ? null : view.unixMs(lastUplinkAtUs[row]!),
      health_state: (row) => HEALTH_STATES[heard.health[row]!]!,
      spreading_factor: (row) => heard.spreadingFactor[row]!,
      average_rssi: (row) => heard.averageRssi[row]!,
      average_esp: (row) => heard.averageEsp[row]!,
      average_snr: (row) => heard.averageSnr[row]!,
      packet_error_rate: (row) => heard.packetErrorRate[row]!,
      battery_level: (row) => (heard.batteryLevel[row]! < 0 ? null : heard.batteryLevel[row]!),
      average_weekly_packets: (row) => heard.averageWeeklyPackets[row]!,
      groups: (row) => groups[row]!,
    },
  };
}
