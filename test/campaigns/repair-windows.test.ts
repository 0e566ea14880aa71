/** Where a fragment can be sent again: RX2 for class C, RX1 at the uplink's data rate as well. */
import { describe, expect, it } from 'vitest';
import { canRepair, whyNoRepair } from '../../core/update-service/campaigns/repair.ts';

/** DR0 carries 51 bytes, DR3 carries 115: three of each are the fragment's own header. */
const view = (rx2DataRate: number) =>
  ({
    rx2: { dataRate: rx2DataRate },
    dataRate: (dataRate: number) =>
      ({ 0: { maxFrmPayload: 51 }, 3: { maxFrmPayload: 115 } })[dataRate as 0 | 3],
    device: (devEui: string) => ({ A: { deviceClass: 'A' }, C: { deviceClass: 'C' } })[devEui],
  }) as never;

const can = (devEui: string, dataRate: number, rx2DataRate: number, fragSize: number) =>
  canRepair({ plan: { fragSize } } as never, view(rx2DataRate), { devEui, dataRate });

describe('a member that lacks fragments', () => {
  it.each([
    ['A', 0, 0, 48, true],
    ['A', 0, 0, 49, false],
    ['A', 3, 0, 112, true],
    ['A', 3, 0, 113, false],
    ['A', 0, 3, 112, true],
    ['C', 3, 0, 48, true],
    ['C', 3, 0, 49, false],
    ['C', 0, 3, 112, true],
    ['unknown', 3, 0, 112, true],
    ['A', 7, 7, 1, false],
  ])(
    'of class %s at DR%i with RX2 at DR%i can get %i bytes: %s',
    (devEui, dataRate, rx2, size, yes) => {
      expect(can(devEui, dataRate, rx2, size)).toBe(yes);
    },
  );

  it('gets nothing before there is a plan', () => {
    const member = { devEui: 'A', dataRate: 3 };
    expect(canRepair({ plan: null } as never, view(0), member)).toBe(false);
  });
});

describe('why no class C device is repaired', () => {
  const why = (fragments: number, devices: string[], fragSize: number, rx2DataRate = 0) => {
    const settings = { individual_fragment_retransmit: fragments };
    return whyNoRepair({ settings, group: { devices } }, { fragSize } as never, view(rx2DataRate));
  };

  it('is said where repair is asked for and RX2 carries no fragment', () => {
    expect(why(5, ['A', 'C'], 49)).toMatch(
      /^Fragments of 49 bytes do not fit RX2, where DR0 carries 48: .* Use a frag_size of 48 bytes/,
    );
    expect(why(1, ['C'], 113, 3)).toContain('DR3 carries 112');
  });

  it.each([
    ['nobody asks for repair', 0, ['C'], 49],
    ['the fragments fit', 5, ['C'], 48],
    ['no device is of class C', 5, ['A', 'unknown'], 49],
  ])('is nothing where %s', (_, fragments, devices, fragSize) => {
    expect(why(fragments, devices, fragSize)).toBe('');
  });
});
