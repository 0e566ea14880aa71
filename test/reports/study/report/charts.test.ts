/** The charts of a study’s report: reports/study/report/ and the axes of reports/charts/axes.ts. */
import { describe, expect, it } from 'vitest';
import type { DesignedStudy } from '../../../../core/result/designed-study.ts';
import { axisOver, fitted, textWidth, withCapacity } from '../../../../reports/charts/axes.ts';
import { boundsOf } from '../../../../reports/study/report/bounds.ts';
import { slicesOf } from '../../../../reports/study/report/cloud-chart.ts';
import { curveOf, extentOf } from '../../../../reports/study/report/curves.ts';
import { frontChart, frontOf, isOnFront } from '../../../../reports/study/report/front-chart.ts';
import { shadeOf } from '../../../../reports/study/report/heat-map.ts';
import { studyReportHtml } from '../../../../reports/study/report/html.ts';
import { alongside, layoutOf } from '../../../../reports/study/report/layout.ts';
import {
  axisNumber,
  cellNumber,
  decimalsFor,
  measureOf,
} from '../../../../reports/study/report/measure.ts';
import { varyingOf } from '../../../../reports/study/report/reading.ts';
import { sobolChart } from '../../../../reports/study/report/sensitivity-section.ts';
import { tornadoChart } from '../../../../reports/study/report/tornado-chart.ts';
import {
  eightLevels,
  everyStudy,
  fiveByFour,
  halfDone,
  listed,
  namedLevels,
  oneAtATime,
  sampled,
  threeParameters,
} from '../../../support/designed-studies.ts';

const spaced = (text: string) => text.replaceAll('\u202F', ' ');

