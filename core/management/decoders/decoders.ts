/**
 * Codecs that a subscriber brings: decoder types in JavaScript (`decoder-types.ts`), which the
 * documented operations list and nobody there can make.
 */
import { andThen, fail, found, ok } from '../../../sim/base/result.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { MEDIUM_ID } from '../../base/ids.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
  WITHOUT_RECORDS,
} from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { body, id } from '../../rows/fields.ts';
import { SCRIPT } from './decoder-scripts.ts';
import { withoutEngine } from './decoder-types.ts';
import type { Scripted, UserDecoders } from './user-decoders.ts';

const DECODER = {
  name: { type: 'text', required: true, is: 'Its name.' },
  script: { ...SCRIPT, required: true },
} as const satisfies Fields;

const RESPONSE = {
  Id: responseField({ ...MEDIUM_ID, is: 'Its id, which devices name as their decoder type.' }),
  name: responseField(DECODER.name),
} as const;

const Id = id('The codec, by the id of its decoder type.');

const OPERATIONS = {
  'decoder.create': {
    verb: 'create',
    takes: { decoder: body(DECODER) },
    answers: record({ Id: RESPONSE.Id }),
    fails: ['decoder.invalid', 'decoder.unavailable'],
    is: 'Adds a codec in JavaScript, as a decoder type that devices may have.',
  },
  'decoder.list': {
    verb: 'list',
    takes: {},
    answers: record({
      decoders: responseField({ ...listOf(record(RESPONSE)), is: 'In the order of their ids.' }),
    }),
    fails: [],
    is: 'The codecs that one has brought.',
  },
  'decoder.get': {
    verb: 'get',
    takes: { Id },
    answers: record({ ...RESPONSE, script: responseField(DECODER.script) }),
    fails: ['decoder.unknown'],
    is: 'One of them with its source.',
  },
  'decoder.replace': {
    verb: 'change',
    takes: { Id, decoder: body(DECODER) },
    answers: null,
    fails: ['decoder.unknown', 'decoder.invalid', 'decoder.unavailable'],
    is: 'Replaces a codec: what its devices sent is decoded by the new one from now on.',
  },
  'decoder.delete': {
    verb: 'delete',
    takes: { Id },
    answers: null,
    fails: ['decoder.unknown', 'decoder.in-use'],
    is: 'Deletes a codec that no device has.',
  },
} as const satisfies Operations;

/** What it uses of other resources. */
export interface DecoderNeeds extends Pick<Surroundings, 'codecs'> {
  readonly decoderType: { readonly brought: UserDecoders };
}

export const decoderResource = declareResource({
  name: 'decoder',
  collection: 'decoders',
  is: 'Decoders that a user supplies.',
  permission: 'Simulator',
  failures: { 'decoder.unknown': 'unknown', 'decoder.in-use': 'conflict' },
  operations: OPERATIONS,
  make: (needs: DecoderNeeds) => {
    const known = (by: string, Id: string) =>
      found(needs.decoderType.brought.find(by, Id), 'decoder.unknown', `No codec is ${Id}.`);

    return {
      ...WITHOUT_RECORDS,
      refuses: ({ kind }: { readonly kind: string }) =>
        kind === 'decoder.create' || kind === 'decoder.replace' ? withoutEngine(needs) : undefined,
      handle: handlers(OPERATIONS, {
        'decoder.create': ({ decoder: { name, script } }, { by }) => {
          const given = { Name: name, PayloadDecoder: 'JAVASCRIPT', Script: script } as const;
          const created = needs.decoderType.brought.add(by, given);
          if (created.ok) return created;
          const { code, message } = created.failure;
          // An id of its own is free.
          if (code === 'decoderType.exists') return fail('decoder.invalid', message);
          return fail(code, message, '/script');
        },
        'decoder.list': (_, { by }) =>
          ok({ decoders: needs.decoderType.brought.of(by).map(answerOf) }),
        'decoder.get': ({ Id }, { by }) =>
          andThen(known(by, Id), (each) => {
            const script = needs.decoderType.brought.sourceOf(each);
            return ok({ ...answerOf(each), script });
          }),
        'decoder.replace': ({ Id, decoder: { name, script } }, { by }) =>
          andThen(known(by, Id), (each) =>
            needs.decoderType.brought.replace(by, { ...each, Name: name }, script),
          ),
        'decoder.delete': ({ Id }, { by }) =>
          andThen(known(by, Id), (each) => {
            if (needs.decoderType.brought.isUsed(by, Id)) {
              return fail('decoder.in-use', `A device has the codec ${each.Name}.`);
            }
            needs.decoderType.brought.remove(by, each);
            return done();
          }),
      }),
    };
  },
});

const answerOf = ({ Id, Name }: Scripted) => ({ Id, name: Name });
