/** The report of a study as HTML: reports/study/report/html.ts and its sections. */
import { describe, expect, it } from 'vitest';
import type { DesignedStudy } from '../../../../core/result/designed-study.ts';
import { studyReportHtml } from '../../../../reports/study/report/html.ts';
import { textOf } from '../../../../reports/study/report/sentences.ts';
import { studyWords } from '../../../../reports/study/report/words.ts';
import {
  eightLevels,
  everyStudy,
  fiveByFour,
  halfDone,
  noneAllowed,
  oneAtATime,
  onePoint,
  sampled,
  sobolPoints,
  threeParameters,
} from '../../../support/designed-studies.ts';
import { itLong } from '../../../support/long.ts';
import { readPage, rowsOf, wordsOf } from '../../page.ts';

const spaced = (text: string) => text.replaceAll('\u202F', ' ');

/** The same study with every text of a user replaced. */
function withTexts(study: DesignedStudy, text: (number: number) => string): DesignedStudy {
  let number = 0;
  const levels = new Map<string, string>();
  const levelText = (label: string): string => {
    if (!levels.has(label)) levels.set(label, text(number++));
    return levels.get(label)!;
  };
  return {
    ...study,
    study: text(number++),
    description: text(number++),
    scenario: text(number++),
    parameters: study.parameters.map((each) => {
      return { ...each, name: text(number++), paths: [text(number++)], unit: text(number++) };
    }),
    points: study.points.map((point) => ({
      ...point,
      levels: point.levels.map((level) => ({ ...level, label: levelText(level.label) })),
      command: text(number++),
    })),
    constraints: study.constraints.map(() => text(number++)),
    warnings: [text(number++), text(number++)],
    manifest: {
      ...study.manifest,
      scenario: text(number++),
      set: [text(number++)],
      variant: text(number++),
    },
  };
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title><b>',
  '</text></svg><iframe>',
  '<a d="1.23456" x="',
];

describe('texts from outside', () => {
  it('open no tag and add no attribute, wherever they stand in any report', () => {
    for (const [shift, study] of everyStudy().entries()) {
      const long = 'text that is as long as the others ';
      const plain = readPage(studyReportHtml(withTexts(study, (n) => long + n))).skeleton;
      const hostile = (n: number) => `${HOSTILE[(n + shift) % HOSTILE.length]} ${n}`;
      const { skeleton, attributes } = readPage(studyReportHtml(withTexts(study, hostile)));
      expect(tagsOf(skeleton)).toEqual(tagsOf(plain));
      expect(attributes.filter(([name]) => /^(on|href|src)/i.test(name))).toEqual([]);
    }
  });

  it('are shown letter for letter', () => {
    const study = withTexts(fiveByFour(), (n) => `<i>"${n}" & '</i>`);
    const words = wordsOf(studyReportHtml(study));
    const { points, parameters, constraints, warnings, manifest } = study;
    const shown = [study.study, study.description, study.scenario, ...constraints, ...warnings];
    shown.push(...points.map(({ command }) => command), ...parameters.map(({ name }) => name));
    shown.push(...points.flatMap(({ levels }) => levels.map(({ label }) => label)));
    shown.push(manifest.scenario, manifest.set[0]!, manifest.variant!);
    for (const text of shown) expect(words).toContain(text);
  });
});

/** Names below axes are left out where they have no room, so words of drawings are not counted. */
const tagsOf = (skeleton: readonly string[]): string[] =>
  skeleton.filter((tag) => !/^\/?(text|svg|path|rect|circle|g|title)\b/.test(tag));

