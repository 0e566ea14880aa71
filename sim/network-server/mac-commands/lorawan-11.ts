/** Indications of LoRaWAN 1.1 devices, each confirmed (1.1 §5.1, §5.11, §5.16), and rejoins. */
import {
  Cid,
  DeviceModeConf,
  DeviceModeInd,
  RekeyConf,
  ResetConf,
} from '../../lorawan/mac-commands.ts';
import type { ServerSide } from '../server-side.ts';
import { acknowledged, type CommandHandlers, type UplinkCommand } from './command-handler.ts';

const MINOR = 1;
const CLASS_C = 2;

export const lorawan11Commands = {
  /** A personalised device has restarted with the region's settings. */
  ResetInd({ registrations, requests }: ServerSide, row: number) {
    const r = registrations.column;
    if (r.minor[row] === 0) return;
    r.txPowerIndex[row] = 0;
    r.nbTrans[row] = 1;
    r.historyCount[row] = 0;
    requests.sendInstead(row, ResetConf.encode({ minor: MINOR }));
    requests.withdraw(row, Cid.linkAdr);
  },

  /** The device uses its new keys. */
  RekeyInd({ registrations, requests }: ServerSide, row: number) {
    if (registrations.column.minor[row] === 0) return;
    requests.sendInstead(row, RekeyConf.encode({ minor: MINOR }));
  },

  /** From now on the device is of this class. */
  DeviceModeInd(
    { registrations, requests }: ServerSide,
    row: number,
    { bytes, at }: UplinkCommand,
  ) {
    const r = registrations.column;
    if (r.minor[row] === 0) return;
    const deviceClass = DeviceModeInd.value.deviceClass(bytes, at);
    r.classC[row] = deviceClass === CLASS_C ? 1 : 0;
    requests.sendInstead(row, DeviceModeConf.encode({ deviceClass }));
  },

  RejoinParamSetupAns: acknowledged,
} satisfies Partial<CommandHandlers>;
