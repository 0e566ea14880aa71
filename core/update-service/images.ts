/**
 * Firmware images: uploaded once under a name and never changed, labelled with tags
 * (docs/operations.md, Firmware images).
 *
 * What was uploaded is what devices rebuild, byte for byte (docs/decisions/0017). A .hex file that
 * is no Intel HEX is taken too, as opaque bytes. A .sfb file keeps its header, which is for the
 * device's boot loader.
 */
import { assert } from '../../sim/base/assert.ts';
import { andThen, fail, found, ok } from '../../sim/base/result.ts';
import type { Field, Fields } from '../../sim/base/rows/fields.ts';
import { hashOf } from '../base/hash.ts';
import { Store } from '../base/store.ts';
import {
  declareResource,
  done,
  handlers,
  type Operations,
  type Surroundings,
} from '../kit/resource.ts';
import { listOf, record, responseField, SHA256 } from '../rows/answers.ts';
import { id } from '../rows/fields.ts';
import { readIntelHex } from './intel-hex.ts';

export interface Image extends ImageRecord {
  /** What was uploaded, and what devices rebuild. */
  readonly bytes: Uint8Array;
}

/** What is stored of an image; its bytes are among the contents (core/base/contents.ts). */
export interface ImageRecord {
  readonly owner: string;
  /** File name, unique among its owner's. */
  readonly name: string;
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** Sorted, each once. */
  readonly tags: readonly string[];
  /** Of a .hex file that is no Intel HEX: why it is none. */
  readonly opaque?: string;
}

const source = 'firmware update service, firmware image and tags';
const MOST_BYTES = 4 * 1024 * 1024;

const TAGS = {
  type: 'list',
  of: {
    type: 'text',
    pattern: /^[A-Za-z0-9_./-]{1,15}$/,
    allowed: '1 to 15 letters, digits and _ . / -',
  },
  most: 10_000,
  orOne: true,
  failure: 'image.tag',
  is: 'One label or several.',
  source,
} as const satisfies Field;

export const IMAGE = {
  name: {
    type: 'text',
    required: true,
    most: 100,
    // What stands apart from its letter, an accent, is no letter: the name is in composed form.
    rule: (name) => /^(?!\.)[\p{L}\p{Nd}._ -]+\.(bin|hex|sfb)$/iu.test(name),
    allowed:
      'at most 100 letters, digits and . _ - and spaces, the first no dot, ' +
      'that end in .bin, .hex or .sfb',
    failure: 'image.name',
    is: 'File name; the version is inferred from it, as in meter-1.2.0.bin.',
    source,
  },
  bytes: {
    type: 'bytes',
    required: true,
    least: 0,
    most: MOST_BYTES,
    failure: 'image.too-large',
    is: 'The content of the file.',
    source,
  },
  tags: { ...TAGS, default: [] },
} as const satisfies Fields;

const name = id('The image, by its file name.');
/** What a request carries: one tag, or a list of them. */
const tags = { ...TAGS, required: true, body: true } as const;
/** Tags that are removed are not looked at. */
const anyTags = { ...tags, of: { type: 'text', least: 0, most: 1_000_000, raw: true } } as const;

const TAGS_RESPONSE = { ...listOf(TAGS.of), distinct: true } as const;

const RESPONSE = record({
  name: responseField({ ...IMAGE.name, is: 'File name.' }),
  hash: responseField({ ...SHA256, is: 'SHA-256 of the file.', source }),
  tags: responseField({ ...TAGS_RESPONSE, is: 'Labels, sorted.', source }),
});

/** What `image.memory` counts. */
const MEMORY_BYTES = 'Gaps included, unless they would make it longer than 4 MiB.';

const MEMORY = record({
  start_address: responseField({
    type: 'whole',
    least: 0,
    most: 0xffff_ffff,
    is: 'Of the lowest byte.',
  }),
  bytes: responseField({ type: 'whole', least: 1, most: MOST_BYTES, unit: 'B', is: MEMORY_BYTES }),
  hash: responseField({
    ...SHA256,
    is: 'SHA-256 of the memory: that of the .bin file of the same content.',
  }),
});

