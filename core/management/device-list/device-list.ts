/**
 * End-devices as the second version of device and gateway management has them: one, and a list that
 * is filtered, put in order, paged and written as it is made (docs/rest.md, The list of devices;
 * docs/decisions/0055). What is reported is as of the instant at which it is asked for.
 */
import { andThen, fail, ok } from '../../../sim/base/result.ts';
import { ANY_NUMBER, type Given, type Of } from '../../../sim/base/rows/fields.ts';
import type { Sliced, Slices, Steps } from '../../base/in-steps.ts';
import type { Asking } from '../../base/subscribers.ts';
import {
  type AnswerOf,
  declareResource,
  handlers,
  type NewsAbout,
  type Operations,
  WITHOUT_RECORDS,
} from '../../kit/resource.ts';
import type { Named } from '../../listing/cells.ts';
import { filterReader, NO_FILTER } from '../../listing/filters.ts';
import { entryMaker, type Listing, listed, MOST_PER_PAGE } from '../../listing/listed.ts';
import { maskReader } from '../../listing/masks.ts';
import { ORDER_OF_ROWS, orderReader } from '../../listing/order.ts';
import { COUNT, listOf, record, responseField, responseFieldOrNull } from '../../rows/answers.ts';
import { euiOf } from '../../rows/fields.ts';
import type { DeviceTable } from '../end-devices/device-table.ts';
import { columnsOf } from './columns.ts';
import { DEVICE_V2, MASKED } from './fields.ts';
import { DeviceOrders } from './orders.ts';

const source = 'device and gateway management, v2 device list query';

/** Characters of a filter. */
const MOST_FILTER = 32_768;

const names = (most: number) => ({ type: 'list', of: { type: 'text' }, most, source }) as const;

const QUERY = {
  field_mask: {
    ...names(100),
    failure: 'endDeviceV2.field-mask',
    is: 'Fields that are reported beside dev_eui, repeated or with commas; all when absent.',
  },
  page_size: {
    type: 'whole',
    least: 1,
    most: ANY_NUMBER,
    failure: 'endDeviceV2.page',
    is: `Devices of a page; more than ${MOST_PER_PAGE} are that many; all when absent.`,
    source,
  },
  page: {
    type: 'whole',
    least: 1,
    most: ANY_NUMBER,
    default: 1,
    failure: 'endDeviceV2.page',
    is: 'Which page, from 1.',
    source,
  },
  sort: {
    ...names(100),
    failure: 'endDeviceV2.sort',
    is: 'Fields to sort by, a hyphen before those whose greatest come first; name when absent.',
  },
  filter: {
    type: 'text',
    most: MOST_FILTER,
    raw: true,
    failure: 'endDeviceV2.filter',
    is: 'JSON of fields and operators that wanted devices fit (docs/rest.md, Filters).',
    source,
  },
} as const;

const META = record({
  total: responseField({ ...COUNT, is: 'Devices that fit the filter.', source }),
  page: responseField({ ...COUNT, is: 'Which page this is.', source }),
  page_size: responseFieldOrNull({
    ...COUNT,
    is: 'Devices of a page at most; null: all are one.',
    source,
  }),
});

const OPERATIONS = {
  'endDeviceV2.list': {
    verb: 'list',
    takes: QUERY,
    answers: record({
      meta: responseField({ ...META, is: 'How many there are.', source }),
      data: responseField({
        ...listOf(MASKED),
        is: 'The devices of the page, in their order.',
        source,
      }),
    }),
    inSteps: true,
    fails: ['endDeviceV2.field-mask', 'endDeviceV2.sort', 'endDeviceV2.filter'],
    is: 'One’s devices: those that fit a filter, sorted and paged.',
  },
  'endDeviceV2.get': {
    verb: 'get',
    takes: { dev_eui: euiOf('The device, by its DevEUI.') },
    answers: record(DEVICE_V2),
    fails: ['endDeviceV2.unknown'],
    is: 'One device, with its statistics and groups.',
  },
} as const satisfies Operations;

const LAST = ['name', 'dev_eui'] as const;
const filterOf = filterReader(DEVICE_V2, 'endDeviceV2.filter', '/filter');
const orderOf = orderReader(DEVICE_V2, LAST, 'endDeviceV2.sort', '/sort');
const maskOf = maskReader(DEVICE_V2, ['dev_eui'], 'endDeviceV2.field-mask', '/field_mask');

