/** Tables of packages have each message of their file: what stands in none can nobody read. */
import { describe, expect, it } from 'vitest';
import * as ts003 from '../../../sim/lorawan/packages/ts003-clock-sync.ts';
import * as ts004 from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import * as ts005 from '../../../sim/lorawan/packages/ts005-multicast-setup.ts';
import * as ts006 from '../../../sim/lorawan/packages/ts006-firmware.ts';

const PACKAGES = [
  ['TS003', ts003, ts003.clockSync],
  ['TS004', ts004, ts004.fragmentation],
  ['TS005', ts005, ts005.multicastSetup],
  ['TS006', ts006, ts006.firmwareManagement],
] as const;

const isMessage = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'fields' in value && 'cid' in value;

describe.each(PACKAGES)('the tables of %s', (_, exported, tables) => {
  const versions = Object.values(tables as object) as Record<'uplink' | 'downlink', object>[];
  const listed = versions.flatMap(({ uplink, downlink }) => [
    ...Object.entries(uplink),
    ...Object.entries(downlink),
  ]);

  it('have each message of the file', () => {
    const known = new Set(listed.map(([, message]) => message));
    const messages = Object.entries(exported).filter(([, value]) => isMessage(value));
    expect(messages.length).toBeGreaterThan(2);
    expect(messages.flatMap(([name, one]) => (known.has(one) ? [] : [name]))).toEqual([]);
  });

  it('have an answer for each request, and a request for each answer, the other way', () => {
    const lacking = versions.flatMap(({ uplink, downlink }) =>
      [
        [uplink, downlink],
        [downlink, uplink],
      ].flatMap(([some, others]) =>
        Object.keys(some!).flatMap((name) => {
          const other = name
            .replace(/Req$/, 'Ans')
            .replace(/Ans$/, (end) => (name.endsWith('Ans') ? 'Req' : end));
          return other === name || other in others! || WITHOUT_ANSWER.has(name) ? [] : [name];
        }),
      ),
    );
    expect([...new Set(lacking)]).toEqual([]);
  });
});

/** Their answers are those of other commands, or none is expected. */
const WITHOUT_ANSWER: ReadonlySet<string> = new Set(['ForceDeviceResyncReq']);
