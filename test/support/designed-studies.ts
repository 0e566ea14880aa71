/** Studies over many points, of every shape, whose figures follow from their levels and a hash. */
import type {
  DesignedStudy,
  StudyIndex,
  StudyLevel,
  StudyObjective,
  StudyParameter,
  StudyPoint,
  StudySwing,
} from '../../core/result/designed-study.ts';
import type { FigureSpread, FigureUnit, StudyVerdict } from '../../core/result/study.ts';
import { meanInterval, proportionInterval } from '../../reports/statistics/intervals.ts';
import { parameterSwing } from '../../reports/statistics/one-at-a-time.ts';
import { mean } from '../../reports/statistics.ts';
import { spreadOf } from '../../reports/study/study.ts';
import { finish } from '../../sim/base/mixing.ts';

/** −1…1, of two numbers. */
const noise = (a: number, b: number): number => finish(Math.imul(a, 7919) + b + 17) / 2 ** 31;

/** Most of a seed's luck is the same at every point, as it is in a network. */
const randomOf = (seed: number, point: number): number =>
  0.85 * noise(seed, 0) + 0.15 * noise(seed, point);

interface Knob {
  readonly name: string;
  readonly unit?: string | null;
  readonly logarithmic?: boolean;
  /** Numbers, or names whose place is their number. */
  readonly levels: readonly (number | string)[];
}

interface Measured {
  readonly name: string;
  readonly unit: FigureUnit;
  /** Of the levels' numbers, and what the seed adds. */
  readonly of: (numbers: readonly number[], random: number) => number | null;
}

interface Bound {
  readonly text: string;
  readonly figure: string;
  readonly holds: (value: number) => boolean;
  readonly needed: number;
}

export interface Shape {
  readonly study: string;
  readonly description?: string;
  readonly design: DesignedStudy['design'];
  readonly knobs: readonly Knob[];
  /** Numbers of levels a point; all combinations when absent. */
  readonly rows?: readonly (readonly number[])[];
  readonly seeds?: number;
  readonly figures: readonly Measured[];
  /** Of the figures; all when absent. */
  readonly shown?: readonly string[];
  readonly bounds?: readonly Bound[];
  readonly objectives?: readonly StudyObjective[];
  readonly faults?: (point: number) => number;
  readonly settled?: (point: number) => boolean;
  readonly over?: Partial<DesignedStudy>;
}

/** Levels of each knob, by their places, in the order of a grid: the last turns first. */
function allRows(knobs: readonly Knob[]): number[][] {
  return knobs.reduce<number[][]>(
    (rows, { levels }) => rows.flatMap((row) => levels.map((_, at) => [...row, at])),
    [[]],
  );
}

const levelOf = ({ levels, unit = '' }: Knob, at: number): StudyLevel => {
  const value = levels[at]!;
  if (typeof value === 'string') return { label: value, number: null };
  return {
    label: unit === '' || unit === null ? String(value) : `${value} ${unit}`,
    number: value,
  };
};

