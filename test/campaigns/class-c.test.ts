/** Class C devices in a multicast session (TS005-1.0.0 §4.5; docs/standard.md, Class C). */
import { describe, expect, it } from 'vitest';
import { runCampaign, STARTS_AT_US, takenBy, upTo } from './notation.ts';

/** A downlink that a device answers, in the middle of the session. */
const question = (atUs: number) => ({
  atUs,
  command: {
    kind: 'downlink.enqueue' as const,
    by: 'default',
    devEui: '0200000000000001',
    fPort: 201,
    payloadHex: '0101',
    confirmed: false,
  },
});

describe('a class C device', () => {
  it('hears every fragment when it says nothing meanwhile', () => {
    const trace = runCampaign({
      type: { deviceClass: 'C' },
      traffic: { meanUs: 400_000_000 },
      campaign: { mcast_dr: 5 },
      minutes: 40,
    });
    expect(takenBy(trace, 'meter-1')).toEqual(upTo(20));
  });

  it('listens on RX2 again when its block is complete', () => {
    const trace = runCampaign({
      type: { deviceClass: 'C' },
      traffic: { meanUs: 400_000_000 },
      minutes: 40,
      commands: [question(STARTS_AT_US + 700_000_000)],
    });
    const closed = trace.of('multicastSessionCloses').map(({ atUs }) => atUs);
    expect(closed).toHaveLength(1);
    const received = trace.of('deviceReceives').filter(({ atUs }) => atUs > closed[0]);
    expect(received.length).toBeGreaterThan(0);
  });
});

describe('a device of class A in a group of class C', () => {
  it('is updated as if its class were asked for, though it speaks every ten minutes', () => {
    const outcomes = (['A', 'C'] as const).map((lora_class) => {
      const { world } = runCampaign({
        devices: 2,
        traffic: { meanUs: 600_000_000 },
        campaign: { multicast_setup_time: 7_200, frag_size: 200 },
        group: { lora_class },
        minutes: 240,
      });
      return world.result().campaigns[0]!;
    });
    expect(outcomes[1]).toMatchObject({ success: 2, failed: 0 });
    expect(outcomes[1]).toEqual(outcomes[0]);
  });
});
