/**
 * Payloads of devices: what their applications sent, as long as it is stored (device and gateway
 * management, `GET /v1/devices/{DevEUI}/payloads`; docs/decisions/0054, 0059). They stand in the
 * logs: these are the entries of uplinks that were accepted on a port that an application may have,
 * 1 to 223 or 225. Those of application packages are among them: to a platform they are an
 * application's.
 */
import { fromHex, toHex } from '../../../sim/base/bytes.ts';
import { andThen, found, ok } from '../../../sim/base/result.ts';
import type { Of } from '../../../sim/base/rows/fields.ts';
import { DAY_US } from '../../../sim/base/units.ts';
import type { NetworkFacts } from '../../../sim/contract/view.ts';
import { oneStep, type Slices, type Steps } from '../../base/in-steps.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Asking } from '../../base/subscribers.ts';
import { declareResource, handlers, type Operations, WITHOUT_RECORDS } from '../../kit/resource.ts';
import { COUNT, INSTANT, listOf, record, responseField } from '../../rows/answers.ts';
import { euiOf } from '../../rows/fields.ts';
import { payloadAt } from '../logs/bytes.ts';
import { wordsOf } from '../logs/chunk.ts';
import {
  type CodecOf,
  codecsNow,
  type DecodingNeeds,
  decodedAt,
  decodedSlices,
} from '../logs/decoding.ts';
import { classesWhere } from '../logs/entries.ts';
import type { LogCopy } from '../logs/log-store.ts';
import { allOf, type Found } from '../logs/selecting.ts';

import { type Range, rangeOf } from '../range.ts';
import { isSince, type Sent, sentBy } from './search.ts';

const source = 'device and gateway management, payloads';

/** Most records of one answer: the latest of those that are asked for. */
export const MOST_LISTED = 2_000;

const PAYLOAD = record({
  Time: responseField({ ...INSTANT, is: 'End of the uplink that carried it.', source }),
  Data: responseField({
    ...record({
      FPort: responseField({ type: 'whole', least: 1, most: 225, is: 'Its port.' }),
      FCnt: responseField({ ...COUNT, is: 'Its counter, all 32 bits.' }),
      PayloadHex: responseField({
        type: 'hexBytes',
        least: 0,
        most: 255,
        is: 'Its bytes; none where the device’s data were private.',
      }),
    }),
    is: 'What was received.',
    source,
  }),
  ApplicationData: responseField({
    type: 'json',
    is: 'What the device’s decoder made of it; empty without one.',
    source,
  }),
});

const OPERATIONS = {
  'payload.list': {
    verb: 'get',
    takes: {
      DevEUI: euiOf('The device, by its DevEUI.'),
      StartTime: { type: 'instant', is: 'Earliest instant of the response.', source },
      EndTime: { type: 'instant', is: 'Latest instant of the response.', source },
    },
    answers: record({
      Payloads: responseField({
        ...listOf(PAYLOAD),
        is: `The latest first, ${MOST_LISTED} at most: the latest of those asked for.`,
        source,
      }),
    }),
    inSteps: true,
    fails: ['device.unknown', 'payload.range'],
    is: 'Payloads that a device sent, as long as they are stored.',
  },
} as const satisfies Operations;

/** How long they are reported, where the log still has them. */
export const MOST_DAYS = 30;

/** What payloads use of other resources. */
export interface PayloadNeeds extends DecodingNeeds {
  readonly log: { copyOf(owner: string): LogCopy };
}

export const payloadResource = declareResource({
  name: 'payload',
  is: 'Payloads that a device has sent.',
  permission: 'Device',
  failures: { 'payload.range': 'malformed' },
  operations: OPERATIONS,
  make: (needs: PayloadNeeds) => ({
    ...WITHOUT_RECORDS,
    handle: handlers(OPERATIONS, {
      'payload.list': ({ DevEUI, ...times }, { by, view, nowUs }) =>
        andThen(
          found(view.device(DevEUI), 'device.unknown', `There is no device ${DevEUI}.`),
          ({ devEui, createdAtUs }) =>
            andThen(rangeOf(times, view, 'payload.range'), (range) => {
              const copy = needs.log.copyOf(by);
              const wanted = {
                ...recent(range, nowUs),
                classes: PAYLOADS,
                device: wordsOf(devEui),
              };
              const store = () => latestOf(allOf(copy, wanted), createdAtUs);
              const codecOf = codecsNow(needs, by, view);
              // It is known once it was looked up: it may be gone when payloads are decoded.
              codecOf(devEui);
              return ok(oneStep({ Payloads: responseOf(store, view, codecOf) }));
            }),
        ),
    }),

    /**
     * Which of the caller's devices sent this payload, in hexadecimal, or anything, within these
     * instants of virtual time, both of them included.
     */
    sentBy(
      devEuis: readonly string[],
      payloadHex: string | undefined,
      range: Range,
      { by, nowUs, view }: Asking,
    ): Steps<ReadonlySet<string>> {
      const { devEui, createdAtUs } = view.deviceColumns(devEuis);
      const since = new Map(devEui.map((each, place) => [each, createdAtUs[place]!]));
      const sent: Sent = {
        payload: payloadHex === undefined ? undefined : fromHex(payloadHex),
        classes: PAYLOADS,
        ...recent(range, nowUs),
      };
      return sentBy(needs.log.copyOf(by), since, sent);
    },
  }),
});

const PAYLOADS = classesWhere(({ isPayload }) => isPayload);

/** Without what is too old. */
const recent = ({ fromUs, untilUs }: Range, nowUs: number): Range => ({
  fromUs: Math.max(fromUs, nowUs - MOST_DAYS * DAY_US),
  untilUs,
});

/** Up to the first that is of a device before this one that had its name. */
function* latestOf(stored: Iterable<Found>, createdAtUs: number): Iterable<Found> {
  let count = 0;
  for (const each of stored) {
    const atUs = each.chunk.entries.atUs[each.place]!;
    if (!isSince(createdAtUs, atUs) || count++ === MOST_LISTED) return;
    yield each;
  }
}

const responseOf = (
  store: () => Iterable<Found>,
  view: Pick<NetworkFacts, 'unixMs'>,
  codecOf: CodecOf,
): Slices<Of<typeof PAYLOAD>> =>
  decodedSlices(store, ({ chunk, place }, _at, budget) => {
    const { atUs, fPort, counter } = chunk.entries;
    return {
      Time: formatInstant(view.unixMs(atUs[place]!)),
      Data: {
        FPort: fPort[place]!,
        FCnt: counter[place]!,
        PayloadHex: toHex(payloadAt(chunk, place)).toUpperCase(),
      },
      ApplicationData: decodedAt(chunk, place, view, codecOf, budget),
    };
  });
