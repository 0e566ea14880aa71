/**
 * What a device hears of a series of the air log, taken at once: rows that differ in nothing but
 * gateway, counter and time.
 *
 * Problem: for each device a row costs a look at copy, times, level, frame and block. All that
 * differs from row to row is whether the link lost it. Approach: between two appointments of
 * its own a device takes the rows in which nothing of its own intervenes. Each gateway's level
 * decides of all that it sent, one word of losses of 32 counters, and the block takes a word of
 * fragments. Whatever breaks the sameness ends the series or is left to the look at single rows
 * (`multicast-settling.ts`), whose rules these are: a row beside the device's own uplinks, what
 * others overlapped, a fragment with which the block could be complete.
 */
import { bitCount, lowestOf, lowestPlace } from '../base/bits.ts';
import { NONE } from '../kernel/columns.ts';
import { fullFCnt } from '../lorawan/frame.ts';
import type { ChannelLog, FrameSeries, RowsBetween } from '../radio/channel-log.ts';
import { gatewayOf } from '../radio/links.ts';
import { takeFragments, takesAll } from './block.ts';
import type { DeviceSide } from './device-side.ts';
import { fragSessionFor } from './fragment-sessions.ts';
import type { GroupReceiver } from './group-receiver.ts';
import type { FragmentRun, SeriesFates } from './multicast-memos.ts';
import { highestFCnt, lastFCnt, linkLosses, openAs } from './multicast-reception.ts';

/** Counters that a word of losses or fates is of. */
const WORD = 32;

/** Rows of a series that a device takes at once. */
interface Stretch {
  readonly log: ChannelLog;
  /** Ordinals of the first row, which is in reach, and of the row after the last. */
  readonly from: number;
  readonly until: number;
  /** Number of the word that the first counter is in, and of words to the last one. */
  readonly firstWord: number;
  readonly words: number;
}

/** What of a stretch a device accepted last, and where it looks next. */
interface Heard {
  /** Lower 16 bits of the highest counter that was heard, and its first row; NONE: none was. */
  fCnt: number;
  ordinal: number;
  frameLosses: number;
  tooWeak: number;
  /** Ordinal of the row after the last one in reach. */
  next: number;
}

/**
 * Takes rows of a log from `ordinal` on, which is in reach, as far as they are alike and ended by
 * `untilUs`. Returns the ordinal of the next row to look at; NONE: the row is looked at by itself.
 */
export function takeSeries(
  side: DeviceSide,
  listener: GroupReceiver,
  log: ChannelLog,
  ordinal: number,
  untilUs: number,
): number {
  const series = log.seriesAt(ordinal);
  if (series === undefined || series.mcAddr !== listener.mcAddr) return NONE;
  if (!listener.hearsAlike) return NONE;
  const endsByUs = undisturbedUntilUs(listener, log.startUs(ordinal), untilUs);
  if (log.endUs(ordinal) > endsByUs) return NONE;
  const run = fragmentRun(side, listener, log, series, ordinal);
  if (run === undefined) return NONE;
  const session = fragSessionFor(side, listener.device, listener.group, run.fragIndex);
  if (session === NONE || !takesRun(side, listener.device, session, run)) return NONE;
  const limit = fCntLimit(side, listener, session, run, log.fCnt(ordinal));
  const until = log.untilInSeries(ordinal, endsByUs, limit);
  if (until <= ordinal + 1) return NONE;
  const { deviceFaults } = side.links;
  if (deviceFaults.wasMuteWithin(listener.device, log.startUs(ordinal), log.endUs(until - 1))) {
    return NONE;
  }
  const firstWord = log.fCnt(ordinal) >>> 5;
  const words = (log.fCnt(until - 1) >>> 5) - firstWord + 1;
  return takeStretch(side, listener, session, run, { log, from: ordinal, until, firstWord, words });
}

/** Until when rows from one that begins at `startUs` on meet neither ends nor own transmissions. */
function undisturbedUntilUs(listener: GroupReceiver, startUs: number, untilUs: number): number {
  const { busy, opensAtUs, closesAtUs, lockingUs } = listener;
  if (startUs + lockingUs < opensAtUs) return Number.NEGATIVE_INFINITY;
  const listensUntilUs = Math.min(untilUs, closesAtUs);
  return startUs >= busy.untilUs ? listensUntilUs : Math.min(listensUntilUs, busy.fromUs);
}

/** Whether a block takes all fragments of a run. */
const takesRun = (side: DeviceSide, device: number, session: number, run: FragmentRun): boolean =>
  run.fragments[0]!.length === side.multicast.fragSessions.column.fragSize[session] &&
  takesAll(side, device, session);

/**
 * Lower 16 bits of the first counter that is not taken with that of a row. It is not in the run, or
 * out of the group's range, or could complete the block, since each counter brings one fragment.
 */
