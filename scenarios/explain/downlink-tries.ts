/** What became of a downlink at the device that it was meant for. */
import type { CommandTry } from '../../core/result/explanation.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { DownlinkWindow } from '../../sim/contract/frames.ts';
import type { DeviceRows, StoryDownlink } from './device-rows.ts';

const WINDOWS: Readonly<Record<DownlinkWindow, string>> = {
  1: 'RX1',
  2: 'RX2',
  classC: 'class C',
  ping: 'a ping slot',
  multicast: 'multicast',
};

/** Whether it carries something of an application, and not MAC commands alone. */
export const isOfApplication = ({ data }: StoryDownlink): boolean =>
  data !== null && data.fPort !== null && data.fPort > 0 && data.payload.length > 0;

/** `nameOf` finds the name of a gateway by its EUI. */
export function downlinkTry(
  frame: StoryDownlink,
  atUs: number,
  own: DeviceRows,
  nameOf: (eui: string) => string,
): CommandTry {
  const { sending, outcome } = frame;
  const at = {
    atSeconds: atUs / SECOND_US,
    gateway: sending === null ? null : nameOf(sending.gatewayEui),
    window: sending === null ? null : WINDOWS[sending.window],
  };
  if (outcome.kind === 'refused') return { ...at, outcome: outcome.reason };
  const endsAtUs = atUs + (sending?.airtimeUs ?? 0);
  const end = own.downlinkEnds.find((one) => one.atUs === endsAtUs);
  return { ...at, outcome: end?.fate ?? 'notHeard' };
}
