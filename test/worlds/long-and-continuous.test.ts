/** Worlds that last, and devices that listen all the time. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';

const SECOND_US = 1_000_000;
const DAY_US = 86_400 * SECOND_US;

describe('a device out of everyone’s reach', () => {
  it('goes on asking to join for weeks, within its back-off', () => {
    const { result, trace } = runScenario(`
scenario: far
duration: 40 d
area: { radius: 1 km }
gateways: [{ name: roof }]
devices:
  - { name: lost, count: 3, placement: { ring: 900 km }, traffic: { process: none } }
`);
    expect(result.devices.joined).toBe(0);
    expect(result.devices.joinRequests).toBeGreaterThan(3 * 256);
    expect(judge(trace.rows, trace.network)).toEqual({});
    // 8.7 s in each 24 hours from 11 hours on (LoRaWAN 1.0.4 §7), and nearly all of them are used.
    const requests = trace.rows.filter((row) => row.kind === 'uplinkBegins');
    const usedUs = requests
      .filter(({ atUs }) => atUs > 2 * DAY_US)
      .reduce((sum, { airtimeUs }) => sum + airtimeUs, 0);
    expect(usedUs / (3 * 38)).toBeGreaterThan(7 * SECOND_US);
    expect(usedUs / (3 * 38)).toBeLessThanOrEqual(8.7 * SECOND_US);
  });
});

describe('class C devices', () => {
  it('leave RX2 for the multicast channel and are updated', () => {
    const { result } = runScenario(`
scenario: class-c
duration: 12 h
area: { radius: 500 m }
radio: { pathLoss: { model: constant, loss: 110 dB }, shadowing: 0 dB }
gateways: [{ name: roof, count: 2 }]
devices:
  - name: meter
    count: 40
    class: C
    activation: abp
    traffic: { every: 1 h }
    dataRate: DR5
    frameLoss: 5 %
images: [{ name: meter-1.1.0.bin, bytes: 4 kB }]
groups: [{ name: meters, devices: [meter] }]
campaigns:
  - { name: spring, image: meter-1.1.0.bin, group: meters, at: 2 h,
      frag_size: 48 B, individual_fragment_retransmit: 40 }
`);
    expect(result.campaigns[0]).toMatchObject({ devices: 40, success: 40, failures: {} });
  });

  const ONE_CHANNEL = `
duration: 2 h
area: { radius: 500 m }
radio: { pathLoss: { model: constant, loss: 110 dB }, shadowing: 0 dB }
channels: [868.1 MHz]
server: { rx2Frequency: 868.1 MHz, adr: false }
gateways: [{ name: roof, dutyCycle: false }]
`;

  it('take an acknowledgement in RX1 for one where RX2 has the same channel', () => {
    const { result, trace } = runScenario(`
scenario: one-channel
${ONE_CHANNEL}
devices:
  - { name: meter, count: 2, class: C, activation: abp, dataRate: DR0, adr: false,
      joinWithin: 1 min, dutyCycle: false, energy: {},
      traffic: { every: 5 min, payload: 4 B, confirmed: 100 % } }
`);
    const { sent, acknowledged } = result.devices.confirmed;
    expect(sent).toBeGreaterThan(40);
    expect(acknowledged).toBe(sent);
    const last = new Map<string, number>();
    // The radio is free as soon as it has heard the answer, not when RX2 would close.
    for (const row of trace.rows) {
      if (row.kind === 'energyDrawn') last.set(row.device, row.joules.rx1InVain ?? 0);
    }
    expect(Math.max(...last.values())).toBeLessThan(0.1);
    expect(judge(trace.rows, trace.network)).toEqual({});
  });

  /** Every 7 s, so that some come while a frame is on the air. */
  const SWITCHES = Array.from({ length: 200 }, (_, i) => {
    const to = i % 2 === 0 ? 'C' : 'A';
    return `{ at: ${7 * i + 1} s, switchClass: { device: meter, to: ${to} } }`;
  });

  it('pay for RX2 from the end of the uplink during which they became class C', () => {
    const { trace } = runScenario(`
scenario: switched-on-air
${ONE_CHANNEL}
devices:
  - { name: meter, activation: abp, dataRate: DR0, adr: false, joinWithin: 0 s, energy: {},
      dutyCycle: false, traffic: { every: 30 s, payload: 51 B, jitter: 0 % } }
timeline: [${SWITCHES.join(', ')}]
`);
    expect(judge(trace.rows, trace.network)).toEqual({});
  });
});
