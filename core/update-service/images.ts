/**
 * Firmware images: uploaded once under a name and never changed, labelled with tags
 * (docs/operations.md, Firmware images).
 *
 * What was uploaded is what devices rebuild, byte for byte (docs/decisions/0017): a .hex file is
 * read to refuse a broken one, a .sfb file keeps its header, which is the device's boot loader's.
 */
import { fromHex, toHex } from '../../sim/base/bytes.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { sha256 } from '../../sim/base/sha256.ts';
import type { Fold } from '../kit/fold.ts';
import type { Handlers } from '../kit/handlers.ts';
import { declareResource } from '../kit/resource.ts';
import { Store } from '../kit/store.ts';
import type { Asking } from '../kit/subscribers.ts';
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

/** One tag or several. */
export type TagInput = string | readonly string[];

export type ImageCommand =
  /** Uploads an image; `bytesHex` is its content. */
  | {
      readonly kind: 'image.create';
      readonly name: string;
      readonly bytesHex: string;
      readonly tags: TagInput;
    }
  | { readonly kind: 'image.delete'; readonly name: string }
  | { readonly kind: 'image.replaceTags'; readonly name: string; readonly tags: TagInput }
  | { readonly kind: 'image.addTags'; readonly name: string; readonly tags: TagInput }
  /** Tags that it does not have are no error, and are not validated. */
  | { readonly kind: 'image.removeTags'; readonly name: string; readonly tags: TagInput }
  | { readonly kind: 'image.deleteTags'; readonly name: string };

export type ImageQuery =
  | { readonly kind: 'image.list' }
  /** All distinct tags of the subscriber's images. */
  | { readonly kind: 'image.allTags' }
  | { readonly kind: 'image.tags'; readonly name: string }
  /** The memory that a .hex image describes. The services do not document this one. */
  | { readonly kind: 'image.memory'; readonly name: string };

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

export interface ImageAnswers {
  'image.create': ImageAnswer;
  'image.delete': undefined;
  /** Tags are answered sorted. */
  'image.replaceTags': readonly string[];
  'image.addTags': readonly string[];
  'image.removeTags': readonly string[];
  'image.deleteTags': undefined;
  'image.list': readonly ImageAnswer[];
  'image.allTags': readonly string[];
  'image.tags': readonly string[];
  'image.memory': ImageMemoryAnswer;
}

export type ImageFailure =
  | 'image.name'
  | 'image.exists'
  | 'image.empty'
  | 'image.too-large'
  | 'image.bytes'
  | 'image.intel-hex'
  | 'image.no-memory'
  | 'image.tag'
  | 'image.unknown'
  | 'image.in-use';

const MOST_BYTES = 4 * 1024 * 1024;

const NAME = /^[^/\\]{1,250}\.(bin|hex|sfb)$/i;
const INTEL_HEX = /\.hex$/i;
const TAG = /^[A-Za-z0-9_./-]{1,15}$/;

/** Digits that are turned into bytes at a time: long texts would not fit the stack of a pattern. */
const PIECE = 0x10000;

/** What images use of other resources. */
export interface ImageNeeds {
  /** An image that a campaign uses, over or not, is not deleted. */
  readonly campaign: { usesImage(owner: string, name: string): boolean };
}

export class Images {
  readonly #images = new Store<Image>(({ name }) => name);
  readonly #needs: ImageNeeds;

  readonly commands: Handlers<ImageCommand, ImageAnswers, ImageFailure>;
  readonly queries: Handlers<ImageQuery, ImageAnswers, ImageFailure>;