describe('the file', () => {
  it('has the same bytes whatever was rendered before', () => {
    const alone = studyReportHtml(fiveByFour());
    studyReportHtml(halfDone());
    expect(studyReportHtml(fiveByFour())).toBe(alone);
  });

  it('fetches nothing, names nothing by an id and has no script', () => {
    for (const study of everyStudy()) {
      const html = studyReportHtml(study);
      expect(html).not.toMatch(/https?:|url\(|@import|\bid="|<script/);
    }
  });

  it('never shows what is not a number, whatever the study is', () => {
    const none = eightLevels({ rows: [] });
    for (const study of [...everyStudy(), none]) {
      expect(studyReportHtml(study).replace(/<style>.*<\/style>/s, '')).not.toMatch(
        /NaN|undefined|Infinity|null/,
      );
    }
  });

  it('gives every chart words to stand for it, and has the figures of each in a table', () => {
    for (const study of everyStudy()) {
      const html = studyReportHtml(study);
      const charts = html.match(/<div class="chart" role="img" aria-label="[^"]{40,}"/g) ?? [];
      expect(charts.length).toBe(html.match(/class="chart"/g)?.length);
      expect(charts.length).toBeGreaterThan(0);
      const drawn = study.figures.filter((name) => {
        return study.points.some(({ figures }) => figures.some((f) => f.name === name && f.mean));
      });
      expect(html.match(/<summary>Figures of the charts</g)).toHaveLength(drawn.length);
    }
  });

  it('draws a line with a band for each level of the other parameter', () => {
    const html = studyReportHtml(fiveByFour({ shown: ['energyPerDevice'] }));
    const chart = html.slice(html.indexOf('aria-label="4 lines with bands'));
    const drawing = chart.slice(0, chart.indexOf('</svg>'));
    expect(drawing.match(/<path class="line s\d"/g)).toHaveLength(4);
    expect(drawing.match(/<path class="band s\d"/g)).toHaveLength(4);
    expect(drawing.match(/<path class="dot( refused)? s\d"/g)).toHaveLength(20);
    expect(drawing.match(/dot refused/g)).toHaveLength(12);
    expect(drawing.match(/<circle class="ring"/g)).toHaveLength(1);
  });

  it('has a panel for each level of a third parameter, and a map of each', () => {
    const html = studyReportHtml(threeParameters({ shown: ['campaign.updated'], objectives: [] }));
    for (const panel of ['class A', 'class B', 'class C']) {
      expect(html.match(new RegExp(`aria-label="4 lines[^"]*\\(${panel}\\)`, 'g'))).toHaveLength(1);
      expect(html.match(new RegExp(`aria-label="Heat map[^"]*\\(${panel}\\)`, 'g'))).toHaveLength(
        1,
      );
    }
  });
});

describe('the answer', () => {
  it('is in words, and the cautions come before it', () => {
    const study = halfDone();
    const words = wordsOf(studyReportHtml(study)).replace(/ +/g, ' ');
    const { answer, cautions } = studyWords(study);
    const flat = (text: string) => text.replace(/\s+/g, '');
    const page = flat(words);
    const first = page.indexOf(flat(textOf(cautions.slice(0, 1))));
    expect(first).toBeGreaterThan(0);
    expect(page.indexOf(flat(textOf(answer)))).toBeGreaterThan(first);
    expect(words).toContain('Partial study');
    expect(words).toContain(study.warnings[0]);
  });

  it('has the recommended point and the runner-up side by side', () => {
    const study = eightLevels();
    const rows = rowsOf(studyReportHtml(study), /^The recommended point/);
    expect(rows[0]).toEqual(['redundancy', '30 %', '35 %']);
    expect(rows[1]![0]).toBe('Highest gateway duty cycle minimised');
    expect(rows[1]![2]).toBe('0.525 % 0.524 % … 0.525 %');
    const [constraint] = rowsOf(studyReportHtml(study), /^Where the constraints/);
    expect(constraint).toEqual([
      'campaign.updated >= 99 % in 95 % of seeds',
      '✓ holds in 20 of 20 seeds of all seeds 83.9 % … 100 %',
      '2 of 8',
    ]);
  });

  it('reports the indices of a Sobol’ design, the greatest first, and what does not vary', () => {
    const html = studyReportHtml(sobolPoints());
    expect(rowsOf(html, /^Shares of the variance of Updates confirmed/)).toEqual([
      ['fragmentDelay', '61.0 % 55.0 % … 66.0 %', '72.0 % 66.0 % … 79.0 %'],
      ['redundancy', '5.0 % −2.0 % … 12.0 %', '20.0 % 12.0 % … 29.0 %'],
      ['drift', '−1.0 % −5.0 % … 4.0 %', '9.0 % 2.0 % … 15.0 %'],
    ]);
    expect(html).toContain('It does not vary, or was not measured.');
  });

  it('reports how far each parameter alone moves a figure, and what may be chance', () => {
    const html = studyReportHtml(oneAtATime({ shown: ['campaign.t90'] }));
    const rows = rowsOf(html, /^Over pairs of seeds, for all pairs of levels/);
    expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
      ['fragmentDelay', 'matters'],
      ['redundancy', 'matters'],
      ['drift', 'may be chance'],
      ['antenna', 'may be chance'],
    ]);
    expect(rows[0]!.slice(1, 3)).toEqual(['5 s 1 h 16 min', '60 s 4 h 19 min']);
  });

  it('draws what is asked for where the study names no figure', () => {
    const html = studyReportHtml(eightLevels({ shown: [] }));
    expect(html.match(/<summary>Figures of the charts</g)).toHaveLength(2);
    const bare = studyReportHtml(eightLevels({ shown: [], bounds: [], objectives: [] }));
    expect(bare).toContain('<h2>Updates confirmed</h2>');
  });

  it('unfolds warnings that are many', () => {
    const study = {
      ...eightLevels(),
      warnings: Array.from({ length: 30 }, (_, n) => `Warning ${n}`),
    };
    const html = studyReportHtml(study);
    expect(html).toContain('<summary>23 more</summary>');
    expect(html).toContain('Warning 29');
  });

  it('says by a sign what it is: met, not met, or open', () => {
    expect(studyReportHtml(eightLevels({ seeds: 200 }))).toContain('class="card verdict holds"');
    expect(studyReportHtml(noneAllowed())).toContain('class="card verdict fails"');
    expect(studyReportHtml(eightLevels({ objectives: [] }))).toContain('class="card verdict open"');
  });
});

