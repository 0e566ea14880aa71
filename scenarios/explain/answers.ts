/** Which command of an application package an uplink answers. */
import { fromHex } from '../../sim/base/bytes.ts';
import type { UplinkBegins } from '../../sim/observation/observer.ts';
import type { PackagesPlan } from '../../sim/plan/packages-plan.ts';
import { commandNames } from './command-names.ts';
import type { DeviceRows } from './device-watch.ts';

/** Bytes of a PHYPayload before FOpts, and those of its MIC. */
const HEAD_BYTES = 8;
const MIC_BYTES = 4;

/**
 * Its names joined by `, `; undefined: the uplink is none. A frame that the server took in is known
 * in clear. One that was lost is read from the air, where frames are counted ones.
 */
export function answerOf(
  { purpose, phyPayload, atUs, airtimeUs }: UplinkBegins,
  { frames }: DeviceRows,
  packages: PackagesPlan,
): string | undefined {
  if (purpose !== 'data') return undefined;
  const taken = frames.find((one) => one.kind === 'up' && one.frame.endedAtUs === atUs + airtimeUs);
  const inClear = taken?.kind === 'up' && taken.frame.data?.inClear === true;
  const data = inClear ? taken.frame.data : onAir(phyPayload);
  const names = data === null ? undefined : commandNames(packages, 'uplink', data);
  return names === undefined || names.length === 0 ? undefined : names.join(', ');
}

function onAir(phyPayload: string) {
  const bytes = fromHex(phyPayload);
  const portAt = HEAD_BYTES + (bytes[5]! & 0x0f);
  if (portAt >= bytes.length - MIC_BYTES) return null;
  return { fPort: bytes[portAt]!, payload: bytes.subarray(portAt + 1, bytes.length - MIC_BYTES) };
}
