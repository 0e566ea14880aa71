/**
 * Messages to devices, as device and gateway management has them: application downlinks, which the
 * simulator's own `downlink.enqueue` queues, too (core/simulator/downlinks.ts).
 */
import { toHex } from '../../sim/base/bytes.ts';
import type { JsonObject } from '../../sim/base/json.ts';
import { andThen, fail, ok, type Result } from '../../sim/base/result.ts';
import type { Fields, Given } from '../../sim/base/rows/fields.ts';
import type { DeviceView } from '../../sim/contract/view.ts';
import { F_PORT, FRM_PAYLOAD } from '../base/application-data.ts';
import type { Asking } from '../base/subscribers.ts';
import type { Codec, CodecDownlink } from '../codecs/codec.ts';
import { declareResource, handlers, type Operations, WITHOUT_RECORDS } from '../kit/resource.ts';
import { euiOf } from '../rows/fields.ts';
import { knownDevice } from '../simulator/devices.ts';
import type { ApplicationDownlink } from '../simulator/downlinks.ts';
import type { MessageToGroup } from './multicast-groups/multicast-groups.ts';
import { RESPONSE, responded } from './response.ts';

const source = 'device and gateway management, downlink message';

/** 1 to 223, and 225, as text. */
const PORT_TEXT = /^([1-9]|[1-9]\d|1\d\d|2[01]\d|22[0-3]|225)$/;

const MESSAGE = {
  Payload: {
    ...FRM_PAYLOAD,
    null: 'absent',
    failure: 'message.payload',
    is: 'FRMPayload in clear; either this or ApplicationPayload.',
    source,
  },
  TargetPort: {
    type: 'either',
    kinds: [{ type: 'text', pattern: PORT_TEXT }, F_PORT],
    allowed: '"1" to "223", or "225"',
    null: 'absent',
    failure: 'message.port',
    is:
      'Its FPort, needed with Payload; with ApplicationPayload the codec may have one of its ' +
      'own. A number is taken, too.',
    source,
  },
  Confirm: {
    type: 'flag',
    default: false,
    null: 'absent',
    failure: 'message.invalid',
    is: 'Whether the device is to acknowledge it.',
    source,
  },
  FlushQueue: {
    type: 'flag',
    default: false,
    null: 'absent',
    failure: 'message.invalid',
    is:
      'Whether it takes the place of the application’s messages that wait for the device; those ' +
      'of campaigns and jobs stay.',
    source,
  },
  ApplicationPayload: {
    type: 'json',
    null: 'absent',
    failure: 'message.payload',
    is: 'What the codec of the device’s decoder type encodes: the device’s own fields.',
    source,
  },
} as const satisfies Fields;

const OPERATIONS = {
  'message.send': {
    verb: 'change',
    takes: {
      DevEUI: euiOf('The device by its DevEUI, or the multicast group by its EUI.'),
      ...MESSAGE,
    },
    answers: RESPONSE,
    fails: [
      'device.unknown',
      'message.payload',
      'message.port',
      'message.not-encodable',
      'message.confirmed',
      'message.too-long',
      'multicastGroup.no-gateway',
      'downlink.no-gateway',
    ],
    is:
      'Queues a message: class A gets it after its next uplink, B in a ping slot, C at once; a ' +
      'multicast group through each of its gateways.',
  },
} as const satisfies Operations;

/** What messages use of other resources. */
export interface MessageNeeds {
  readonly downlink: {
    enqueue(
      device: DeviceView,
      downlink: ApplicationDownlink,
      nowUs: number,
    ): Result<unknown, 'downlink.no-gateway'>;
  };
  readonly multicastGroup: {
    /** Whether a group of the subscriber has this EUI. */
    isKnown(eui: string, by: string): boolean;
    send(
      eui: string,
      message: MessageToGroup,
      asking: Asking,
    ): Result<unknown, 'message.too-long' | 'multicastGroup.no-gateway'>;
  };
  readonly endDevice: {
    /** `decoderType` is an id, '' where the device has none. */
    registrationOf(device: DeviceView, asking: Asking): { readonly decoderType: string };
  };
  readonly decoderType: {
    get(id: string, by: string): { readonly Name: string } | undefined;
    codecOf(id: string, by: string): Codec | undefined;
  };
}

