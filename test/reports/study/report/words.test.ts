/** What a study says in words: reports/study/report/words.ts and cautions.ts. */
import { describe, expect, it } from 'vitest';
import type { DesignedStudy, StudyPoint } from '../../../../core/result/designed-study.ts';
import { type Sentence, textOf } from '../../../../reports/study/report/sentences.ts';
import { studyWords } from '../../../../reports/study/report/words.ts';
import {
  eightLevels,
  fiveByFour,
  halfDone,
  namedLevels,
  noneAllowed,
  oneAtATime,
  onePoint,
  sampled,
  sobolPoints,
  threeParameters,
} from '../../../support/designed-studies.ts';

const plain = (sentences: readonly Sentence[]): string[] =>
  sentences.map((each) => textOf([each]).replaceAll('\u202F', ' '));

function said(study: DesignedStudy) {
  const { heading, cautions, question, answer } = studyWords(study);
  return {
    heading: heading.replaceAll('\u202F', ' '),
    cautions: plain(cautions),
    question: plain(question),
    answer: plain(answer),
  };
}

const CONSTRAINT = 'campaign.updated >= 99 % in 95 % of seeds';

const withChoice = (part: Partial<NonNullable<DesignedStudy['choice']>>): DesignedStudy => {
  const study = eightLevels();
  return { ...study, choice: { ...study.choice!, ...part } };
};

const changed = (
  study: DesignedStudy,
  number: number,
  part: Partial<StudyPoint>,
): DesignedStudy => {
  const points = study.points.map((point) =>
    point.point === number ? { ...point, ...part } : point,
  );
  return { ...study, points };
};

describe('the question', () => {
  it('names what was varied with its values, the design, and how many runs there are', () => {
    expect(said(eightLevels()).question).toEqual([
      'Varied: redundancy (8 values, 0 % to 35 %); a grid of 8 points, 20 runs each, 160 in all.',
      `Asked for the least gatewayDutyCycle with ${CONSTRAINT}.`,
    ]);
  });

  it('names every level of a parameter of names, and several objectives', () => {
    const [varied, asked] = said(threeParameters()).question;
    expect(varied).toContain(
      'and class (A, B, C); a grid of 60 points, 20 runs each, 1 200 in all',
    );
    expect(asked).toContain('the least energyPerDevice and the greatest campaign.updated with');
  });

  it('says so where nothing was varied, and where nothing was asked for', () => {
    expect(said(onePoint()).question[0]).toBe('Nothing was varied: one point, 1 run.');
    expect(said(oneAtATime()).question).toHaveLength(1);
    expect(said(eightLevels({ rows: [] })).question[0]).toBe('No point has a run yet.');
  });

  it('asks where constraints are met when there is no objective', () => {
    const { question, heading } = said(eightLevels({ objectives: [] }));
    expect(question[1]).toBe(`Asked where ${CONSTRAINT} is met.`);
    expect(heading).toBe('2 of 8 points meet every constraint');
  });
});