interface Written {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** Words of each drawing that stand around their middle, as the names below an axis do. */
function namesBelow(html: string): { readonly width: number; readonly names: Written[] }[] {
  return html
    .split('<svg ')
    .slice(1)
    .filter((part) => !part.startsWith('class="mini"'))
    .map((part) => {
      const width = Number(/width="([\d.]+)"/.exec(part)?.[1]);
      const names = [...part.matchAll(/<text class="mid"\s+x="([^"]+)"\s+y="([^"]+)">([^<]*)</g)];
      const left = Number(/translate\(([\d.]+),/.exec(part)?.[1]);
      return {
        width,
        names: names.map(([, x, y, text]) => ({ x: Number(x) + left, y: Number(y), text: text! })),
      };
    });
}

describe('an axis', () => {
  it('has equal steps for equal ratios when it is logarithmic, and round figures', () => {
    const axis = axisOver({ low: 1, high: 1000, isLogarithmic: true }, [0, 300], 10);
    expect([1, 10, 100, 1000].map((value) => Math.round(axis.place(value)))).toEqual([
      0, 100, 200, 300,
    ]);
    expect(axis.ticks).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
    expect(axisOver({ low: 1, high: 1000, isLogarithmic: true }, [0, 300], 4).ticks).toEqual([
      1, 10, 100, 1000,
    ]);
  });

  it('begins at nothing where figures are near it, and is of ratios where those are great', () => {
    expect(extentOf([2, 10], 'seconds').low).toBe(0);
    expect(extentOf([9, 10], 'seconds').low).toBeGreaterThan(8);
    expect(extentOf([1, 100], 'seconds').isLogarithmic).toBe(true);
    expect(extentOf([0.01, 1], 'share')).toEqual({ low: 0, high: 1, isLogarithmic: false });
    expect(extentOf([0, 100], 'seconds').isLogarithmic).toBe(false);
  });

  it('has a length even where all values are the same, or there are none', () => {
    for (const values of [[], [0], [0.5, 0.5], [1, 1]]) {
      for (const unit of ['share', 'count'] as const) {
        const { low, high } = extentOf(values, unit);
        expect(high).toBeGreaterThan(low);
      }
    }
  });

  it('leaves out words that would touch those before them', () => {
    const marks = [0, 10, 60, 65].map((at) => ({ at, text: 'abc' }));
    expect(withCapacity(marks).map(({ at }) => at)).toEqual([0, 60]);
    expect(fitted('a very long name', 40)).toBe('a ver…');
  });

  it.each(everyStudy().map((study) => [study.study, study] as const))(
    'of %s has no two words on each other, and none beyond its drawing',
    (_, study) => {
      for (const { width, names } of namesBelow(studyReportHtml(study))) {
        for (const [at, one] of names.entries()) {
          const half = textWidth(one.text) / 2;
          // Letters are a little narrower than they are taken for.
          expect(one.x - 0.9 * half).toBeGreaterThanOrEqual(-4);
          expect(one.x + 0.9 * half).toBeLessThanOrEqual(width + 4);
          for (const other of names.slice(at + 1)) {
            if (Math.abs(other.y - one.y) > 8) continue;
            const apart = Math.abs(other.x - one.x);
            expect(apart).toBeGreaterThanOrEqual((half + textWidth(other.text) / 2) * 0.9);
          }
        }
      }
    },
  );
});

describe('a figure in a chart', () => {
  it('is measured in a unit that suits its greatest value', () => {
    const unitOf = (unit: 'seconds' | 'joules' | 'count', most: number) =>
      measureOf('x', unit, [most]).unit;
    expect([30, 600, 20_000, 400_000].map((most) => unitOf('seconds', most))).toEqual([
      'seconds',
      'minutes',
      'hours',
      'days',
    ]);
    expect([2000, 3, 0.02, 0.00002].map((most) => unitOf('joules', most))).toEqual([
      'kJ',
      'J',
      'mJ',
      'µJ',
    ]);
    expect([900, 2e7].map((most) => unitOf('count', most))).toEqual(['', 'millions']);
  });

  it('has decimals enough to be reported from the others, and thousands apart', () => {
    const count = measureOf('x', 'count', [5000]);
    expect([5, 50, 500].map(decimalsFor)).toEqual([2, 1, 0]);
    expect(spaced(cellNumber(12_345.6, count, 1))).toBe('12 345.6');
    expect(cellNumber(-0.04, count, 1)).toBe('0.0');
    expect(cellNumber(-2, count, 1)).toBe('−2.0');
    expect(spaced(axisNumber(20_000))).toBe('20 000');
    expect(axisNumber(-0.1 - 0.2)).toBe('−0.3');
  });

  it('is 100 % only where it is all', () => {
    const share = measureOf('x', 'share', [1]);
    expect([1, 0.9999, 0.5].map((value) => cellNumber(value, share, 1))).toEqual([
      '100',
      '>99.9',
      '50.0',
    ]);
  });
});

describe('bounds of constraints', () => {
  it('are read in the unit of the figure, with shares of seeds left out', () => {
    expect(
      boundsOf([
        'campaign.updated >= 99 % in 95 % of seeds',
        'campaign.t90 <= 14 h',
        'campaign.t90 within 30 min',
        'energyPerDevice < 2.5 mJ',
        'campaign.sent <= 400',
      ]).map(({ figure, value, text, isFloor }) => [figure, value, spaced(text), isFloor]),
    ).toEqual([
      ['campaign.updated', 0.99, '≥ 99 %', true],
      ['campaign.t90', 50_400, '≤ 14 h', false],
      ['campaign.t90', 1800, '≤ 30 min', false],
      ['energyPerDevice', 0.0025, '< 2.5 mJ', false],
      ['campaign.sent', 400, '≤ 400', false],
    ]);
  });

  it('are not drawn where a constraint compares something else', () => {
    expect(boundsOf(['lost.interfered / uplinks <= 5 %', 'x >= 3 parsecs'])).toEqual([]);
  });
});

describe('the layout', () => {
  const kindOf = (study: DesignedStudy) => layoutOf(study).kind;

  it('follows how the points lie', () => {
    expect(everyStudy().map((study) => [study.study, kindOf(study)])).toEqual([
      ['redundancy', 'curves'],
      ['redundancy-and-rate', 'curves'],
      ['class-delay-redundancy', 'curves'],
      ['placement', 'rows'],
      ['settings', 'rows'],
      ['latin-hypercube-40', 'cloud'],
      ['sobol', 'cloud'],
      ['what-matters', 'oneAtATime'],
      ['one-point', 'rows'],
      ['half-done', 'curves'],
      ['none-allowed', 'curves'],
    ]);
  });

  it('has the numbers with most levels across, a line a level of the next, panels beside', () => {
    const layout = layoutOf(threeParameters());
    if (layout.kind !== 'curves') throw new Error('it is a grid');
    expect(layout.across.parameter.name).toBe('fragmentDelay');
    expect(layout.lines?.parameter.name).toBe('redundancy');
    expect(layout.panels.map(({ label, points }) => [label, points.length])).toEqual([
      ['class A', 20],
      ['class B', 20],
      ['class C', 20],
    ]);
  });

  it('has no more lines than can be distinguished', () => {
    const many = { name: 'gap', levels: [1, 2, 3, 4, 5, 6, 7] };
    const study = eightLevels({
      knobs: [{ name: 'redundancy', levels: [1, 2, 3, 4, 5, 6, 7, 8] }, many],
    });
    const layout = layoutOf(study);
    expect(layout).toMatchObject({ kind: 'curves', lines: undefined });
    expect(layout.kind === 'curves' && layout.panels.length).toBe(7);
  });

  it('takes a list as a grid only where it is one', () => {
    expect(kindOf(eightLevels({ design: 'list' }))).toBe('curves');
    expect(kindOf(listed())).toBe('rows');
  });

  it('has the first point of a study of one at a time as its base', () => {
    const layout = layoutOf(oneAtATime());
    expect(layout.kind === 'oneAtATime' && layout.base.point).toBe(1);
  });
});

describe('a curve', () => {
  const input = (study: DesignedStudy, figure: string) =>
    ({ across: varyingOf(study)[0]!, figure, label: '', series: 0 }) as const;

  it('has the means and intervals of its points, in the order of the parameter', () => {
    const study = eightLevels();
    const shuffled = study.points.toReversed();
    const { points } = curveOf(shuffled, input(study, 'campaign.updated'), () => 'allowed');
    expect(points.map((point) => point?.x)).toEqual([0, 5, 10, 15, 20, 25, 30, 35]);
    const [figure] = study.points[2]!.figures;
    expect(points[2]).toMatchObject({ mean: figure!.mean, interval: figure!.meanInterval });
  });

  it('has a gap where nothing was measured', () => {
    const study = halfDone();
    const { points } = curveOf(study.points, input(study, 'campaign.updated'), () => 'allowed');
    expect(points.map((point) => point === null)).toEqual([...Array(7).fill(false), true]);
    const none = curveOf(study.points, input(study, 'campaign.t99'), () => 'allowed');
    expect(none.points.every((point) => point === null)).toBe(true);
  });
});

describe('a heat map', () => {
  it('has the middle shade where all is the same, and each end where it is least or most', () => {
    const map = { range: [2, 9] as const, isLogarithmic: false };
    expect([2, 2.9, 3.1, 9].map((value) => shadeOf(value, map))).toEqual([0, 0, 1, 6]);
    expect(shadeOf(5, { ...map, range: [5, 5] })).toBe(3);
    const ratios = { range: [1, 128] as const, isLogarithmic: true };
    expect([1, 3, 5, 128].map((value) => shadeOf(value, ratios))).toEqual([0, 1, 2, 6]);
  });

  it('writes each mean into its cell and hatches those that break a constraint', () => {
    const study = fiveByFour({ shown: ['campaign.updated'] });
    const [, map = ''] = studyReportHtml(study).split('aria-label="Heat map');
    const drawing = map.slice(0, map.indexOf('</svg>'));
    const cells = [...drawing.matchAll(/<text class="mid h\d"[^>]*>([^<]*)</g)].map(([, t]) => t);
    const means = study.points.map(({ figures }) => (figures[0]!.mean! * 100).toFixed(1));
    expect(cells).toEqual(means);
    const hatched = /<path class="hatch" d="([^"]*)"/.exec(drawing)?.[1] ?? '';
    const first = hatched.match(/M/g)?.length ?? 0;
    const refused = study.points.filter(({ allowed }) => !allowed).length;
    expect(refused).toBe(12);
    expect(first % refused).toBe(0);
    expect(first).toBeGreaterThan(5 * refused);
    expect(drawing.match(/class="chosen"/g)).toHaveLength(1);
  });

  it('has no figure in a cell that is too narrow for it', () => {
    const levels = Array.from({ length: 40 }, (_, at) => at);
    const study = fiveByFour({
      knobs: [
        { name: 'redundancy', levels },
        { name: 'dr', levels: ['a', 'b'] },
      ],
    });
    const [, map = ''] = studyReportHtml(study).split('aria-label="Heat map');
    expect(map.slice(0, map.indexOf('</svg>'))).not.toMatch(/<text class="mid h\d"/);
  });
});

