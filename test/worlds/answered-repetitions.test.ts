/** A repetition is answered, and what goes out in ping slots comes after that (decision 0031). */
import { expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';

const DOWNLINKS = Array.from({ length: 400 }, (_, i) => {
  const downlink = `{ to: m-${(i % 6) + 1}, payload: "01" }`;
  return `{ at: ${3600 + 41 * i} s, downlink: ${downlink} }`;
});

it('frames in ping slots follow the answers to repetitions, late as RX1 may be', () => {
  const { trace } = runScenario(`
scenario: repeated
duration: 6 h
area: { radius: 500 m }
radio: { pathLoss: { model: constant, loss: 100 dB }, shadowing: 0 dB }
server: { rx1Delay: 15 s, adr: false }
gateways: [{ name: roof, gps: true, dutyCycle: false }]
devices:
  - { name: m, count: 6, class: B, activation: abp, joinWithin: 1 min, dataRate: DR3, adr: false,
      dutyCycle: false, frameLoss: 40 %, pingSlotPeriodicity: 0,
      traffic: { every: 1 min, payload: 4 B, confirmed: 100 % } }
timeline: [${DOWNLINKS.join(', ')}]
`);
  const inSlots = trace.rows.filter((row) => row.kind === 'downlinkPlanned' && row.pingSlot);
  expect(inSlots.length).toBeGreaterThan(100);
  expect(judge(trace.rows, trace.network)).toEqual({});
});
