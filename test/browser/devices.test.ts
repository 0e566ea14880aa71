/** What of a page needs no browser: filters, orders, addresses, files, the time axis. */
import { describe, expect, it } from 'vitest';
import type { RunColumns } from '../../core/result/columns.ts';
import { addressOf, type Selection, selectionIn } from '../../reports/interactive/address.ts';
import { campaignViews } from '../../reports/interactive/campaign-view.ts';
import { type ChartData, highest, over, sliceAt } from '../../reports/interactive/chart-data.ts';
import { coloured, colouringsOf } from '../../reports/interactive/colourings.ts';
import { csvOf } from '../../reports/interactive/csv.ts';
import { choices, matching, sorted } from '../../reports/interactive/filters.ts';
import { dotOf, rgbOf, stamp } from '../../reports/interactive/map-dots.ts';
import type { Run } from '../../reports/interactive/page-data.ts';
import { verdictOn } from '../../reports/interactive/story-words.ts';
import { clockText, instantAt, placeOf, timeTicks } from '../../reports/interactive/time-axis.ts';

const DEVICES: RunColumns['devices'] = {
  names: ['meter-10', 'meter-9', 'lamp-1', 'meter-2'],
  devEuis: ['00A1B2C3D4E5F601', '00A1B2C3D4E5F602', '00A1B2C3D4E5F603', '00A1B2C3D4E5F6FF'],
  populations: ['meter', 'lamp'],
  population: [0, 0, 1, 0],
  xMeters: [0, 1, 2, 3],
  yMeters: [0, 1, 2, 3],
  joinSeconds: [5, null, 7, 3],
  joinRequests: [1, 1, 1, 1],
  sent: [10, 10, 0, 10],
  delivered: [9, 10, 0, 5],
  dropped: [0, 0, 0, 0],
  dutyCycleWaits: [0, 0, 0, 0],
  uplinks: { received: [9, 10, 0, 5], noise: [1, 0, 0, 5] },
  downlinks: {
    rx1: { sent: [0, 0, 0, 0], received: [0, 0, 0, 0] },
    rx2: { sent: [0, 0, 0, 0], received: [0, 0, 0, 0] },
    other: { sent: [0, 0, 0, 0], received: [0, 0, 0, 0] },
  },
  dataRate: [5, 5, 5, 0],
  marginDb: [3, null, -1, 12],
  traffic: { sliceSeconds: 100, slices: 2, frames: ['5150', '5050', '0000', '9410'] },
  steps: [[], [], [], []],
};

const COLUMNS: RunColumns = {
  format: 1,
  digest: 'ab',
  total: 4,
  devices: DEVICES,
  marks: [],
  campaigns: [
    {
      name: 'spring',
      members: [0, 1, 3],
      fates: ['confirmed', 'failed', 'failed'],
      causes: [null, 'missing fragments', 'answer lost'],
      diagnoses: [null, null, null],
      steps: [null, null, null],
      runs: [true, false, true],
      fragmentsHeld: [4, 2, 4],
      fragmentsNeeded: [4, 4, 4],
      fragmentsMissing: [0, 2, 0],
      fragments: { frames: 5, fates: ['hhhh', 'hnnh.', 'hhhh'] },
    },
  ],
};

const DATA = { campaigns: [{ name: 'spring', nbFrag: 4 }] };
const RUN = {
  ...DATA,
  columns: COLUMNS,
  views: campaignViews(DATA as unknown as Run, COLUMNS),
} as unknown as Run;
const NOTHING = selectionIn('');
const chosen = (change: Partial<Selection>): Selection => ({ ...NOTHING, ...change });
const spaced = (text: string | undefined) => text?.replace(/\s/g, ' ');
const names = (devices: readonly number[]) => devices.map((device) => DEVICES.names[device]);

