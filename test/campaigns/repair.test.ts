/** Fragments sent again to single devices, and where they do not fit. */
import { describe, expect, it } from 'vitest';
import { MINUTE_US } from '../support/small-network.ts';
import { runCampaign } from './notation.ts';

/** Four class C devices that lose every tenth frame of 12 000 B; RX2 is at DR3. */
const outcomeOf = (lora_class: 'A' | 'C', frag_size: number) => {
  const { world } = runCampaign({
    devices: 4,
    type: { deviceClass: 'C', frameLossPpm: 100_000 },
    traffic: { meanUs: 2 * MINUTE_US },
    server: { rx2DataRate: 3 },
    group: { lora_class },
    imageBytes: 12_000,
    campaign: { multicast_setup_time: 1_800, frag_size, individual_fragment_retransmit: 100 },
    minutes: 600,
  });
  const { success, failures, repairs } = world.result().campaigns[0]!;
  return { success, failures, repairs };
};

describe.each(['A', 'C'] as const)('class C devices in a group of class %s', (lora_class) => {
  it('are repaired by fragments that RX2 carries', () => {
    const { success, repairs } = outcomeOf(lora_class, 112);
    expect(success).toBe(4);
    expect(repairs).toBeGreaterThan(20);
  });

  it('get no fragment again that RX2 does not carry, and none is counted', () => {
    expect(outcomeOf(lora_class, 113)).toEqual({
      success: 0,
      failures: { 'missing fragments': 4 },
      repairs: 0,
    });
  });
});
