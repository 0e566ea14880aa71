/** Worlds that last, and devices that listen all the time. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/invariants/laws.ts';
import { runScenario } from '../../scenarios/testing.ts';

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
});
