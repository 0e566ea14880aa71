/** Settings of `fleetwave serve`: which place counts, and what is reported of wrong ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputError } from '../../api/cli/exit.ts';
import { placed, type ServeWords, settingsInForce } from '../../api/cli/serve-settings.ts';
import { printed } from '../../api/host/settings/print.ts';
import {
  fromFile,
  fromProgram,
  inForce,
  type Said,
  settingsOf,
} from '../../api/host/settings/read.ts';
import {
  keyOf,
  optionOf,
  rowOf,
  SETTING_NAMES,
  type SettingName,
  variableOf,
} from '../../api/host/settings/table.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwave-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The path of a file with this text. */
function file(text: string, name = 'my.yaml'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

type Environment = Readonly<Record<string, string>>;

function wrongWith(words: ServeWords, environment: Environment = {}): readonly string[] {
  try {
    settingsInForce(words, environment);
    return [];
  } catch (error) {
    return (error as InputError).lines.map((line) => line.replaceAll(`${folder}/`, ''));
  }
}

describe('a setting', () => {
  const config = () => file('# mine\nport: 1\nseed: file\npaused: true\n');

  it('is that of the command line, else the environment, else the file, else the usual one', () => {
    const environment = { FLEETWAVE_PORT: '2', FLEETWAVE_SEED: 'environment' };
    const words = { config: config(), port: '3' };
    const all = settingsInForce(words, environment);
    const byOf = (name: SettingName) => all.get(name)?.by.replace(`${folder}/`, '');
    expect(settingsOf(all)).toMatchObject({
      port: 3,
      seed: 'environment',
      paused: true,
      host: '127.0.0.1',
    });
    expect(['port', 'seed', 'paused', 'host'].map((name) => byOf(name as SettingName))).toEqual([
      'flag --port',
      'environment FLEETWAVE_SEED',
      'my.yaml:4',
      'default',
    ]);
  });

  it('that is off on the command line is off, whatever the others say', () => {
    const environment = { FLEETWAVE_PAUSED: 'true' };
    expect(settingsInForce({ config: config(), paused: false }, environment).get('paused')).toEqual(
      { value: false, by: 'flag --paused' },
    );
  });

  it('whose variable is empty is not said there', () => {
    const environment = { FLEETWAVE_PORT: '', FLEETWAVE_CONFIG: '' };
    expect(settingsInForce({}, environment).get('port')).toEqual({ value: 8443, by: 'default' });
  });

  it('is in a file that the environment names, too', () => {
    const environment = { FLEETWAVE_CONFIG: config() };
    expect(settingsInForce({}, environment).get('port')?.value).toBe(1);
  });

  it('of several texts has a line each in the environment, and all of them from one place', () => {
    const FLEETWAVE_SET = 'duration=1 h\ndevices.meter.count=5\n';
    const set = ['duration=1 h', 'devices.meter.count=5'];
    expect(settingsInForce({}, { FLEETWAVE_SET }).get('set')?.value).toEqual(set);
    const words = { set: ['duration=2 h'] };
    expect(settingsInForce(words, { FLEETWAVE_SET }).get('set')?.value).toEqual(words.set);
    expect(settingsInForce({ set: [] }, {}).get('set')).toEqual({ value: [], by: 'default' });
  });

  it.each(SETTING_NAMES)('%s has a default that it takes, or says what absence means', (name) => {
    const { default: value, absent } = rowOf(name);
    expect([value === undefined, fromProgram({ [name]: value }).problems]).toEqual([
      absent !== undefined,
      [],
    ]);
  });

  it.each(SETTING_NAMES)('%s has a name in each place', (name) => {
    expect(optionOf(name)).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(variableOf(name)).toBe(`FLEETWAVE_${optionOf(name).replaceAll('-', '_').toUpperCase()}`);
    expect(keyOf(name)).toBe(optionOf(name).replaceAll('-', '_'));
  });
});

describe('wrong settings', () => {
  it('are reported all at once, each with its place', () => {
    const config = file('port: 99999\n\nprot: 5\nlog_level: warm\nquiet: yes\n');
    expect(wrongWith({ config, speed: '0' }, { FLEETWAVE_HTTP: 'maybe' })).toEqual([
      '--speed 0 is not right; allowed: 0.001 to 1000000, or max',
      'FLEETWAVE_HTTP "maybe" is not right; allowed: true, false',
      'my.yaml:1:7  /port  99999 is not right; allowed: 0 to 65535, 0 is any that is free',
      expect.stringMatching(
        /^my\.yaml:3:1 {2}\/prot {2}"prot" is not a known key here; .*"port"\?$/,
      ),
      'my.yaml:4:12  /log_level  "warm" is not right; ' +
        'allowed: silent, error, warn, info, debug; did you mean "warn"?',
      'my.yaml:5:8  /quiet  "yes" is not right; allowed: true, false',
    ]);
  });

  it.each<[ServeWords, string]>([
    [{ port: '-1' }, '--port "-1"'],
    [{ port: '65536' }, '--port 65536'],
    [{ port: '80.5' }, '--port 80.5'],
    [{ port: '0x50' }, '--port "0x50"'],
    [{ port: ' ' }, '--port " "'],
    [{ speed: 'Infinity' }, '--speed "Infinity"'],
    [{ startAt: '2100-01-01T00:00:00Z' }, '--start-at "2100'],
    [{ seed: 'two\nlines' }, '--seed "two\\u000alines"'],
    [{ tokenClock: 'moon' }, '--token-clock "moon"'],
    [{ scenario: '' }, 'SCENARIO ""'],
  ])('%j are reported', (words, begins) => {
    const [line, ...more] = wrongWith(words);
    expect(line?.startsWith(`${begins} is not right`) || line?.startsWith(begins), line).toBe(true);
    expect([line?.includes('; allowed: '), more]).toEqual([true, []]);
  });

  it('are what is no YAML, no map and no file', () => {
    expect(wrongWith({ config: file('port: [1') })[0]).toMatch(/^my\.yaml:1:\d+ {2}\S/);
    expect(wrongWith({ config: file('- port\n') })[0]).toMatch(
      /^my\.yaml:1:1 {2}a list is not a map/,
    );
    expect(wrongWith({ config: file('port: 1\nport: 2\n') })).toHaveLength(1);
    expect(wrongWith({ config: join(folder, 'none.yaml') })).toEqual([
      'none.yaml  cannot be read: there is no such file or folder',
    ]);
  });

  it('are reported of any text, and never thrown', () => {
    const names = SETTING_NAMES.flatMap((name) => [keyOf(name), `${keyOf(name)}: `]);
    const part = fc.oneof(
      fc.constantFrom(...names, '\n', '- ', '[', '{ ', '&a ', '*a'),
      fc.string(),
    );
    let right = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const { said, problems } = fromFile('any.yaml', parts.join(''));
        if (problems.length === 0) right++;
        else
          expect([said.size, problems.every((each) => each.startsWith('any.yaml'))]).toEqual([
            0,
            true,
          ]);
      }),
    );
    expect(right).toBeGreaterThan(0);
  });

  it('are none where a file has comments alone', () => {
    expect(wrongWith({ config: file('') })).toEqual([]);
    expect(wrongWith({ config: file('# port: 5\n\n  # http: true\n') })).toEqual([]);
  });
});

