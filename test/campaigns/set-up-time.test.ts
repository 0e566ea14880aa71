/** The air that set-up commands need, with and without a duty cycle. */
import { expect, it } from 'vitest';
import { commandsUs, type SetUpFacts } from '../../core/update-service/campaigns/set-up-time.ts';

/** One gateway; all data rates are equally fast. */
const factsOf = (rx2Share: number, more: Partial<SetUpFacts>): SetUpFacts => ({
  inWindows: new Map(),
  atAnyTime: 0,
  silenceUs: 0,
  rx2DataRate: 0,
  rx2Share,
  shares: (share) => share,
  airtimeUs: (_, bytes) => 1_000 * bytes,
  ...more,
});

/** How much of the time of RX2 alone it takes where RX1 helps. */
const shareOfRx2 = (rx2Share: number): number =>
  commandsUs(factsOf(rx2Share, { inWindows: new Map([[5, 10]]) })) /
  commandsUs(factsOf(rx2Share, { atAnyTime: 10 }));

it.each([
  ['no duty cycle halves it: both windows are free', 1, 1 / 2],
  // In RX1 10 times as long as in RX2: 1 / (1 + 1/10).
  ['10 % in RX2 leaves 1 % in RX1', 0.1, 10 / 11],
  ['just below 1 is a duty cycle', 0.999, 1 / (1 + 0.01 / 0.999)],
])('%s', (_, rx2Share, expected) => {
  expect(shareOfRx2(rx2Share)).toBeCloseTo(expected, 9);
});
