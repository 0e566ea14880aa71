/** Application layer clock synchronization: the commands (TS003-1.0.0 and TS003-2.0.0 §3). */
import { bits, i32, message, type Payload, u8, u32 } from '../message.ts';
import { PackageVersionAns, PackageVersionReq } from './package-version.ts';

export const AppTimeReq = message(0x01, {
  /** The device's clock as the frame is sent: GPS seconds modulo 2^32. */
  deviceTime: u32,
  param: bits(u8, { tokenReq: [3, 0], ansRequired: 4 }),
});

export const AppTimeAns = message(0x01, {
  /**
   * Seconds to add to the device's clock; the ends of the range mean that it was not enough
   * (version 2).
   */
  timeCorrection: i32,
  param: bits(u8, { tokenAns: [3, 0] }),
});

export const DeviceAppTimePeriodicityReq = message(0x02, {
  periodicity: bits(u8, { period: [3, 0] }), // AppTimeReq every 128·2^period s, ±30 s
});

export const DeviceAppTimePeriodicityAns = message(0x02, {
  status: bits(u8, { notSupported: 0 }),
  /** The device's clock: GPS seconds modulo 2^32. */
  time: u32,
});

/** Has no answer itself; the device repeats AppTimeReq up to this number, until it is answered. */
export const ForceDeviceResyncReq = message(0x03, {
  forceConf: bits(u8, { nbTransmissions: [2, 0] }),
});

export type AppTimeReq = Payload<(typeof AppTimeReq)['fields']>;
export type AppTimeAns = Payload<(typeof AppTimeAns)['fields']>;

const uplink = { PackageVersionAns, AppTimeReq, DeviceAppTimePeriodicityAns } as const;
const both = { PackageVersionReq, AppTimeAns, DeviceAppTimePeriodicityReq } as const;

/** Commands by version of the package and direction; version 2 renames one. */
export const clockSync = {
  1: { uplink, downlink: { ...both, ForceDeviceResyncReq } },
  2: { uplink, downlink: { ...both, ForceDeviceResyncCmd: ForceDeviceResyncReq } },
} as const;

/** AppTimeReq comes every `128 · 2^period` s, give or take up to 30 s. */
export const PERIOD_UNIT_S = 128;
export const PERIOD_SPREAD_S = 30;
