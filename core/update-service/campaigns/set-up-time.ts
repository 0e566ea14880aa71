/**
 * How long the set-up of a group takes before its multicast session may start, when nobody says
 * (docs/decisions/0012-automatic-session-time.md).
 */
import { DAY_US, HOUR_US, MINUTE_US } from '../../../sim/base/units.ts';
import type { DeviceView, NetworkView } from '../../network-view.ts';
import type { ChosenGateway } from '../gateway-choice.ts';

/** Bytes of a PHYPayload besides FRMPayload. */
export const FRAME_OVERHEAD_BYTES = 13;

/** Share of the gateways' budgets for commands; the rest is for fragments and others. */
export const COMMAND_SHARE = 0.5;

/**
 * FRMPayloads of the set-up: ForceDeviceResyncReq, the same with AppTimeAns, McGroupSetupReq,
 * FragSessionSetupReq, McClassCSessionReq.
 */
const SET_UP_COMMAND_BYTES = [2, 8, 30, 11, 11];

/** How often a command goes out on average: some are lost. */
const TRIES = 1.5;

/** Uplinks of each class A member that the set-up waits for: an exchange per command, and spare. */
const UPLINKS = 6;

/** Silence beyond this is an absent device, not a slow one. */
const LONGEST_SILENCE_US = DAY_US;

const FLOOR_US = { A: HOUR_US, C: 20 * MINUTE_US };

/** Share of an hour in RX1's band where there are limits; without limits it is 1. */
const RX1_DUTY_CYCLE = 0.01;

/** Members by the way in which they are spoken to: in windows after their uplinks, or at once. */
export interface SetUp {
  readonly inWindows: readonly DeviceView[];
  readonly atAnyTime: readonly DeviceView[];
}

/** Whole minutes, µs. */
export function setUpTimeUs(
  setUp: SetUp,
  gateways: readonly ChosenGateway[],
  view: NetworkView,
  nowUs: number,
): number {
  const airUs = setUpAirUs(setUp, gateways, view);
  const silenceUs = longestSilenceUs(setUp.inWindows, nowUs);
  const floorUs = FLOOR_US[setUp.inWindows.length > 0 ? 'A' : 'C'];
  const neededUs = Math.max(floorUs, UPLINKS * silenceUs) + (TRIES * airUs) / COMMAND_SHARE;
  return Math.ceil(neededUs / MINUTE_US) * MINUTE_US;
}

/**
 * Time in which the gateways' whole budgets allow the set-up commands once: those in windows in RX1
 * at the member's data rate and in RX2, side by side; the others in RX2.
 */
function setUpAirUs(
  { inWindows, atAnyTime }: SetUp,
  gateways: readonly ChosenGateway[],
  view: NetworkView,
): number {
  const rx2Share = view.dutyCycle(view.rx2.frequencyHz);
  const rx1Share = rx2Share < 1 ? RX1_DUTY_CYCLE : 1;
  const inRx2Us = (members: readonly DeviceView[]): number =>
    (members.length * commandsAirUs(view.rx2.dataRate, view)) / sharesOf(gateways, rx2Share, view);
  const atAnyTimeUs = inRx2Us(atAnyTime);
  if (inWindows.length === 0) return atAnyTimeUs;
  const atRate = new Map<number, number>();
  for (const { dataRate } of inWindows) atRate.set(dataRate, (atRate.get(dataRate) ?? 0) + 1);
  const rx1AirUs = [...atRate].reduce(
    (sum, [dataRate, count]) => sum + count * commandsAirUs(dataRate, view),
    0,
  );
  const inRx1Us = rx1AirUs / sharesOf(gateways, rx1Share, view);
  const alsoInRx2Us = inRx2Us(inWindows);
  return atAnyTimeUs + (inRx1Us * alsoInRx2Us) / (inRx1Us + alsoInRx2Us);
}

/** What these gateways may send together, where each that keeps a duty cycle has this share. */
export function sharesOf(
  gateways: readonly ChosenGateway[],
  share: number,
  view: NetworkView,
): number {
  const { frequencyHz } = view.rx2;
  const free = gateways.filter(({ eui }) => dutyCycleOf(eui, frequencyHz, view) === 1).length;
  return free + (gateways.length - free) * share;
}

/** Share of an hour that a gateway may send on a frequency, 0…1; the region's when it is gone. */
export const dutyCycleOf = (eui: string, frequencyHz: number, view: NetworkView): number =>
  view.gateway(eui)?.dutyCycle(frequencyHz) ?? view.dutyCycle(frequencyHz);

function commandsAirUs(dataRate: number, view: NetworkView): number {
  return SET_UP_COMMAND_BYTES.reduce(
    (sum, bytes) => sum + view.downlinkAirtimeUs(dataRate, bytes + FRAME_OVERHEAD_BYTES),
    0,
  );
}

/** Longest time since an uplink: about the period of the slowest member. */
function longestSilenceUs(members: readonly DeviceView[], nowUs: number): number {
  const silences = members
    .filter(({ lastUplinkAtUs }) => lastUplinkAtUs >= 0)
    .map(({ lastUplinkAtUs }) => nowUs - lastUplinkAtUs)
    .filter((silenceUs) => silenceUs <= LONGEST_SILENCE_US);
  return silences.reduce((longest, each) => Math.max(longest, each), 0);
}
