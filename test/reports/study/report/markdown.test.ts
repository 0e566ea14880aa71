/** The report of a study as Markdown: reports/study/report/markdown.ts. */
import { describe, expect, it } from 'vitest';
import { studyMarkdown } from '../../../../reports/study/report/markdown.ts';
import { gently } from '../../../../reports/study/report/prose.ts';
import {
  eightLevels,
  everyStudy,
  fiveByFour,
  halfDone,
  sampled,
} from '../../../support/designed-studies.ts';

const spaced = (text: string) => text.replaceAll('\u202F', ' ');
const linesOf = (text: string) => spaced(text).split('\n');

describe('the page', () => {
  it('has the question, what to distrust, the answer, points and where from, in this order', () => {
    const page = spaced(studyMarkdown(halfDone()));
    const places = [
      '# half-done\n',
      'How much redundancy does a loss of 15 % need?',
      '> **Partial study**\n>\n> - Partial: 96 of 160 runs are there, and all is of those.\n',
      '> - Campaign spring had devices in progress',
      '**Best so far: redundancy 30 %.**',
      'Recommended is redundancy 30 % (point 7), with `gatewayDutyCycle` of 0.480 %',
      '| Point | redundancy | Verdict | Seeds | Updates confirmed |',
      '| 3 | 10 % | not allowed | 10, 2 broke | ',
      '| 7 | 30 % | **recommended** | 12 | ',
      '```sh\nfleetwave run town.yaml --seed town --set redundancy=30\n```',
      'Scenario `town` · 96 runs · root seed `town` · plan `0123456789abcdef` · digest `fedcba9',
    ].map((part) => page.indexOf(part));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(page.endsWith('.0\n')).toBe(true);
  });

  it('has a table over two parameters, with what is not allowed struck out', () => {
    const lines = linesOf(studyMarkdown(fiveByFour()));
    expect(lines).toContain('Means; ~~struck out~~: breaks a constraint, **bold**: recommended.');
    const at = lines.indexOf('90 % confirmed after, hours:');
    expect(lines[at + 2]).toBe('| dataRate ↓ redundancy → | 0 % | 10 % | 20 % | 30 % | 40 % |');
    expect(lines[at + 7]).toBe('| **DR5** | – | ~~3.5~~ | ~~3.8~~ | **4.2** | 4.5 |');
  });

  it('has a row for each point up to a hundred, and says where the others are', () => {
    const rows = (page: string) => linesOf(page).filter((line) => /^\| \d+ \|/.test(line)).length;
    expect(rows(studyMarkdown(eightLevels()))).toBe(8);
    const page = studyMarkdown(sampled(140));
    expect(rows(page)).toBe(100);
    expect(page).toContain('40 more points in points.csv.');
  });

  it('never shows what is not a number, and every row has a cell for each column', () => {
    for (const study of [...everyStudy(), eightLevels({ rows: [] })]) {
      const page = studyMarkdown(study);
      expect(page).not.toMatch(/NaN|undefined|Infinity|null/);
      for (const table of page.split('\n\n').filter((block) => block.startsWith('|'))) {
        const cells = table.split('\n').map((row) => row.replace(/\\\|/g, '').split('|').length);
        expect(new Set(cells).size).toBe(1);
      }
    }
  });
});

describe('texts from outside', () => {
  it('become neither markup nor links nor lines of their own', () => {
    expect(gently('a *b* _c_ `d` [e](f) <i> & | # @g\n- h ~~i~~ \\')).toBe(
      'a \\*b\\* \\_c\\_ \\`d\\` \\[e\\](f) &#60;i&#62; &#38; \\| \\# \\@g - h \\~\\~i\\~\\~ \\\\',
    );
    expect(gently('https://x www.y')).toBe('https\\://x www\\.y');
  });

  it('stay as they are where they are plain, thin spaces too', () => {
    const text = '12\u202F345 m (95 % interval 1.5 … 2.5): a-b, c!';
    expect(gently(text)).toBe(text);
  });

  it('do not break a table', () => {
    const study = { ...eightLevels(), constraints: ['a | b `c`'], study: 'x\n\n## y' };
    const page = studyMarkdown(study);
    expect(page).toContain('# x \\#\\# y\n');
    expect(page).toContain('| `` a \\| b `c` `` |');
  });
});