export function designedStudy(shape: Shape): DesignedStudy {
  const { study, description = '', design, knobs, seeds = 20, figures, bounds = [] } = shape;
  const { objectives = [], rows = allRows(knobs), over = {} } = shape;
  const values = new Map<number, Record<string, (number | null)[]>>();
  const bare = rows.map((row, at): StudyPoint => {
    const point = at + 1;
    const numbers = row.map((level, knob) => {
      const value = knobs[knob]!.levels[level]!;
      return typeof value === 'number' ? value : level;
    });
    const faults = shape.faults?.(point) ?? 0;
    const results = seeds - faults;
    const measured = Object.fromEntries(
      figures.map(({ name, of }, figure) => [
        name,
        Array.from({ length: results }, (_, seed) =>
          of(numbers, randomOf(seed * 31 + figure, point)),
        ),
      ]),
    );
    values.set(point, measured);
    return {
      point,
      levels: row.map((level, knob) => levelOf(knobs[knob]!, level)),
      set: row.map((level, knob) => `${knobs[knob]!.name}=${knobs[knob]!.levels[level]}`),
      runs: seeds,
      faults,
      figures: figures.map(({ name, unit }): FigureSpread => {
        return { name, unit, ...spreadOf(measured[name]!, unit) };
      }),
      verdicts: bounds.map((bound) => verdictOf(bound, figures, measured, seeds)),
      allowed: true,
      onFront: false,
      settled: shape.settled?.(point) ?? null,
      command: `fleetwave run town.yaml --seed town ${row
        .map((level, knob) => `--set ${knobs[knob]!.name}=${knobs[knob]!.levels[level]}`)
        .join(' ')}`,
    };
  });
  const judged = bare.map((point) => ({
    ...point,
    allowed: point.verdicts.every(({ holds }) => holds),
  }));
  const points = judged.map((point) => ({
    ...point,
    onFront:
      point.allowed && objectives.length > 0 && !judged.some((b) => beats(b, point, objectives)),
  }));
  return {
    study,
    description,
    scenario: 'town',
    plan: '0123456789abcdef',
    digest: 'fedcba9876543210',
    complete: true,
    runs: points.reduce((all, { runs }) => all + runs, 0),
    runsAsked: points.length * seeds,
    design,
    parameters: knobs.map(({ name, unit = '', logarithmic = false, levels }): StudyParameter => {
      const isNumeric = levels.every((level) => typeof level === 'number');
      return {
        name,
        paths: [`campaigns.spring.${name}`],
        unit: isNumeric ? unit : null,
        logarithmic,
      };
    }),
    points,
    constraints: bounds.map(({ text }) => text),
    objectives,
    figures: shape.shown ?? figures.map(({ name }) => name),
    choice: choiceOf(points, objectives, values),
    sensitivity: [],
    swings: design === 'oneAtATime' ? swingsOf(knobs, rows, figures, values) : [],
    warnings: [],
    manifest: { scenario: 'scenario: town\nduration: 1 d\n', files: [], set: [], seed: 'town' },
    ...over,
  };
}

/** From rows with the base first: the greatest first. */
function swingsOf(
  knobs: readonly Knob[],
  rows: readonly (readonly number[])[],
  figures: readonly Measured[],
  values: ReadonlyMap<number, Readonly<Record<string, (number | null)[]>>>,
): StudySwing[] {
  const [base = []] = rows;
  return figures.flatMap(({ name: figure }) =>
    knobs
      .map((knob, at): StudySwing => {
        const own = rows
          .map((row, index) => ({ row, point: index + 1 }))
          .filter(({ row }) => row.every((level, other) => other === at || level === base[other]));
        const outputs = own.map(({ point }) => values.get(point)![figure] as number[]);
        const { least, greatest, interval } = parameterSwing(outputs, 0);
        const end = ({ level, mean: middle }: { level: number; mean: number }) => {
          return { label: levelOf(knob, own[level]!.row[at]!).label, mean: middle };
        };
        return {
          figure,
          parameter: knob.name,
          least: end(least),
          greatest: end(greatest),
          interval: interval === undefined ? null : [interval.low, interval.high],
        };
      })
      .sort((a, b) => b.greatest.mean - b.least.mean - a.greatest.mean + a.least.mean),
  );
}

function verdictOf(
  { text, figure, holds, needed }: Bound,
  figures: readonly Measured[],
  measured: Readonly<Record<string, (number | null)[]>>,
  seeds: number,
): StudyVerdict {
  const values = measured[figure] ?? [];
  const held = values.filter((value) => value !== null && holds(value)).length;
  const interval = proportionInterval(held, seeds);
  const unit = figures.find(({ name }) => name === figure)?.unit ?? null;
  return {
    expectation: text,
    held,
    seeds,
    shareInterval: interval === undefined ? null : [interval.low, interval.high],
    needed,
    holds: seeds > 0 && held >= needed * seeds - 1e-9,
    actual: spreadOf(values, unit),
    unit,
  };
}

function costOf({ figures }: StudyPoint, { figure, goal }: StudyObjective): number {
  const found = figures.find(({ name }) => name === figure)?.mean ?? Number.NaN;
  return goal === 'minimise' ? found : -found;
}

function beats(a: StudyPoint, b: StudyPoint, objectives: readonly StudyObjective[]): boolean {
  const costs = objectives.map((each) => [costOf(a, each), costOf(b, each)] as const);
  return a.allowed && costs.every(([x, y]) => x <= y) && costs.some(([x, y]) => x < y);
}

