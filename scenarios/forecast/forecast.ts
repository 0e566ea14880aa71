/** Forecast of a run: when sessions will begin, what is too late, and the cost. */
import { LARGEST_RATE_PERCENT } from '../../core/update-service/campaigns/clock-rate.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { DAY_US, HOUR_US, MINUTE_US, SECOND_US } from '../../sim/base/units.ts';
import { type CostForecast, costOf } from './cost.ts';
import { reachWarnings } from './reach.ts';
import { type SessionForecast, sessionForecasts } from './set-up.ts';

export interface Forecast {
  readonly sessions: readonly SessionForecast[];
  readonly cost: CostForecast;
  /** A sentence a campaign. */
  readonly sentences: readonly string[];
  /**
   * Sentences on campaigns that will not do what they are to do, each with what to turn. Others are
   * on devices without a gateway in reach, and on places far off.
   */
  readonly warnings: readonly string[];
}

export function forecast(plan: RunPlan): Forecast {
  const sessions = sessionForecasts(plan);
  return {
    sessions,
    cost: costOf(plan, sessions),
    sentences: sessions.map(sentenceOf),
    warnings: [
      ...sessions.flatMap(({ campaign, noRepair }) =>
        noRepair === undefined ? [] : [`campaign ${campaign}: ${noRepair}`],
      ),
      ...sessions.flatMap(meetingWarning),
      ...sessions.flatMap(driftWarning),
      ...tooLate(sessions, plan.durationUs),
      ...reachWarnings(plan.network),
    ],
  };
}

/** Of a session whose given time does not go together with another campaign. */
function meetingWarning({ campaign, meets }: SessionForecast): string[] {
  if (meets === undefined) return [];
  return [
    `campaign ${campaign}: its session meets that of campaign ${meets.campaign}, which uses the ` +
      'same gateways or the same channel nearby; leave multicast_setup_time out, or ' +
      `multicast_setup_time: ${meets.enoughS} s`,
  ];
}

/** Of clocks so bad that the service believes no rate of theirs. */
function driftWarning({ campaign, members, drift }: SessionForecast): string[] {
  if (drift === undefined) return [];
  const { devices, offS, acceptableS, ratesAreIgnored } = drift;
  const most = ratesAreIgnored
    ? `${acceptableS} s`
    : `${LARGEST_RATE_PERCENT} % and ${acceptableS} s`;
  const mend = ratesAreIgnored ? 'ignore_clock_rates: false' : 'clock: { source: tcxo }';
  return [
    `campaign ${campaign}: the clocks of about ${devices} of ${members} devices drift by more ` +
      `than ${most} between two uplinks, by up to ${offS} s: they can't be set right, and miss ` +
      `windows; ${mend}`,
  ];
}

/** Of sessions that would begin after the end. */
const tooLate = (sessions: readonly SessionForecast[], endUs: number): string[] =>
  sessions
    .filter(({ after, createdAtUs, beginsAtUs }) => {
      // What follows one that begins too late is reported by that.
      const isReported = after !== undefined && createdAtUs >= endUs;
      return beginsAtUs >= endUs && !isReported;
    })
    .map((session) => warningOf(session, endUs));

/** `a run takes about 2 s and 130 MB: 24 000 uplinks`. */
export function costInWords({ uplinks, cpuSeconds, bytes }: CostForecast): string {
  const seconds = cpuSeconds < 10 ? Math.ceil(cpuSeconds) : 10 * Math.ceil(cpuSeconds / 10);
  const megabytes = 10 * Math.ceil(bytes / 1e7);
  const takes = `${inWords(seconds * SECOND_US)} of CPU time and ${megabytes} MB`;
  return `a run takes about ${takes}: ${spaced(uplinks)} uplinks`;
}

/** Thousands apart. */
const spaced = (count: number): string => String(count).replace(/(?<=\d)(?=(\d{3})+$)/g, '\u202f');

function sentenceOf(session: SessionForecast): string {
  const { behind } = session;
  return `${timesOf(session)}${behind === undefined ? '' : `, after that of campaign ${behind}`}`;
}

function timesOf(session: SessionForecast): string {
  const { campaign, members, after, createdAtUs, waitsUntilUs, beginsAtUs, isGiven } = session;
  const about = isGiven ? '' : 'about ';
  const receivers = `campaign ${campaign}: ${members} ${members === 1 ? 'device' : 'devices'}`;
  if (after !== undefined && waitsUntilUs !== undefined) {
    const earliest = `starts at ${inWords(waitsUntilUs)} at the earliest`;
    const begins = `${about}${inWords(beginsAtUs - waitsUntilUs)} after that`;
    return `${receivers}, created after ${after}, ${earliest}; its session begins ${begins}`;
  }
  if (after !== undefined) {
    const later = inWords(beginsAtUs - createdAtUs);
    return `${receivers}, created after ${after}; its session begins ${about}${later} later`;
  }
  return (
    `${receivers}, created at ${inWords(createdAtUs)}; ` +
    `its session begins at ${about}${inWords(beginsAtUs)}`
  );
}

function warningOf(session: SessionForecast, endUs: number): string {
  const { campaign, beginsAtUs, isGiven, commandsUs, faster } = session;
  const { createdAtUs, waitsUntilUs = createdAtUs } = session;
  const late =
    `campaign ${campaign}: its session would begin at ${inWords(beginsAtUs)}, after the end of ` +
    `the run at ${inWords(endUs)}`;
  const longer = `duration: ${Math.ceil((2 * beginsAtUs) / HOUR_US)} h`;
  if (isGiven) return `${late}; a shorter multicast_setup_time, an earlier start, or ${longer}`;
  if (waitsUntilUs >= endUs) return `${late}; an earlier start, or ${longer}`;
  const ofAir = commandsUs > (beginsAtUs - waitsUntilUs) / 2;
  const why = ofAir
    ? `; the set-up commands of all devices need ${inWords(commandsUs)} of the gateways’ duty cycle`
    : '; the set-up waits for six uplinks of each device';
  const quicker =
    faster === undefined
      ? ''
      : `server.rx2DataRate: DR${faster.rx2DataRate} (then at ${inWords(faster.beginsAtUs)}), `;
  const knobs = ofAir ? `${quicker}more gateways` : 'devices that send more often';
  const sooner = waitsUntilUs > createdAtUs ? 'an earlier start, ' : '';
  return `${late}${why}: ${sooner}${knobs}, or ${longer}`;
}

type Unit = readonly [name: string, sizeUs: number];

const DAYS: Unit = ['d', DAY_US];
const HOURS: Unit = ['h', HOUR_US];
const MINUTES: Unit = ['min', MINUTE_US];
const SECONDS: Unit = ['s', SECOND_US];

/** From so long on a time is reported in these units. */
const SCALES: readonly (readonly [fromUs: number, units: readonly Unit[]])[] = [
  [100 * HOUR_US, [DAYS, HOURS]],
  [HOUR_US, [HOURS, MINUTES]],
  [MINUTE_US, [MINUTES, SECONDS]],
  [0, [SECONDS]],
];

/** `3 h 20 min`, in the units of scenario files; from 100 hours on in days. */
export function inWords(us: number): string {
  const [, units] = SCALES.find(([fromUs]) => us >= fromUs)!;
  const [, least] = units.at(-1)!;
  let left = Math.ceil(us / least) * least;
  const words = units.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return words.join(' ') || '0 s';
}
