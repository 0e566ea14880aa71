/** Answers of devices in scenario files: the knob of a population, and a verb of the timeline. */
import { describe, expect, it } from 'vitest';
import { ANSWER_RULE } from '../../core/simulator/behaviours.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import { readFields } from '../support/read-fields.ts';
import { faultsOf, meterWith, scenarioOf, shortestWith } from './scenario.ts';

/** Of the populations, without the types that every world has. */
function answersIn(text: string) {
  const scenario = scenarioOf(text);
  const { deviceTypes } = populate(scenario).network;
  return deviceTypes.slice(0, scenario.devices.length).map(({ answers }) => answers);
}

describe('answers of a population', () => {
  it.each([
    ['echo', undefined],
    ['[{}]', undefined],
    ['none', []],
    ['[]', []],
    ['[{ onFPort: 225 }, {}]', [{ onFPort: 225 }, {}]],
    ['[{ onHex: "0aFf", delay: 1500 ms }]', [{ onHex: '0AFF', delayUs: 1_500_000 }]],
    ['[{ sendFPort: 1, sendHex: "" }]', [{ sendFPort: 1, sendHex: '' }]],
    ['[{ delay: 0 s }]', [{ delayUs: 0 }]],
    ['[{ delay: 30 d }]', [{ delayUs: 2_592_000_000_000 }]],
    ['[{ delay: 1 us }]', [{ delayUs: 1 }]],
  ])('%s', (answers, planned) => {
    expect(answersIn(meterWith(`answers: ${answers}`))).toEqual([planned]);
  });

  it('are an echo where a file says nothing, and each population’s own', () => {
    expect(answersIn(shortestWith(''))).toEqual([undefined]);
    const text = `
scenario: two
devices:
  - { name: meter, answers: none }
  - { name: valve, answers: [{ sendHex: "01" }] }
`;
    expect(answersIn(text)).toEqual([[], [{ sendHex: '01' }]]);
  });

  const at = (place: string, what: string) => `file.yaml:2:${place}  ${what}`;
  const PORT = 'allowed: a whole number from 1 to 223, or 225';
  it.each([
    [
      'ecco',
      at(
        '45  /devices/0/answers',
        '"ecco" is not known; allowed: echo, none; did you mean "echo"?',
      ),
    ],
    ['7', at('45  /devices/0/answers', '7 is no answer; allowed: echo, none, or a list of rules')],
    [
      '[{ onFPort: 224 }]',
      at('57  /devices/0/answers/0/onFPort', `224 is no FPort of an application; ${PORT}`),
    ],
    [
      '[{ sendFPort: 0 }]',
      at('59  /devices/0/answers/0/sendFPort', `0 is no FPort of an application; ${PORT}`),
    ],
    [
      '[{ port: 3 }]',
      at(
        '48  /devices/0/answers/0/port',
        '"port" is not a known key here; allowed: onFPort, onHex, sendFPort, sendHex, delay',
      ),
    ],
    [
      '[{ delay: 31 d }]',
      at('55  /devices/0/answers/0/delay', '"31 d" is too large; allowed: 0 s to 30 d'),
    ],
    [
      '[{ sendHex: "0" }]',
      at(
        '57  /devices/0/answers/0/sendHex',
        '"0" is not right here; allowed: hexadecimal bytes such as "01ff", in quotes',
      ),
    ],
    [
      `[${'{},'.repeat(65)}]`,
      at('45  /devices/0/answers', 'is too long; allowed: at most 64 rules'),
    ],
  ])('are refused with the place and what is allowed: %s', (answers, fault) => {
    expect(faultsOf(meterWith(`answers: ${answers}`))).toEqual([fault]);
  });

  it('have the ranges of the service', () => {
    const read = (rule: object) =>
      readFields(ANSWER_RULE, rule, { path: '', name: 'rule', failure: 'wrong' }).ok;
    for (const [knob, field] of [
      ['onFPort: 223', { onFPort: 223 }],
      ['onFPort: 224', { onFPort: 224 }],
      ['sendFPort: 225', { sendFPort: 225 }],
      ['sendFPort: 226', { sendFPort: 226 }],
      ['sendFPort: 0', { sendFPort: 0 }],
      [`sendHex: "${'00'.repeat(242)}"`, { sendHex: '00'.repeat(242) }],
      [`sendHex: "${'00'.repeat(243)}"`, { sendHex: '00'.repeat(243) }],
      [`onHex: "${'00'.repeat(243)}"`, { onHex: '00'.repeat(243) }],
      ['delay: 30 d', { delay: 2_592_000 }],
      ['delay: 2592001 s', { delay: 2_592_001 }],
    ] as const) {
      const isRight = faultsOf(meterWith(`answers: [{ ${knob} }]`)).length === 0;
      expect([knob, isRight]).toEqual([knob, read(field)]);
    }
  });
});

describe('setAnswers', () => {
  const commandsOf = (line: string) =>
    populate(scenarioOf(shortestWith(`timeline: [{ at: 1 h, setAnswers: ${line} }]`))).timeline;

  it('is the command that replaces the rules of one device, or gives it those of its type', () => {
    const devEui = expect.stringMatching(/^[0-9A-F]{16}$/);
    const set = { kind: 'device.behaviour', by: 'default', devEui };
    for (const [answers, given] of [
      ['echo', [{}]],
      ['none', []],
      ['[{ onHex: "ab", delay: 2 s }]', [{ onHex: 'AB', delay: 2 }]],
    ] as const) {
      expect(commandsOf(`{ device: meter-2, answers: ${answers} }`)).toMatchObject([
        { atUs: 3_600_000_000, command: { ...set, answers: given } },
      ]);
    }
    expect(commandsOf('{ device: meter-2 }')).toMatchObject([{ command: set }]);
  });

  it('is refused for a device that is not there', () => {
    const text = shortestWith('timeline: [{ at: 1 h, setAnswers: { device: meter-9 } }]');
    expect(faultsOf(text)).toEqual([
      'file.yaml:3:45  /timeline/0/setAnswers/device  "meter-9" is not a device of this scenario ' +
        'at that time; allowed: meter-1 … meter-3; did you mean "meter-3"?',
    ]);
  });

  it('changes what is said from then on', () => {
    const heard: string[] = [];
    runScenario(
      `
scenario: talk
duration: 6 h
area: { radius: 500 m }
devices: [{ name: meter, joinWithin: 1 min, traffic: { every: 30 min }, answers: none }]
timeline:
  - { at: 1 h, downlink: { to: meter, fPort: 5, payload: "01" } }
  - { at: 2 h, setAnswers: { device: meter, answers: [{ sendFPort: 6 }] } }
  - { at: 2 h, downlink: { to: meter, fPort: 5, payload: "02" } }
  - { at: 4 h, setAnswers: { device: meter } }
  - { at: 4 h, downlink: { to: meter, fPort: 5, payload: "03" } }
`,
      {
        news: (news) => {
          if (news.kind !== 'frameUp' || news.frame.data === null) return;
          const { fPort, payload } = news.frame.data;
          if (fPort !== 10) heard.push(`${fPort}:${[...payload].join()}`);
        },
      },
    );
    expect(heard).toEqual(['6:2']);
  });
});
