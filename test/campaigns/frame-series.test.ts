/**
 * What a device hears of a group's frames, taken at once (`sim/device/frame-series.ts`) and row by
 * row, as where somebody watches each; and which rows of a channel's log are a series.
 */
import { describe, expect, it } from 'vitest';
import { recorderFor, type WorldOptions } from '../../core/world/options.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import type { AirRow } from '../../sim/radio/air-row.ts';
import { ChannelLog } from '../../sim/radio/channel-log.ts';
import { libraryWorld } from '../support/library.ts';

const WATCHED: WorldOptions = { observer: { trace: () => undefined } };

/** All that is said of a world: digests, result, and what its recorder has of each device. */
function outcomeOf(plan: RunPlan, seed: string, options: WorldOptions) {
  const world = World.create(plan, seed, { ...options, recorder: recorderFor(plan) });
  world.runUntil(world.endUs);
  const result = world.result();
  return { ...world.digest(), result, columns: world.facts.columns(world.plan, result) };
}

describe('frames that differ in nothing but time, counter and gateway', () => {
  it.each([
    ['of four gateways', 'five-thousand', ['devices.meter.count=6', 'duration=17 h']],
    ['of twenty gateways, most of them too far', 'ten-thousand', ['devices.meter.count=8']],
    ['to blocks of version 2', 'version-2', ['devices.new.count=4', 'devices.old.count=2']],
  ])('%s are heard at once as row by row', (_, file, settings) => {
    const { plan, seed } = libraryWorld(`campaigns/${file}.yaml`, settings);
    expect(outcomeOf(plan, seed, {})).toEqual(outcomeOf(plan, seed, WATCHED));
  });
});

const copyOf = (gateway: number, startUs: number, eirpCentiDbm = 1_600) => ({
  gateway,
  startUs,
  endUs: startUs + 50,
  eirpCentiDbm,
  spreadingFactor: 7,
  frequencyHz: 869_525_000,
  bandwidthHz: 125_000,
  frame: 0,
});

type ChangedRow = Partial<AirRow> & { readonly gateway?: number };

/** A frame with a counter, of a group or of none. */
function rowOf(fCnt: number, startUs: number, changed: ChangedRow = {}) {
  const { gateway = 0, ...row } = changed;
  const bytes = Uint8Array.of(0x60, 0, 0, 0, 0, 0, fCnt & 0xff, fCnt >> 8, 9);
  const span = { startUs, endUs: startUs + 50 };
  return { mcAddr: 1, bytes, copies: [copyOf(gateway, startUs)], others: [], ...span, ...row };
}

/** Ordinals of the rows with which a log's series begin, and after which they end. */
function seriesOf(rows: readonly AirRow[]): string[] {
  const log = new ChannelLog({ listeners: 1, rows, first: 0 });
  return rows.map((_, ordinal) => {
    const series = log.seriesAt(ordinal);
    const begun = rows.findIndex((_row, other) => log.seriesAt(other) === series);
    return series === undefined ? 'none' : `${begun}–${series.until}`;
  });
}

describe('a series of the air log', () => {
  const first = rowOf(7, 0);

  it('has several gateways, counters that stay or grow, and rows of no group between', () => {
    const others = [rowOf(7, 100, { gateway: 1 }), rowOf(0, 200, { mcAddr: 0 }), rowOf(9, 300)];
    expect(seriesOf([first, ...others])).toEqual(['0–4', '0–4', '0–4', '0–4']);
  });

  it.each([
    ['another group', rowOf(8, 100, { mcAddr: 2 })],
    ['a lower counter', rowOf(6, 100, { gateway: 1 })],
    ['a counter that its gateway has sent', rowOf(7, 100)],
    ['other bytes with the same counter', rowOf(7, 100, { gateway: 1, bytes: new Uint8Array(9) })],
    ['another power', rowOf(8, 100, { copies: [copyOf(0, 100, 1_500)] })],
    ['a frame before the end of the last', rowOf(8, 49, { gateway: 1 })],
  ])('ends before %s', (_, next) => {
    expect(seriesOf([first, next])).toEqual(['0–1', '1–2']);
  });

  it.each([
    ['two copies', rowOf(8, 100, { copies: [copyOf(0, 100), copyOf(1, 100)] })],
    ['another frame beside it', rowOf(8, 100, { others: [copyOf(1, 120)] })],
  ])('has no row with %s', (_, next) => {
    expect(seriesOf([first, next, rowOf(9, 200)])).toEqual(['0–1', 'none', '2–3']);
  });

  it('is the same once earlier rows are forgotten, as far as it is left', () => {
    const rows = [first, rowOf(8, 100), rowOf(9, 200), rowOf(10, 300)];
    const log = new ChannelLog({ listeners: 1, rows, first: 0 });
    log.forgetBefore(2);
    expect(log.seriesAt(3)).toBe(log.seriesAt(2));
    expect([log.seriesAt(1), log.seriesAt(2)!.until]).toEqual([undefined, 4]);
    expect([log.fCnt(2), log.startUs(3), log.endUs(3)]).toEqual([9, 300, 350]);
  });

  it('is left where rows end too late or reach a counter', () => {
    const rows = [7, 7, 8, 9, 9, 12].map((fCnt, at) => rowOf(fCnt, 100 * at, { gateway: at % 2 }));
    const log = new ChannelLog({ listeners: 1, rows, first: 40 });
    expect(log.untilInSeries(40, 350, 100)).toBe(44);
    expect(log.untilInSeries(40, 349, 100)).toBe(43);
    expect(log.untilInSeries(41, 10_000, 9)).toBe(43);
    expect(log.untilInSeries(40, 10_000, 100)).toBe(46);
    expect(log.sentBetween(1, 41, 44)).toMatchObject({ place: 0, end: 2 });
    expect(log.sentBetween(2, 40, 46)).toBeUndefined();
  });
});
