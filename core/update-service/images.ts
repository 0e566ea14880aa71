/**
 * Firmware images: uploaded once under a name and never changed, labelled with tags
 * (docs/operations.md, Firmware images).
 *
 * What was uploaded is what devices rebuild, byte for byte (docs/decisions/0017): a .hex file is
 * read to refuse a broken one, a .sfb file keeps its header, which is the device's boot loader's.
 */
import { toHex } from '../../sim/base/bytes.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { sha256 } from '../../sim/base/sha256.ts';
import { type Field, id } from '../kit/fields.ts';
import type { Fold } from '../kit/fold.ts';
import { hashOf } from '../kit/hash.ts';
import { declareResource, handlers, type Operations } from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
import { readIntelHex } from './intel-hex.ts';

export interface Image {
  readonly owner: string;
  /** File name, unique among its owner's. */
  readonly name: string;
  /** What was uploaded, and what devices rebuild. */
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** Sorted, each once. */
  readonly tags: readonly string[];
}

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_TAGS = 10_000;

const NAME = {
  type: 'text',
  required: true,
  rule: (name) => /^[^/\\]{1,250}\.(bin|hex|sfb)$/i.test(name),
  most: 254,
  allowed: 'a file name that ends in .bin, .hex or .sfb',
  failure: 'image.name',
  is: 'File name; the version is inferred from it.',
} as const satisfies Field;

const TAGS = {
  type: 'list',
  of: {
    type: 'text',
    rule: (tag) => /^[A-Za-z0-9_./-]{1,15}$/.test(tag),
    allowed: '1 to 15 letters, digits and _ . / -',
  },
  most: MOST_TAGS,
  orOne: true,
  distinct: true,
  required: true,
  failure: 'image.tag',
  is: 'One label or several.',
} as const satisfies Field;

const ANY_TAGS = { ...TAGS, of: { type: 'text', least: 0 } } as const;
const name = id('The image.');

const OPERATIONS = {
  'image.create': {
    verb: 'create',
    takes: {
      name: NAME,
      bytes: {
        type: 'bytes',
        required: true,
        least: 0,
        most: MOST_BYTES,
        failure: 'image.too-large',
        is: 'Its content.',
      },
      tags: TAGS,
    },
    is: 'Uploads an image.',
  },
  'image.list': { verb: 'list', takes: {}, is: 'Every image.' },
  'image.allTags': { verb: 'list', takes: {}, is: 'All tags of the images, each once.' },
  'image.tags': { verb: 'get', takes: { name }, is: 'The tags of an image.' },
  'image.memory': { verb: 'get', takes: { name }, is: 'The memory that a .hex image describes.' },
  'image.replaceTags': { verb: 'change', takes: { name, tags: TAGS }, is: 'Other tags.' },
  'image.addTags': { verb: 'change', takes: { name, tags: TAGS }, is: 'More tags.' },
  'image.removeTags': { verb: 'change', takes: { name, tags: ANY_TAGS }, is: 'Fewer tags.' },
  'image.deleteTags': { verb: 'change', takes: { name }, is: 'No tags.' },
  'image.delete': { verb: 'delete', takes: { name }, is: 'Deletes an image.' },
} as const satisfies Operations;

/** Field names of the firmware update service. */
export interface ImageAnswer {
  readonly name: string;
  readonly hash: string;
  readonly tags: readonly string[];
}

/** Of the memory from its lowest to its highest byte, gaps filled with 0xFF. */
export interface ImageMemoryAnswer {
  readonly start_address: number;
  readonly bytes: number;
  /** SHA-256: that of the .bin file with the same content. */
  readonly hash: string;
}

type ImageFailure =
  | 'image.name'
  | 'image.exists'
  | 'image.empty'
  | 'image.too-large'
  | 'image.intel-hex'
  | 'image.no-memory'
  | 'image.tag'
  | 'image.unknown'
  | 'image.in-use';

const INTEL_HEX = /\.hex$/i;

/** What images use of other resources. */
export interface ImageNeeds {
  /** An image that a campaign uses, over or not, is not deleted. */
  readonly campaign: { usesImage(owner: string, name: string): boolean };
}

