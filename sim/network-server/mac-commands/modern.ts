/** Indications of LoRaWAN 1.1 devices, each confirmed (1.1 §5.1, §5.11, §5.16). */
import {
  Cid,
  DeviceModeConf,
  DeviceModeInd,
  RekeyConf,
  ResetConf,
} from '../../lorawan/mac-commands.ts';
import type { ServerSide } from '../server-side.ts';
import type { UplinkCommand } from './handler.ts';

const MINOR = 1;
const CLASS_C = 2;

/** ResetInd: a personalised device has begun anew, with the region's settings. */
export function takeResetInd(side: ServerSide, row: number): void {
  const { registrations, requests } = side;
  const r = registrations.column;
  if (r.minor[row] === 0) return;
  r.txPowerIndex[row] = 0;
  r.nbTrans[row] = 1;
  r.historyCount[row] = 0;
  tell(side, row, ResetConf.encode({ minor: MINOR }));
  requests.withdraw(row, Cid.linkAdr);
}

/** RekeyInd: the device uses its new keys. */
export function takeRekeyInd(side: ServerSide, row: number): void {
  if (side.registrations.column.minor[row] === 0) return;
  tell(side, row, RekeyConf.encode({ minor: MINOR }));
}

/** DeviceModeInd: from now on the device is of this class. */
export function takeDeviceModeInd(
  side: ServerSide,
  row: number,
  { bytes, at }: UplinkCommand,
): void {
  const r = side.registrations.column;
  if (r.minor[row] === 0) return;
  const mode = DeviceModeInd.value.deviceClass(bytes, at);
  r.classC[row] = mode === CLASS_C ? 1 : 0;
  tell(side, row, DeviceModeConf.encode({ deviceClass: mode }));
}

/** Once, however often the device says it. */
function tell({ requests }: ServerSide, row: number, command: Uint8Array): void {
  requests.withdraw(row, command[0]!);
  requests.tell(row, command);
}