function choiceOf(
  points: readonly StudyPoint[],
  objectives: readonly StudyObjective[],
  values: ReadonlyMap<number, Readonly<Record<string, (number | null)[]>>>,
): DesignedStudy['choice'] {
  const [first] = objectives;
  if (first === undefined) return null;
  const allowed = points.filter((point) => point.allowed && !Number.isNaN(costOf(point, first)));
  const [best, second] = allowed.toSorted((a, b) => costOf(a, first) - costOf(b, first));
  if (best === undefined) return null;
  if (second === undefined) return { point: best.point, runnerUp: null, margin: null };
  const of = (point: StudyPoint) => values.get(point.point)?.[first.figure] ?? [];
  const differences = of(second).flatMap((value, seed) => {
    const other = of(best)[seed] ?? null;
    return value === null || other === null ? [] : [value - other];
  });
  const interval = meanInterval(differences);
  return {
    point: best.point,
    runnerUp: second.point,
    margin: {
      mean: mean(differences),
      interval: interval === undefined ? null : [interval.low, interval.high],
      timesFewerSeeds: differences.length < 2 ? null : 40,
    },
  };
}

const share = (value: number): number => Math.min(1, Math.max(0, value));

/** Redundancy against a loss: a share that saturates, and air time that it costs. */
const updated = (at = 0): Measured => ({
  name: 'campaign.updated',
  unit: 'share',
  of: (numbers, random) => share(1 - 0.45 * Math.exp(-numbers[at]! / 6) + 0.006 * random),
});
const dutyCycle = (at = 0): Measured => ({
  name: 'gatewayDutyCycle',
  unit: 'share',
  of: (numbers, random) => 0.0021 + 0.000_09 * numbers[at]! + 0.000_02 * random,
});
const bound99: Bound = {
  text: 'campaign.updated >= 99 % in 95 % of seeds',
  figure: 'campaign.updated',
  holds: (value) => value >= 0.99,
  needed: 0.95,
};
const leastDuty: StudyObjective = { goal: 'minimise', figure: 'gatewayDutyCycle', unit: 'share' };

const redundancy: Knob = {
  name: 'redundancy',
  unit: '%',
  levels: [0, 5, 10, 15, 20, 25, 30, 35],
};
const rates: Knob = { name: 'dataRate', levels: ['DR0', 'DR2', 'DR3', 'DR5'] };
const delays: Knob = {
  name: 'fragmentDelay',
  unit: 's',
  levels: [2, 5, 15, 60, 300],
  logarithmic: true,
};

/** One parameter, eight levels. */
export const eightLevels = (shape: Partial<Shape> = {}): DesignedStudy =>
  designedStudy({
    study: 'redundancy',
    description: 'How much redundancy does a loss of 15 % need?',
    design: 'grid',
    knobs: [redundancy],
    figures: [updated(), dutyCycle()],
    bounds: [bound99],
    objectives: [leastDuty],
    ...shape,
  });

/** Two parameters, five by four, and figures of all units. */
export const fiveByFour = (shape: Partial<Shape> = {}): DesignedStudy => {
  const redundant = { ...redundancy, levels: [0, 10, 20, 30, 40] };
  return designedStudy({
    study: 'redundancy-and-rate',
    description:
      'Which redundancy and data rate update 20 000 meters by Friday at the least air time?',
    design: 'grid',
    knobs: [redundant, rates],
    figures: [
      {
        name: 'campaign.updated',
        unit: 'share',
        of: ([r, dr], random) =>
          share(1 - (0.25 + 0.12 * dr!) * Math.exp(-r! / 9) - 0.001 * dr! + 0.006 * random),
      },
      {
        name: 'campaign.t90',
        unit: 'seconds',
        of: ([r, dr], random) =>
          dr === 3 && r === 0 ? null : (43_000 * (1 + r! / 100)) / (1 + 0.9 * dr!) + 1500 * random,
      },
      {
        name: 'energyPerDevice',
        unit: 'joules',
        of: ([r, dr], random) => (9 + 0.08 * r!) / (1 + 0.5 * dr!) + 0.3 * random,
      },
      {
        name: 'campaign.sent',
        unit: 'count',
        of: ([r, dr], random) => Math.round(1200 * (1 + r! / 100) * (4 - dr! * 0.8) + 3 * random),
      },
    ],
    bounds: [
      { ...bound99, text: 'campaign.updated >= 97 % in 95 % of seeds', holds: (v) => v >= 0.97 },
    ],
    objectives: [
      { goal: 'minimise', figure: 'campaign.t90', unit: 'seconds' },
      { goal: 'minimise', figure: 'campaign.sent', unit: 'count' },
    ],
    ...shape,
  });
};