describe('the answer', () => {
  it('recommends a setting by its figure with the interval, and what it is the least of', () => {
    const { heading, answer } = said(eightLevels());
    expect(heading).toBe('Best so far: redundancy 30 %');
    expect(answer[0]).toBe(
      'Recommended is redundancy 30 % (point 7), with gatewayDutyCycle of 0.480 % (95 % interval ' +
        '0.480 % … 0.480 %), the least of the 2 points that meet every constraint.',
    );
  });

  it('says what to set only where the seeds establish it', () => {
    const headingOf = (study: DesignedStudy) => said(study).heading;
    const sure = eightLevels({ seeds: 200 });
    expect(said(sure).cautions).toEqual([]);
    expect(headingOf(sure)).toBe('Set redundancy 30 %');
    const unsure = 'Best so far: redundancy 30 %';
    // Twenty of twenty seeds leave room for one in ten that does not hold it.
    expect(said(eightLevels()).cautions.join(' ')).toContain('More seeds would tell.');
    expect(headingOf(eightLevels())).toBe(unsure);
    expect(headingOf({ ...sure, complete: false })).toBe(unsure);
    const withMargin = (interval: readonly [number, number] | null) => {
      const margin = { mean: 0.0005, interval, timesFewerSeeds: null };
      return headingOf({ ...sure, choice: { ...sure.choice!, margin } });
    };
    expect([withMargin([-0.0001, 0.001]), withMargin(null)]).toEqual([unsure, unsure]);
    expect(withMargin([0, 0])).toBe('Set redundancy 30 %');
    expect(headingOf({ ...sure, choice: { ...sure.choice!, runnerUp: null, margin: null } })).toBe(
      'Set redundancy 30 %',
    );
  });

  it('calls it the greatest where that is asked for, of all points where all are allowed', () => {
    expect(said(namedLevels()).answer[0]).toMatch(/, the greatest of all 5 points\.$/);
  });

  it('claims no rank that the recommended point has not', () => {
    expect(said(withChoice({ point: 8, runnerUp: 7 })).answer[0]).not.toContain('the least of');
  });

  it('names the runner-up with the difference over pairs, and that it is not chance', () => {
    const study = withChoice({
      margin: { mean: 0.0005, interval: [0.0004, 0.0006], timesFewerSeeds: null },
    });
    expect(said(study).answer[1]).toBe(
      'The runner-up, redundancy 35 % (point 8), has 0.05 percentage points more over ' +
        'pairs ' +
        'of seeds (95 % interval of the difference 0.04 … 0.06): more than chance.',
    );
  });

  it('reports how many seeds the same luck at both points saves', () => {
    const margin = { mean: 0.0005, interval: [0.0004, 0.0006], timesFewerSeeds: 12.4 } as const;
    expect(said(withChoice({ margin })).answer[2]).toBe(
      'With seeds of its own at each point that would take 12 times as many.',
    );
    const few = withChoice({ margin: { ...margin, timesFewerSeeds: 1.2 } });
    expect(said(few).answer.join(' ')).not.toContain('times as many');
  });

  it('calls a difference chance when its interval has nothing in it, or there is none', () => {
    const around = withChoice({
      margin: { mean: -0.0005, interval: [-0.002, 0.001], timesFewerSeeds: null },
    });
    expect(said(around).answer[1]).toContain('0.05 percentage points less');
    expect(said(around).answer[1]).toMatch(/−0\.2 … 0\.1\): that may be chance, and more seeds/);
    const lone = withChoice({ margin: { mean: 0.0005, interval: null, timesFewerSeeds: null } });
    expect(said(lone).answer[1]).toMatch(
      /with fewer than two pairs of seeds, that may be chance\.$/,
    );
  });

  it('says that a runner-up produces the same, shares no seed, or that there is none', () => {
    const same = withChoice({ margin: { mean: 0, interval: [0, 0], timesFewerSeeds: null } });
    expect(said(same).answer[1]).toMatch(/is the same in every seed\.$/);
    expect(said(withChoice({ margin: null })).answer[1]).toMatch(/shares no seed with it\.$/);
    const alone = withChoice({ runnerUp: null, margin: null });
    expect(said(alone).answer[1]).toBe('No other point is allowed, so there is no runner-up.');
  });

  it('reports in how many seeds the constraint holds there, and may hold in all', () => {
    const there = `There ${CONSTRAINT} holds in all 20 seeds (of all seeds 83.9 % … 100 %).`;
    expect(said(eightLevels()).answer).toContain(there);
  });

  it('says what each figure spans where nothing is to be recommended', () => {
    const { heading, answer } = said(oneAtATime());
    expect(heading).toBe('What was found');
    expect(answer[1]).toMatch(
      /^campaign\.t90 lies between 1 h 16 min \(redundancy 20 %, fragmentDelay 5 s, drift 20 ppm, /,
    );
  });

  it('says that no point meets every constraint, and which comes nearest', () => {
    const { heading, answer } = said(noneAllowed());
    expect(heading).toBe('No point meets every constraint');
    expect(answer[0]).toBe('No point meets every constraint, so none is recommended.');
    expect(answer[1]).toMatch(
      /^Nearest comes redundancy 35 % \(point 8\): there .* holds in \d of 20 /,
    );
    expect(answer[1]).toMatch(/, its mean is 99\.\d\d %; 95 % of seeds are needed\.$/);
    expect(answer.at(-1)).toMatch(/ fails at all 8 points\.$/);
  });

  it('says where the objective was measured nowhere', () => {
    const study = { ...eightLevels({ bounds: [] }), choice: null };
    expect(said(study).heading).toBe('No point can be recommended');
    expect(said(study).answer).toEqual([
      'No allowed point has a value of the first objective, so none is recommended.',
    ]);
  });
});

