/**
 * Statistics of devices: what is known of each one's uplinks (device and gateway management,
 * Device, Statistics). They are counted from accepted data frames and from DevStatusAns, whoever's
 * gateways heard them (docs/decisions/0054).
 */
import { HOUR_US, MILLISECOND_US } from '../../../sim/base/units.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import { declareResource, type Listeners, type Surroundings } from '../../kit/resource.ts';
import type { UplinkStatistics } from './figures.ts';
import { type StatisticsColumns, StatisticsReader } from './reader.ts';
import { type SavedUplinks, Uplinks } from './uplinks.ts';

const HOUR_MS = HOUR_US / MILLISECOND_US;

type StatisticsNeeds = Pick<Surroundings, 'viewOf' | 'keepsRecords'>;

export const statisticsResource = declareResource({
  name: 'statistics',
  permission: 'Device',
  failures: {},
  operations: {},
  make: (needs: StatisticsNeeds) => {
    /** Number of an hour of UTC, from 1970 on. */
    const hourOf = (atUs: number) =>
      Math.max(0, Math.floor(needs.viewOf(DEFAULT_SUBSCRIBER).unixMs(atUs) / HOUR_MS));
    const uplinks = new Uplinks();
    const reader = new StatisticsReader(uplinks, hourOf);
    const listeners: Listeners = {
      joined: ({ devEui }) => uplinks.joined(devEui),
      deviceStatus: ({ devEui, battery }) => uplinks.reported(devEui, battery),
      // A repeated frame is the same packet, and a request is none: it has no counter of data.
      frameUp: ({ frame }) => {
        const { data, verdict, endedAtUs } = frame;
        if (verdict !== 'accepted' || data === null) return;
        uplinks.spoke(frame, data.fCnt, data.devAddr, hourOf(endedAtUs));
      },
      deviceRemoved: ({ devEui }) => uplinks.forget(devEui),
    };

    return {
      /** The figures of a device, of any subscriber, at this instant. */
      of: (devEui: string, nowUs: number): UplinkStatistics => reader.of(devEui, nowUs),
      /** The same of many devices at once. */
      columnsAt: (devEuis: readonly string[], nowUs: number): StatisticsColumns =>
        reader.columnsAt(devEuis, nowUs),
      handle: {},
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
