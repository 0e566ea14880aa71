/** Firmware images: uploaded once under a name, labelled with tags, never changed. */
import { fromHex, toHex } from '../sim/base/bytes.ts';
import { fail, ok, type Result } from '../sim/base/result.ts';
import { sha256 } from '../sim/base/sha256.ts';
import { copyPlain } from './plain.ts';

export interface Image {
  /** File name, unique. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly sha256: string;
  readonly tags: readonly string[];
}

export type ImageFailure =
  | 'image.name'
  | 'image.exists'
  | 'image.empty'
  | 'image.too-large'
  | 'image.bytes'
  | 'image.tag';

const MOST_BYTES = 4 * 1024 * 1024;

const NAME = /^[^/\\]+\.(bin|hex|sfb)$/;
const TAG = /^[A-Za-z0-9_./-]{1,15}$/;

/** Digits that are turned into bytes at a time: long texts would not fit the stack of a pattern. */
const PIECE = 0x10000;

export class Images {
  #byName = new Map<string, Image>();

  create(name: string, bytesHex: string, tags: readonly string[]): Result<void, ImageFailure> {
    const refusal = this.#refuse(name, bytesHex, tags);
    if (refusal !== undefined) return refusal;
    const bytes = bytesOf(bytesHex);
    this.#byName.set(name, { name, bytes, sha256: toHex(sha256(bytes)), tags: [...tags] });
    return ok(undefined);
  }

  get(name: string): Image | undefined {
    return this.#byName.get(name);
  }

  save(): readonly Image[] {
    return copyPlain([...this.#byName.values()]);
  }

  load(saved: readonly Image[]): void {
    this.#byName = new Map(copyPlain(saved).map((image) => [image.name, image]));
  }

  #refuse(
    name: string,
    bytesHex: string,
    tags: readonly string[],
  ): Result<never, ImageFailure> | undefined {
    if (!NAME.test(name)) {
      return fail('image.name', `${name} does not end in .bin, .hex or .sfb`, '/name');
    }
    if (this.#byName.has(name)) return fail('image.exists', `There is an image ${name}.`, '/name');
    const size = bytesHex.length / 2;
    if (size === 0) return fail('image.empty', `${name} has no bytes.`, '/bytesHex');
    if (size > MOST_BYTES) {
      const message = `${name} has ${size} bytes; at most ${MOST_BYTES} are taken.`;
      return fail('image.too-large', message, '/bytesHex');
    }
    if (!Number.isInteger(size) || /[^0-9A-Fa-f]/.test(bytesHex)) {
      return fail('image.bytes', `${name} is not given in hexadecimal digits.`, '/bytesHex');
    }
    const wrong = tags.findIndex((tag) => !TAG.test(tag));
    if (wrong < 0) return undefined;
    const message = `${tags[wrong]} is not a tag: 1 to 15 of letters, digits and _ . / -`;
    return fail('image.tag', message, `/tags/${wrong}`);
  }
}

function bytesOf(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < hex.length; at += PIECE)
    bytes.set(fromHex(hex.slice(at, at + PIECE)), at / 2);
  return bytes;
}
