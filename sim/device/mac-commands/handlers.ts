/** Which command of a downlink a device carries out, and by which rules: one row a command. */
import { Cid } from '../../lorawan/mac-commands.ts';
import { obeyAdrParamSetup } from './adr-param-setup.ts';
import { obeyBeaconFreq, obeyPingSlotChannel, obeyPingSlotInfoAns } from './class-b.ts';
import { obeyDevStatus } from './dev-status.ts';
import { takeDeviceTimeAns } from './device-time.ts';
import { obeyDlChannel } from './dl-channel.ts';
import { obeyDutyCycle } from './duty-cycle.ts';
import type { Handler } from './handler.ts';
import { obeyLinkAdr } from './link-adr.ts';
import { takeLinkCheckAns } from './link-check.ts';
import { obeyForceRejoin, obeyRejoinParamSetup, takeConfirmation } from './modern.ts';
import { obeyNewChannel } from './new-channel.ts';
import { obeyRxParamSetup } from './rx-param-setup.ts';
import { obeyRxTimingSetup } from './rx-timing-setup.ts';
import { obeyTxParamSetup } from './tx-param-setup.ts';

/** A command without a row is passed over. */
export const HANDLERS: Readonly<Partial<Record<number, Handler>>> = {
  [Cid.reset]: takeConfirmation,
  [Cid.linkCheck]: takeLinkCheckAns,
  [Cid.linkAdr]: obeyLinkAdr,
  [Cid.dutyCycle]: obeyDutyCycle,
  [Cid.rxParamSetup]: obeyRxParamSetup,
  [Cid.devStatus]: obeyDevStatus,
  [Cid.newChannel]: obeyNewChannel,
  [Cid.rxTimingSetup]: obeyRxTimingSetup,
  [Cid.rekey]: takeConfirmation,
  [Cid.adrParamSetup]: obeyAdrParamSetup,
  [Cid.deviceTime]: takeDeviceTimeAns,
  [Cid.forceRejoin]: obeyForceRejoin,
  [Cid.rejoinParamSetup]: obeyRejoinParamSetup,
  [Cid.deviceMode]: takeConfirmation,
  [Cid.txParamSetup]: obeyTxParamSetup,
  [Cid.dlChannel]: obeyDlChannel,
  [Cid.pingSlotInfo]: obeyPingSlotInfoAns,
  [Cid.pingSlotChannel]: obeyPingSlotChannel,
  [Cid.beaconFreq]: obeyBeaconFreq,
};
