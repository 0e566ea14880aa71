/**
 * Decoder types: what makes data of a device’s payloads. Each names an internal algorithm. Every
 * world has one of each; a scenario’s file may add others by names of its own.
 */
import { andThen, fail, found, ok } from '../../sim/base/result.ts';
import { MEDIUM_ID, MEDIUM_ID_GIVEN } from '../base/ids.ts';
import type { Codec } from '../codecs/codec.ts';
import { NATIVE_CODECS } from '../codecs/native.ts';
import { listOf, record, told } from '../kit/answers.ts';
import { body, type Fields, id, type Of } from '../kit/fields.ts';
import { declareResource, handlers, type Operations, type Surroundings } from '../kit/resource.ts';
import { Catalogue, type Entry } from './catalogue.ts';
import { CREATED } from './service-profiles.ts';

const source = 'device and gateway management: Decoder type';

/** Words for the algorithms. */
export const PAYLOAD_DECODERS = [
  'RAW_HEX',
  'CAYENNE_LPP',
  'ELSYS',
  'SETTINGS_SENT',
  'SETTINGS_ACK',
  'SETTINGS_REPORTED',
] as const;
export type PayloadDecoder = (typeof PAYLOAD_DECODERS)[number];

const DECODER_TYPE = {
  Name: { type: 'text', required: true, is: 'Its name.', source },
  PayloadDecoder: {
    type: 'choice',
    words: PAYLOAD_DECODERS,
    required: true,
    is:
      'The algorithm: RAW_HEX: the payload as it is; CAYENNE_LPP: Cayenne Low Power Payload; ' +
      'ELSYS: that of ELSYS sensors; SETTINGS_SENT, SETTINGS_ACK, SETTINGS_REPORTED: those of ' +
      'simulated devices that are set over the air, by what they tell of it.',
    source,
  },
} as const satisfies Fields;

/** What those that every world has are called. */
export const DECODER_NAMES = {
  RAW_HEX: 'Raw hex',
  CAYENNE_LPP: 'Cayenne LPP',
  ELSYS: 'ELSYS',
  SETTINGS_SENT: 'Settings, sent',
  SETTINGS_ACK: 'Settings, acknowledged',
  SETTINGS_REPORTED: 'Settings, reported',
} as const satisfies Record<PayloadDecoder, string>;

const BUILT_IN = PAYLOAD_DECODERS.map((PayloadDecoder) => ({
  Name: DECODER_NAMES[PayloadDecoder],
  PayloadDecoder,
}));

const TOLD = record({
  Id: told({ ...MEDIUM_ID, is: 'Its id.', source }),
  Name: told(DECODER_TYPE.Name),
  PayloadDecoder: told(DECODER_TYPE.PayloadDecoder),
});

const OPERATIONS = {
  'decoderType.create': {
    verb: 'create',
    takes: { decoderType: body(DECODER_TYPE), id: MEDIUM_ID_GIVEN },
    answers: CREATED,
    fails: ['decoderType.exists'],
    is: 'Adds a decoder type.',
  },
  'decoderType.list': {
    verb: 'list',
    takes: {},
    answers: record({
      DecoderTypes: told({ ...listOf(TOLD), is: 'Those that devices may have.', source }),
    }),
    fails: [],
    is: 'Decoder types.',
  },
  'decoderType.get': {
    verb: 'get',
    takes: { Id: id('The decoder type, by its id.') },
    answers: TOLD,
    fails: ['decoderType.unknown'],
    is: 'One decoder type.',
  },
} as const satisfies Operations;

export interface DecoderType extends Entry {
  readonly PayloadDecoder: PayloadDecoder;
}

export const decoderTypeResource = declareResource({
  name: 'decoderType',
  permission: 'Device',
  failures: { 'decoderType.exists': 'conflict', 'decoderType.unknown': 'unknown' },
  operations: OPERATIONS,
  make: ({ ids, world }: Pick<Surroundings, 'ids' | 'world'>) => {
    const all = new Catalogue<DecoderType>('decoderType', world, BUILT_IN);
    return {
      fold: all.fold.bind(all),
      save: () => all.save(),
      load: (saved: ReturnType<typeof all.save>) => all.load(saved),
      handle: handlers(OPERATIONS, {
        'decoderType.create': ({ decoderType, id }, { by }) => {
          const Id = all.newId(id, ids);
          if (Id === undefined)
            return fail('decoderType.exists', `There is a decoder type ${id}.`, '/id');
          all.add(by, { Id, ...decoderType });
          return ok({ Id });
        },
        'decoderType.list': (_, { by }) => ok({ DecoderTypes: all.list(by).map(answerOf) }),
        'decoderType.get': ({ Id }, { by }) =>
          andThen(
            found(all.get(Id, by), 'decoderType.unknown', `No decoder type is ${Id}.`),
            (type) => ok(answerOf(type)),
          ),
      }),

      /** What a subscriber sees by an id. */
      get: (id: string, by: string) => all.get(id, by),

      /** What makes data of payloads for devices of this type; undefined: nothing does. */
      codecOf(id: string, by: string): Codec | undefined {
        const type = all.get(id, by);
        return type && NATIVE_CODECS[type.PayloadDecoder];
      },

      /** Whether a codec may tell a configuration in uplinks on a port. */
      reportsOn: (fPort: number): boolean =>
        Object.values(NATIVE_CODECS).some((codec: Codec) =>
          codec.configuration?.reportFPorts.includes(fPort),
        ),
    };
  },
});

const answerOf = ({ Id, Name, PayloadDecoder }: DecoderType): Of<typeof TOLD> => ({
  Id,
  Name,
  PayloadDecoder,
});
