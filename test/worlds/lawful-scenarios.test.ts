/**
 * Scenarios in which devices rightly do what no plan says, for the network has asked them, or the
 * standard; and others that are rare. Every law holds in them.
 */
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
const UNHEARD = 'count: 2, frameLoss: 100 %, traffic: { every: 2 min }';

const SCENARIOS: Readonly<Record<string, string>> = {
  'devices that nobody hears join for a day, each from its own power-on': scenario(
    'duration: 1 d',
    meters('count: 20, frameLoss: 100 %'),
  ),
  'RX1 of AS923-4 is 250 kHz wide after an offset of 6': scenario(
    'region: AS923-4',
    'duration: 3 h',
    'server: { rx1DrOffset: 6 }',
    meters(BUSY),
  ),
  'RX1 of AS923-2 is FSK after an offset of 7': scenario(
    'region: AS923-2',
    'duration: 3 h',
    'server: { rx1DrOffset: 7 }',
    meters(BUSY),
  ),
  'personalised devices of US915 leave their sub-band after 128 unanswered uplinks': scenario(
    'region: US915',
    'channels: [{ subBand: 2 }]',
    'duration: 8 h',
    meters(`activation: abp, ${UNHEARD}`),
  ),
  'so do devices of CN470': scenario(
    'region: CN470',
    'channels: [{ subBand: 3 }]',
    'duration: 8 h',
    meters(`activation: abp, ${UNHEARD}`),
  ),
  'a RXTimingSetupReq moves the windows': scenario('duration: 2 h', meters(BUSY), asking('080f')),
  'a RXParamSetupReq moves RX2': scenario('duration: 2 h', meters(BUSY), asking('0513d2ad84')),
  'a NewChannelReq brings a channel': scenario(
    'duration: 2 h',
    meters(BUSY),
    asking('070388958450'),
  ),
  'a DlChannelReq moves RX1': scenario('duration: 2 h', meters(BUSY), asking('0a00889584')),
  'a LinkADRReq turns on channels of no gateway': scenario(
    'region: US915',
    'channels: [{ subBand: 2 }]',
    'duration: 2 h',
    meters(`adr: false, ${BUSY}`),
    asking('0305ff0050'),
  ),
  'a TxParamSetupReq lifts the dwell time': scenario(
    'region: AS923-1',
    'duration: 2 h',
    meters(BUSY),
    asking('0905'),
  ),
  'the same is asked in encrypted commands of LoRaWAN 1.1': scenario(
    'frames: real',
    'duration: 2 h',
    meters(`lorawan: "1.1", ${BUSY}`),
    asking('080f0513d2ad84'),
  ),
};

describe('every law', () => {
  it.each(Object.entries(SCENARIOS))('holds where %s', (_, text) => {
    expect(checkInvariants(runScenario(text).trace)).toEqual({});
  });
});

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