export const deviceListResource = declareResource({
  name: 'endDeviceV2',
  is: 'Devices as management sees them, version 2.',
  permission: 'Device',
  failures: {
    'endDeviceV2.field-mask': 'malformed',
    'endDeviceV2.page': 'malformed',
    'endDeviceV2.sort': 'malformed',
    'endDeviceV2.filter': 'malformed',
    'endDeviceV2.unknown': 'unknown',
  },
  operations: OPERATIONS,
  make: (known: Known) => {
    const orders = new DeviceOrders();
    const dropOrders = (_: unknown, { owner }: NewsAbout) => orders.drop(owner);
    return {
      handle: handlers(OPERATIONS, {
        'endDeviceV2.list': (asked, asking) =>
          andThen(wantedOf(asked), (wanted) => ok(pageOf(wanted, known, orders, asking))),
        'endDeviceV2.get': ({ dev_eui }, asking) => {
          const rows = rowsOf(known, asking, [dev_eui]);
          const message = `No device has DevEUI ${dev_eui}.`;
          return rows.count === 0 ? fail('endDeviceV2.unknown', message) : ok(first(rows));
        },
      }),
      hears: {
        deviceCreated: dropOrders,
        deviceChanged: dropOrders,
        deviceRemoved: dropOrders,
      },
      // What is reported are records of others, and what the network knows.
      ...WITHOUT_RECORDS,
      load: () => orders.clear(),
    };
  },
});

type Asked = Given<typeof QUERY>;
type Wanted = Pick<Listing, 'mask' | 'order' | 'filter' | 'page' | 'pageSize'>;

/** What is asked for, or the first thing that is wrong with it. */
function wantedOf({ field_mask, sort = [], filter, page = 1, page_size }: Asked) {
  const pageSize = page_size === undefined ? null : Math.min(page_size, MOST_PER_PAGE);
  return andThen(maskOf(field_mask), (mask) =>
    andThen(orderOf(sort), (order) =>
      andThen(filter === undefined ? ok(NO_FILTER) : filterOf(filter), (read) =>
        ok<Wanted>({ mask, order, filter: read, page, pageSize }),
      ),
    ),
  );
}

/** What resources know of devices. */
export interface Known {
  readonly endDevice: {
    tableOf(asking: Asking, devEuis?: readonly string[]): DeviceTable;
  };
  readonly endDeviceGroup: {
    groupsOfEach(devEuis: readonly string[]): readonly (readonly Named[])[];
  };
}

type Rows = Pick<Listing, 'count' | 'columns' | 'ready'>;

/** All devices, or those of the named ones that there are. */
function rowsOf(
  { endDevice, endDeviceGroup }: Known,
  asking: Asking,
  devEuis?: readonly string[],
): Rows {
  const table = endDevice.tableOf(asking, devEuis);
  const { devEui } = table.network;
  const columns = columnsOf(table, asking.by, endDeviceGroup.groupsOfEach(devEui));
  return {
    count: devEui.length,
    columns: (name) => columns[name as keyof typeof columns],
    ready: () => table.copy.ready(),
  };
}

type Answer = Sliced<AnswerOf<(typeof OPERATIONS)['endDeviceV2.list']>>;

/** Looks at the devices of the page alone, where their order is cached. */
function pageOf(wanted: Wanted, known: Known, orders: DeviceOrders, asking: Asking): Steps<Answer> {
  const { filter, order, page, pageSize } = wanted;
  const cached = filter === NO_FILTER ? orders.of(asking.by, order.keys) : undefined;
  const found = pageSize === null ? undefined : cached?.page((page - 1) * pageSize, pageSize);
  if (found !== undefined) {
    const rows = rowsOf(known, asking, found.devEuis);
    const asSorted = { ...wanted, order: ORDER_OF_ROWS, page: 1, pageSize: null };
    return answered({ ...rows, ...asSorted, fields: DEVICE_V2 }, wanted, found.total);
  }
  const rows = rowsOf(known, asking);
  const devEuiAt = rows.columns('dev_eui') as (row: number) => string;
  const onSorted = cached && ((sorted: Uint32Array) => cached.store(Array.from(sorted, devEuiAt)));
  return answered({ ...rows, ...wanted, fields: DEVICE_V2, onSorted }, wanted);
}

/** What there is in all is reported before the devices are put in order. */
function* answered(
  listing: Listing,
  { page, pageSize: page_size }: Wanted,
  ofAll?: number,
): Steps<Answer> {
  const { total, entries } = yield* listed(listing);
  const meta = { total: ofAll ?? total, page, page_size };
  return { meta, data: entries as Slices<Of<typeof MASKED>> };
}

const first = ({ columns }: Rows) =>
  entryMaker(DEVICE_V2, Object.keys(DEVICE_V2), columns)(0) as Whole;

type Whole = AnswerOf<(typeof OPERATIONS)['endDeviceV2.get']>;
