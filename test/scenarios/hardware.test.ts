/** Knobs of gateways' and devices' hardware: each amounts to what the plan says of it. */
import { expect, it } from 'vitest';
import type { WorldPlan } from '../../core/world/plan.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { SHORTEST, scenarioOf } from './scenario.ts';

const type = ({ network }: WorldPlan) => network.deviceTypes[0]!;
const gateway = ({ network }: WorldPlan) => network.gateways[0]!;
const set = (text: string) => `devices.0.${text}`;

const ROWS: readonly (readonly [
  knob: string,
  setting: string,
  plan: (plan: WorldPlan) => unknown,
  value: unknown,
])[] = [
  [
    'chip',
    'gateways=[{chip: SX1302}]',
    (p) => [gateway(p).txJitUs, gateway(p).paths?.map(({ count }) => count)],
    [40_000, [1, 1, 8, 8]],
  ],
  ['ntp clock', 'gateways=[{clockError: 20 ms}]', (p) => gateway(p).clockErrorUs, 20_000],
  ['forwarder', 'gateways=[{forwarder: basicsStation}]', (p) => gateway(p).refusesOverBudget, true],
  [
    'spread',
    'gateways=[{backhaul: {spread: {logNormal: {median: 40 ms, sigma: 0.5}}}}]',
    (p) => gateway(p).backhaul.spread,
    { kind: 'logNormal', medianUs: 40_000, sigma: 0.5 },
  ],
  [
    'clock',
    set('clock={source: tcxo, temperature: {mean: -5 °C, daily: 8 °C}}'),
    (p) => [type(p).driftPpb, type(p).clock],
    [
      2_000,
      {
        curvaturePpb: 0,
        temperature: { meanCentiC: -500, dailyCentiC: 800, seasonalCentiC: 0 },
        ageingPpb: 1_000,
      },
    ],
  ],
  [
    'windows',
    set('windows=LBM'),
    (p) => type(p).windows,
    { stack: 'LBM', crystalPpm: 10, boardDelayMs: 0 },
  ],
  [
    'windows of a board',
    set('windows={chip: STM32WL, wakeUp: 3 ms}'),
    (p) => type(p).windows,
    { stack: 'LoRaMac-node', rxErrorMs: 20, wakeUpMs: 3, chip: 'STM32WL' },
  ],
  [
    'a queue of a Station',
    'gateways=[{transmitQueue: station}]',
    (p) => gateway(p).queueWords,
    'station',
  ],
  ['no queue', 'gateways=[{transmitQueue: none}]', (p) => gateway(p).queueWords, 'none'],
  ['dutyCycleBy', set('dutyCycleBy=frame'), (p) => type(p).dutyCycleBy, 'frame'],
  ['dutyCycleBy hour', set('dutyCycleBy=hour'), (p) => type(p).dutyCycleBy, undefined],
  ['whenBusy', set('traffic={whenBusy: replace}'), (p) => type(p).traffic.whenBusy, 'replace'],
  [
    'transmitQueue',
    'gateways=[{transmitQueue: packetForwarder}]',
    (p) => gateway(p).queueWords,
    'packetForwarder',
  ],
  ['first message', set('traffic={first: 10 s}'), (p) => type(p).traffic.firstUs, 10_000_000],
  [
    'silence in sessions',
    set('traffic={inSessions: stop}'),
    (p) => type(p).traffic.inSessions,
    'stop',
  ],
  [
    'answerAfter',
    set('answerAfter={fragmentation: 3.89 s}'),
    (p) => type(p).packages?.answerAfterUs?.fragmentation,
    3_890_000,
  ],
  ['answerAfter of nothing', set('answerAfter={}'), (p) => type(p).packages, undefined],
  ['decoder of Zephyr', set('decoder=Zephyr'), (p) => type(p).packages?.decoder.maxNbFrag, 2_091],
  ['battery', set('energy.battery=1.2 Ah'), (p) => type(p).energy?.batteryMilliAmpHours, 1200],
  [
    'energy.tx as one current',
    set('energy.tx=28 mA'),
    (p) => type(p).energy?.txMicroAmp,
    [{ centiDbm: 0, microAmp: 28_000 }],
  ],
  [
    'energy.tx by power',
    set('energy.tx=[{ power: 2 dBm, current: 20 mA }, { power: 14 dBm, current: 45.5 mA }]'),
    (p) => type(p).energy?.txMicroAmp,
    [
      { centiDbm: 200, microAmp: 20_000 },
      { centiDbm: 1400, microAmp: 45_500 },
    ],
  ],
  ['energy', set('energy={}'), (p) => type(p).energy?.sleepNanoAmp, 1600],
];

it.each(ROWS)('%s', (_, setting, plan, value) => {
  expect(plan(populate(scenarioOf(SHORTEST, [setting])))).toEqual(value);
});