describe('the front', () => {
  const study = sampled(40);
  const [first, second] = study.objectives;

  it('is of the points that the study has on it', () => {
    const front = frontOf(study, first!, second!)!;
    const own = study.points.filter(({ onFront }) => onFront).map(({ point }) => point);
    expect(front.points.filter(isOnFront).map(({ point }) => point)).toEqual(own);
  });

  it('is a line of steps that leaves every other allowed point on its worse side', () => {
    const front = frontOf(study, first!, second!)!;
    const { markup } = frontChart(front, [500], 200).drawing(500);
    const path = /<path class="front" d="([^"]*)"/.exec(markup)?.[1] ?? '';
    // Less is better across, so that each step goes level first, then up to the next one.
    const places = path.match(/-?[\d.]+,-?[\d.]+/g)!.map((pair) => pair.split(',').map(Number));
    for (let at = 2; at < places.length; at += 2) {
      expect(places[at - 1]![1]).toBe(places[at - 2]![1]);
      expect(places[at - 1]![0]).toBe(places[at]![0]);
    }
  });

  it('names its points where there is room, and first of all the recommended one', () => {
    // Eight points in one place have room for four names.
    const points = Array.from({ length: 8 }, (_, at) => {
      return { ...study.points[0]!, point: at + 1, allowed: true, onFront: true };
    });
    const apart = { ...study.points[1]!, point: 9, allowed: false, onFront: false };
    const crowd = { ...study, points: [...points, apart], choice: { ...study.choice!, point: 8 } };
    const { markup } = frontChart(frontOf(crowd, first!, second!)!, [500], 200).drawing(500);
    const names = [...markup.matchAll(/<text class="ink ground"[^>]*>([^<]*)</g)].map(([, t]) => t);
    expect(names[0]).toBe('8, recommended');
    expect(names.length).toBeLessThanOrEqual(4);
  });

  it('has no line where it is of three objectives, and a chart for each pair', () => {
    const html = studyReportHtml(threeParameters());
    expect(html.match(/aria-label="Scatter of 60 points/g)).toHaveLength(3);
    expect(html).not.toContain('<path class="front"');
  });

  it('is left out where fewer than two points have both figures', () => {
    const lone = { ...study, points: study.points.slice(0, 1) };
    expect(frontOf(lone, first!, second!)).toBeUndefined();
  });
});

