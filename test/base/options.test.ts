/** Options of library functions are checked as knobs are: names, kinds, and what was meant. */
import { describe, expect, it } from 'vitest';
import { connect } from '../../api/client/client.ts';
import { startEmulator } from '../../api/emulator.ts';
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import { World } from '../../core/library.ts';
import { htmlReport, markdownReport } from '../../reports/library.ts';
import { loadScenario, populate, readScenario } from '../../scenarios/scenarios.ts';
import { runScenario, traceOf, worlds } from '../../scenarios/testing/testing.ts';
import {
  FLAG_OPTION,
  functionOption,
  lineOption,
  needed,
  type OptionKind,
  objectOption,
  optionFaults,
  textMapOption,
  textOption,
  textsOption,
  wholeOption,
} from '../../sim/base/options.ts';
import {
  FragmentDecoder,
  fskTimeOnAirUs,
  packetErrorRate,
  pathLossDb,
  sensitivityDbm,
  timeOnAirUs,
} from '../../sim/library.ts';
import { SHORTEST } from '../scenarios/scenario.ts';

const { result } = runScenario(SHORTEST);
const plan = populate(readScenario(SHORTEST).scenario);
const frame = { spreadingFactor: 7, bandwidthHz: 125_000, phyPayloadBytes: 20 };
const account = { url: 'https://127.0.0.1:1', clientId: 'a', clientSecret: 'b' };

/** A call of each function that takes options, as a program without types makes it. */
const CALLS: Readonly<Record<string, (options: never) => unknown>> = {
  runScenario: (options) => runScenario(SHORTEST, options),
  traceOf: (options) => traceOf(SHORTEST, options),
  worlds: (options) => worlds(options),
  loadScenario: (options) => loadScenario(SHORTEST, options),
  readScenario: (options) => readScenario(SHORTEST, options),
  World: (options) => World.create(plan, 'a', options),
  htmlReport: (options) => htmlReport(result, options),
  markdownReport: (options) => markdownReport(result, options),
  connect: (options) => connect(Object.assign({}, account, options)),
  timeOnAirUs: (options) => timeOnAirUs(Object.assign({}, frame, options)),
  fskTimeOnAirUs: (options) =>
    fskTimeOnAirUs(Object.assign({ bitRate: 50_000, phyPayloadBytes: 20 }, options)),
  sensitivityDbm: (options) => sensitivityDbm(Object.assign({ spreadingFactor: 7 }, options)),
  packetErrorRate: (options) => packetErrorRate(Object.assign({ snrDb: 0 }, frame, options)),
  pathLossDb: (options) => pathLossDb(options, 100),
  FragmentDecoder: (options) => new FragmentDecoder(1, 10, 10, options),
};

describe('an option', () => {
  it.each(Object.entries(CALLS))('that %s does not have is refused', (name, call) => {
    const options = { colour: 'red' } as never;
    expect(() => call(options)).toThrow(TypeError);
    expect(() => call(options)).toThrow(`${name}: "colour" is no option; allowed: `);
  });

  it.each<[string, string, string]>([
    ['runScenario', 'sed', 'seed'],
    ['traceOf', 'file', 'files'],
    ['worlds', 'device', 'devices'],
    ['loadScenario', 'sets', 'set'],
    ['World', 'records_', 'records'],
    ['htmlReport', 'goeson', 'goesOn'],
    ['connect', 'CA', 'ca'],
    ['timeOnAirUs', 'preambelSymbols', 'preambleSymbols'],
    ['FragmentDecoder', 'maxlost', 'maxLost'],
  ])('of %s that is misspelt is reported as it was meant: %s', (name, word, meant) => {
    const options = { [word]: 'a' } as never;
    expect(() => CALLS[name]!(options)).toThrow(`"${word}" is no option`);
    expect(() => CALLS[name]!(options)).toThrow(`; did you mean ${meant}?`);
  });

  it.each<[string, object, string]>([
    ['runScenario', { seed: 5 }, 'seed is not 5; allowed: a text of 1 to 200 characters on one'],
    ['runScenario', { seed: '' }, 'seed is not ""; allowed: '],
    ['runScenario', { set: 'a=1' }, 'set is not "a=1"; allowed: a list of overrides'],
    ['runScenario', { files: { 'a.csv': 1 } }, 'files is not a map; allowed: a map of texts'],
    ['runScenario', { news: true }, 'news is not true; allowed: a function'],
    ['runScenario', { codecs: {} }, 'codecs is not a map; allowed: an engine of codecs'],
    ['worlds', { devices: 0 }, 'devices is not 0; allowed: a whole number from 1 to 10000'],
    ['World', { observer: () => 0 }, 'observer is not a function; allowed: an object with trace'],
    ['World', { records: 'no' }, 'records is not "no"; allowed: true or false'],
    ['htmlReport', { version: 1 }, 'version is not 1; allowed: a text'],
    ['connect', { url: 5 }, 'url is not 5; allowed: a text such as https://'],
    ['connect', { clientId: undefined }, 'clientId is missing; allowed: a text'],
  ])('of %s is of its kind: %o', (name, options, text) => {
    expect(() => CALLS[name]!(options as never)).toThrow(`${name}: ${text}`);
  });

  it('that is undefined is left out', () => {
    const options = { seed: undefined, set: undefined, codecs: codecEngine() } as never;
    expect(runScenario(SHORTEST, options).result).toEqual(result);
  });

  it('of an emulator is reported with all else that is wrong with it', async () => {
    const options = { sed: 'a', port: -1, durable: 'yes', readyFile: 'a' } as never;
    await expect(startEmulator(options)).rejects.toMatchObject({
      name: 'WrongOptions',
      lines: [
        expect.stringMatching(/^startEmulator: "sed" is no option; .*did you mean seed\?$/),
        expect.stringMatching(/^startEmulator: "readyFile" is no option; /),
        'startEmulator: durable is not "yes"; allowed: true or false',
        expect.stringMatching(/^--port -1 is not right/),
      ],
    });
  });
});