describe('devices', () => {
  it.each([
    [{ query: 'METER' }, ['meter-10', 'meter-9', 'meter-2']],
    [{ query: 'f6-02' }, ['meter-9']],
    [{ query: 'a1:b2:c3' }, ['meter-10', 'meter-9', 'lamp-1', 'meter-2']],
    [{ population: 'lamp' }, ['lamp-1']],
    [{ outcome: 'unheard' }, ['meter-2']],
    [{ outcome: 'failed' }, ['meter-9']],
    [{ cause: 'Missing fragments' }, ['meter-9']],
    [{ population: 'meter', query: '10' }, ['meter-10']],
    [{ where: 'margin<5' }, ['meter-10', 'lamp-1']],
    [{ where: 'loss>10' }, ['meter-10', 'meter-2']],
    [{ where: 'loss>30', span: [0, 100] }, ['meter-2']],
    [{ where: 'name>3' }, ['meter-10', 'meter-9', 'lamp-1', 'meter-2']],
    [{ where: 'margin<' }, ['meter-10', 'meter-9', 'lamp-1', 'meter-2']],
    [{ query: '<script>' }, []],
  ] satisfies [Partial<Selection>, string[]][])('are found by %j', (change, found) => {
    expect(names(matching(RUN, chosen(change)))).toEqual(found);
  });

  const order = (sort: string, descending = false) =>
    names(sorted(RUN, [0, 1, 2, 3], chosen({ sort, descending })));

  it('are sorted by names as people count, and by figures', () => {
    expect(order('name')).toEqual(['lamp-1', 'meter-2', 'meter-9', 'meter-10']);
    expect(order('loss', true)[0]).toBe('meter-2');
    expect(order('zzz')).toEqual(DEVICES.names);
  });

  it('without a value are last of all, in both orders', () => {
    expect(order('margin')).toEqual(['lamp-1', 'meter-10', 'meter-2', 'meter-9']);
    expect(order('margin', true)).toEqual(['meter-2', 'meter-10', 'lamp-1', 'meter-9']);
  });

  it('have losses of the span alone where one is selected', () => {
    const loss = (span: Selection['span']) =>
      names(sorted(RUN, [0, 3], chosen({ sort: 'loss', descending: true, span })));
    expect(loss([0, 100])).toEqual(['meter-2', 'meter-10']);
    expect(loss([100, 200])[0]).toBe('meter-10');
  });

  it('are counted by what a filter offers, the most frequent first', () => {
    const listed = choices(RUN, NOTHING, 'outcome').map(({ label, devices }) => [label, devices]);
    expect(listed).toContainEqual(['In no campaign', 1]);
    expect(choices(RUN, NOTHING, 'population')[0]).toMatchObject({ value: 'meter', devices: 3 });
  });

  it('have a sentence on why they ended so, with the evidence', () => {
    const [view] = RUN.views;
    expect(verdictOn(RUN, view, 0)).toBe('It runs the image of spring, and has confirmed it.');
    expect(verdictOn(RUN, view, 1)).toMatch(/^Missing fragments: .* 2 of 4 fragments are missing;/);
    expect(verdictOn(RUN, view, 1)).toMatch(/; 2 of 4 frames were not heard, most: noise\.$/);
    expect(verdictOn(RUN, view, 3)).toMatch(/^It runs the new image, and counts as failed\./);
    expect(verdictOn(RUN, view, 2)).toBe('It sent nothing.');
  });
});

describe('colours of the map', () => {
  const joules = { multicast: [1, 5, null, 3], flash: [0, 1, null, 1], sleep: [9, 4, null, 2] };
  const run: Run = { ...RUN, columns: { ...COLUMNS, devices: { ...DEVICES, joules } } };
  const labelsBy = (one: Run, colour: string): (string | undefined)[] => {
    const { classes, classOf } = coloured(one, chosen({ colour }));
    return [...classOf].map((at) => classes[at]?.label);
  };

  it('of energy are fifths of the devices, from the most to the least', () => {
    const labels = labelsBy(run, 'energy').map(spaced);
    expect(labels).toEqual(['10 J or more', '10 J or more', 'not counted', 'under 10 J']);
  });

  it('of energy that reads the same are one', () => {
    const alike = { sleep: [2.2401, 2.2402, 2.2403, 9] };
    const same = { ...run, columns: { ...COLUMNS, devices: { ...DEVICES, joules: alike } } };
    const { classes } = coloured(same, chosen({ colour: 'energy' }));
    expect(classes.map(({ label }) => spaced(label))).toEqual(['all the same', 'not counted']);
  });

  it('of the energy of updates count listening to sessions and writing flash memory', () => {
    const labels = labelsBy(run, 'updateEnergy').map(spaced);
    expect(labels).toEqual(['under 4 J', '4 J or more', 'not counted', '4 J or more']);
  });

  it('of energy are not offered where nobody counts it', () => {
    const keysOf = (one: Run) => colouringsOf(one).map(({ key }) => key);
    expect(keysOf(RUN)).not.toContain('energy');
    expect(keysOf(run)).toEqual(expect.arrayContaining(['energy', 'updateEnergy']));
  });
});

