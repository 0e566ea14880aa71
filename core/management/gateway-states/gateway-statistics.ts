/**
 * Statistics of gateways: whether each is connected and how it is, what it has heard and sent, and
 * which devices (device and gateway management, Gateway Statistics; docs/decisions/0057). Counted
 * is every packet that the network server received, of devices of all owners. Foreign devices are
 * counted, but not shown.
 */
import { andThen, found, ok } from '../../../sim/base/result.ts';
import { ANY_NUMBER } from '../../../sim/base/rows/fields.ts';
import type { GatewayView } from '../../../sim/contract/view.ts';
import type { RegionName } from '../../../sim/lorawan/region.ts';
import { oneStep, Slices } from '../../base/in-steps.ts';
import type { Asking, OwnView } from '../../base/subscribers.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { id } from '../../rows/fields.ts';
import type { Health } from '../../simulator/gateway-states.ts';
import { type DeviceTable, fullByDevEui } from '../end-devices/device-table.ts';
import { FULL as DEVICE } from '../end-devices/rows.ts';
import { type GatewaySnapshot, remainingOf } from '../gateways/gateway-snapshot.ts';
import type { GatewayRegistration } from '../gateways/registrations.ts';
import { FULL, type FullGateway } from '../gateways/rows.ts';
import { type GatewayTable, tableOf, thoseWhere } from './by-state.ts';
import { GatewayCounts } from './counting.ts';
import { bandOf, type Model, statisticsOf } from './figures.ts';
import { MOST_DAYS } from './heard-devices.ts';
import { GATEWAY_STATISTICS, type GatewayStatistics } from './rows.ts';

const source = 'device and gateway management, gateways';

const gateways = (is: string) => responseField({ ...listOf(FULL), is, source });
const Id = id('The gateway, by its Id or its NodeId.');

const { Name, DevEUI, Statistics, LastUplink } = DEVICE.fields;
const HEARD = record({ Name, DevEUI, Statistics, LastUplink });

const OPERATIONS = {
  'gatewayStatistics.connection': {
    verb: 'list',
    takes: {},
    answers: record({
      NeverConnected: gateways('Gateways without a status so far.'),
      Disconnected: gateways('Those whose last status is older than 90 s.'),
      Connected: gateways('Those whose last status is at most 90 s old.'),
    }),
    inSteps: true,
    fails: [],
    is: 'One’s gateways by their connection, each list in the order of NodeIds.',
  },
  'gatewayStatistics.health': {
    verb: 'list',
    takes: {},
    answers: record({
      Initializing: gateways('INIT: no status has come yet; HEALTH_UNKNOWN: statuses are missing.'),
      ConnectError: gateways('BACKHAUL_CNX_ERROR: the backhaul is down, and no status comes.'),
      RfError: gateways('RF_ERROR: statuses come, and the radio has failed.'),
      Active: gateways('ACTIVE: statuses come.'),
    }),
    inSteps: true,
    fails: [],
    is: 'One’s gateways by their health, each list in the order of NodeIds.',
  },
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
        is: `The number of days back, by full hours; those above ${MOST_DAYS} are as ${MOST_DAYS}.`,
        source,
      },
    },
    answers: record({
      Devices: responseField({ ...listOf(HEARD), is: 'In the order of their DevEUIs.', source }),
    }),
    inSteps: true,
    fails: ['gateway.unknown'],
    is: 'One’s devices that a gateway has heard in the last days.',
  },
} as const satisfies Operations;

/** What this resource uses of its surroundings and of others. */
export interface Needs extends Pick<Surroundings, 'viewOf' | 'world' | 'keepsRecords' | 'copies'> {
  readonly baseStation: {
    /** The caller's gateway, by its Id or its NodeId. */
    known(idOrNodeId: string, view: OwnView): GatewayView | undefined;
    createdAtUs(eui: string): number;
    registrationAt(gateway: GatewaySnapshot, view: OwnView): () => GatewayRegistration;
    fullAt(gateway: GatewaySnapshot, asking: Asking): () => FullGateway;
  };
  readonly gatewayProfile: {
    get(id: string, by: string): Model | undefined;
    readonly usual: Model;
  };
  readonly rfRegion: { nameOf(id: string): RegionName | undefined };
  readonly endDevice: {
    tableOf(asking: Asking, devEuis?: readonly string[]): DeviceTable;
  };
}