function fCntLimit(
  side: DeviceSide,
  listener: GroupReceiver,
  session: number,
  run: FragmentRun,
  fCnt: number,
): number {
  const { nbFrag, distinct } = side.multicast.fragSessions.column;
  const complete = fCnt + nbFrag[session] - distinct[session] - 1;
  const inRange = lastFCnt(side, listener) - run.upperFCnt + 1;
  return Math.min(run.firstFCnt + run.fragments.length, complete, inRange);
}

// ── the fragments of a series ────────────────────────────────────────────────────────────────────

/** The fragments that counters from a row's on bring, as a group's keys open them, if they do. */
function fragmentRun(
  side: DeviceSide,
  listener: GroupReceiver,
  log: ChannelLog,
  series: FrameSeries,
  ordinal: number,
): FragmentRun | undefined {
  const { group } = listener;
  const fCnt = log.fCnt(ordinal);
  const highest = highestFCnt(side, group);
  const upperFCnt = fullFCnt(highest, fCnt) - fCnt;
  // A counter below the last one would be one of the next 65 536.
  if (upperFCnt > Math.max(0, highest)) return undefined;
  const { fragmentRuns } = side.multicastMemos;
  let runs = fragmentRuns.get(series);
  if (runs === undefined) fragmentRuns.set(series, (runs = []));
  const key = side.multicast.mcGroups.column.keyFold[group];
  let run = runs.findLast(
    (one) => one.key === key && one.upperFCnt === upperFCnt && one.firstFCnt <= fCnt,
  );
  if (run !== undefined) extend(side, group, run, log, series);
  if (run === undefined || fCnt >= run.firstFCnt + run.fragments.length) {
    run = begin(side, group, log, ordinal, upperFCnt);
    if (run === undefined) return undefined;
    runs.push(run);
    extend(side, group, run, log, series);
  }
  return run.fPort === listener.packages.fragmentation.fPort ? run : undefined;
}

/** A run that begins with the fragment of a row; undefined: it has none. */
function begin(
  side: DeviceSide,
  group: number,
  log: ChannelLog,
  ordinal: number,
  upperFCnt: number,
): FragmentRun | undefined {
  const firstFCnt = log.fCnt(ordinal);
  const frame = openAs(side, group, log.row(ordinal)!, upperFCnt + firstFCnt);
  if (frame?.data === undefined || frame.data.fragmentNumber === 0) return undefined;
  const { fragIndex, fragmentNumber: firstNumber, fragment } = frame.data;
  const key = side.multicast.mcGroups.column.keyFold[group];
  const { fPort } = frame;
  const fragments = [fragment];
  return { key, upperFCnt, fPort, fragIndex, firstFCnt, firstNumber, fragments, next: ordinal + 1 };
}

/** Adds what the series has of the run by now. */
function extend(
  side: DeviceSide,
  group: number,
  run: FragmentRun,
  log: ChannelLog,
  { until }: FrameSeries,
): void {
  const { upperFCnt, firstFCnt, firstNumber, fragments } = run;
  for (; run.next < until; run.next++) {
    const at = log.fCnt(run.next) - firstFCnt;
    if (at < fragments.length) continue;
    const frame = openAs(side, group, log.row(run.next)!, upperFCnt + firstFCnt + at);
    const data = frame?.data;
    const isNext =
      at === fragments.length &&
      frame?.fPort === run.fPort &&
      data?.fragIndex === run.fragIndex &&
      data.fragmentNumber === firstNumber + at &&
      data.fragment.length === fragments[0]!.length;
    if (!isNext) return;
    fragments.push(data.fragment);
  }
}

// ── a stretch ────────────────────────────────────────────────────────────────────────────────────

/** The device hears rows between which nothing of its own happens; returns where it looks next. */
function takeStretch(
  side: DeviceSide,
  listener: GroupReceiver,
  session: number,
  run: FragmentRun,
  stretch: Stretch,
): number {
  const { device, group, mcAddr } = listener;
  const { seriesFates: fates } = side.multicastMemos;
  fates.clear(stretch.words);
  const heard = hearStretch(side, listener, stretch, fates);
  // Which of two misses is recorded depends on which gateway was first.
  if (heard.tooWeak > 0 && heard.frameLosses > 0) return NONE;
  side.countFragments(mcAddr, 'frameLoss', heard.frameLosses);
  side.countFragments(mcAddr, 'tooWeak', heard.tooWeak);
  recordFates(side, listener, stretch, fates);
  const lowest = highestFCnt(side, group) - run.upperFCnt;
  if (heard.fCnt > lowest) {
    const { log, firstWord, words } = stretch;
    for (let word = 0; word < words; word++) {
      const counter = WORD * (firstWord + word);
      const accepted = fates.heard[word] & bitsAbove(lowest - counter);
      const number = run.firstNumber + counter - run.firstFCnt;
      if (accepted !== 0) takeFragments(side, device, session, number, accepted, run);
    }
    side.multicast.mcGroups.column.fCnt[group] = run.upperFCnt + heard.fCnt;
    side.column.heardAtUs[device] = log.endUs(heard.ordinal);
  }
  return heard.next;
}

