/** The trace of devices that answer application downlinks, and bugs that are planted in it. */
import type { TimedCommand } from '../../core/command.ts';
import type { TraceRow, UplinkBegins } from '../../sim/observation/observer.ts';
import { type Bug, drop } from './planted-bugs.ts';
import { eui, HOUR_US, MINUTE_US, networkOf, SECOND_US, watch } from './small-network.ts';

/** `meter-1` is class C and has 10 bytes to say on FPort 7 every ten minutes. */
export const ANSWER_PLAN = networkOf({
  frames: 'real',
  devices: 2,
  type: { deviceClass: 'C', answers: [{ onFPort: 9, delayUs: 3 * MINUTE_US }, {}] },
  traffic: { meanUs: 10 * MINUTE_US },
});

const of = (atUs: number, command: object): TimedCommand =>
  ({ atUs, command: { ...command, by: 'default', devEui: eui('02', 1) } }) as TimedCommand;
const send = (atUs: number, fPort: number, payloadHex: string) =>
  of(atUs, { kind: 'downlink.enqueue', fPort, payloadHex });

const run = watch(ANSWER_PLAN, 2 * HOUR_US, [
  // Two that ride, one with a delay, and one by other rules.
  send(21 * MINUTE_US, 5, '01'),
  send(21 * MINUTE_US + 10 * SECOND_US, 5, '02'),
  send(21 * MINUTE_US + 20 * SECOND_US, 9, '03'),
  of(60 * MINUTE_US, { kind: 'device.behaviour', answers: [{ sendFPort: 12 }] }),
  send(61 * MINUTE_US, 5, '04'),
]);

export const answerTrace = (): readonly TraceRow[] => run.rows;

/** A frame of meter-1 on a port of answers, the n-th of them. */
function answered(n: number): UplinkBegins {
  const found = run
    .of('uplinkBegins')
    .filter(({ device, phyPayload }) => device === 'meter-1' && !phyPayload.startsWith('07', 16))[
    n
  ];
  if (found === undefined) throw new Error(`there is no answer ${n}`);
  return found;
}

/** Frames change their content: FPort, payload and what encrypts them. */
const swapped =
  (a: UplinkBegins, b: UplinkBegins): Bug =>
  (rows) => {
    const content = ({ phyPayload, counter, keys }: UplinkBegins) => ({
      phyPayload,
      counter,
      keys,
    });
    return rows.map((row) => {
      if (row === a) return { ...a, ...content(b) } as TraceRow;
      return row === b ? ({ ...b, ...content(a) } as TraceRow) : row;
    });
  };

const received = run.of('deviceReceives').filter(({ device }) => device === 'meter-1');
const ownBefore = run.of('uplinkBegins').filter(({ device, atUs }) => {
  return device === 'meter-1' && atUs > received[0]!.atUs;
})[0]!;

/** By law. */
export const ANSWER_BUGS = {
  answersFollowDownlinks: {
    'a device answers what it did not hear': drop('deviceReceives', {
      device: 'meter-1',
      atUs: received[0]!.atUs,
    }),
    'answers change their order': (rows) => {
      const riding = run
        .of('uplinkBegins')
        .filter(({ atUs, device }) => device === 'meter-1' && atUs >= ownBefore.atUs)
        .filter(({ phyPayload }) => phyPayload.slice(16, 18) === '05');
      return swapped(riding[0]!, riding[1]!)(rows);
    },
    'an answer with a delay comes at once': (rows) =>
      rows.map((row) => {
        const isLate = row.kind === 'uplinkBegins' && row.phyPayload.slice(16, 18) === '09';
        return isLate ? { ...row, atUs: received[2]!.atUs } : row;
      }),
    'rules that were given are not stored': drop('deviceBehaves', { device: 'meter-1' }),
    'an answer comes twice': (rows) => {
      const first = answered(0);
      return rows.flatMap((row) => (row === first ? [row, { ...first, frame: 999 }] : [row]));
    },
    'an own message goes before an answer': (rows) => {
      const own = run
        .of('uplinkBegins')
        .findLast(({ device, atUs }) => device === 'meter-1' && atUs < received[0]!.atUs)!;
      return swapped(own, ownBefore)(rows);
    },
  },
} as const satisfies Record<string, Record<string, Bug>>;