const unknown = ['image.unknown'] as const;

const OPERATIONS = {
  'image.create': {
    verb: 'create',
    takes: IMAGE,
    answers: RESPONSE,
    fails: ['image.exists', 'image.empty'],
    is: 'Uploads an image.',
  },
  'image.list': {
    verb: 'list',
    takes: {},
    answers: listOf(RESPONSE),
    fails: [],
    is: 'Every image.',
  },
  'image.allTags': {
    verb: 'list',
    takes: {},
    answers: TAGS_RESPONSE,
    fails: [],
    is: 'All tags of the images, each once.',
  },
  'image.tags': {
    verb: 'get',
    takes: { name },
    answers: TAGS_RESPONSE,
    fails: unknown,
    is: 'The tags of an image.',
  },
  'image.memory': {
    verb: 'get',
    takes: { name },
    answers: MEMORY,
    fails: [...unknown, 'image.no-memory'],
    is: 'The memory that a .hex image describes.',
  },
  'image.replaceTags': {
    verb: 'change',
    takes: { name, tags },
    answers: TAGS_RESPONSE,
    fails: unknown,
    is: 'Puts other tags in the place of an image’s; answers those that it has now.',
  },
  'image.addTags': {
    verb: 'change',
    takes: { name, tags },
    answers: TAGS_RESPONSE,
    fails: unknown,
    is: 'Gives an image more tags; answers those that it has now.',
  },
  'image.removeTags': {
    verb: 'change',
    takes: { name, tags: anyTags },
    answers: TAGS_RESPONSE,
    fails: unknown,
    is: 'Takes tags from an image; answers those that it has now.',
  },
  'image.deleteTags': {
    verb: 'delete',
    takes: { name },
    answers: null,
    fails: unknown,
    is: 'Takes all tags from an image.',
  },
  'image.delete': {
    verb: 'delete',
    takes: { name },
    answers: null,
    fails: [...unknown, 'image.in-use'],
    is: 'Deletes an image.',
  },
} as const satisfies Operations;

/** What images use of other resources. */
export interface ImageNeeds extends Pick<Surroundings, 'contents'> {
  /** An image that a campaign uses, over or not, is not deleted. */
  readonly campaign: { usesImage(owner: string, name: string): boolean };
  /** Nor one that a managed campaign uses until it is complete. */
  readonly managedCampaign: { usesImage(owner: string, name: string): boolean };
}