/** Bits above a place: all below 0, none from 31 on. */
const bitsAbove = (place: number): number => (place < 0 ? -1 : place >= 31 ? 0 : -2 << place);

/** What becomes of a stretch's rows at a device: by counter in `fates`, and how many of them. */
function hearStretch(
  side: DeviceSide,
  listener: GroupReceiver,
  stretch: Stretch,
  fates: SeriesFates,
): Heard {
  const { log, from, until } = stretch;
  const { starts, counts, all } = side.links;
  const { device } = listener;
  const heard = { fCnt: NONE, ordinal: NONE, frameLosses: 0, tooWeak: 0, next: from };
  const first = starts[device];
  for (let at = first; at < first + counts[device]; at++) {
    const gateway = gatewayOf(all[at]);
    const rows = log.sentBetween(gateway, from, until);
    if (rows === undefined) continue;
    heard.next = Math.max(heard.next, rows.ordinals[rows.end - 1]! + 1);
    const { eirpCentiDbm } = log.row(rows.ordinals[rows.place]!)!.copies[0]!;
    const level = side.downlinkAir.levels.centiDbm(device, gateway, eirpCentiDbm, 0);
    if (level >= listener.noticesCentiDbm) {
      hearGateway(side, listener, stretch, fates, gateway, rows, heard);
    } else if (at === first) {
      // A copy of a farther gateway was never meant for this device.
      heard.tooWeak += rows.end - rows.place;
      noteCounters(stretch, rows, fates.tooWeak);
    } else if (side.recorder !== undefined) {
      noteCounters(stretch, rows, fates.outOfReach);
    }
  }
  return heard;
}

/** What becomes of the rows of a gateway that the device notices. */
function hearGateway(
  side: DeviceSide,
  listener: GroupReceiver,
  stretch: Stretch,
  fates: SeriesFates,
  gateway: number,
  rows: RowsBetween,
  heard: Heard,
): void {
  const { firstWord, words } = stretch;
  const { sent } = fates;
  sent.fill(0, 0, words);
  noteCounters(stretch, rows, sent);
  let highest = NONE;
  for (let word = 0; word < words; word++) {
    const lost = sent[word] & linkLosses(side, listener, gateway, firstWord + word);
    const arrived = sent[word] & ~lost;
    heard.frameLosses += bitCount(lost);
    fates.frameLoss[word] |= lost;
    fates.heard[word] |= arrived;
    if (arrived !== 0) highest = WORD * (firstWord + word) + 31 - Math.clz32(arrived);
  }
  if (highest < heard.fCnt || highest === NONE) return;
  const ordinal = ordinalOf(stretch.log, rows, highest);
  if (highest === heard.fCnt && ordinal > heard.ordinal) return;
  heard.fCnt = highest;
  heard.ordinal = ordinal;
}

/** Sets the bits of the counters of a gateway's rows. */
function noteCounters({ log, firstWord }: Stretch, rows: RowsBetween, bits: Int32Array): void {
  for (let place = rows.place; place < rows.end; place++) {
    const fCnt = log.fCnt(rows.ordinals[place]!);
    bits[(fCnt >>> 5) - firstWord] |= 1 << (fCnt & 31);
  }
}

/** Ordinal of a gateway's row with a counter, which there is. */
function ordinalOf(log: ChannelLog, { ordinals, end }: RowsBetween, fCnt: number): number {
  let place = end - 1;
  while (log.fCnt(ordinals[place]!) !== fCnt) place--;
  return ordinals[place]!;
}

/** Records a fate of each frame: heard once is heard, and a miss goes before one out of reach. */
function recordFates(
  { recorder }: DeviceSide,
  { device, mcAddr }: GroupReceiver,
  { firstWord, words }: Stretch,
  { heard, frameLoss, tooWeak, outOfReach }: SeriesFates,
): void {
  if (recorder === undefined) return;
  for (let word = 0; word < words; word++) {
    const first = WORD * (firstWord + word);
    const missed = frameLoss[word] | tooWeak[word];
    for (let left = heard[word] | missed | outOfReach[word]; left !== 0; left &= left - 1) {
      const bit = lowestOf(left);
      const miss = (frameLoss[word] & bit) !== 0 ? 'frameLoss' : 'tooWeak';
      const fate = (missed & bit) !== 0 ? miss : 'outOfReach';
      const fCnt = first + lowestPlace(bit);
      recorder.groupFrame(device, mcAddr, fCnt, (heard[word] & bit) !== 0 ? 'heard' : fate);
    }
  }
}