describe('what matters', () => {
  it('is the parameter with the greatest swing, and those that may do nothing are named', () => {
    const [updated, t90] = said(oneAtATime()).answer.slice(-2);
    expect(updated).toMatch(
      /^campaign\.updated is moved most by redundancy: 9\.9\d percentage points /,
    );
    expect(updated).toMatch(/ \(95 % interval 9\.9\d … 10(\.0)?\) from 10 % to 30 %\.$/);
    expect(t90).toMatch(
      /^campaign\.t90 is moved most by fragmentDelay: 3 h 3 min .* from 5 s to 60 s;/,
    );
    expect(t90).toMatch(/; what drift and antenna do to it may be chance\.$/);
  });

  it('is the parameter that makes most of the variance, of figures that vary', () => {
    const lines = said(sobolPoints()).answer.filter((each) => each.startsWith('Of the variance'));
    expect(lines).toEqual([
      'Of the variance of campaign.updated fragmentDelay makes most: 61.0 % alone, 72.0 % with ' +
        'what it does together with others.',
    ]);
  });
});

describe('what is not allowed', () => {
  it('is reported by the one parameter that decides it', () => {
    expect(said(eightLevels()).answer.at(-1)).toBe(
      `${CONSTRAINT} fails at 6 of 8 points: wherever redundancy is 25 % or less.`,
    );
    expect(said(fiveByFour()).answer.join(' ')).toContain('wherever redundancy is 20 % or less.');
    const steep = eightLevels({
      bounds: [
        {
          text: 'gatewayDutyCycle <= 0.4 %',
          figure: 'gatewayDutyCycle',
          holds: (value) => value <= 0.004,
          needed: 1,
        },
      ],
    });
    expect(said(steep).answer.at(-1)).toMatch(/: wherever redundancy is 25 % or more\.$/);
  });

  it('is reported by names, or by the single level that fails', () => {
    const lone = eightLevels({
      bounds: [{ text: 'u', figure: 'campaign.updated', holds: (v) => v > 0.6, needed: 1 }],
    });
    expect(said(lone).answer.at(-1)).toBe('u fails at 1 of 8 points: wherever redundancy is 0 %.');
    const study = namedLevels({
      bounds: [
        { text: 'received >= 95 %', figure: 'received', holds: (v) => v >= 0.95, needed: 0.5 },
      ],
    });
    expect(said(study).answer.at(-1)).toBe(
      'received >= 95 % fails at 2 of 5 points: wherever placement is church tower or town hall ' +
        'and both schools.',
    );
  });

  it('is counted where no parameter alone decides it, and listed where it is little', () => {
    expect(said(threeParameters()).answer.join(' ')).toMatch(/ fails at 21 of 60 points\. /);
    const study = fiveByFour();
    const [fails, holds] = [study.points[0]!.verdicts, study.points[19]!.verdicts];
    const points = study.points.map((point) => {
      const isBad = point.point === 7 || point.point === 10;
      return { ...point, allowed: !isBad, verdicts: isBad ? fails : holds };
    });
    expect(said({ ...study, points }).answer.join(' ')).toContain(
      ' fails at 2 of 20 points: redundancy 10 %, dataRate DR3 (point 7) and redundancy 20 %, ' +
        'dataRate DR2 (point 10).',
    );
  });

  it('is reported of points that have runs alone', () => {
    const study = eightLevels();
    const none = { ...study.points[0]!.verdicts[0]!, held: 0, seeds: 0, holds: false };
    const left = { runs: 0, verdicts: [none], allowed: false };
    const partial = [1, 2, 7, 8].reduce((all, number) => changed(all, number, left), study);
    expect(said(partial).answer.at(-1)).toMatch(/ fails at all 4 points\.$/);
  });

  it('is never reported as a rule that an allowed point breaks', () => {
    const study = eightLevels();
    const mended = changed(study, 2, { verdicts: study.points[7]!.verdicts, allowed: true });
    expect(said(mended).answer.at(-1)).toMatch(
      / fails at 5 of 8 points: wherever redundancy is 0 %, 10 %, 15 %, 20 % or 25 %\.$/,
    );
  });
});

