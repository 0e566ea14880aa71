/**
 * Questions that engineers ask of the library, and what its worlds answer: docs/questions.md.
 * `npm run questions` runs them and records their figures; tests hold the page to the record, and
 * the record to the worlds (test/docs/questions.test.ts).
 */
import { readFileSync } from 'node:fs';
import { loadFromDisk } from '../../api/host/files/scenario-files.ts';
import type { RunResult } from '../../core/result/result.ts';
import { World } from '../../core/world/world.ts';
import {
  FIGURES,
  figuresOfCampaign,
  figuresOfOutcome,
  figuresOfPopulation,
} from '../../reports/figures/figures.ts';
import { figureText } from '../../reports/text/format.ts';
import { populate, seedOf } from '../../scenarios/filling/populate.ts';

export const RECORD = 'test/docs/answers.json';
const LIBRARY = 'scenarios/library/';

export interface Question {
  readonly asks: string;
  /** Below the library. */
  readonly file: string;
  /** The first is the scenario as it stands. */
  readonly runs: readonly Asked[];
  /** `$1` is the first figure of all runs. */
  readonly answer: string;
}

interface Asked {
  readonly variant?: string;
  readonly set?: readonly string[];
  readonly figures: readonly string[];
}

/** What a question was answered. */
export interface Answered {
  /** The golden of the file then: another one means that its worlds are others now. */
  readonly golden: string;
  readonly digests: readonly string[];
  readonly figures: readonly string[];
  /** Median of the first run, s. */
  readonly cpuSeconds: number;
}

export interface Answers {
  readonly machine: string;
  readonly of: Readonly<Record<string, Answered>>;
}

export const QUESTIONS: readonly Question[] = [
  {
    asks: 'How much redundancy does an image need where one frame in ten is lost?',
    file: 'questions/redundancy.yaml',
    runs: [
      { figures: ['spring.runsIt'] },
      { variant: 'fifth', figures: ['spring.runsIt'] },
      { variant: 'none', figures: ['spring.runsIt'] },
    ],
    answer:
      'With 50 % $1 of the meters run it, with 20 % only $2, without any $3: of 42 fragments ' +
      'five are lost on average, and who is unlucky loses ten.',
  },
  {
    asks: 'How many gateways do meters in cellars need?',
    file: 'questions/deep-indoor.yaml',
    runs: [
      { figures: ['cellar.joined', 'wall.joined'] },
      { set: ['gateways.roof.count=9'], figures: ['cellar.joined'] },
    ],
    answer:
      'With four gateways $1 of the cellars join ($2 of the walls), with nine $3: cellars decide ' +
      'how many there have to be.',
  },
  {
    asks: 'An alarm: 500 devices send at once and want an acknowledgement. What happens?',
    file: 'questions/confirmed-storm.yaml',
    runs: [
      { figures: ['messagesDelivered', 'confirmedAcknowledged'] },
      { set: ['devices.alarm.traffic.confirmed=0 %'], figures: ['messagesDelivered'] },
    ],
    answer:
      '$1 of the messages get through and $2 are acknowledged, since repetitions collide with ' +
      'each other. Unconfirmed, $3 get through.',
  },
  {
    asks: 'Why do confirmed uplinks starve in EU868?',
    file: 'questions/duty-cycle-starved.yaml',
    runs: [
      { figures: ['confirmedAcknowledged', 'messagesDelivered'] },
      {
        set: ['devices.meter.traffic.confirmed=5 %'],
        figures: ['confirmedAcknowledged', 'messagesDelivered'],
      },
    ],
    answer:
      'The gateway’s duty cycle is enough for $1 of the acknowledgements; repetitions fill the ' +
      'channel, and $2 of the messages are delivered. With 5 % confirmed it is $3 and $4.',
  },
  {
    asks: 'A gateway loses its backhaul in the middle of a session. What does it cost?',
    file: 'questions/gateway-outage.yaml',
    runs: [
      { figures: ['spring.runsIt', 'spring.updated'] },
      {
        set: ['campaigns.spring.redundancy=5 %', 'timeline.0.gatewayFault.for=10 h'],
        figures: ['spring.runsIt', 'spring.updated'],
      },
    ],
    answer:
      'Hardly a device, since the other gateways send the same fragments: $1 run the image, and ' +
      '$2 have confirmed it. A cut of ten hours, with 5 % of redundancy, leaves it at $3, but ' +
      'answers are lost: the service knows of $4.',
  },
  {
    asks: 'Noise rises by 25 dB at one of two gateways for six hours. Who still gets through?',
    file: 'questions/noise-for-a-while.yaml',
    runs: [
      { figures: ['lost.jammed', 'messagesDelivered'] },
      { set: ['timeline.0.gatewayFault.by=40 dB'], figures: ['messagesDelivered'] },
    ],
    answer:
      '$1 of all frames of the day are lost to it, and $2 of the messages are delivered. Louder ' +
      'noise costs hardly more (40 dB: $3): who is near the other gateway is heard there.',
  },
  {
    asks: 'Can devices with an RC oscillator instead of a crystal be updated?',
    file: 'questions/rc-clocks.yaml',
    runs: [
      { figures: ['cheap.joined', 'campaign.cheap.runsIt', 'campaign.good.runsIt'] },
      { set: ['campaigns.spring.ignore_clock_rates=true'], figures: ['campaign.cheap.runsIt'] },
    ],
    answer:
      'They join ($1), since their windows open earlier, and $2 of them run the image, $3 of ' +
      'those with crystals: the service measures how fast each clock runs, and gives it the ' +
      'session by its own time. A server that does not updates $4 of them: the others drift by ' +
      'more than 5 s between two uplinks, or miss the session.',
  },
  {
    asks: 'After a power cut all devices join at once. How long until the network is well again?',
    file: 'questions/rejoin-storm.yaml',
    runs: [
      { figures: ['joinSeconds.p50', 'joinSeconds.p90'] },
      { set: ['timeline.0.powerCut.spread=1 h'], figures: ['joinSeconds.p90'] },
    ],
    answer:
      'Half are back after $1, nine in ten after $2. With boot delays drawn over an hour nine in ' +
      'ten need $3 from their own start.',
  },
  {
    asks: 'What does a power cut in the middle of an update cost street lights?',
    file: 'questions/street-lights.yaml',
    runs: [
      { figures: ['lamps.runsIt', 'lamps.rounds', 'lamps.t90'] },
      { set: ['campaigns.lamps.automatic_retry_count=0'], figures: ['lamps.runsIt'] },
    ],
    answer:
      'A whole round: $1 run it after $2 rounds, nine in ten after $3. Without a retry it is $4, ' +
      'since fragments stand in volatile memory.',
  },
  {
    asks: 'How long does an update of 500 devices of a campus take in US915?',
    file: 'questions/us915-campus.yaml',
    runs: [{ figures: ['campus.t90', 'campus.runsIt'] }],
    answer: 'Nine in ten have confirmed after $1, set-up included, and $2 run it in the end.',
  },
];