export const messageResource = declareResource({
  name: 'message',
  is: 'Messages to devices and multicast groups.',
  permission: 'Device',
  failures: {
    'message.invalid': 'malformed',
    'message.payload': 'malformed',
    'message.port': 'malformed',
    'message.not-encodable': 'malformed',
    'message.confirmed': 'malformed',
    'message.too-long': 'failed',
  },
  operations: OPERATIONS,
  make: (needs: MessageNeeds) => ({
    handle: handlers(OPERATIONS, {
      'message.send': ({ DevEUI, ...message }, asking) => {
        if (needs.multicastGroup.isKnown(DevEUI, asking.by)) {
          return sendToGroup(DevEUI, message, asking, needs);
        }
        return andThen(knownDevice(asking.view, DevEUI), (device) =>
          andThen(downlinkOf(message, encoderOf(device, asking, needs)), (downlink) =>
            andThen(needs.downlink.enqueue(device, downlink, asking.nowUs), responded),
          ),
        );
      },
    }),
    // The network server keeps what waits.
    ...WITHOUT_RECORDS,
  }),
});

type Message = Given<typeof MESSAGE>;

/** A group acknowledges nothing, and has no decoder type. */
function sendToGroup(eui: string, message: Message, asking: Asking, needs: MessageNeeds) {
  const encode = () => refuse('A multicast group has no decoder type, which would encode it');
  return andThen(downlinkOf(message, encode), ({ confirmed, flushQueue = false, ...sent }) => {
    if (confirmed) {
      const wrong = 'Confirm is true; a multicast group acknowledges nothing.';
      return fail('message.confirmed', wrong, '/Confirm');
    }
    const { fPort, payloadHex } = sent;
    const queued = needs.multicastGroup.send(eui, { fPort, payloadHex, flush: flushQueue }, asking);
    return andThen(queued, responded);
  });
}

type Encode = (
  data: JsonObject,
  fPort: number | undefined,
) => Result<CodecDownlink, 'message.not-encodable'>;

/** What encodes for a device. */
function encoderOf(device: DeviceView, asking: Asking, needs: MessageNeeds): Encode {
  const { decoderType } = needs.endDevice.registrationOf(device, asking);
  const known = needs.decoderType.get(decoderType, asking.by);
  if (known === undefined) {
    return () => refuse(`The device ${device.devEui} has no decoder type, which would encode it`);
  }
  const codec = needs.decoderType.codecOf(decoderType, asking.by);
  const name = `The device's decoder type, ${known.Name},`;
  if (codec?.encode === undefined) return () => refuse(`${name} does not encode`);
  return (data, fPort) => {
    const encoded = codec.encode!(data, fPort);
    return 'errors' in encoded
      ? refuse(`${name} cannot encode it: ${encoded.errors.join('; ')}`)
      : ok(encoded.value);
  };
}

const refuse = (why: string) =>
  fail('message.not-encodable', `${why.replace(/[.;]$/, '')}.`, '/ApplicationPayload');

/** What goes out for a message, or why none can. */
function downlinkOf(message: Message, encode: Encode) {
  const { Payload, TargetPort, ApplicationPayload, Confirm, FlushQueue } = message;
  if ((Payload === undefined) === (ApplicationPayload === undefined)) {
    const what = Payload === undefined ? 'Nothing is given' : 'Two payloads are given';
    return fail('message.payload', `${what}: give Payload or ApplicationPayload.`, '/Payload');
  }
  const port = TargetPort === undefined ? undefined : Number(TargetPort);
  return andThen(bytesOf(Payload, ApplicationPayload, port, encode), (sent) => {
    const downlink: ApplicationDownlink = {
      ...sent,
      confirmed: Confirm ?? MESSAGE.Confirm.default,
      flushQueue: FlushQueue ?? MESSAGE.FlushQueue.default,
    };
    return ok(downlink);
  });
}

/** The one of both that is given, as it goes out. */
function bytesOf(
  payloadHex: string | undefined,
  data: JsonObject = {},
  fPort: number | undefined,
  encode: Encode,
) {
  if (payloadHex === undefined) {
    return andThen(encode(data, fPort), ({ bytes, fPort: itsPort }) =>
      ok({ fPort: itsPort, payloadHex: toHex(bytes).toUpperCase() }),
    );
  }
  if (fPort !== undefined) return ok({ fPort, payloadHex });
  const allowed = MESSAGE.TargetPort.allowed;
  return fail('message.port', `TargetPort is missing; it has to be ${allowed}.`, '/TargetPort');
}
