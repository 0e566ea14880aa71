/** ADR back-off of a device that hears nothing, by version (LoRaWAN 1.0.3, 1.0.4, 1.1 §4.3.1.1). */
import { describe, expect, it } from 'vitest';
import type { LorawanVersion } from '../../sim/lorawan/versions.ts';
import type { UplinkBegins } from '../../sim/observation/observer.ts';
import { HOUR_US, networkOf, watch } from '../support/small-network.ts';

/** No gateway's messages reach the server, so nothing is ever answered. */
const DEAF = { lossPpm: 1_000_000 };
const TYPE = { adr: true, activation: 'abp' } as const;
const VERSIONS: readonly LorawanVersion[] = ['1.0.2', '1.0.3', '1.0.4', '1.1'];

/** Some 470 unanswered uplinks of a device that begins at this data rate. */
const unanswered = (lorawan: LorawanVersion, dataRate: number): UplinkBegins[] =>
  watch(
    networkOf({
      type: { ...TYPE, lorawan, dataRate: { from: 'fixed', dataRate } },
      backhaul: DEAF,
    }),
    8 * HOUR_US,
  ).of('uplinkBegins');

const asks = ({ phyPayload }: UplinkBegins): boolean =>
  (Number.parseInt(phyPayload.slice(10, 12), 16) & 0x40) !== 0;

/** Number of the first uplink with ADRACKReq, and of the last; 0 when there is none. */
const askedFromTo = (rows: readonly UplinkBegins[]): [number, number] => [
  rows.findIndex(asks) + 1,
  rows.findLastIndex(asks) + 1,
];

/** Numbers of the uplinks that are slower than the one before. */
const slowerAt = (rows: readonly UplinkBegins[]): number[] =>
  rows.flatMap(({ spreadingFactor }, i) =>
    i > 0 && spreadingFactor > rows[i - 1].spreadingFactor ? [i + 1] : [],
  );

describe('a device whose data rate is the slowest and whose power is full', () => {
  it.each(VERSIONS)('in %s asks for an answer only if that version does', (version) => {
    const rows = unanswered(version, 0);
    expect(rows.length).toBeGreaterThan(300);
    const expected = version === '1.0.4' ? [65, rows.length] : [0, 0];
    expect(askedFromTo(rows)).toEqual(expected);
  });
});

describe('a device that hears nothing at DR3', () => {
  it.each(['1.0.2', '1.0.3'] as const)(
    'in %s goes slower at the 97th uplink and each 32nd after, and asks until it is slowest',
    (version) => {
      const rows = unanswered(version, 3);
      expect(slowerAt(rows)).toEqual([97, 129, 161]);
      expect(askedFromTo(rows)).toEqual([65, 160]);
    },
  );

  it('in 1.0.4 takes full power at the 97th, goes slower from the 129th on, and asks on', () => {
    const rows = unanswered('1.0.4', 3);
    expect(slowerAt(rows)).toEqual([129, 161, 193]);
    expect(askedFromTo(rows)).toEqual([65, rows.length]);
  });

  it('in 1.1 goes slower as in 1.0.4, and asks until nothing is left', () => {
    const rows = unanswered('1.1', 3);
    expect(slowerAt(rows)).toEqual([129, 161, 193]);
    expect(askedFromTo(rows)).toEqual([65, 192]);
  });
});
