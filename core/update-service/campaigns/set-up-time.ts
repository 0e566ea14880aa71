/**
 * How long the set-up of a group takes before its multicast session may start, when nobody says
 * (docs/decisions/0012-automatic-session-time.md).
 */
import { DAY_US, HOUR_US, MINUTE_US } from '../../../sim/base/units.ts';
import type { DeviceView, NetworkView } from '../../../sim/contract/view.ts';
import type { ChosenGateway } from '../gateway-choice.ts';
import type { Settings } from './settings.ts';

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

/** What the time depends on, of a world that runs or of a plan. */
export interface SetUpFacts {
  /** Members in windows after their uplinks, by their data rates, and those at any time. */
  readonly inWindows: ReadonlyMap<number, number>;
  readonly atAnyTime: number;
  /** The longest time between two uplinks of those in windows, µs. */
  readonly silenceUs: number;
  readonly rx2DataRate: number;
  /** Share of an hour that the region lets a gateway send in RX2. */
  readonly rx2Share: number;
  /** What all gateways may send together where one may send this share. */
  shares(share: number): number;
  airtimeUs(dataRate: number, phyBytes: number): number;
}

export function setUpTimeUs(
  setUp: SetUp,
  gateways: readonly ChosenGateway[],
  view: NetworkView,
  nowUs: number,
): number {
  const inWindows = new Map<number, number>();
  for (const { dataRate } of setUp.inWindows) {
    inWindows.set(dataRate, (inWindows.get(dataRate) ?? 0) + 1);
  }
  return setUpUs({
    inWindows,
    atAnyTime: setUp.atAnyTime.length,
    silenceUs: longestSilenceUs(setUp.inWindows, nowUs),
    rx2DataRate: view.rx2.dataRate,
    rx2Share: view.dutyCycle(view.rx2.frequencyHz),
    shares: (share) => sharesOf(gateways, share, view),
    airtimeUs: (dataRate, phyBytes) => view.downlinkAirtimeUs(dataRate, phyBytes),
  });
}

/** Whole minutes, µs. */
export function setUpUs(facts: SetUpFacts): number {
  const floorUs = FLOOR_US[facts.inWindows.size > 0 ? 'A' : 'C'];
  const silenceUs = Math.min(facts.silenceUs, LONGEST_SILENCE_US);
  const neededUs = Math.max(floorUs, UPLINKS * silenceUs) + commandsUs(facts);
  return Math.ceil(neededUs / MINUTE_US) * MINUTE_US;
}

/** How long the gateways need for the commands, some of them sent again, µs. */
export const commandsUs = (facts: SetUpFacts): number =>
  (TRIES * setUpAirUs(facts)) / COMMAND_SHARE;

/**
 * Time in which the gateways' whole budgets allow the set-up commands once: those in windows in RX1
 * at the member's data rate and in RX2, side by side; the others in RX2.
 */
function setUpAirUs({ inWindows, atAnyTime, rx2DataRate, rx2Share, ...facts }: SetUpFacts): number {
  const commandsAirUs = (dataRate: number) =>
    SET_UP_COMMAND_BYTES.reduce(
      (sum, bytes) => sum + facts.airtimeUs(dataRate, bytes + FRAME_OVERHEAD_BYTES),
      0,
    );
  const rx1Share = rx2Share < 1 ? RX1_DUTY_CYCLE : 1;
  const inRx2Us = (members: number): number =>
    (members * commandsAirUs(rx2DataRate)) / facts.shares(rx2Share);
  const atAnyTimeUs = inRx2Us(atAnyTime);
  if (inWindows.size === 0) return atAnyTimeUs;
  const rx1AirUs = [...inWindows].reduce(
    (sum, [dataRate, count]) => sum + count * commandsAirUs(dataRate),
    0,
  );
  const inRx1Us = rx1AirUs / facts.shares(rx1Share);
  const members = [...inWindows.values()].reduce((sum, count) => sum + count, 0);
  const alsoInRx2Us = inRx2Us(members);
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

/**
 * The longest pause between uplinks of the slowest member: what its profile declares, or the time
 * since its latest uplink where that is longer. A device that has just come has been silent for no
 * time at all, which says nothing of its period.
 */
const longestSilenceUs = (members: readonly DeviceView[], nowUs: number): number =>
  members.reduce((longest, one) => Math.max(longest, silenceUs(one, nowUs)), 0);

function silenceUs({ lastUplinkAtUs, declaredPauseUs }: DeviceView, nowUs: number): number {
  const silentUs = lastUplinkAtUs < 0 ? 0 : nowUs - lastUplinkAtUs;
  const observedUs = silentUs <= LONGEST_SILENCE_US ? silentUs : 0;
  return Math.max(observedUs, declaredPauseUs);
}

// ── a set-up in turn ─────────────────────────────────────────────────────────────────────────────

const TURNS = 5;
/** Time of a try, and tries: those of class A, where nobody says. */
export const USUAL_TRY_US = MINUTE_US;
export const USUAL_TRIES = 21;

export const tryUs = ({ set_up_interval }: Settings): number => set_up_interval ?? USUAL_TRY_US;
export const triesOf = ({ set_up_tries }: Settings): number => set_up_tries ?? USUAL_TRIES;

/** Whether the session follows the set-up, and by how much, µs; undefined: its time is given. */
export function sessionDelayUs(settings: Settings): number | undefined {
  const { set_up_in_turn, multicast_setup_time, session_delay } = settings;
  if (!set_up_in_turn || multicast_setup_time !== null) return undefined;
  return session_delay ?? triesOf(settings) * tryUs(settings);
}

/** The longest time from the beginning to a session that follows the set-up, µs. */
export const longestSetUpUs = (settings: Settings, delayUs: number): number =>
  TURNS * triesOf(settings) * tryUs(settings) + delayUs;

/** How long an answer is waited for before a command is sent again, µs. */
export const answerTimeUs = (settings: Settings, phase: string): number =>
  settings.set_up_in_turn && phase === 'setUp' ? tryUs(settings) : settings.min_timeout_delay;
