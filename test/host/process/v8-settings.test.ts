/** How soon the engine optimises follows how long a run will be. */
import { describe, expect, it } from 'vitest';
import {
  expectLongRun,
  expectRunOf,
  expectShortRun,
} from '../../../api/host/process/v8-settings.ts';

/** An engine of this version, and what it is reported. */
function engineOf(version: string) {
  const said: string[] = [];
  return { said, version, setFlags: (flags: string) => void said.push(flags) };
}

const OF_NODE_20 = '11.3.244.8-node.38';

describe('the engine', () => {
  it('looks less often in what is short than in what is long', () => {
    const engine = engineOf(OF_NODE_20);
    expectShortRun(engine);
    expectLongRun(engine);
    expect(engine.said).toEqual(['--interrupt-budget=1000000', '--interrupt-budget=300000']);
  });

  it('is reported of a run that takes its time, and not of one that is over soon', () => {
    const engine = engineOf(OF_NODE_20);
    expectRunOf(0.6, engine);
    expect(engine.said).toEqual([]);
    expectRunOf(0.61, engine);
    expect(engine.said).toEqual(['--interrupt-budget=300000']);
  });

  it('is left alone where it is another than that of Node.js 20', () => {
    const engine = engineOf('12.4.254.21-node.33');
    expectShortRun(engine);
    expectLongRun(engine);
    expect(engine.said).toEqual([]);
  });
});