export const imageResource = declareResource({
  name: 'image',
  is: 'Firmware images and their tags.',
  permission: 'Device',
  failures: {
    'image.name': 'malformed',
    'image.exists': 'conflict',
    'image.empty': 'malformed',
    'image.too-large': 'malformed',
    'image.no-memory': 'malformed',
    'image.tag': 'malformed',
    'image.unknown': 'unknown',
    'image.in-use': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: ImageNeeds) => {
    const images = new Store('images', ({ name }: ImageRecord) => name, {
      content: ({ sha256 }: ImageRecord) => [sha256],
    });
    const { contents } = needs;
    contents.usedBy((sha256) => images.by('content', sha256).length > 0);
    const bytesOf = ({ sha256 }: ImageRecord): Uint8Array => contents.get(sha256);
    const known = (by: string, name: string) =>
      found(images.get(by, name), 'image.unknown', `There is no image ${name}.`);

    type Change = (old: readonly string[]) => readonly string[];
    const label = (by: string, name: string, change: Change) =>
      andThen(known(by, name), (image) => {
        const tags = sorted(change(image.tags));
        images.put({ ...image, tags });
        return ok(tags);
      });

    return {
      ...images.saving,

      get(owner: string, name: string): Image | undefined {
        const image = images.get(owner, name);
        return image === undefined ? undefined : { ...image, bytes: bytesOf(image) };
      },

      handle: handlers(OPERATIONS, {
        'image.create': ({ name, bytes, tags = [] }, { by }) => {
          if (images.get(by, name) !== undefined) {
            return fail('image.exists', `There is an image ${name}.`, '/name');
          }
          if (bytes.length === 0) return fail('image.empty', `${name} has no bytes.`, '/bytes');
          const memory = isHex(name) ? memoryOf(bytes) : ok(undefined);
          const opaque = memory.ok ? {} : { opaque: memory.failure.message };
          const sha256 = contents.keep(bytes);
          const image: ImageRecord = { owner: by, name, sha256, tags: sorted(tags), ...opaque };
          images.put(image);
          return ok(answerOf(image));
        },
        'image.list': (_, { by }) => ok(images.list(by).map(answerOf)),
        'image.allTags': (_, { by }) => ok(sorted(images.list(by).flatMap(({ tags }) => tags))),
        'image.tags': ({ name }, { by }) => andThen(known(by, name), ({ tags }) => ok(tags)),
        'image.memory': ({ name }, { by }) =>
          andThen(known(by, name), (image) => describedMemory(image, bytesOf)),
        'image.replaceTags': ({ name, tags }, { by }) => label(by, name, () => tags),
        'image.addTags': ({ name, tags }, { by }) => label(by, name, (old) => [...old, ...tags]),
        'image.removeTags': ({ name, tags }, { by }) => {
          const removed = new Set(tags);
          return label(by, name, (old) => old.filter((tag) => !removed.has(tag)));
        },
        'image.deleteTags': ({ name }, { by }) =>
          andThen(
            label(by, name, () => []),
            () => done(),
          ),
        'image.delete': ({ name }, { by }) =>
          andThen(known(by, name), ({ sha256 }) => {
            if (needs.campaign.usesImage(by, name) || needs.managedCampaign.usesImage(by, name)) {
              return fail('image.in-use', `A campaign uses the image ${name}.`);
            }
            images.remove(by, name);
            contents.drop(sha256);
            return done();
          }),
      }),
    };
  },
});

const answerOf = ({ name, sha256: hash, tags }: ImageRecord) => ({ name, hash, tags });

/** Each once. */
const sorted = (tags: readonly string[]): readonly string[] => [...new Set(tags)].sort();

const isHex = (name: string): boolean => /\.hex$/i.test(name);

/** What operators are warned of: a name that promises a form which the bytes do not have. */
export function warningOfImage(name: string, bytes: Uint8Array): string | undefined {
  const memory = isHex(name) ? memoryOf(bytes) : ok(undefined);
  return memory.ok ? undefined : opaqueSentence(name, memory.failure.message);
}

/** `a.hex is no Intel HEX, and is sent as it is: Line 1, column 2: …`. */
export const opaqueSentence = (name: string, why: string): string =>
  `${name} is no Intel HEX, and is sent as it is: ${why}`;

/**
 * The memory that a .hex file describes, from its lowest to its highest byte, gaps filled with
 * 0xFF; without its gaps where that would be longer than an image may be. The hash is the SHA-256
 * of it: that of the .bin file with the same content.
 */
const memoryOf = (content: Uint8Array) =>
  andThen(readIntelHex(content, MOST_BYTES), ({ startAddress, bytes }) =>
    ok({ start_address: startAddress, bytes: bytes.length, hash: hashOf(bytes) }),
  );

/** The memory of an image that is Intel HEX. */
function describedMemory(image: ImageRecord, bytesOf: (image: ImageRecord) => Uint8Array) {
  const { name, opaque } = image;
  if (isHex(name) && opaque === undefined) return knownMemory(bytesOf(image));
  const why = opaque === undefined ? 'no .hex file' : `no Intel HEX (${opaque})`;
  return fail('image.no-memory', `${name} is ${why}, so it has no addresses.`);
}

/** Of what was uploaded, and read then. */
function knownMemory(content: Uint8Array) {
  const memory = memoryOf(content);
  assert(memory.ok, 'a .hex file was read when it came');
  return memory;
}
