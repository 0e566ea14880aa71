/**
 * LinkADRReq: data rate, power, channels and repetitions (LoRaWAN 1.0.4 §5.2; RP002-1.0.4).
 * ADRParamSetupReq: when the device backs off (1.1 §5.12).
 */
import {
  ADRParamSetupAns,
  ADRParamSetupReq,
  Cid,
  DOWNLINK_COMMAND_BYTES,
  LinkADRAns,
  LinkADRReq,
} from '../../lorawan/mac-commands.ts';
import { applyChannelMask } from '../../lorawan/region.ts';
import { versionRules } from '../../lorawan/versions.ts';
import { maskOfBytes } from '../../spectrum/channel-set.ts';
import { carries, channelsOf, enabledChannels, setChannelMask } from '../channels.ts';
import type { DeviceSide } from '../device-side.ts';
import type { CommandCursor, CommandHandlers } from './command-handler.ts';
import { queueCommand } from './queue.ts';

/** DataRate or TXPower that leaves things as they are, from 1.0.4 on. */
const KEEP = 15;
const COMMAND_BYTES = DOWNLINK_COMMAND_BYTES[Cid.linkAdr]!;

export const linkAdrCommands = {
  /** Consecutive requests are one block, all or nothing; each gets the same answer. */
  LinkADRReq(side: DeviceSide, device: number, cursor: CommandCursor, from: number) {
    const { devices, plan, types } = side;
    const c = devices.column;
    const { adr, lorawan } = types[c.type[device]]!;
    const keeps = versionRules(lorawan).linkAdrKeeps;
    const { bytes } = cursor;
    let end = from + COMMAND_BYTES;
    while (end + COMMAND_BYTES <= cursor.end && bytes[end] === Cid.linkAdr) end += COMMAND_BYTES;
    cursor.next = end;
    const last = end - COMMAND_BYTES;
    const enabled = masked(side, device, cursor, from);
    // Without ADR the device keeps data rate and power, and obeys the rest.
    const dataRate = adr ? LinkADRReq.value.dataRate(bytes, last) : KEEP;
    const power = adr ? LinkADRReq.value.txPower(bytes, last) : KEEP;
    const wanted = dataRate === KEEP && (keeps || !adr) ? c.dataRate[device] : dataRate;
    const keepsPower = power === KEEP && (keeps || !adr);
    const status = {
      channelMaskAck: enabled !== undefined,
      dataRateAck: isPossible(side, device, wanted, enabled),
      powerAck: keepsPower || power <= plan.maxTxPowerIndex,
    };
    if (enabled !== undefined && status.dataRateAck && status.powerAck) {
      setChannelMask(side, device, maskOfBytes(enabled));
      c.nbTrans[device] = Math.max(1, LinkADRReq.value.nbTrans(bytes, last));
      c.dataRate[device] = wanted;
      if (!keepsPower) c.txPowerIndex[device] = power;
    }
    for (let at = from; at < end; at += COMMAND_BYTES) {
      queueCommand(devices, device, LinkADRAns.encode(status));
    }
  },

  /** ADR_ACK_LIMIT becomes 2^Limit_exp, ADR_ACK_DELAY 2^Delay_exp. */
  ADRParamSetupReq({ devices }: DeviceSide, device: number, { bytes }: CommandCursor, at: number) {
    const c = devices.column;
    c.adrAckLimitExp[device] = ADRParamSetupReq.value.limitExp(bytes, at);
    c.adrAckDelayExp[device] = ADRParamSetupReq.value.delayExp(bytes, at);
    queueCommand(devices, device, ADRParamSetupAns.encode({}));
  },
} satisfies Partial<CommandHandlers>;

/** Channels that the block leaves on, a byte each; undefined when it may not be obeyed. */
function masked(
  side: DeviceSide,
  device: number,
  { bytes, next }: CommandCursor,
  from: number,
): Uint8Array | undefined {
  const { region } = side.plan;
  const { chMask, chMaskCntl } = LinkADRReq.value;
  const enabled = enabledChannels(side, device);
  const channels = channelsOf(side, device);
  const defined = enabled.map((_, index) => (channels[index] === undefined ? 0 : 1));
  for (let at = from; at < next; at += COMMAND_BYTES) {
    const block = chMaskCntl(bytes, at);
    if (!applyChannelMask(region, block, chMask(bytes, at), enabled, defined)) return undefined;
  }
  return enabled.some((on) => on === 1) ? enabled : undefined;
}

/** Whether some channel carries a data rate: of those that are on, if that is known. */
function isPossible(
  side: DeviceSide,
  device: number,
  dataRate: number,
  enabled: Uint8Array | undefined,
): boolean {
  const { plan, devices } = side;
  if (!plan.isUplinkModulation(dataRate)) return false;
  if (plan.mostBytes(dataRate, devices.column.uplinkDwell[device] === 1) === 0) return false;
  return channelsOf(side, device).some(
    (one, index) =>
      one !== undefined &&
      (enabled === undefined || enabled[index] === 1) &&
      carries(one, dataRate),
  );
}
