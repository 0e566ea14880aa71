/** The fields of devices (v2) as columns of a table of them. */
import { NEVER_US } from '../../base/instant.ts';
import type { Column, Named } from '../../listing/cells.ts';
import type { DeviceTable } from '../end-devices/device-table.ts';
import type { Registration } from '../end-devices/registrations.ts';
import { HEALTH_STATES } from '../statistics/figures.ts';
import type { DEVICE_V2 } from './fields.ts';

/** A column for each field; instants are ms since 1970. `groups`: those of each device. */
export function columnsOf(
  { network, statistics, registrationAt, facts }: DeviceTable,
  owner: string,
  groups: readonly (readonly Named[])[],
): { readonly [Name in keyof typeof DEVICE_V2]: Column } {
  const { devEui, name, lastUplinkAtUs } = network;
  const registered = latestOf(registrationAt);
  const unixMs = latestOf((atUs) => facts.unixMs(atUs));
  const { batteryLevel } = statistics;
  return {
    name: (row) => name[row]!,
    dev_eui: (row) => devEui[row]!,
    owner_id: () => owner,
    activation_type: (row) => registered(row).activationType,
    service_profile: (row) => registered(row).serviceProfile,
    device_profile: (row) => registered(row).deviceProfile,
    decoder_type: (row) => registered(row).decoderType,
    output_profile: (row) => registered(row).outputProfile,
    private_data: (row) => registered(row).privateData,
    created_at: (row) => unixMs(registered(row).createdAtUs),
    updated_at: (row) => unixMs(registered(row).updatedAtUs),
    updated_by: (row) => registered(row).updatedBy,
    last_uplink: (row) =>
      lastUplinkAtUs[row] === NEVER_US ? null : facts.unixMs(lastUplinkAtUs[row]!),
    health_state: (row) => HEALTH_STATES[statistics.health[row]!]!,
    spreading_factor: (row) => statistics.spreadingFactor[row]!,
    average_rssi: (row) => statistics.averageRssi[row]!,
    average_esp: (row) => statistics.averageEsp[row]!,
    average_snr: (row) => statistics.averageSnr[row]!,
    packet_error_rate: (row) => statistics.packetErrorRate[row]!,
    battery_level: (row) => (batteryLevel[row]! < 0 ? null : batteryLevel[row]!),
    average_weekly_packets: (row) => statistics.averageWeeklyPackets[row]!,
    groups: (row) => groups[row]!,
  };
}

/** The same function, which knows its latest answer. */
function latestOf<Answer extends Registration | number>(
  make: (of: number) => Answer,
): (of: number) => Answer {
  let [latest, answer] = [Number.NaN, undefined as Answer | undefined];
  return (of) => {
    if (of !== latest) [latest, answer] = [of, make(of)];
    return answer!;
  };
}
