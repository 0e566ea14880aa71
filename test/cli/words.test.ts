/** Words of the command line that are not right: a sentence that says what would be. */
import { describe, expect, it } from 'vitest';
import { said } from '../support/said.ts';

const complaint = async (...words: readonly string[]) => {
  const { status, stdout, stderr } = await said(...words);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).not.toMatch(/\n\s+at /);
  return stderr;
};

describe('an option', () => {
  it.each([
    ['run x.yaml --seed', '--seed needs a value (any text; the scenario’s own when absent)'],
    ['run x.yaml --seed --quiet', '--seed needs a value (any text; '],
    ['run x.yaml --seed -- a', '--seed needs a value (any text; '],
    ['run x.yaml --set', '--set needs a value (override a value: devices.meter.count=50, '],
    ['run x.yaml --frames', '--frames needs a value; allowed: real, counted'],
    ['run x.yaml --out --json', '--out needs a value (folder of the results)'],
    ['serve --port', '--port needs a value (port to listen on)'],
    ['exec --seed -- npm test', '--seed needs a value (any text)'],
    ['plan --image', '--image needs a value (size of the image: 60kB, '],
    ['plan --gateway-timing', '--gateway-timing needs a value; allowed: staggered, simult'],
    ['airtime --sf 7 --bytes', '--bytes needs a value (PHYPayload, 0 to 255 bytes)'],
  ])('that lacks its value is reported with what it takes: %s', async (line, sentence) => {
    const words = line.split(' ');
    expect(await complaint(...words)).toContain(`fleetwave ${words[0]}: ${sentence}`);
  });

  it.each([
    ['run x.yaml --sede 4', '--sede is not an option; did you mean "--seed"?'],
    ['run x.yaml --sed=4', '--sed is not an option; did you mean "--set"?'],
    ['run x.yaml --verify', '--verify is not an option; did you mean "--verify-images"?'],
    ['run x.yaml --no-reprot', '--no-reprot is not an option; did you mean "--report"?'],
    ['run x.yaml --no-set', '--no-set is not an option; did you mean "--set"?'],
    ['run x.yaml -q', '-q is not an option; allowed: --help, --color, '],
    [
      'plan --devices 9 --image 9kB --conf 99',
      '--conf is not an option; did you mean "--confidence"?',
    ],
    ['serve --prt 3', '--prt is not an option; did you mean "--port"?'],
    ['run x.yaml --__proto__ 3', '--__proto__ is not an option; allowed: '],
  ])('that nobody knows is reported with the one that was meant: %s', async (line, sentence) => {
    const words = line.split(' ');
    expect(await complaint(...words)).toContain(`fleetwave ${words[0]}: ${sentence}`);
  });

  it('that is one of a few words is reported with these', async () => {
    expect(await complaint('run', 'x.yaml', '--frames=raal')).toBe(
      'fleetwave run: --frames "raal" is not right; allowed: real, counted; ' +
        'did you mean "real"?\nHelp: fleetwave run --help\n',
    );
    expect(await complaint('run', 'x.yaml', '--pcap-version', '3')).toContain(
      '--pcap-version "3" is not right; allowed: 0, 1\n',
    );
  });

  it('that takes no value, and that is given twice, is reported', async () => {
    expect(await complaint('run', 'x.yaml', '--quiet=3')).toContain('--quiet takes no value');
    expect(await complaint('run', 'x.yaml', '--no-report', '--report')).toContain(
      '--report is given more than once',
    );
    expect(await complaint('serve', '--port', '3', '--port', '4')).toContain(
      '--port is given more than once',
    );
  });

  it('may have a value that looks like one, and capitals for hyphens', async () => {
    const away = 'none.yaml  cannot be read: there is no such file or folder\n';
    const words = ['--seed=--seed', '--set', 'a=1', '--set=b=2', '--verifyImages', '--quiet=true'];
    expect(await complaint('run', 'none.yaml', ...words)).toBe(away);
  });
});

describe('a command', () => {
  it.each([
    [
      'rnu x.yaml',
      'fleetwave: "rnu" is not a command; allowed: init, import, run, study, worker, ',
    ],
    ['vaildate', 'did you mean "validate"?'],
    ['comp', '"comp" is not a command; '],
    [
      'journal verfy',
      'fleetwave journal: "verfy" is not a command; allowed: verify, cut, export; ',
    ],
    ['journal', 'fleetwave journal: name a command; allowed: verify, cut, export\n'],
    ['run x.yaml y.yaml', 'fleetwave run: "y.yaml" is one word too many\n'],
    ['replay', 'fleetwave replay: FILE is missing (a result.json of fleetwave run)\n'],
    ['diff', 'fleetwave diff: A is missing (a result.json or study.json, or its folder)\n'],
    ['diff o1', 'fleetwave diff: B is missing (another one of the same kind)\n'],
  ])(
    'that nobody knows, or that lacks or has a word too many, is reported: %s',
    async (line, say) => {
      expect(await complaint(...line.split(' '))).toContain(say);
    },
  );
});