describe('options', () => {
  const rows = { name: textOption('a text'), count: wholeOption(1, 9) };

  it('are reported all that is wrong with them, a line each', () => {
    expect(optionFaults('f', { nam: 'a', count: 10 }, rows)).toEqual([
      'f: "nam" is no option; allowed: name, count; did you mean name?',
      'f: count is not 10; allowed: a whole number from 1 to 9',
    ]);
    expect(() => runScenario(SHORTEST, { sed: 'a', set: 1 } as never)).toThrow(/seed\?\n.*set is/);
  });

  it('are a map', () => {
    for (const given of [null, 'seed', ['a'], 5]) {
      expect(optionFaults('f', given, rows)).toEqual([expect.stringContaining('no map of opt')]);
    }
  });

  it('are not what every object has', () => {
    expect(optionFaults('f', { toString: 'a' }, rows)).toHaveLength(1);
  });
});

describe('a kind of option', () => {
  const holds = (kind: OptionKind, value: unknown) =>
    optionFaults('f', { value }, { value: kind }).length === 0;
  const named = { trace: () => 0, flush: () => 0 };

  it.each<[string, OptionKind, readonly unknown[], readonly unknown[]]>([
    ['a line', lineOption(3), ['a', 'abc'], ['', 'abcd', 'a\n', '\ra', 5, null, ['a']]],
    ['a text', textOption(''), ['', 'a\nb'], [1, null, true, ['a'], {}]],
    ['a list of texts', textsOption(''), [[], ['a'], ['a', '']], ['a', ['a', 1], [1], { 0: 'a' }]],
    ['texts by name', textMapOption(''), [{}, { a: '' }], [{ a: 'b', c: 1 }, ['a'], 'a', null]],
    ['a flag', FLAG_OPTION, [true, false], [0, 1, 'true', null]],
    ['a whole number', wholeOption(2, 5), [2, 3, 5], [1, 6, 2.5, '3', Number.NaN, null]],
    ['a function', functionOption(''), [() => 0, Array], [{}, 'f', null]],
    ['an object', objectOption('', 'trace', 'flush'), [named], [null, { trace: 1 }, () => 0]],
    ['each method of it', objectOption('', 'trace', 'flush'), [named], [{ trace: () => 0 }, {}]],
  ])('such as %s takes these and no other values', (_, kind, taken, refused) => {
    expect(taken.filter((value) => !holds(kind, value))).toEqual([]);
    expect(refused.filter((value) => holds(kind, value))).toEqual([]);
  });

  it('may be left out unless it is needed', () => {
    expect(optionFaults('f', {}, { value: FLAG_OPTION })).toEqual([]);
    expect(optionFaults('f', {}, { value: needed(FLAG_OPTION) })).toHaveLength(1);
  });
});

describe('the option that was meant', () => {
  const meantBy = (word: string, ...names: string[]) => {
    const rows = Object.fromEntries(names.map((name) => [name, FLAG_OPTION]));
    return /did you mean (.*)\?$/.exec(optionFaults('f', { [word]: 1 }, rows)[0]!)?.[1];
  };

  it.each<[string, readonly string[], string | undefined]>([
    ['sed', ['set', 'seed'], 'seed'],
    ['SEED', ['seed'], 'seed'],
    ['abcd', ['ab'], 'ab'],
    ['abcd', ['abx'], undefined],
    ['ab', ['ac'], undefined],
    ['ab', ['abc', 'xab'], 'abc'],
    ['x'.repeat(40), ['x'.repeat(39)], 'x'.repeat(39)],
    ['x'.repeat(41), ['x'.repeat(40)], undefined],
  ])('is at most half the letters of %s away, among %j', (word, names, meant) => {
    expect(meantBy(word, ...names)).toBe(meant);
  });
});

describe('a value in a complaint', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [[1, 2], 'a list of 2'],
    [{ a: 1 }, 'a map'],
    [() => 0, 'a function'],
    [1.5, '1.5'],
    ['a\n', '"a\\n"'],
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    ['x'.repeat(41), `"${'x'.repeat(39)}…"`],
  ])('is short and on one line: %o', (value, words) => {
    const rows = { n: wholeOption(1, 9) };
    expect(optionFaults('f', { n: value }, rows)[0]).toContain(`n is not ${words}; `);
  });
});