describe('a cloud', () => {
  it('is cut into slices of as many points each, with the mean and its interval', () => {
    const study = sampled(40);
    const dimension = varyingOf(study)[0]!;
    const cloud = {
      figure: 'campaign.updated',
      dimension,
      points: study.points,
      measure: measureOf('x', 'share', []),
      extent: extentOf([], 'share'),
      bounds: [],
    };
    const slices = slicesOf(cloud);
    expect(slices).toHaveLength(5);
    const [lowest] = slices;
    const own = study.points
      .filter(({ levels }) => levels[0]!.number! < 8)
      .map(({ figures }) => figures[0]!.mean!);
    expect(own).toHaveLength(8);
    expect(lowest!.mean).toBeCloseTo(own.reduce((all, each) => all + each, 0) / 8, 10);
    expect(lowest!.interval[0]).toBeLessThan(lowest!.mean);
  });
});

describe('a tornado', () => {
  it('has a bar for each swing around the base, with the levels at its ends', () => {
    const study = oneAtATime();
    const swings = study.swings.filter(({ figure }) => figure === 'campaign.updated');
    const base = study.points[0]!.figures[0]!.mean!;
    const chart = tornadoChart(swings, base, measureOf('Updates', 'share', []), [500]);
    expect(chart.alternative).toMatch(
      /^Bars around the base 87\.\d+: .*, %\. redundancy: 82\.\d+ at 10 % to 92\.\d+ at 30 %; /,
    );
    const { markup } = chart.drawing(500);
    const numbers = (form: string) =>
      [
        ...markup.matchAll(
          new RegExp(`<rect class="${form}" x="([^"]+)"[^>]*? width="([^"]+)"`, 'g'),
        ),
      ].map(([, x, width]) => [Number(x), Number(width)] as const);
    const [below, above] = [numbers('below'), numbers('above')];
    expect(below).toHaveLength(4);
    const middle = above[0]![0];
    for (const [at, [x, width]] of below.entries()) {
      expect(x + width).toBeCloseTo(middle, 1);
      expect(above[at]![0]).toBeCloseTo(middle, 1);
    }
    expect(below.map(([, width], at) => width + above[at]![1])).toEqual(
      below.map(([, width], at) => width + above[at]![1]).toSorted((a, b) => b - a),
    );
  });

  it('says so where a parameter moves nothing', () => {
    const level = { label: '1', mean: 0.5 };
    const other = { label: '2', mean: 0.6 };
    const swing = { figure: 'x', interval: null };
    const { markup } = tornadoChart(
      [
        { ...swing, parameter: 'a', least: level, greatest: other },
        { ...swing, parameter: 'b', least: level, greatest: level },
      ],
      0.5,
      measureOf('x', 'share', []),
      [500],
    ).drawing(500);
    expect(markup.match(/hardly any difference/g)).toHaveLength(1);
  });

  it('has lines of points that differ from the base in one parameter alone', () => {
    const study = oneAtATime();
    const [redundancy] = varyingOf(study);
    const both = {
      ...study.points[1]!,
      levels: study.points[1]!.levels.with(1, study.points[4]!.levels[1]!),
    };
    const own = alongside([...study.points, both], study.points[0]!, redundancy!);
    expect(own.map(({ point }) => point)).toEqual([1, 2, 3]);
  });
});

