/**
 * Statistics of gateways: whether each is connected and how it is, what it has heard and sent, and
 * which devices (device and gateway management, Gateway Statistics; docs/decisions/0057). Counted
 * is every packet that the network server was told of, whoever's the devices are: it is the
 * gateway that hears them. Foreign devices are counted, and not told.
 */
import type { FrameDown, FrameUp } from '../../../sim/base/frames.ts';
import { andThen, found, ok } from '../../../sim/base/result.ts';
import { HOUR_US, MILLISECOND_US } from '../../../sim/base/units.ts';
import { oneStep, Slices } from '../../base/in-steps.ts';
import { type Asking, DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import { listOf, record, told } from '../../kit/answers.ts';
import { ANY_NUMBER, id } from '../../kit/fields.ts';
import {
  declareResource,
  handlers,
  type Listeners,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import type { GatewayView } from '../../network-view.ts';
import { type DeviceTable, fullByDevEui } from '../end-devices/device-table.ts';
import { FULL as DEVICE } from '../end-devices/rows.ts';
import { bandOf, statisticsOf } from './figures.ts';
import { HeardDevices, MOST_DAYS, type SavedHeard } from './heard-devices.ts';
import { Packets, type SavedPackets } from './packets.ts';
import { GATEWAY_STATISTICS, type GatewayStatistics } from './rows.ts';
import { STAND_IN } from './stand-in.ts';

const HOUR_MS = HOUR_US / MILLISECOND_US;
const DAY_HOURS = 24;

const source = 'device and gateway management, gateways';

const Id = id('The gateway, by its Id or its NodeId.');

const { Name, DevEUI, Statistics, LastUplink } = DEVICE.fields;
const HEARD = record({ Name, DevEUI, Statistics, LastUplink });

const OPERATIONS = {
  'gatewayStatistics.get': {
    verb: 'get',
    takes: { Id },
    answers: { ...record(GATEWAY_STATISTICS), partial: true },
    fails: ['gateway.unknown'],
    is: 'Statistics of a gateway; an empty object of one that never connected.',
  },
  'gatewayStatistics.devices': {
    verb: 'get',
    takes: {
      Id,
      Days: {
        type: 'whole',
        least: 1,
        most: ANY_NUMBER,
        default: 1,
        failure: 'gatewayStatistics.days',
        is: `So many days back, by full hours; those above ${MOST_DAYS} are as ${MOST_DAYS}.`,
        source,
      },
    },
    answers: record({
      Devices: told({ ...listOf(HEARD), is: 'In the order of their DevEUIs.', source }),
    }),
    inSteps: true,
    fails: ['gateway.unknown'],
    is: 'One’s devices that a gateway has heard in the last days.',
  },
} as const satisfies Operations;

/** What this resource uses of its surroundings and of others. */
export interface Needs extends Pick<Surroundings, 'viewOf' | 'keepsRecords'> {
  readonly endDevice: {
    tableOf(asking: Asking, devEuis?: readonly string[]): DeviceTable;
  };
}

export const gatewayStatisticsResource = declareResource({
  name: 'gatewayStatistics',
  permission: 'Gateway',
  failures: { 'gatewayStatistics.days': 'malformed' },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    const packets = new Packets();
    const heard = new HeardDevices();
    /** Number of an hour of UTC, from 1970 on. */
    const hourOf = (atUs: number) =>
      Math.max(0, Math.floor(needs.viewOf(DEFAULT_SUBSCRIBER).unixMs(atUs) / HOUR_MS));

    /** Late copies count as the others do: what they take on the way is left out. */
    const countUp = ({ receptions, endedAtUs, verdict, devEui }: FrameUp): void => {
      const hour = hourOf(endedAtUs);
      const device = TRUE_VERDICTS.has(verdict) ? heard.numberOf(devEui) : undefined;
      for (const { gatewayEui } of receptions) {
        packets.heard(gatewayEui, endedAtUs, hour);
        if (device !== undefined) heard.heard(gatewayEui, device, hour);
      }
    };
    const countDown = ({ outcome, sending }: FrameDown): void => {
      if (outcome.kind !== 'sent' || sending === null) return;
      packets.sent(sending.gatewayEui, sending.startsAtUs, hourOf(sending.startsAtUs));
    };
    const listeners: Listeners = {
      frameUp: ({ frame }) => countUp(frame),
      frameDown: ({ frame }) => countDown(frame),
      deviceRemoved: ({ devEui }) => heard.forgetDevice(devEui),
      gatewayRemoved: ({ eui }) => {
        packets.forget(eui);
        heard.forgetGateway(eui);
      },
    };

    /** The documented statistics of the asker's gateway; null: it never connected. */
    const of = (gateway: GatewayView, { nowUs, view }: Asking): GatewayStatistics | null => {
      const onRecord = STAND_IN.baseStation.registrationOf(gateway);
      const model = STAND_IN.gatewayProfile.get();
      const band = bandOf(STAND_IN.rfRegion.nameOf() ?? view.region);
      const counted = packets.of(gateway.eui, hourOf(nowUs));
      const { unixMs } = view;
      return statisticsOf(gateway, onRecord, model, band, counted, { nowUs, unixMs });
    };

    const known = (idOrNodeId: string, { view }: Asking) =>
      found(
        STAND_IN.baseStation.known(idOrNodeId, view),
        'gateway.unknown',
        `There is no gateway ${idOrNodeId}.`,
      );

    return {
      of,
      hears: needs.keepsRecords ? listeners : {},
      // All of it follows from events, which are folded themselves.
      fold: () => undefined,
      save: () => ({ packets: packets.save(), heard: heard.save() }),
      load: (saved: { readonly packets: SavedPackets; readonly heard: SavedHeard }) => {
        if (!needs.keepsRecords) return;
        packets.load(saved.packets);
        heard.load(saved.heard);
      },
      handle: handlers(OPERATIONS, {
        'gatewayStatistics.get': ({ Id }, asking) =>
          andThen(known(Id, asking), (gateway) => ok(of(gateway, asking) ?? {})),
        'gatewayStatistics.devices': ({ Id, Days = 1 }, asking) =>
          andThen(known(Id, asking), ({ eui }) => {
            const hour = hourOf(asking.nowUs) - DAY_HOURS * Math.min(Days, MOST_DAYS);
            const devEuis = heard.since(eui, hour);
            return ok(oneStep({ Devices: told4(needs.endDevice.tableOf(asking, devEuis)) }));
          }),
      }),
    };
  },
});

/** The DevEUI that a frame bears is true. */
const TRUE_VERDICTS = new Set<FrameUp['verdict']>(['joined', 'accepted', 'repeated']);

const told4 = (table: DeviceTable) =>
  new Slices(function* () {
    for (const slice of fullByDevEui(table)) {
      yield slice.map(({ Name, DevEUI, Statistics, LastUplink }) => {
        return { Name, DevEUI, Statistics, LastUplink };
      });
    }
  });