/** Three parameters, one of them logarithmic, and three objectives. */
export const threeParameters = (shape: Partial<Shape> = {}): DesignedStudy => {
  const classes: Knob = { name: 'class', levels: ['A', 'B', 'C'] };
  return designedStudy({
    study: 'class-delay-redundancy',
    description: 'Which class, fragment delay and redundancy?',
    design: 'grid',
    knobs: [delays, { ...redundancy, levels: [0, 10, 20, 30] }, classes],
    figures: [
      {
        name: 'campaign.updated',
        unit: 'share',
        of: ([d, r, c], random) =>
          share(0.72 + 0.05 * c! + 0.035 * Math.log2(d!) + r! / 400 + 0.008 * random),
      },
      {
        name: 'campaign.t90',
        unit: 'seconds',
        of: ([d, r, c], random) => d! * 250 * (1 + r! / 100) + 900 * (3 - c!) + 200 * random,
      },
      {
        name: 'energyPerDevice',
        unit: 'joules',
        of: ([d, r, c], random) => 0.4 + c! * c! * 0.004 * d! + 0.01 * r! + 0.05 * random,
      },
    ],
    bounds: [
      { ...bound99, text: 'campaign.updated >= 90 % in 95 % of seeds', holds: (v) => v >= 0.9 },
    ],
    objectives: [
      { goal: 'minimise', figure: 'campaign.t90', unit: 'seconds' },
      { goal: 'minimise', figure: 'energyPerDevice', unit: 'joules' },
      { goal: 'maximise', figure: 'campaign.updated', unit: 'share' },
    ],
    ...shape,
  });
};

/** One parameter of names, some of them long. */
export const namedLevels = (shape: Partial<Shape> = {}): DesignedStudy =>
  designedStudy({
    study: 'placement',
    description: 'Where do four gateways stand best?',
    design: 'grid',
    knobs: [
      {
        name: 'placement',
        levels: [
          'church tower',
          'town hall and both schools',
          'roofs',
          'the four corners of the industrial estate behind the railway line',
          'hill',
        ],
      },
    ],
    figures: [
      {
        name: 'received',
        unit: 'share',
        of: ([p], random) => share(0.93 + 0.012 * p! + 0.02 * random),
      },
      {
        name: 'joinSeconds.p90',
        unit: 'seconds',
        of: ([p], random) => 40 + 9 * p! * p! + 12 * random,
      },
      {
        name: 'energyPerDevice',
        unit: 'joules',
        of: ([p], random) => 0.02 - 0.002 * p! + 0.001 * random,
      },
    ],
    bounds: [],
    objectives: [{ goal: 'maximise', figure: 'received', unit: 'share' }],
    ...shape,
  });

/** Rows that fill no grid. */
export const listed = (shape: Partial<Shape> = {}): DesignedStudy =>
  eightLevels({
    study: 'settings',
    description: 'Which of the settings that were proposed?',
    design: 'list',
    knobs: [redundancy, rates, delays],
    rows: [
      [0, 0, 0],
      [2, 1, 1],
      [4, 3, 1],
      [6, 3, 3],
      [7, 2, 4],
    ],
    ...shape,
  });

/** Points that fill a box of three parameters evenly. */
export const sampled = (points: number, shape: Partial<Shape> = {}): DesignedStudy => {
  const within = (name: string, unit: string, low: number, high: number): Knob => ({
    name,
    unit,
    levels: Array.from({ length: points }, (_, at) =>
      Number((low + ((high - low) * (at + 0.5)) / points).toPrecision(5)),
    ),
  });
  const shuffled = (seed: number): number[] =>
    Array.from({ length: points }, (_, at) => at).sort((a, b) => noise(a, seed) - noise(b, seed));
  const orders = [shuffled(1), shuffled(2), shuffled(3)];
  return designedStudy({
    study: `latin-hypercube-${points}`,
    description: 'What matters most: redundancy, delay, or the clocks’ drift?',
    design: 'latinHypercube',
    knobs: [
      within('redundancy', '%', 0, 40),
      within('fragmentDelay', 's', 1, 30),
      within('drift', 'ppm', 0, 50),
    ],
    rows: Array.from({ length: points }, (_, at) => orders.map((order) => order[at]!)),
    figures: [
      {
        name: 'campaign.updated',
        unit: 'share',
        of: ([r, d, p], random) =>
          share(1 - 0.35 * Math.exp(-r! / 9) - 0.0009 * p! + 0.0005 * d! + 0.005 * random),
      },
      {
        name: 'campaign.t90',
        unit: 'seconds',
        of: ([r, d], random) => 2000 + 260 * d! * (1 + r! / 100) + 200 * random,
      },
    ],
    bounds: [{ ...bound99, text: 'campaign.updated >= 97 %', holds: (v) => v >= 0.97, needed: 1 }],
    objectives: [
      { goal: 'minimise', figure: 'campaign.t90', unit: 'seconds' },
      { goal: 'maximise', figure: 'campaign.updated', unit: 'share' },
    ],
    seeds: 6,
    ...shape,
  });
};

