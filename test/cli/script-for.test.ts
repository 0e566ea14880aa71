/** Which script runs a command: api/cli/script-for.ts. */
import { describe, expect, it } from 'vitest';
import { scriptFor } from '../../api/cli/script-for.ts';

describe('the script of a command', () => {
  it.each([
    ['airtime --sf 7', 'calculators', 'airtime', true],
    ['run x.yaml', 'runs', 'run', true],
    ['plan --devices 5', 'runs', 'plan', true],
    ['run x.yaml --seeds 3', 'studies', 'run', false],
    ['run x.yaml --seeds=3', 'studies', 'run', false],
    ['plan --verify', 'studies', 'plan', false],
    ['fidelity aloha --seeds 3', 'tools', 'fidelity', false],
    ['study run x.yaml', 'studies', 'study', false],
    ['explain failed', 'tools', 'explain', false],
    ['serve', 'services', 'serve', false],
    ['exec -- npm test', 'services', 'exec', false],
    ['--no-color run serve', 'runs', 'run', true],
    // Help comes without what the command needs, but for the settings of servers.
    ['study run --help', 'calculators', 'help', true],
    ['run -h', 'calculators', 'help', true],
    ['serve --help', 'services', 'serve', false],
    ['exec -- git --help', 'services', 'exec', false],
    ['', 'calculators', 'help', true],
    ['../../etc/passwd', 'calculators', 'help', true],
  ])('fleetwave %s: %s', (words, script, use, isQuick) => {
    expect(scriptFor(words.split(' '))).toEqual({ script, use, isQuick });
  });
});
