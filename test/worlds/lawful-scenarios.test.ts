/** Scenarios that are rare, or that show what others hide. Those that once failed: test/corpus/. */
import { describe, expect, it } from 'vitest';
import { commandsIn } from '../../scenarios/testing/laws/mac-commands.ts';
import { checkInvariants, runScenario } from '../../scenarios/testing/testing.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';

/** Lines of a scenario with one gateway. */
const scenario = (...lines: readonly string[]): string =>
  ['scenario: asked', ...lines, 'gateways: [{ name: roof }]'].join('\n');

const meters = (knobs: string): string => `devices: [{ name: meter, ${knobs} }]`;

const asking = (commands: string): string =>
  `timeline: [{ at: 20 min, macRequest: { to: meter-1, commands: "${commands}" } }]`;

const BUSY = 'count: 2, traffic: { every: 1 min, confirmed: 50 % }';

describe('frames near the weakest that a scenario can ask for', () => {
  const text = [
    'scenario: faint',
    'duration: 20 min',
    'radio: { reception: off, ignoreBelow: -200 dBm, pathLoss: { model: constant, loss: 206 dB } }',
    'gateways: [{ name: roof }]',
    'devices:',
    '  - { name: near, maxEirp: 9 dBm, activation: abp, dataRate: DR0, dutyCycle: false,',
    '      adr: false, count: 3, traffic: { process: exponential, every: 8 s } }',
    '  - { name: far, maxEirp: 2 dBm, activation: abp, dataRate: DR0, dutyCycle: false,',
    '      adr: false, count: 3, traffic: { process: exponential, every: 8 s } }',
  ].join('\n');

  it('are disturbed by weaker ones no more than their levels say', () => {
    const { result, trace } = runScenario(text);
    expect(result.radio.lost.interfered).toBeGreaterThan(10);
    expect(checkInvariants(trace)).toEqual({});
  });
});

describe('the commands of encrypted frames', () => {
  const lines = ['duration: 2 h', meters(`lorawan: "1.1", ${BUSY}, linkCheck: { every: 3 }`)];
  const all = (frames: 'real' | 'counted') => {
    const { rows, network } = runScenario(
      scenario(`frames: ${frames}`, ...lines, asking('060606060606')),
    ).trace;
    const runOf = (row: TraceRow) => {
      const isData = 'purpose' in row && row.purpose === 'data';
      if (row.kind === 'uplinkBegins' && isData) return [commandsIn(row, network, 'up')];
      if (row.kind === 'downlinkPlanned' && isData) return [commandsIn(row, network, 'down')];
      return [];
    };
    return rows.flatMap(runOf);
  };

  it('are read as they are in clear', () => {
    const real = all('real');
    expect(real).toEqual(all('counted'));
    expect(real.filter(({ commands }) => commands.length > 0).length).toBeGreaterThan(20);
  });
});

describe('the answers to many commands', () => {
  it('go out in frames of 11 bytes at most at the slowest data rate of US915', () => {
    const traffic = 'traffic: { every: 2 min, payload: 4 B, confirmed: 100 % }';
    const { rows, network } = runScenario(
      scenario(
        'region: US915',
        'channels: [{ subBand: 2 }]',
        'duration: 2 h',
        meters(`count: 1, activation: abp, adr: false, dataRate: DR0, ${traffic}`),
        asking('06'.repeat(15)),
      ),
    ).trace;
    const uplinks = rows.flatMap((row) =>
      row.kind === 'uplinkBegins' && row.purpose === 'data' ? [row] : [],
    );
    const frames = new Map(uplinks.map((row) => [row.counter, row])).values();
    const answers = [...frames].flatMap((row) => commandsIn(row, network, 'up').commands);
    // What is not answered in the first frame is asked again.
    expect(answers.filter(({ cid }) => cid === 0x06).length).toBeGreaterThanOrEqual(15);
    // MHDR, FHDR, FPort and MIC take 13 bytes.
    expect(Math.max(...uplinks.map(({ phyPayload }) => phyPayload.length / 2))).toBeLessThanOrEqual(
      24,
    );
    expect(checkInvariants({ rows, network })).toEqual({});
  });
});
