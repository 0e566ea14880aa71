/** Which command of an application package an uplink answers. */
import { fromHex } from '../../sim/base/bytes.ts';
import type { PackagesPlan } from '../../sim/plan/packages-plan.ts';
import { commandNames } from './command-names.ts';
import type { DeviceRows, Message, StoryBegins } from './device-rows.ts';

/** Bytes of a PHYPayload before FOpts, and those of its MIC. */
const HEAD_BYTES = 8;
const MIC_BYTES = 4;

/**
 * Its names joined by `, `; undefined: the uplink is none. A frame that the server took in is known
 * in clear. One that was lost is read from the air, where frames are counted ones.
 */
export function answerOf(
  begins: StoryBegins,
  { uplinks }: Pick<DeviceRows, 'uplinks'>,
  packages: PackagesPlan,
): string | undefined {
  if (begins.purpose !== 'data') return undefined;
  const message = 'message' in begins ? begins.message : messageOf(begins, uplinks);
  const names = message && commandNames(packages, 'uplink', message);
  return names === undefined || names.length === 0 ? undefined : names.join(', ');
}

function messageOf(
  { phyPayload, atUs, airtimeUs }: Extract<StoryBegins, { readonly phyPayload: string }>,
  uplinks: DeviceRows['uplinks'],
): Message | undefined {
  const taken = uplinks.find(({ endedAtUs }) => endedAtUs === atUs + airtimeUs);
  return taken?.data?.inClear === true ? taken.data : onAir(phyPayload);
}

function onAir(phyPayload: string): Message | undefined {
  const bytes = fromHex(phyPayload);
  const portAt = HEAD_BYTES + (bytes[5]! & 0x0f);
  if (portAt >= bytes.length - MIC_BYTES) return undefined;
  return { fPort: bytes[portAt]!, payload: bytes.subarray(portAt + 1, bytes.length - MIC_BYTES) };
}