describe('a recommendation that the seeds do not establish', () => {
  it('has no sign and no colour of success above the caution that says so', () => {
    const html = studyReportHtml(eightLevels());
    expect(html).toContain('More seeds would tell.');
    expect(html).toContain('class="card verdict open"');
    expect(html).toContain('<h2>Best so far: redundancy 30 %</h2>');
  });
});

describe('the table of all points', () => {
  it('has levels, verdict, seeds, figures with intervals, constraints with their seeds', () => {
    const rows = rowsOf(studyReportHtml(halfDone()), /^Means over the seeds of each point/);
    expect(rows).toHaveLength(8);
    expect(rows[6]!.slice(0, 4)).toEqual(['7', '30 %', '★ recommended', '12']);
    expect(rows[2]!.slice(0, 4)).toEqual(['3', '10 %', 'not allowed', '10 2 broke not settled']);
    expect(rows[7]!.slice(3)).toEqual([
      '0 12 broke',
      '–',
      '–',
      '–',
      '–',
      '✗ fails – holds in 0 of 12 seeds of all seeds 0 % … 24.2 %',
    ]);
    expect(rows[6]![4]).toMatch(/^99\.\d\d % 99\.\d\d % … 99\.\d\d %$/);
  });

  it('has a dash behind the charts for what was not measured', () => {
    const rows = rowsOf(studyReportHtml(halfDone()), /^Updates confirmed at each point/);
    expect(rows[7]).toEqual(['8', '35 %', '–', '–', '–', '–', '0']);
  });

  it('reports of a point without a run nothing but that', () => {
    const study = eightLevels();
    const points = study.points.map((point) =>
      point.point === 4 ? { ...point, runs: 0, figures: [], allowed: false } : point,
    );
    const rows = rowsOf(studyReportHtml({ ...study, points }), /^Means over the seeds of each/);
    expect(rows[3]).toEqual(['4', '15 %', 'no run yet', '0', '–', '–', '–']);
  });

  it('has the command of each point', () => {
    const study = eightLevels();
    const rows = rowsOf(studyReportHtml(study), /^Each runs the first seed of its point/);
    expect(rows).toEqual(study.points.map(({ point, command }) => [String(point), command]));
  });

  it('reports the seeds, the plan and the digest in the end', () => {
    const words = spaced(wordsOf(studyReportHtml(onePoint())));
    const end = words.slice(words.indexOf('Behind the figures'));
    for (const part of [
      'town',
      '0123456789abcdef',
      'fedcba9876543210',
      'campaigns.spring.redundancy',
    ]) {
      expect(end).toContain(part);
    }
  });
});

describe('a study of a thousand points', () => {
  it('has all of them in its table, and the first ones behind each chart', () => {
    const html = studyReportHtml(sampled(1000));
    expect(rowsOf(html, /^Means over the seeds of each point/)).toHaveLength(1000);
    expect(rowsOf(html, /^Updates confirmed at each point/)).toHaveLength(200);
    expect(spaced(html)).toContain('800 more points in the table of all.');
  });

  itLong('takes a time that grows as its points do', () => {
    const secondsOf = (points: number): number => {
      const study = sampled(points);
      const names = Array.from({ length: 20 }, (_, at) => `figure${at}`);
      const many = {
        ...study,
        figures: names,
        points: study.points.map((point) => ({
          ...point,
          figures: names.map((name, at) => ({ ...point.figures[at % 2]!, name })),
        })),
      };
      const times = [1, 2].map(() => {
        const before = process.cpuUsage();
        expect(studyReportHtml(many).length).toBeGreaterThan(points * 1000);
        return process.cpuUsage(before).user / 1e6;
      });
      return Math.min(...times);
    };
    expect(secondsOf(800)).toBeLessThan(8 * Math.max(secondsOf(200), 0.05));
  });
});
