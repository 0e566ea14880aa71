/**
 * What a device profile does to a device that is there: class, answers, and whether the server
 * knows the root of its multicast keys. What a device is built for stays: its version of LoRaWAN,
 * class B, and its traffic.
 */
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { NetworkRequest } from '../../../sim/contract/requests.ts';
import type { DeviceView } from '../../../sim/contract/view.ts';
import type { DeviceProfile } from '../device-profiles.ts';

/** What the network is to do for a device that gets another profile; or why it cannot. */
export function requestsFor(
  { devEui, profile: own, rootKeyKnown }: DeviceView,
  { name, row, lorawan, deviceClass, answers, rootKeyKnown: known }: DeviceProfile,
): Result<readonly NetworkRequest[], 'endDevice.profile'> {
  const refuse = (ofDevice: string, ofProfile: string) => {
    const message = `${devEui} is of ${ofDevice}, and the profile ${name} of ${ofProfile}.`;
    return fail('endDevice.profile', message, '/DeviceProfile');
  };
  if (lorawan !== own.lorawan) return refuse(`LoRaWAN ${own.lorawan}`, `LoRaWAN ${lorawan}`);
  if ((deviceClass === 'B') !== (own.deviceClass === 'B')) {
    return refuse(`class ${own.deviceClass}`, `class ${deviceClass}`);
  }
  return ok([
    ...(deviceClass === 'B' ? [] : [{ kind: 'device.class', devEui, deviceClass } as const]),
    { kind: 'device.behaviour', devEui, answers: row === own.type ? null : answers },
    ...(known === rootKeyKnown ? [] : [{ kind: 'device.rootKey', devEui, known } as const]),
  ]);
}