  constructor(needs: ImageNeeds) {
    this.#needs = needs;
    this.commands = {
      'image.create': ({ name, bytesHex, tags }, { by }) => this.#create(by, name, bytesHex, tags),
      'image.delete': ({ name }, { by }) => this.#delete(by, name),
      'image.replaceTags': ({ name, tags }, { by }) => this.#label(by, name, tags, () => []),
      'image.addTags': ({ name, tags }, { by }) => this.#label(by, name, tags, (old) => old),
      'image.removeTags': ({ name, tags }, asking) => this.#removeTags(name, tags, asking),
      'image.deleteTags': ({ name }, { by }) => {
        const image = this.#known(by, name);
        if (!image.ok) return image;
        this.#put(image.value, []);
        return ok(undefined);
      },
    };
    this.queries = {
      'image.list': (_, { by }) => ok(this.#images.list(by).map(answerOf)),
      'image.allTags': (_, { by }) =>
        ok(distinct(this.#images.list(by).flatMap(({ tags }) => tags))),
      'image.tags': ({ name }, { by }) => {
        const image = this.#known(by, name);
        return image.ok ? ok(image.value.tags) : image;
      },
      'image.memory': ({ name }, { by }) => this.#memory(by, name),
    };
  }

  get(owner: string, name: string): Image | undefined {
    return this.#images.get(owner, name);
  }

  /** The hash stands for the bytes. */
  fold(fold: Fold): void {
    this.#images.fold(fold, 'images', ({ bytes, ...rest }) => rest);
  }

  save(): readonly Image[] {
    return this.#images.save();
  }

  load(saved: readonly Image[]): void {
    this.#images.load(saved);
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────

  #create(
    owner: string,
    name: string,
    bytesHex: string,
    tags: TagInput,
  ): Result<ImageAnswer, ImageFailure> {
    if (!NAME.test(name)) {
      return fail('image.name', `${name} does not end in .bin, .hex or .sfb`, '/name');
    }
    if (this.get(owner, name) !== undefined) {
      return fail('image.exists', `There is an image ${name}.`, '/name');
    }
    const refusal = refuseBytes(name, bytesHex) ?? refuseTags(tags);
    if (refusal !== undefined) return refusal;
    const bytes = bytesOf(bytesHex);
    const memory = INTEL_HEX.test(name) ? readIntelHex(bytes, MOST_BYTES) : ok(undefined);
    if (!memory.ok) return memory;
    const hash = toHex(sha256(bytes));
    const image = { owner, name, bytes, sha256: hash, tags: distinct(listOf(tags)) };
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

  /** `keep` picks what stays of the tags that there were. */
  #label(
    owner: string,
    name: string,
    tags: TagInput,
    keep: (old: readonly string[]) => readonly string[],
  ): Result<readonly string[], ImageFailure> {
    const image = this.#known(owner, name);
    if (!image.ok) return image;
    return refuseTags(tags) ?? this.#put(image.value, [...keep(image.value.tags), ...listOf(tags)]);
  }

  #removeTags(
    name: string,
    tags: TagInput,
    { by }: Asking,
  ): Result<readonly string[], ImageFailure> {
    const image = this.#known(by, name);
    if (!image.ok) return image;
    const removed = new Set(listOf(tags));
    return this.#put(
      image.value,
      image.value.tags.filter((tag) => !removed.has(tag)),
    );
  }

  #put(image: Image, tags: readonly string[]): Result<readonly string[], never> {
    const labelled = { ...image, tags: distinct(tags) };
    this.#images.put(labelled);
    return ok(labelled.tags);
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
  verbs: {
    'image.create': 'create',
    'image.list': 'list',
    'image.allTags': 'list',
    'image.tags': 'get',
    'image.memory': 'get',
    'image.replaceTags': 'change',
    'image.addTags': 'change',
    'image.removeTags': 'change',
    'image.deleteTags': 'change',
    'image.delete': 'delete',
  },
  make: (needs: ImageNeeds) => new Images(needs),
});

const answerOf = ({ name, sha256: hash, tags }: Image): ImageAnswer => ({ name, hash, tags });

const listOf = (tags: TagInput): readonly string[] => (typeof tags === 'string' ? [tags] : tags);

/** Sorted, each once. */
const distinct = (tags: readonly string[]): readonly string[] => [...new Set(tags)].sort();

// ── refusals ─────────────────────────────────────────────────────────────────────────────────────

function refuseBytes(name: string, bytesHex: string): Result<never, ImageFailure> | undefined {
  const size = bytesHex.length / 2;
  if (size === 0) return fail('image.empty', `${name} has no bytes.`, '/bytesHex');
  if (size > MOST_BYTES) {
    const message = `${name} has ${size} bytes; at most ${MOST_BYTES} are taken.`;
    return fail('image.too-large', message, '/bytesHex');
  }
  if (!Number.isInteger(size) || /[^0-9A-Fa-f]/.test(bytesHex)) {
    return fail('image.bytes', `${name} is not given in hexadecimal digits.`, '/bytesHex');
  }
  return undefined;
}

function refuseTags(tags: TagInput): Result<never, ImageFailure> | undefined {
  const wrong = listOf(tags).findIndex((tag) => !TAG.test(tag));
  if (wrong < 0) return undefined;
  const message = `${listOf(tags)[wrong]} is not a tag: 1 to 15 of letters, digits and _ . / -`;
  return fail('image.tag', message, typeof tags === 'string' ? '/tags' : `/tags/${wrong}`);
}

function bytesOf(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < hex.length; at += PIECE)
    bytes.set(fromHex(hex.slice(at, at + PIECE)), at / 2);
  return bytes;
}
