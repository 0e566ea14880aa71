/** Which command of an uplink the server takes in, and by which rules: one row a command. */
import { Cid } from '../../lorawan/mac-commands.ts';
import { takeBeaconTimingReq, takePingSlotChannelAns, takePingSlotInfoReq } from './class-b.ts';
import { takeDevStatusAns } from './dev-status.ts';
import { takeDeviceTimeReq, takeLinkCheckReq } from './device-requests.ts';
import type { Handler } from './handler.ts';
import { takeLinkAdrAns } from './link-adr.ts';
import { takeDeviceModeInd, takeRekeyInd, takeResetInd } from './modern.ts';
import {
  takeDlChannelAns,
  takeDutyCycleAns,
  takeNewChannelAns,
  takeRxParamSetupAns,
  takeTxParamSetupAns,
} from './region-answers.ts';
import { takeRxTimingSetupAns } from './rx-timing-setup.ts';

/** A command without a row is passed over. */
export const HANDLERS: Readonly<Partial<Record<number, Handler>>> = {
  [Cid.reset]: takeResetInd,
  [Cid.linkCheck]: takeLinkCheckReq,
  [Cid.linkAdr]: takeLinkAdrAns,
  [Cid.dutyCycle]: takeDutyCycleAns,
  [Cid.rxParamSetup]: takeRxParamSetupAns,
  [Cid.devStatus]: takeDevStatusAns,
  [Cid.newChannel]: takeNewChannelAns,
  [Cid.rxTimingSetup]: takeRxTimingSetupAns,
  [Cid.txParamSetup]: takeTxParamSetupAns,
  [Cid.dlChannel]: takeDlChannelAns,
  [Cid.rekey]: takeRekeyInd,
  [Cid.deviceTime]: takeDeviceTimeReq,
  [Cid.pingSlotInfo]: takePingSlotInfoReq,
  [Cid.pingSlotChannel]: takePingSlotChannelAns,
  [Cid.beaconTiming]: takeBeaconTimingReq,
  [Cid.deviceMode]: takeDeviceModeInd,
};