describe('what is wrong with settings together', () => {
  const line = '--http is for loopback addresses only, and 0.0.0.0 is none';

  it('is reported with the place that has set the one that is named', () => {
    const config = file('http: true\n');
    expect(placed(line, settingsInForce({ config }, {}))).toBe(`${config}:1  ${line}`);
    const environment = { FLEETWAVE_HTTP: '1' };
    expect(placed(line, settingsInForce({}, environment))).toBe(
      `environment FLEETWAVE_HTTP  ${line}`,
    );
    expect(placed(line, settingsInForce({ http: true }, environment))).toBe(line);
    expect(placed('nothing is said', settingsInForce({}, {}))).toBe('nothing is said');
  });
});

describe('a number in a word', () => {
  it.each([
    ['1e3', 1_000],
    ['.5', 0.5],
    ['0.001', 0.001],
    ['max', 'max'],
  ])('%s is what YAML reads', (speed, value) => {
    expect(settingsInForce({ speed }, {}).get('speed')?.value).toBe(value);
    const config = file(`speed: ${speed}\n`);
    expect(settingsInForce({ config }, {}).get('speed')?.value).toBe(value);
  });
});

describe('the settings in force, as they are printed', () => {
  const path = fc.stringMatching(/^[\w./#:' -]{0,40}[\w"]$/);
  const VALUES: Readonly<Partial<Record<SettingName, fc.Arbitrary<unknown>>>> = {
    scenario: path,
    set: fc.array(fc.string()),
    seed: fc.oneof(path, fc.stringMatching(/^0?\d{1,18}$/), fc.constantFrom('true', 'null', '~')),
    startAt: fc.constant('2026-01-31T12:00:00Z'),
    paused: fc.boolean(),
    speed: fc.oneof(fc.constant('max'), fc.integer({ min: 1, max: 1_000_000 })),
    host: path,
    port: fc.integer({ min: 0, max: 65_535 }),
    logLevel: fc.constantFrom('silent', 'debug'),
    requestsPerSecond: fc.integer({ min: 0, max: 1_000_000 }),
    clients: fc.array(
      fc.oneof(
        fc.record({ client_id: path, requests_per_second: fc.nat(1_000) }),
        fc.record({ name: path, requests_per_second: fc.nat(1_000) }),
      ),
      { maxLength: 5 },
    ),
  };

  it('say the same when they are read, and who said so', () => {
    fc.assert(
      fc.property(fc.record(VALUES as object, { requiredKeys: [] }), (values) => {
        const said = new Map(
          Object.entries(values).map(([name, value]): [SettingName, Said] => {
            return [name as SettingName, { value, by: `flag --${name}` }];
          }),
        );
        const held = inForce([{ said, problems: [] }]);
        const again = fromFile('printed.yaml', printed(held));
        expect(again.problems).toEqual([]);
        expect(settingsOf(inForce([again]))).toEqual(settingsOf(held));
      }),
    );
  });

  it('have a line each, with the place, and those without a value are comments', () => {
    const lines = printed(settingsInForce({ seed: '42' }, { FLEETWAVE_PORT: '9000' })).split('\n');
    expect(lines).toContain('seed: "42"  # flag --seed');
    expect(lines).toContain('port: 9000  # environment FLEETWAVE_PORT');
    expect(lines).toContain('speed: 1  # default');
    expect(lines).toContain('# start_at:  # default: that of the wall clock');
    expect(lines.filter((line) => line !== '')).toHaveLength(SETTING_NAMES.length);
  });
});
