/** Firmware management: the commands, unicast only (TS006-1.0.0 §3). */
import { bits, message, type Payload, presentWhen, u8, u24, u32 } from '../message.ts';
import { PackageVersionAns, PackageVersionReq } from './package-version.ts';

export const DevVersionReq = message(0x01, {});

export const DevVersionAns = message(0x01, { fwVersion: u32, hwVersion: u32 });

/** Reboot times with a meaning of their own. */
export const REBOOT_NOW = 0;
export const REBOOT_TIME_CANCEL = 0xffffffff;
export const REBOOT_COUNTDOWN_CANCEL = 0xffffff;

export const DevRebootTimeReq = message(0x02, { rebootTime: u32 }); // GPS seconds modulo 2^32

/** Seconds until the reboot; 0 when refused, all ones when cancelled. */
export const DevRebootTimeAns = message(0x02, { secondsToReboot: u32 });

export const DevRebootCountdownReq = message(0x03, { countdown: u24 }); // s

export const DevRebootCountdownAns = message(0x03, { countdown: u24 });

export const DevUpgradeImageReq = message(0x04, {});

/** States of the image that waits for an upgrade. */
export const UpImageStatus = { none: 0, corrupt: 1, wrongHardware: 2, valid: 3 } as const;

export const DevUpgradeImageAns = message(0x04, {
  status: bits(u8, { upImageStatus: [1, 0] }),
  nextFirmwareVersion: presentWhen(u32, 'upImageStatus', UpImageStatus.valid),
});

export const DevDeleteImageReq = message(0x05, { firmwareToDeleteVersion: u32 });

export const DevDeleteImageAns = message(0x05, {
  status: bits(u8, { errorInvalidVersion: 1, errorNoValidImage: 0 }),
});

export type DevUpgradeImageAns = Payload<(typeof DevUpgradeImageAns)['fields']>;

/** Commands by version of the package and direction. */
export const firmwareManagement = {
  1: {
    uplink: {
      PackageVersionAns,
      DevVersionAns,
      DevRebootTimeAns,
      DevRebootCountdownAns,
      DevUpgradeImageAns,
      DevDeleteImageAns,
    },
    downlink: {
      PackageVersionReq,
      DevVersionReq,
      DevRebootTimeReq,
      DevRebootCountdownReq,
      DevUpgradeImageReq,
      DevDeleteImageReq,
    },
  },
} as const;
