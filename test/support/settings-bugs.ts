/** The trace of devices that are set over the air, and bugs that are planted in it. */
import type { TraceRow, UplinkBegins } from '../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { type Bug, drop } from './planted-bugs.ts';
import { PORT, set, settable } from './settings-world.ts';
import { HOUR_US, MINUTE_US, watch } from './small-network.ts';

/** `meter-1` echoes, `meter-2` reports, `meter-3` is silent: 10 bytes on FPort 7 a minute. */
export const SETTINGS_PLAN: NetworkPlan = (() => {
  const plan = settable('echo', { devices: 3 });
  const [echoes] = plan.deviceTypes;
  const of = (protocol: 'report' | 'silent') => ({
    ...echoes!,
    name: protocol,
    settings: { fPort: PORT, protocol },
  });
  return {
    ...plan,
    deviceTypes: [echoes!, of('report'), of('silent')],
    devices: plan.devices.map((device, i) => ({ ...device, type: i })),
  };
})();

const run = watch(SETTINGS_PLAN, HOUR_US, [
  ...[1, 2, 3].map((device) => set(10.5 * MINUTE_US, '0218', device)),
  ...[1, 2, 3].map((device) => set(20.5 * MINUTE_US, '01000258', device)),
]);

export const settingsTrace = (): readonly TraceRow[] => run.rows;

const uplinksOf = (device: string) => run.of('uplinkBegins').filter((row) => row.device === device);
const onPort = (device: string) =>
  uplinksOf(device).filter(({ phyPayload }) => phyPayload.startsWith('55', 16));
const heardBy = (device: string) =>
  run.of('deviceReceives').filter((row) => row.device === device)[0]!;

/** A frame changes; `phyPayload` has its FPort at the 16th digit and the payload behind it. */
const changed =
  (row: UplinkBegins, patch: Partial<UplinkBegins>): Bug =>
  (rows) =>
    rows.map((each) => (each === row ? ({ ...row, ...patch } as TraceRow) : each));

const said = ({ phyPayload }: UplinkBegins, content: string): string =>
  phyPayload.slice(0, 16) + content + phyPayload.slice(-8);

/** The last own message of a device: it has 24 bytes to say. */
const lastOf = (device: string) => uplinksOf(device).at(-1)!;
const ownBytes = (count: number) => `07${'a5'.repeat(count)}`;

/** By law. */
export const SETTINGS_BUGS = {
  settingsAreKept: {
    'an echo is of nothing that was heard': drop('deviceReceives', heardBy('meter-1')),
    'a report is of what is not heard': drop('deviceReceives', heardBy('meter-2')),
    'an own message goes before the echo': changed(onPort('meter-1')[0]!, {
      phyPayload: said(onPort('meter-1')[0]!, ownBytes(24)),
    }),
    'an own message goes before the report': changed(onPort('meter-2')[1]!, {
      phyPayload: said(onPort('meter-2')[1]!, ownBytes(24)),
    }),
    'nothing is reported at the start': changed(onPort('meter-2')[0]!, {
      phyPayload: said(onPort('meter-2')[0]!, ownBytes(10)),
    }),
    'an echo has another value': changed(onPort('meter-1')[0]!, {
      phyPayload: said(onPort('meter-1')[0]!, '550219'),
    }),
    'a device that is silent speaks of its settings': changed(lastOf('meter-3'), {
      phyPayload: said(lastOf('meter-3'), '550218'),
    }),
    'a message asks for an acknowledgement': changed(lastOf('meter-3'), { confirmed: true }),
    'messages come as often as before': (rows) => {
      const last = lastOf('meter-3');
      const more = Array.from({ length: 12 }, (_, i) => ({ ...last, frame: last.frame + 1 + i }));
      return [...rows, ...more];
    },
  },
  answersFollowDownlinks: {
    'a message has another length than it is set to': changed(lastOf('meter-3'), {
      phyPayload: said(lastOf('meter-3'), ownBytes(10)),
    }),
  },
} as const satisfies Record<string, Record<string, Bug>>;
