/** A device with all response fields (v1). */

import type { DeviceView, NetworkFacts } from '../../../sim/contract/view.ts';
import { formatInstant, NEVER_US } from '../../base/instant.ts';
import type { PayloadDecoder } from '../decoders/decoder-types.ts';
import type { UplinkStatistics } from '../statistics/figures.ts';
import type { Registration } from './registrations.ts';
import type { FullDevice } from './rows.ts';

export function fullDevice(
  { devEui, name, lastUplinkAtUs }: Pick<DeviceView, 'devEui' | 'name' | 'lastUplinkAtUs'>,
  registration: Registration,
  payloadDecoder: PayloadDecoder | '',
  statistics: UplinkStatistics,
  { unixMs }: Pick<NetworkFacts, 'unixMs'>,
): FullDevice {
  const report = (atUs: number) => formatInstant(unixMs(atUs));
  return {
    Name: name,
    DevEUI: devEui,
    ActivationType: registration.activationType,
    ServiceProfile: registration.serviceProfile,
    DeviceProfile: registration.deviceProfile,
    DecoderType: registration.decoderType,
    OutputProfile: registration.outputProfile,
    PrivateData: registration.privateData,
    CreatedAt: report(registration.createdAtUs),
    UpdatedAt: report(registration.updatedAtUs),
    UpdatedBy: registration.updatedBy,
    LastUplink: lastUplinkAtUs === NEVER_US ? null : report(lastUplinkAtUs),
    Statistics: {
      HealthState: statistics.health,
      SpreadingFactor: statistics.spreadingFactor,
      AverageRSSI: statistics.averageRssi,
      AverageESP: statistics.averageEsp,
      AverageSNR: statistics.averageSnr,
      PacketErrorRate: statistics.packetErrorRate,
      BatteryLevel: statistics.batteryLevel ?? 0,
      AverageWeeklyPackets: Math.round(statistics.averageWeeklyPackets),
    },
    PayloadDecoder: payloadDecoder,
  };
}