export const gatewayStatisticsResource = declareResource({
  name: 'gatewayStatistics',
  is: 'Connection, health and traffic of gateways.',
  permission: 'Gateway',
  failures: { 'gatewayStatistics.days': 'malformed' },
  operations: OPERATIONS,
  make: (needs: Needs) => {
    const counts = new GatewayCounts(needs);

    /**
     * The documented statistics of the caller's gateway, as they are now whenever they are made;
     * null: it never connected.
     */
    const at = (gateway: GatewaySnapshot, asking: Asking): (() => GatewayStatistics | null) => {
      const { by, nowUs, view } = asking;
      const registrationOf = needs.baseStation.registrationAt(gateway, view);
      const counted = counts.packetsOf(gateway.eui, nowUs);
      return () => {
        const onRecord = registrationOf();
        const model =
          needs.gatewayProfile.get(onRecord.gatewayProfile, by) ?? needs.gatewayProfile.usual;
        const band = bandOf(needs.rfRegion.nameOf(onRecord.rfRegion) ?? view.region);
        const { unixMs } = view;
        return statisticsOf(gateway, onRecord, model, band, counted, { nowUs, unixMs });
      };
    };

    const of = (gateway: GatewayView, asking: Asking): GatewayStatistics | null =>
      at(remainingOf(gateway, asking.nowUs), asking)();

    const known = (idOrNodeId: string, { view }: Asking) =>
      found(
        needs.baseStation.known(idOrNodeId, view),
        'gateway.unknown',
        `No gateway is ${idOrNodeId}.`,
      );
    const table = (asking: Asking) => tableOf(needs.baseStation.fullAt, needs.copies, asking);

    return {
      at,
      hears: counts.hears,
      // All of it follows from events, which are folded themselves.
      fold: () => undefined,
      save: () => counts.save(),
      load: (saved: ReturnType<typeof counts.save>) => counts.load(saved),
      handle: handlers(OPERATIONS, {
        'gatewayStatistics.connection': (_, asking) => ok(oneStep(byConnection(table(asking)))),
        'gatewayStatistics.health': (_, asking) => ok(oneStep(byHealth(table(asking)))),
        'gatewayStatistics.get': ({ Id }, asking) =>
          andThen(known(Id, asking), (gateway) => ok(of(gateway, asking) ?? {})),
        'gatewayStatistics.devices': ({ Id, Days = 1 }, asking) =>
          andThen(known(Id, asking), ({ eui }) => {
            const devEuis = counts.heardBy(eui, Days, asking.nowUs);
            return ok(oneStep({ Devices: responseOf(needs.endDevice.tableOf(asking, devEuis)) }));
          }),
      }),
    };
  },
});

const byConnection = (all: GatewayTable<FullGateway>) => ({
  NeverConnected: thoseWhere(all, (connection) => connection === 'NEVERCNX'),
  Disconnected: thoseWhere(all, (connection) => connection === 'DISC'),
  Connected: thoseWhere(all, (connection) => connection === 'CNX'),
});

const byHealth = (all: GatewayTable<FullGateway>) => ({
  Initializing: thoseWhere(all, (_, health) => INITIALIZING.includes(health)),
  ConnectError: thoseWhere(all, (_, health) => health === 'BACKHAUL_CNX_ERROR'),
  RfError: thoseWhere(all, (_, health) => health === 'RF_ERROR'),
  Active: thoseWhere(all, (_, health) => health === 'ACTIVE'),
});

const INITIALIZING: readonly Health[] = ['INIT', 'HEALTH_UNKNOWN'];

const responseOf = (table: DeviceTable) =>
  new Slices(function* () {
    for (const slice of fullByDevEui(table)) {
      yield slice.map(({ Name, DevEUI, Statistics, LastUplink }) => {
        return { Name, DevEUI, Statistics, LastUplink };
      });
    }
  });
