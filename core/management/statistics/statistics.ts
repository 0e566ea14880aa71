/**
 * Statistics of devices: what is known of each one's uplinks (device and gateway management,
 * Device, Statistics). They are counted from accepted data frames and from DevStatusAns, received
 * by gateways of any owner (docs/decisions/0054).
 */
import { ok } from '../../../sim/base/result.ts';
import { HOUR_US, MILLISECOND_US } from '../../../sim/base/units.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import {
  declareResource,
  handlers,
  type Listeners,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { COUNT, record, responseField } from '../../rows/answers.ts';
import type { UplinkStatistics } from './figures.ts';
import { type Registered, type StatisticsCopy, StatisticsReader } from './reader.ts';
import { type SavedUplinks, Uplinks } from './uplinks.ts';

const HOUR_MS = HOUR_US / MILLISECOND_US;

const source = 'device and gateway management, health';

/** Health states as the platform's first version writes them, in the order of `HEALTH_STATES`. */
const COUNTS = record({
  Good: responseField({ ...COUNT, is: 'Less than 10 % of the day’s uplinks are missing.', source }),
  Fair: responseField({ ...COUNT, is: 'Less than 30 % are.', source }),
  Poor: responseField({ ...COUNT, is: '30 % or more are.', source }),
  Offline: responseField({ ...COUNT, is: 'Silent for a day, or for three mean periods.', source }),
});

const OPERATIONS = {
  'statistics.healthCount': {
    verb: 'list',
    takes: {},
    answers: COUNTS,
    fails: [],
    is: 'How many devices are in each state of health.',
  },
} as const satisfies Operations;

/** What statistics use of their surroundings. */
export type StatisticsNeeds = Pick<Surroundings, 'viewOf' | 'keepsRecords'>;

export const statisticsResource = declareResource({
  name: 'statistics',
  is: 'Statistics over all devices.',
  permission: 'Device',
  failures: {},
  operations: OPERATIONS,
  make: (needs: StatisticsNeeds) => {
    /** Hours of UTC from 1970 on, which need not be whole. */
    const hoursOf = (atUs: number) =>
      Math.max(0, needs.viewOf(DEFAULT_SUBSCRIBER).unixMs(atUs) / HOUR_MS);
    const uplinks = new Uplinks();
    const reader = new StatisticsReader(uplinks, hoursOf);
    const listeners: Listeners = {
      joined: ({ devEui }, { owner }) => uplinks.joined(devEui, owner),
      deviceStatus: ({ devEui, battery }, { owner }) => uplinks.reported(devEui, owner, battery),
      // A repeated frame is the same packet, and a request is none: it has no counter of data.
      frameUp: ({ frame }, { owner }) => {
        const { data, verdict, endedAtUs } = frame;
        if (verdict !== 'accepted' || data === null) return;
        uplinks.spoke(frame, data, owner, Math.floor(hoursOf(endedAtUs)));
      },
      deviceRemoved: ({ devEui }) => uplinks.forget(devEui),
    };

    return {
      /** The figures of a device, of any subscriber, at this instant. */
      of: (devEui: string, createdAtUs: number, nowUs: number): UplinkStatistics =>
        reader.of(devEui, createdAtUs, nowUs),
      /** The same of many devices at once. */
      columnsAt: (registered: Registered, nowUs: number): StatisticsCopy =>
        reader.columnsAt(registered, nowUs),
      handle: handlers(OPERATIONS, {
        'statistics.healthCount': (_, { by, view, nowUs }) => {
          const devices = view.deviceColumns().devEui.length;
          const [Good, Fair, Poor, Offline] = reader.healthCounts(by, devices, nowUs);
          return ok({ Good, Fair, Poor, Offline });
        },
      }),
      hears: needs.keepsRecords ? listeners : {},
      // All of it follows from events, which are folded themselves.
      fold: () => undefined,
      save: (): SavedUplinks => uplinks.save(),
      load: (saved: SavedUplinks) => {
        if (needs.keepsRecords) uplinks.load(saved);
      },
    };
  },
});