/** A base and each parameter alone, down and up. */
export const oneAtATime = (shape: Partial<Shape> = {}): DesignedStudy => {
  const knobs: Knob[] = [
    { ...redundancy, levels: [10, 20, 30] },
    { ...delays, levels: [5, 15, 60] },
    { name: 'drift', unit: 'ppm', levels: [0, 20, 50] },
    { name: 'antenna', levels: ['whip', 'panel'] },
  ];
  const base = [1, 1, 1, 0];
  const others = knobs.flatMap(({ levels }, knob) =>
    levels.flatMap((_, level) =>
      level === base[knob] ? [] : [base.map((own, at) => (at === knob ? level : own))],
    ),
  );
  return designedStudy({
    study: 'what-matters',
    description: 'Which of four settings moves the outcome most?',
    design: 'oneAtATime',
    knobs,
    rows: [base, ...others],
    seeds: 24,
    figures: [
      {
        name: 'campaign.updated',
        unit: 'share',
        of: ([r, d, p, a], random) =>
          share(0.78 + r! * 0.005 + d! * 0.0004 - p! * 0.0006 + a! * 0.03 + 0.01 * random),
      },
      {
        name: 'campaign.t90',
        unit: 'seconds',
        of: ([r, d], random) => 3000 + 200 * d! + 30 * r! + 100 * random,
      },
    ],
    bounds: [],
    objectives: [],
    ...shape,
  });
};

/** Points of Sobol' over three parameters, with indices of a figure and of one that is level. */
export const sobolPoints = (): DesignedStudy =>
  sampled(64, {
    study: 'sobol',
    design: 'sobol',
    over: {
      sensitivity: [
        {
          figure: 'campaign.updated',
          rows: 12,
          indices: [
            index(0.05, [-0.02, 0.12], 0.2, [0.12, 0.29]),
            index(0.61, [0.55, 0.66], 0.72, [0.66, 0.79]),
            index(-0.01, [-0.05, 0.04], 0.09, [0.02, 0.15]),
          ],
        },
        {
          figure: 'campaign.t90',
          rows: 12,
          indices: Array.from({ length: 3 }, () => index(null, null, null, null)),
        },
      ],
    },
  });

const index = (
  first: number | null,
  firstInterval: StudyIndex['firstInterval'],
  total: number | null,
  totalInterval: StudyIndex['totalInterval'],
): StudyIndex => ({ first, firstInterval, total, totalInterval });

export const onePoint = (): DesignedStudy =>
  eightLevels({ study: 'one-point', knobs: [{ ...redundancy, levels: [20] }], seeds: 1 });

/** Stopped half-way, with runs that broke, and a figure that nothing was measured of. */
export const halfDone = (): DesignedStudy =>
  eightLevels({
    study: 'half-done',
    figures: [
      updated(),
      dutyCycle(),
      { name: 'campaign.t99', unit: 'seconds', of: () => null },
      {
        name: 'campaign.t90',
        unit: 'seconds',
        of: ([r], random) => (random > r! / 10 ? null : 4000 + 90 * r! + 300 * random),
      },
    ],
    seeds: 12,
    faults: (point) => (point === 3 ? 2 : point === 8 ? 12 : 0),
    settled: (point) => point > 4,
    over: {
      complete: false,
      runsAsked: 160,
      warnings: ['Campaign spring had devices in progress at the end in 14 of 96 runs.'],
    },
  });

/** No point meets the constraint. */
export const noneAllowed = (): DesignedStudy =>
  eightLevels({
    study: 'none-allowed',
    bounds: [
      {
        ...bound99,
        text: 'campaign.updated >= 99.9 % in 95 % of seeds',
        holds: (v) => v >= 0.9999,
      },
    ],
  });

/** Of every shape that a report has to draw. */
export const everyStudy = (): DesignedStudy[] => [
  eightLevels(),
  fiveByFour(),
  threeParameters(),
  namedLevels(),
  listed(),
  sampled(40),
  sobolPoints(),
  oneAtATime(),
  onePoint(),
  halfDone(),
  noneAllowed(),
];