describe('Sobol’ indices', () => {
  it('stand side by side for each parameter, with their intervals', () => {
    const chart = sobolChart('received', [
      { parameter: 'a', first: 0.5, firstInterval: [0.4, 0.6], total: 0.7, totalInterval: null },
      { parameter: 'b', first: -0.02, firstInterval: [-0.1, 0.1], total: 0.1, totalInterval: null },
    ]);
    expect(chart.alternative).toBe(
      '2 rows of means with 95 % intervals: share of the variance of Uplinks received, %. ' +
        'a: 50, 70; b: −2, 10.',
    );
    const { markup } = chart.drawing(500);
    expect(markup.match(/class="dot s0"/g)).toHaveLength(2);
    expect(markup.match(/class="dot s1"/g)).toHaveLength(2);
  });
});

describe('a chart of rows', () => {
  it('has a row a name, however long, and its bound', () => {
    const study = namedLevels({
      shown: ['received'],
      bounds: [
        { text: 'received >= 95 %', figure: 'received', holds: (v) => v >= 0.95, needed: 0.5 },
      ],
    });
    const html = studyReportHtml(study);
    expect(html).toContain('5 rows of means with 95 % intervals: Uplinks received, %.');
    expect(html).toContain('the four corners of the industrial estate behi…');
    expect(spaced(html)).toMatch(/<text class="bound-words[^>]*>≥ 95 %</);
  });
});
