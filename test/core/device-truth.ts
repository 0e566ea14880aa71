/** Ground truth of devices on the bench. */
import type { DeviceGroundTruth } from '../../sim/contract/truth.ts';

/** The truth of a device that was just switched on; what is scripted is no network's. */
export function groundTruthOf(devEui: string): DeviceGroundTruth {
  return {
    devEui,
    deviceClass: 'A',
    activation: 'joining',
    session: null,
    clock: { errorUs: 0, driftPpb: 0, setAtUs: null },
    firmware: {
      version: Number.parseInt(devEui.slice(8), 16),
      hardwareVersion: 1,
      image: 'none',
      nextVersion: null,
      rebootAtUs: null,
    },
    blocks: [],
    groups: [],
    energy: null,
    links: [],
    lastUplink: null,
    heardAtUs: null,
  };
}