/** The command that asks, of a file and what is put over it. */
export function commandOf({ file }: Question, { variant, set = [] }: Asked): string {
  const words = [
    ...(variant === undefined ? [] : [`--variant ${variant}`]),
    ...set.map((each) => `--set "${each}"`),
  ];
  return ['npx fleetwave run', LIBRARY + file, ...words].join(' ');
}

/** Runs one of the runs of a question. */
export function answerOf({ file }: Question, asked: Asked) {
  const loaded = loadFromDisk(LIBRARY + file, asked.set ?? [], { variant: asked.variant });
  if (loaded.outcome !== 'scenario') throw new Error(`${file} does not load`);
  const seed = seedOf(loaded.scenario);
  const world = World.create(populate(loaded.scenario, seed), seed);
  world.runUntil(world.endUs);
  const result = world.result();
  const figures = asked.figures.map((name) => figureIn(result, name));
  return { digest: world.digest().outcome, figures };
}

/** A figure by the name that expectations give it, in the words of a report. */
function figureIn(result: RunResult, name: string): string {
  const [campaign, population] = name.split('.');
  const figures = [
    ...FIGURES,
    ...figuresOfPopulation(campaign!),
    ...figuresOfCampaign(campaign!),
    ...figuresOfOutcome(population!),
  ];
  const figure = figures.find((one) => [name, `campaigns.${name}`].includes(one.name));
  if (figure === undefined) throw new Error(`${name} is no figure`);
  return figureText(figure.of(result), figure.unit);
}

export const answers = (): Answers => JSON.parse(readFileSync(RECORD, 'utf8'));

/** The golden of a file, as test/worlds/goldens.test.ts has it. */
export function goldenOf(file: string): string {
  const table = readFileSync('test/worlds/goldens.test.ts', 'utf8');
  const [, row = ''] = table.split(`'${file}': {`);
  const [, outcome] = row.match(/outcome: '([0-9a-f]{16})'/) ?? [];
  if (outcome === undefined) throw new Error(`${file} has no golden`);
  return outcome;
}

/** The part of docs/questions.md that is written from the record. */
export function questionsPart(): string {
  const { machine, of } = answers();
  const sections = QUESTIONS.map((question, i) => {
    const { figures, cpuSeconds } = of[question.file]!;
    const answer = question.answer.replace(/\$(\d)/g, (_, n) => figures[Number(n) - 1]!);
    const commands = question.runs.map((run) => `    ${commandOf(question, run)}`).join('\n');
    const cost = `${cpuSeconds.toFixed(1)} s of CPU time.`;
    return [`### ${i + 1}. ${question.asks}`, answer, commands, `${cost}\n`].join('\n\n');
  });
  const measured = `CPU time is that of the first command, the median of three on ${machine}.`;
  return `${sections.join('\n')}\n${measured}\n`;
}
