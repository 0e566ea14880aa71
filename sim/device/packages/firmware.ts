/** Firmware management on the device (TS006-1.0.0): what runs, and what the next reboot brings. */
import { readCommands } from '../../lorawan/message.ts';
import { PACKAGES, PackageVersionAns } from '../../lorawan/packages/package-version.ts';
import {
  DevUpgradeImageAns,
  DevVersionAns,
  firmwareManagement,
  UpImageStatus,
} from '../../lorawan/packages/ts006-firmware.ts';
import type { DeviceRoom } from '../device-room.ts';
import { NEVER } from '../device-table.ts';
import { Answers } from './answers.ts';

/** Carries out the commands of a downlink; returns the answers. */
export function takeFirmware(room: DeviceRoom, device: number, payload: Uint8Array): Uint8Array {
  const c = room.devices.column;
  const answers = new Answers();
  for (const command of readCommands(firmwareManagement[1].downlink, payload).commands) {
    switch (command.name) {
      case 'PackageVersionReq':
        answers.add(
          PackageVersionAns.encode({
            packageIdentifier: PACKAGES.firmwareManagement.packageIdentifier,
            packageVersion: 1,
          }),
        );
        break;
      case 'DevVersionReq':
        answers.add(
          DevVersionAns.encode({ fwVersion: c.fwVersion[device], hwVersion: c.hwVersion[device] }),
        );
        break;
      case 'DevUpgradeImageReq':
        answers.add(upgradeImage(room, device));
        break;
      default:
        // Reboots are the device's own decision: it activates an image by itself.
        break;
    }
  }
  return answers.payload();
}

/** A whole image that waits for the reboot is valid; there is no other. */
function upgradeImage(room: DeviceRoom, device: number): Uint8Array {
  const { rebootAtUs, nextFwVersion } = room.devices.column;
  if (rebootAtUs[device] === NEVER) {
    return DevUpgradeImageAns.encode({ upImageStatus: UpImageStatus.none });
  }
  return DevUpgradeImageAns.encode({
    upImageStatus: UpImageStatus.valid,
    nextFirmwareVersion: nextFwVersion[device],
  });
}

/** The reboot: the new image runs. */
export function reboot(room: DeviceRoom, device: number): void {
  const c = room.devices.column;
  c.fwVersion[device] = c.nextFwVersion[device];
  c.rebootAtUs[device] = NEVER;
  room.observer?.trace({
    kind: 'imageActivated',
    atUs: room.agenda.nowUs,
    device: room.devices.identities[device]!.name,
    fwVersion: c.fwVersion[device],
  });
}
