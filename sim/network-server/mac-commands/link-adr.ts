/** LinkADRReq and what a device answers (LoRaWAN 1.0.4 §5.2); ADRParamSetupAns (1.1 §5.12). */
import {
  Cid,
  DOWNLINK_COMMAND_BYTES,
  LinkADRAns,
  LinkADRReq,
  writeLinkAdrReq,
} from '../../lorawan/mac-commands.ts';
import { believedMask, noteMask, wantedMask } from '../channels.ts';
import { maskBlock } from '../mask-block.ts';
import { noteRefusal } from '../refusable.ts';
import type { ServerSide } from '../server-side.ts';
import { acknowledged, type CommandHandlers, type UplinkCommand } from './command-handler.ts';

/** DataRate or TXPower that leaves things as they are. */
const KEEP = 15;
const COMMAND_BYTES = DOWNLINK_COMMAND_BYTES[Cid.linkAdr]!;

/** The request, a block of them where the network's channels take several. */
export function linkAdrBlock(
  side: ServerSide,
  row: number,
  dataRate: number,
  txPowerIndex: number,
  nbTrans: number,
): Uint8Array {
  const steps = maskBlock(side.plan.region, believedMask(side, row), wantedMask(side, row));
  const block = new Uint8Array(steps.length * COMMAND_BYTES);
  for (const [i, { chMaskCntl, chMask }] of steps.entries()) {
    const at = i * COMMAND_BYTES;
    writeLinkAdrReq(block, at, dataRate, txPowerIndex, chMask, chMaskCntl, nbTrans);
  }
  return block;
}

export const linkAdrCommands = {
  /** The device did all of what was asked, or nothing; the last request of a block counts. */
  LinkADRAns(side: ServerSide, row: number, { request, bytes, at }: UplinkCommand) {
    if (request === undefined) return;
    const r = side.registrations.column;
    const last = request.length - COMMAND_BYTES;
    const dataRate = LinkADRReq.value.dataRate(request, last);
    const txPowerIndex = LinkADRReq.value.txPower(request, last);
    const { channelMaskAck, dataRateAck, powerAck } = LinkADRAns.value;
    if (!channelMaskAck(bytes, at) || !dataRateAck(bytes, at) || !powerAck(bytes, at)) {
      // A refused mask is not asked for again; other settings are decided anew with each uplink.
      if (dataRate === KEEP) noteRefusal(side.registrations, row, Cid.linkAdr);
      return;
    }
    if (dataRate !== KEEP) r.dataRate[row] = dataRate;
    if (txPowerIndex !== KEEP) r.txPowerIndex[row] = txPowerIndex;
    r.nbTrans[row] = LinkADRReq.value.nbTrans(request, last);
    r.historyCount[row] = 0;
    side.tally.add('adrChanges');
    // Channel masks of a block.
    const steps = Array.from({ length: request.length / COMMAND_BYTES }, (_, i) => {
      const at = i * COMMAND_BYTES;
      return {
        chMaskCntl: LinkADRReq.value.chMaskCntl(request, at),
        chMask: LinkADRReq.value.chMask(request, at),
      };
    });
    noteMask(side, row, steps);
  },

  ADRParamSetupAns: acknowledged,
} satisfies Partial<CommandHandlers>;
