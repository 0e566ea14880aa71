/** What the network server is to send to a device: application downlinks and MAC commands. */
import { fromHex } from '../../sim/base/bytes.ts';
import { andThen, fail, ok } from '../../sim/base/result.ts';
import { areWholeDownlinkCommands } from '../../sim/lorawan/mac-commands.ts';
import type { Fields } from '../kit/fields.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../kit/resource.ts';
import { devEui, knownDevice } from './devices.ts';

/** The longest FRMPayload of any data rate, bytes. */
const LONGEST = 242;

const DOWNLINK = {
  devEui,
  fPort: {
    type: 'whole',
    least: 1,
    most: 223,
    required: true,
    failure: 'downlink.invalid',
    is: 'Port.',
  },
  payloadHex: {
    type: 'hexBytes',
    least: 0,
    most: LONGEST,
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
} as const satisfies Fields;

const OPERATIONS = {
  'downlink.enqueue': {
    verb: 'change',
    takes: DOWNLINK,
    is: 'Queues an application downlink: class A gets it after its next uplink, class C at once.',
  },
  'mac.request': {
    verb: 'change',
    takes: {
      devEui,
      commandsHex: {
        type: 'hexBytes',
        least: 1,
        most: LONGEST,
        required: true,
        failure: 'mac.invalid',
        is: 'MAC commands to a device, one after the other: identifier and payload.',
      },
    },
    is: 'Asks a device by MAC commands, with each downlink until they are answered.',
  },
} as const satisfies Operations;

export const downlinkResource = declareResource({
  name: 'downlink',
  permission: 'Device',
  failures: { 'downlink.invalid': 'malformed', 'mac.invalid': 'malformed' },
  operations: OPERATIONS,
  make: ({ outbox }: Pick<Surroundings, 'outbox'>) => ({
    handle: handlers(OPERATIONS, {
      'downlink.enqueue': ({ devEui, fPort, payloadHex, confirmed = false }, { nowUs, view }) =>
        andThen(knownDevice(view, devEui), () => {
          const payload = fromHex(payloadHex);
          return ok(outbox.add({ kind: 'downlink', devEui, fPort, payload, confirmed }, nowUs));
        }),
      'mac.request': ({ devEui, commandsHex }, { nowUs, view }) =>
        andThen(knownDevice(view, devEui), () => {
          const commands = fromHex(commandsHex);
          if (!areWholeDownlinkCommands(commands)) {
            const message = 'The bytes are no run of whole commands to a device.';
            return fail('mac.invalid', message, '/commandsHex');
          }
          return ok(outbox.add({ kind: 'mac.request', devEui, commands }, nowUs));
        }),
    }),
    // The network server keeps what waits.
    ...WITHOUT_RECORDS,
  }),
});
