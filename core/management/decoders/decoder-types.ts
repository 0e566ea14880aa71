/**
 * Decoder types: what makes data of a device’s payloads. Each names an internal algorithm. Every
 * world has one of each; a scenario’s file may add others by names of its own.
 */
import { assert } from '../../../sim/base/assert.ts';
import { andThen, found, ok } from '../../../sim/base/result.ts';
import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import { MEDIUM_ID, MEDIUM_ID_GIVEN } from '../../base/ids.ts';
import type { Codec } from '../../codecs/codec.ts';
import { NATIVE_CODECS, type NativeWord } from '../../codecs/native.ts';
import {
  declareResource,
  handlers,
  type Operations,
  type Surroundings,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { body, id } from '../../rows/fields.ts';
import { Catalogue } from '../catalogue.ts';
import { CREATED } from '../service-profiles.ts';
import { DecoderScripts, NO_ENGINE, SCRIPT, type ScriptNeeds } from './decoder-scripts.ts';
import { type DecoderType, type UserDecoderNeeds, UserDecoders } from './user-decoders.ts';

const source = 'device and gateway management: Decoder type';

/** Words for the algorithms. */
export const NATIVE_DECODERS = Object.keys(NATIVE_CODECS) as readonly NativeWord[];
export const PAYLOAD_DECODERS = [...NATIVE_DECODERS, 'JAVASCRIPT'] as const;
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
      'simulated devices that are set over the air, by what they tell of it; JAVASCRIPT: a ' +
      'codec that somebody wrote.',
    source,
  },
} as const satisfies Fields;

/** Its codec stands beside those that every world has. */
const SCRIPTED = {
  ...DECODER_TYPE,
  Script: { ...SCRIPT, is: `Of JAVASCRIPT, and needed there. ${SCRIPT.is}` },
} as const satisfies Fields;

/** What those that every world has are called. */
export const DECODER_NAMES = {
  RAW_HEX: 'Raw hex',
  CAYENNE_LPP: 'Cayenne LPP',
  ELSYS: 'ELSYS',
  SETTINGS_SENT: 'Settings, sent',
  SETTINGS_ACK: 'Settings, acknowledged',
  SETTINGS_REPORTED: 'Settings, reported',
} as const satisfies Record<NativeWord, string>;

const BUILT_IN = NATIVE_DECODERS.map((PayloadDecoder) => ({
  Name: DECODER_NAMES[PayloadDecoder],
  PayloadDecoder,
}));

/** FPorts on which devices of a codec may tell their configuration. */
const portsOf = ({ configuration }: Codec): readonly number[] => configuration?.reportFPorts ?? [];
const REPORT_PORTS = Object.values<Codec>(NATIVE_CODECS).flatMap(portsOf);

const RESPONSE = record({
  Id: responseField({ ...MEDIUM_ID, is: 'Its id.', source }),
  Name: responseField(DECODER_TYPE.Name),
  PayloadDecoder: responseField(DECODER_TYPE.PayloadDecoder),
});

const OPERATIONS = {
  'decoderType.create': {
    verb: 'create',
    takes: { decoderType: body(SCRIPTED), id: MEDIUM_ID_GIVEN },
    answers: CREATED,
    fails: ['decoderType.exists', 'decoder.invalid', 'decoder.unavailable'],
    is: 'Adds a decoder type.',
  },
  'decoderType.list': {
    verb: 'list',
    takes: {},
    answers: record({
      DecoderTypes: responseField({
        ...listOf(RESPONSE),
        is: 'Those that devices may have.',
        source,
      }),
    }),
    fails: [],
    is: 'Decoder types.',
  },
  'decoderType.get': {
    verb: 'get',
    takes: { Id: id('The decoder type, by its id.') },
    answers: RESPONSE,
    fails: ['decoderType.unknown'],
    is: 'One decoder type.',
  },
} as const satisfies Operations;

/** What decoder types use of their surroundings and of other resources. */
export type DecoderTypeNeeds = ScriptNeeds & UserDecoderNeeds;

export const decoderTypeResource = declareResource({
  name: 'decoderType',
  is: 'Decoders of payloads.',
  permission: 'Device',
  failures: {
    'decoderType.exists': 'conflict',
    'decoderType.unknown': 'unknown',
    'decoder.invalid': 'malformed',
    'decoder.unavailable': 'unavailable',
  },
  operations: OPERATIONS,
  make: (needs: DecoderTypeNeeds) => {
    const all = new Catalogue<DecoderType>('decoderType', needs.world, BUILT_IN);
    const scripts = new DecoderScripts(needs, (sha256) =>
      all.added().some(({ script }) => script === sha256),
    );

    const brought = new UserDecoders(all, scripts, needs);
    const reports = new ReportPorts(all, scripts);

    return {
      fold: all.fold.bind(all),
      save: () => all.save(),
      load(saved: ReturnType<typeof all.save>) {
        const isPossible = needs.codecs !== undefined || saved.every(({ script }) => !script);
        assert(isPossible, NO_ENGINE);
        all.load(saved);
      },
      refuses: (asked: { readonly kind: string }) => {
        const { kind, decoderType } = asked as { kind: string; decoderType?: Partial<DecoderType> };
        return kind === 'decoderType.create' && decoderType?.PayloadDecoder === 'JAVASCRIPT'
          ? withoutEngine(needs)
          : undefined;
      },
      handle: handlers(OPERATIONS, {
        'decoderType.create': ({ decoderType, id }, { by }) => brought.add(by, decoderType, id),
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
        if (type === undefined || type.PayloadDecoder === 'JAVASCRIPT') {
          return type && scripts.codecOf(type.script!);
        }
        return NATIVE_CODECS[type.PayloadDecoder];
      },

      /** Codecs that subscribers bring (core/management/decoders/decoders.ts). */
      brought,

      /** Whether some codec reads configurations of uplinks on a port; asked with each uplink. */
      reportsOn: (fPort: number): boolean => reports.has(fPort),
    };
  },
});

/** FPorts of uplinks that may tell a configuration to some codec of the world. */
class ReportPorts {
  readonly #types: Catalogue<DecoderType>;
  readonly #scripts: DecoderScripts;
  #ports: ReadonlySet<number> = new Set();
  #revision = -1;

  constructor(types: Catalogue<DecoderType>, scripts: DecoderScripts) {
    this.#types = types;
    this.#scripts = scripts;
  }

  has(fPort: number): boolean {
    if (this.#revision !== this.#types.revision) this.#gather();
    return this.#ports.has(fPort);
  }

  #gather(): void {
    const brought = this.#types.added().flatMap(({ script }) => script ?? []);
    const ports = brought.flatMap((script) => portsOf(this.#scripts.codecOf(script)));
    this.#ports = new Set(REPORT_PORTS.concat(ports));
    this.#revision = this.#types.revision;
  }
}

/** Why a world without an engine cannot have a codec in JavaScript. */
export const withoutEngine = ({ codecs }: Pick<Surroundings, 'codecs'>) =>
  codecs === undefined ? { code: 'decoder.unavailable', message: NO_ENGINE } : undefined;

const answerOf = ({ Id, Name, PayloadDecoder }: DecoderType): Of<typeof RESPONSE> => ({
  Id,
  Name,
  PayloadDecoder,
});
