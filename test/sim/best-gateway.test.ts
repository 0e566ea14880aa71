/** Which gateway takes a downlink without an uplink before it. */
import { describe, expect, it } from 'vitest';
import { NONE } from '../../sim/kernel/columns.ts';
import { bestGateway, isHeardBySome } from '../../sim/network-server/best-gateway.ts';
import { HEARD_BY, heardWord } from '../../sim/network-server/heard-word.ts';
import type { ServerSide } from '../../sim/network-server/server-side.ts';

interface Station {
  readonly level: number;
  readonly gps: boolean;
  readonly gone?: true;
  readonly failed?: true;
}

/** A server on which device 1 was heard by these gateways, in their order. */
function serverOf(stations: readonly Station[]): ServerSide {
  const heard = new Float64Array(2 * HEARD_BY);
  stations.forEach(({ level }, row) => {
    heard[HEARD_BY + row] = heardWord(row, level);
  });
  return {
    registrations: { column: { heard } },
    gateways: {
      stations: stations.map(({ gps, failed }) => ({ plan: { gps }, failed })),
      isInService: (row: number) => stations[row]!.gone !== true,
      faults: { isKnownToFail: ({ failed }: { failed?: true }) => failed === true },
    },
  } as unknown as ServerSide;
}

const BEST = { level: -8_000, gps: false };
const NEXT = { level: -9_000, gps: true };
const WORST = { level: -12_000, gps: true };

describe('the gateway that heard a device best', () => {
  it('is chosen wherever it stands among those that heard it', () => {
    expect(bestGateway(serverOf([BEST, NEXT, WORST]), 1, 0)).toBe(0);
    expect(bestGateway(serverOf([WORST, NEXT, BEST]), 1, 0)).toBe(2);
  });

  it('is passed over for ping slots where it has no GPS', () => {
    expect(bestGateway(serverOf([BEST, NEXT, WORST]), 1, 0, { withGps: true })).toBe(1);
    expect(bestGateway(serverOf([BEST]), 1, 0, { withGps: true })).toBe(NONE);
    expect(isHeardBySome(serverOf([BEST]), 1, true)).toBe(false);
    expect(isHeardBySome(serverOf([BEST, WORST]), 1, true)).toBe(true);
  });

  it('is passed over where it is gone, or known to fail', () => {
    expect(bestGateway(serverOf([{ ...BEST, gone: true }, WORST, NEXT]), 1, 0)).toBe(2);
    expect(bestGateway(serverOf([{ ...BEST, failed: true }, NEXT]), 1, 0)).toBe(1);
  });

  it('comes last where it is to, and is better than none', () => {
    expect(bestGateway(serverOf([BEST, WORST]), 1, 0, { last: 0 })).toBe(1);
    expect(bestGateway(serverOf([BEST]), 1, 0, { last: 0 })).toBe(0);
  });

  it('is none for a device that nobody heard', () => {
    expect(bestGateway(serverOf([BEST]), 0, 0)).toBe(NONE);
    expect(isHeardBySome(serverOf([BEST]), 0)).toBe(false);
  });
});