export class Images {
  /** The hash stands for the bytes. */
  readonly #images = new Store<Image>(
    'images',
    ({ name }) => name,
    ({ bytes, ...rest }) => rest,
  );
  readonly #needs: ImageNeeds;

  readonly handle = handlers(OPERATIONS, {
    'image.create': ({ name, bytes, tags }, { by }) => this.#create(by, name, bytes, tags),
    'image.list': (_, { by }) => ok(this.#images.list(by).map(answerOf)),
    'image.allTags': (_, { by }) => ok(distinct(this.#images.list(by).flatMap(({ tags }) => tags))),
    'image.tags': ({ name }, { by }) => {
      const image = this.#known(by, name);
      return image.ok ? ok(image.value.tags) : image;
    },
    'image.memory': ({ name }, { by }) => this.#memory(by, name),
    'image.replaceTags': ({ name, tags }, { by }) => this.#label(by, name, () => tags),
    'image.addTags': ({ name, tags }, { by }) => this.#label(by, name, (old) => [...old, ...tags]),
    'image.removeTags': ({ name, tags }, { by }) => {
      const removed = new Set(tags);
      return this.#label(by, name, (old) => old.filter((tag) => !removed.has(tag)));
    },
    'image.deleteTags': ({ name }, { by }) => {
      const labelled = this.#label(by, name, () => []);
      return labelled.ok ? ok(undefined) : labelled;
    },
    'image.delete': ({ name }, { by }) => this.#delete(by, name),
  });

  constructor(needs: ImageNeeds) {
    this.#needs = needs;
  }

  get(owner: string, name: string): Image | undefined {
    return this.#images.get(owner, name);
  }

  readonly fold = (fold: Fold) => this.#images.saving.fold(fold);
  readonly save = () => this.#images.saving.save();
  readonly load = (saved: readonly Image[]) => this.#images.saving.load(saved);

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create(
    owner: string,
    name: string,
    bytes: Uint8Array,
    tags: readonly string[],
  ): Result<ImageAnswer, ImageFailure> {
    if (this.get(owner, name) !== undefined) {
      return fail('image.exists', `There is an image ${name}.`, '/name');
    }
    if (bytes.length === 0) return fail('image.empty', `${name} has no bytes.`, '/bytes');
    const memory = INTEL_HEX.test(name) ? readIntelHex(bytes, MOST_BYTES) : ok(undefined);
    if (!memory.ok) return memory;
    const image = { owner, name, bytes, sha256: hashOf(bytes), tags: distinct(tags) };
    this.#images.put(image);
    return ok(answerOf(image));
  }

  #delete(owner: string, name: string): Result<undefined, ImageFailure> {
    const image = this.#known(owner, name);
    if (!image.ok) return image;
    if (this.#needs.campaign.usesImage(owner, name)) {
      return fail('image.in-use', `A campaign uses the image ${name}.`);
    }
    this.#images.remove(owner, name);
    return ok(undefined);
  }

  #label(
    owner: string,
    name: string,
    change: (old: readonly string[]) => readonly string[],
  ): Result<readonly string[], ImageFailure> {
    const image = this.#known(owner, name);
    if (!image.ok) return image;
    const tags = distinct(change(image.value.tags));
    this.#images.put({ ...image.value, tags });
    return ok(tags);
  }

  #memory(owner: string, name: string): Result<ImageMemoryAnswer, ImageFailure> {
    const image = this.#known(owner, name);
    if (!image.ok) return image;
    if (!INTEL_HEX.test(name)) {
      return fail('image.no-memory', `${name} is no .hex file, so it has no addresses.`);
    }
    const memory = readIntelHex(image.value.bytes, MOST_BYTES);
    if (!memory.ok) return memory;
    const { startAddress, bytes } = memory.value;
    const hash = toHex(sha256(bytes));
    return ok({ start_address: startAddress, bytes: bytes.length, hash });
  }

  #known(owner: string, name: string): Result<Image, 'image.unknown'> {
    const image = this.get(owner, name);
    return image === undefined ? fail('image.unknown', `There is no image ${name}.`) : ok(image);
  }
}

export const imageResource = declareResource({
  name: 'image',
  permission: 'Device',
  failures: {
    'image.name': 'malformed',
    'image.exists': 'conflict',
    'image.empty': 'malformed',
    'image.too-large': 'malformed',
    'image.intel-hex': 'malformed',
    'image.no-memory': 'malformed',
    'image.tag': 'malformed',
    'image.unknown': 'unknown',
    'image.in-use': 'conflict',
  },
  operations: OPERATIONS,
  make: (needs: ImageNeeds) => new Images(needs),
});

const answerOf = ({ name, sha256: hash, tags }: Image): ImageAnswer => ({ name, hash, tags });

/** Sorted, each once. */
const distinct = (tags: readonly string[]): readonly string[] => [...new Set(tags)].sort();