describe('an address', () => {
  it('leads back to the selection that it was made of', () => {
    const selection = chosen({
      span: [60, 3_600],
      zoomed: true,
      cursor: 120,
      device: '00A1B2C3D4E5F601',
      query: 'a&b=c #1',
      sort: 'loss',
      descending: true,
    });
    expect(selectionIn(`#${addressOf(selection)}`)).toEqual(selection);
    expect(addressOf(NOTHING)).toBe('');
  });

  it.each(['#span=5-5', '#span=9-3', '#span=a-b', '#at=-1', '#zoom=1', '#%', '#unknown=1'])(
    'selects nothing where it is %s',
    (address) => expect(selectionIn(address)).toEqual(NOTHING),
  );
});

describe('a file of values', () => {
  it('quotes what has to be, and begins no formula', () => {
    const rows = [
      ['a', 'b,c', 'd"e'],
      ['=1+1', -5, null],
    ];
    expect(csvOf(rows)).toBe('a,"b,c","d""e"\r\n\'=1+1,-5,\r\n');
  });
});

describe('the time axis', () => {
  const axis = { from: 0, until: 86_400, width: 864 };

  it('has round instants that are not too close', () => {
    expect(timeTicks(axis)).toEqual(Array.from({ length: 9 }, (_, at) => at * 10_800));
    expect(timeTicks({ from: 50, until: 170, width: 400 })).toEqual([60, 90, 120, 150]);
  });

  it('leads from instants to places and back, and ends at its ends', () => {
    expect(placeOf(axis, 43_200)).toBe(432);
    expect(instantAt(axis, 432)).toBe(43_200);
    expect([instantAt(axis, -5), instantAt(axis, 9_999)]).toEqual([0, 86_400]);
  });

  it('writes instants by days, hours and minutes', () => {
    expect([0, 59, 3_660, 90_000].map(clockText)).toEqual([
      '00:00',
      '00:00:59',
      '01:01',
      '1 d 01:00',
    ]);
  });
});

describe('a chart', () => {
  const data: ChartData = {
    title: '',
    unit: '',
    reading: '',
    sliceSeconds: 10,
    endSeconds: 40,
    over: 'sum',
    write: String,
    series: [
      { label: 'a', values: [1, 2, 3, 4], colour: '' },
      { label: 'b', values: [4, 0, 1], colour: '' },
    ],
  };

  it('is as high as its values, its stacks and the limits that are near them', () => {
    expect(highest(data)).toBe(4);
    expect(highest({ ...data, stacked: true })).toBe(5);
    expect(highest({ ...data, limits: [{ label: '', value: 16 }] })).toBe(16);
    expect(highest({ ...data, limits: [{ label: '', value: 17 }] })).toBe(4);
  });

  it('has the sum, the highest or the last value of a span, by whole slices', () => {
    const [a] = data.series;
    expect(over(data, a!, null)).toBe(10);
    expect(over(data, a!, [11, 29])).toBe(5);
    expect(over({ ...data, over: 'highest' }, a!, [0, 20])).toBe(2);
    expect(over({ ...data, over: 'last' }, a!, [0, 30])).toBe(3);
    expect([sliceAt(data, -1), sliceAt(data, 15), sliceAt(data, 99)]).toEqual([0, 1, 3]);
  });
});

describe('a dot', () => {
  const image = () => ({ width: 5, height: 5, data: new Uint32Array(25) });
  const bytesAt = (pixel: number) => [0, 8, 16, 24].map((shift) => (pixel >>> shift) & 255);

  it('covers its middle, and nothing outside of the image', () => {
    const pixels = image();
    stamp(pixels, dotOf(1, rgbOf('#ff8000')), 2, 2);
    expect(bytesAt(pixels.data[12]!)).toEqual([255, 128, 0, 255]);
    const covered = pixels.data.filter((pixel) => pixel !== 0).length;
    stamp(pixels, dotOf(1, rgbOf('#0000ff')), -2, 7);
    expect(pixels.data.filter((pixel) => pixel !== 0)).toHaveLength(covered);
    stamp(pixels, dotOf(1, rgbOf('#0000ff')), 0, 4);
    expect(bytesAt(pixels.data[20]!)).toEqual([0, 0, 255, 255]);
  });

  it('mixes with another one where it covers a part of a pixel', () => {
    const pixels = image();
    stamp(pixels, dotOf(2, rgbOf('#000000')), 2, 2);
    stamp(pixels, dotOf(1, rgbOf('#ffffff')), 2, 2);
    expect(bytesAt(pixels.data[12]!)).toEqual([255, 255, 255, 255]);
    expect(bytesAt(pixels.data[13]!)).toEqual([128, 128, 128, 255]);
  });
});
