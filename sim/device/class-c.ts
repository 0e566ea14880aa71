/**
 * Class C: the device listens on the RX2 parameters whenever it does nothing else (LoRaWAN 1.0.4
 * §15).
 */
import { SECOND_US } from '../base/units.ts';
import { NONE } from '../kernel/columns.ts';
import { preambleSymbols } from '../lorawan/airtime.ts';
import { DeviceModeInd } from '../lorawan/mac-commands.ts';
import { RX2_AFTER_RX1_US } from '../lorawan/region.ts';
import type { ReceiveWindow } from '../radio/downlink-air.ts';
import type { DeviceSide } from './device-side.ts';
import { Activation, DeviceClass, Radio } from './device-table.ts';
import { accountForRx2, keepStretch, updateBackground } from './energy.ts';
import { queueCommand } from './mac-commands/queue.ts';
import { FOREVER_US, isStanding, McSessionState, NO_PING_SLOTS } from './multicast-state.ts';

/**
 * Whether the device listens on RX2's channel between its windows: class C, in a session, no
 * multicast session open, and no standing group that has another channel.
 */
export function isContinuous(side: DeviceSide, device: number): boolean {
  const c = side.column;
  if (c.deviceClass[device] !== DeviceClass.c) return false;
  if (c.activation[device] !== Activation.active || c.openClassCSessions[device] > 0) return false;
  return c.standingGroups[device] === 0 || !servesOtherChannel(side, device);
}

/** Whether the first standing group of class C, which has the radio, is on another channel. */
function servesOtherChannel({ devices, multicast }: DeviceSide, device: number): boolean {
  const { rx2FrequencyHz, rx2DataRate, mcGroups } = devices.column;
  const g = multicast.mcGroups.column;
  let first = NONE;
  for (let row = mcGroups[device]; row !== NONE; row = g.next[row]) {
    const isServed = g.sessionState[row] === McSessionState.open && isStanding(g.mcGroupId[row]);
    if (!isServed || g.periodicity[row] !== NO_PING_SLOTS) continue;
    if (first === NONE || g.mcGroupId[row] < g.mcGroupId[first]) first = row;
  }
  if (first === NONE) return false;
  return (
    g.frequencyHz[first] !== rx2FrequencyHz[device] || g.dataRate[first] !== rx2DataRate[device]
  );
}

/** RX2 as a class C device has it: from the end of its uplink until it sends again. */
export const rxc = (rx2: ReceiveWindow, fromUs: number): ReceiveWindow => ({
  ...rx2,
  opensAtUs: fromUs,
  closesAtUs: FOREVER_US,
});

/** Length of RX2 after a data uplink. */
function rx2LengthUs({ devices, windows }: DeviceSide, device: number, dataRate: number): number {
  const { type, rx1DelayS } = devices.column;
  const delayUs = rx1DelayS[device] * SECOND_US + RX2_AFTER_RX1_US;
  return windows.of(type[device], dataRate, delayUs).lengthUs;
}

/**
 * Whether a frame that began at `beganAtUs` came in RX1 or RX2 of the last uplink. What a class C
 * device hears between them answers nothing: the windows stay, and repetitions go on (LoRaWAN 1.0.4
 * §5.2).
 */
export function cameInWindow(
  side: DeviceSide,
  device: number,
  frame: { readonly frequencyHz: number; readonly dataRate: number },
  beganAtUs: number,
): boolean {
  const { rx2FrequencyHz, rx2DataRate, quietUntilUs } = side.column;
  const { frequencyHz, dataRate } = frame;
  const isRx2 = frequencyHz === rx2FrequencyHz[device] && dataRate === rx2DataRate[device];
  if (!isContinuous(side, device) || !isRx2) return true;
  const { symbolUs, spreadingFactor } = side.plan;
  const preambleUs = symbolUs[dataRate]! * preambleSymbols(spreadingFactor[dataRate]!);
  const meets = (opensAtUs: number, closesAtUs: number) =>
    beganAtUs + preambleUs > opensAtUs && beganAtUs < closesAtUs;
  const listeners = side.downlinkAir.listeners.column;
  const isRx1 =
    listeners.rx1FrequencyHz[device] === frequencyHz && listeners.rx1DataRate[device] === dataRate;
  if (isRx1 && meets(listeners.rx1OpensAtUs[device], listeners.rx1ClosesAtUs[device])) return true;
  const rx2Us = rx2LengthUs(side, device, dataRate);
  return meets(quietUntilUs[device] - rx2Us, quietUntilUs[device]);
}

/** The device becomes class C, or class A again; in a session of 1.1 it sends DeviceModeInd. */
export function becomeClass(
  side: DeviceSide,
  device: number,
  classC: boolean,
  nowUs: number,
): void {
  const { devices } = side;
  const c = devices.column;
  const now = classC ? DeviceClass.c : DeviceClass.a;
  if (c.deviceClass[device] === now) return;
  if (!classC) leaveRxc(side, device, nowUs);
  c.deviceClass[device] = now;
  const { name } = devices.identities.of(device);
  const to = classC ? 'C' : 'A';
  side.witness?.trace({ kind: 'deviceSwitchesClass', atUs: nowUs, device: name, to });
  if (c.activation[device] !== Activation.active) return;
  if (c.minor[device] === 1)
    queueCommand(devices, device, DeviceModeInd.encode({ deviceClass: now }));
  if (!classC) updateBackground(side, device, nowUs);
  else if (c.radio[device] !== Radio.sending) listenContinuously(side, device, nowUs);
}

/**
 * A class C device goes back to listening on RX2; a first window that is still to come stays.
 */
export function listenContinuously(side: DeviceSide, device: number, nowUs: number): void {
  updateBackground(side, device, nowUs);
  if (!isContinuous(side, device)) return;
  const { rx2FrequencyHz, rx2DataRate, quietUntilUs } = side.column;
  const frequencyHz = rx2FrequencyHz[device];
  const dataRate = rx2DataRate[device];
  const shut = { opensAtUs: nowUs, closesAtUs: nowUs, frequencyHz, dataRate };
  if (quietUntilUs[device] > nowUs) side.downlinkAir.listenInRx2(device, rxc(shut, nowUs));
  else side.downlinkAir.listen(device, shut, rxc(shut, nowUs));
}

/**
 * A multicast session takes a class C device's radio, which stops listening on RX2 between windows.
 * The windows after its latest uplink stay.
 */
export function leaveRxc(side: DeviceSide, device: number, nowUs: number): void {
  if (isContinuous(side, device)) shutRxc(side, device, nowUs);
  else keepStretch(side, device);
}

/** A device that listened on RX2 between windows does so no more. */
export function shutRxc(side: DeviceSide, device: number, nowUs: number): void {
  keepStretch(side, device);
  const { rx2FrequencyHz, rx2DataRate, quietUntilUs } = side.column;
  const closesAtUs = quietUntilUs[device];
  if (closesAtUs <= nowUs) return side.downlinkAir.forgetWindows(device);
  const dataRate = rx2DataRate[device];
  const opensAtUs = closesAtUs - rx2LengthUs(side, device, dataRate);
  const frequencyHz = rx2FrequencyHz[device];
  const rx2 = { opensAtUs, closesAtUs, frequencyHz, dataRate };
  side.downlinkAir.listenInRx2(device, rx2);
  accountForRx2(side, device, rx2);
}
