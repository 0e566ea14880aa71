/**
 * What the network server is to send to a device: application downlinks and MAC commands.
 *
 * Downlinks are sent in the order of their requests, of all senders; the server holds the queue
 * (docs/model.md, Order of downlinks). A subscriber clears those that it has asked for as the
 * application, and none of a campaign's.
 */
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { andThen, fail, ok } from '../../sim/base/result.ts';
import type { Fields, Given, Of } from '../../sim/base/rows/fields.ts';
import { SENDER_KINDS, type Sender } from '../../sim/contract/downlinks.ts';
import type { DeviceView, WaitingDownlink } from '../../sim/contract/view.ts';
import { areWholeDownlinkCommands } from '../../sim/lorawan/mac-commands.ts';
import { F_PORT, FRM_PAYLOAD, LONGEST_FRM_PAYLOAD } from '../base/application-data.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../kit/resource.ts';
import { COUNT, listOf, record, responseField } from '../rows/answers.ts';
import { devEui, knownDevice } from './devices.ts';

/** The subscriber's application; a device has one subscriber. */
const APPLICATION: Sender = { kind: 'application', id: '' };

const DOWNLINK = {
  devEui,
  fPort: {
    ...F_PORT,
    required: true,
    failure: 'downlink.invalid',
    is: 'Its FPort.',
  },
  payloadHex: {
    ...FRM_PAYLOAD,
    required: true,
    failure: 'downlink.invalid',
    is: 'FRMPayload in clear.',
  },
  confirmed: {
    type: 'flag',
    default: false,
    failure: 'downlink.invalid',
    is: 'Whether the device is to acknowledge it.',
  },
  flushQueue: {
    type: 'flag',
    default: false,
    failure: 'downlink.invalid',
    is: 'Whether it takes the place of the application’s downlinks that wait for the device.',
  },
} as const satisfies Fields;

/** What is asked of a downlink beside its device. */
export type ApplicationDownlink = Omit<Given<typeof DOWNLINK>, 'devEui'>;

const downlink_id = responseField({
  ...COUNT,
  least: 1,
  is: 'Its id, from 1, unique in the world.',
});

const WAITING = record({
  downlink_id,
  sender: responseField({ type: 'choice', words: SENDER_KINDS, is: 'Who asked for it.' }),
  fPort: responseField(DOWNLINK.fPort),
  payloadHex: responseField(DOWNLINK.payloadHex),
  confirmed: responseField(DOWNLINK.confirmed),
});

const unknown = ['device.unknown'] as const;

const OPERATIONS = {
  'downlink.enqueue': {
    verb: 'change',
    takes: DOWNLINK,
    answers: record({ downlink_id }),
    fails: [...unknown, 'downlink.no-gateway'],
    is: 'Queues an application downlink: class A gets it after its next uplink, class C at once.',
  },
  'downlink.clear': {
    verb: 'change',
    takes: { devEui },
    answers: null,
    fails: unknown,
    is: 'Drops the application’s downlinks that wait for a device; what is on its way goes on.',
  },
  'downlink.waiting': {
    verb: 'get',
    takes: { devEui },
    answers: listOf(WAITING),
    fails: unknown,
    is: 'Downlinks that wait for a device, from all senders, in the order in which they are sent.',
  },
  'mac.request': {
    verb: 'change',
    takes: {
      devEui,
      commandsHex: {
        type: 'hexBytes',
        least: 1,
        most: LONGEST_FRM_PAYLOAD,
        required: true,
        failure: 'mac.invalid',
        is: 'MAC commands to a device, one after the other: identifier and payload.',
      },
    },
    answers: null,
    fails: [...unknown, 'mac.invalid'],
    is: 'Asks a device by MAC commands, with each downlink until they are answered.',
  },
} as const satisfies Operations;

export const downlinkResource = declareResource({
  name: 'downlink',
  is: 'Downlinks that a scenario sends.',
  permission: 'Device',
  failures: {
    'downlink.invalid': 'malformed',
    'downlink.no-gateway': 'failed',
    'mac.invalid': 'malformed',
  },
  operations: OPERATIONS,
  make: ({ outbox, downlinks }: Pick<Surroundings, 'outbox' | 'downlinks'>) => {
    /** Queues one for a device of the caller, and reports its id. */
    const enqueue = (
      { devEui, heardBy }: DeviceView,
      asked: ApplicationDownlink,
      nowUs: number,
    ) => {
      if (heardBy.length === 0) return fail('downlink.no-gateway', 'No Base Station Available');
      const { fPort, payloadHex, confirmed = false, flushQueue = false } = asked;
      if (flushQueue) downlinks.clear(APPLICATION, devEui, nowUs);
      const downlink = { devEui, fPort, payload: fromHex(payloadHex), confirmed };
      return ok({ downlink_id: downlinks.send(APPLICATION, downlink, nowUs) });
    };

    return {
      enqueue,
      handle: handlers(OPERATIONS, {
        'downlink.enqueue': ({ devEui, ...asked }, { nowUs, view }) =>
          andThen(knownDevice(view, devEui), (device) => enqueue(device, asked, nowUs)),
        'downlink.clear': ({ devEui }, { nowUs, view }) =>
          andThen(knownDevice(view, devEui), () =>
            done(downlinks.clear(APPLICATION, devEui, nowUs)),
          ),
        'downlink.waiting': ({ devEui }, { view }) =>
          andThen(knownDevice(view, devEui), ({ waitingDownlinks }) =>
            ok(waitingDownlinks.map(answerOf)),
          ),
        'mac.request': ({ devEui, commandsHex }, { nowUs, view }) =>
          andThen(knownDevice(view, devEui), () => {
            const commands = fromHex(commandsHex);
            if (!areWholeDownlinkCommands(commands)) {
              const message = 'The bytes are no run of whole commands to a device.';
              return fail('mac.invalid', message, '/commandsHex');
            }
            return done(outbox.add({ kind: 'mac.request', devEui, commands }, nowUs));
          }),
      }),
      // The network server keeps what waits.
      ...WITHOUT_RECORDS,
    };
  },
});

const answerOf = ({
  id,
  sender,
  fPort,
  payload,
  confirmed,
}: WaitingDownlink): Of<typeof WAITING> => ({
  downlink_id: id,
  sender,
  fPort,
  payloadHex: toHex(payload).toUpperCase(),
  confirmed,
});
