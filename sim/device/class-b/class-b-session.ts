/** When the ping slots of a class B multicast session begin and end (TS005-1.0.0 §4.5). */
import { SECOND_US } from '../../base/units.ts';
import { classBTimeOutS } from '../../lorawan/packages/ts005-multicast-setup.ts';
import type { DeviceSide } from '../device-side.ts';
import { isStanding } from '../multicast-state.ts';

/** From the first slot to the last in true time: the device has GPS time from the beacon. */
export function classBSessionSpan(
  side: DeviceSide,
  row: number,
): { readonly fromUs: number; readonly untilUs: number } {
  const { sessionTimeS, timeOut, opensAtUs, closesAtUs, mcGroupId } =
    side.multicast.mcGroups.column;
  if (isStanding(mcGroupId[row])) return { fromUs: opensAtUs[row], untilUs: closesAtUs[row] };
  const nearS = Math.floor((side.gpsStartUs + opensAtUs[row]) / SECOND_US);
  const ahead = (sessionTimeS[row] - (nearS % 0x1_0000_0000)) | 0;
  const fromUs = (nearS + ahead) * SECOND_US - side.gpsStartUs;
  return { fromUs, untilUs: fromUs + classBTimeOutS(timeOut[row]) * SECOND_US };
}