describe('the front', () => {
  it('is reported with its points, where objectives compete', () => {
    const text = said(sampled(40)).answer.at(-1)!;
    expect(text).toContain('is better in all of campaign.t90 and campaign.updated than any of ');
    expect(text).toMatch(/ the 5 points on the front \(9, 12, 37, 38, 40\)\.$/);
  });

  it('is one point where that is best in all', () => {
    expect(said(fiveByFour()).answer.at(-1)).toBe(
      'No other allowed point is better than point 16 in campaign.t90 or campaign.sent.',
    );
  });
});

describe('cautions', () => {
  it('come with what is missing first, then what is not known well, or not at all', () => {
    expect(said(halfDone()).cautions).toEqual([
      'Partial: 96 of 160 runs are there, and all is of those.',
      `At the recommended point 12 of 12 seeds hold ${CONSTRAINT}: of all seeds that may be as ` +
        'few as 75.8 %, and 95 % are needed. More seeds would tell.',
      'campaign.t99 was measured in no seed of any point.',
    ]);
  });

  it('tell that a time was not reached in every seed of the recommended point', () => {
    const study = halfDone();
    const there = { ...study, choice: { ...study.choice!, point: 1 } };
    expect(said(there).cautions).toContainEqual(
      expect.stringMatching(
        /^At the recommended point campaign\.t90 was reached in \d of 12 seeds: its mean is too /,
      ),
    );
  });

  it('tell that seeds are too few only where the interval reaches below what is needed', () => {
    const sure = eightLevels({ seeds: 200 });
    expect(said(sure).cautions).toEqual([]);
    const inAll = eightLevels({ bounds: [] });
    expect(said(inAll).cautions.filter((each) => each.includes('More seeds'))).toEqual([]);
  });

  it('tell that a better value may lie beyond the range, of numbers alone', () => {
    const { cautions } = said(threeParameters());
    expect(cautions).toContain(
      'The recommended fragmentDelay, 2 s, is the least that was tried: a better one may lie ' +
        'beyond.',
    );
    expect(cautions).toContain(
      'The recommended redundancy, 30 %, is the greatest that was tried: a better one may lie ' +
        'beyond.',
    );
    expect(cautions.join(' ')).not.toContain('The recommended class');
    // Ends of a hypercube's levels are where chance put them.
    const strewn = sampled(40);
    const last = strewn.points.find(({ levels }) => levels[0]!.label === '39.5 %')!;
    const atEnd = { ...strewn, choice: { ...strewn.choice!, point: last.point } };
    expect(said(atEnd).cautions).toEqual([]);
  });

  it('are none where there is nothing to distrust', () => {
    expect(said(namedLevels()).cautions).toEqual([]);
  });
});
