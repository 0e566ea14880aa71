/**
 * Codecs in JavaScript, as decoder types have them: their sources are stored once by SHA-256, and
 * opened when somebody needs them.
 */
import { assert } from '../../../sim/base/assert.ts';
import { andThen, fail, ok, type Result } from '../../../sim/base/result.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Codec } from '../../codecs/codec.ts';
import { openCodec } from '../../codecs/declared.ts';
import { CODEC_LIMITS } from '../../codecs/engine.ts';
import { javaScriptCodec } from '../../codecs/javascript.ts';
import type { Surroundings } from '../../kit/resource.ts';

/** Rows of a source. */
export const SCRIPT = {
  type: 'text',
  raw: true,
  least: 1,
  most: CODEC_LIMITS.source,
  failure: 'decoder.invalid',
  is:
    'The codec: JavaScript that declares decodeUplink(input), and maybe encodeDownlink(input), ' +
    'as the LoRa Alliance’s payload codec API has them (TS013-1.0.0), and how devices are ' +
    'configured (docs/codecs.md).',
  source: 'TS013-1.0.0',
} as const;

export type ScriptNeeds = Pick<Surroundings, 'codecs' | 'contents' | 'world'>;

export class DecoderScripts {
  readonly #needs: ScriptNeeds;
  /** Since somebody used them, by the SHA-256 of their sources. */
  readonly #codecs = new Map<string, Codec>();

  /** `names`: whether a record names a source by its SHA-256. */
  constructor(needs: ScriptNeeds, names: (sha256: string) => boolean) {
    this.#needs = needs;
    needs.contents.usedBy(names);
  }

  /** Keeps a source that is a codec; its SHA-256, or what is wrong with it. */
  keep(script: string): Result<string, 'decoder.invalid' | 'decoder.unavailable'> {
    const { codecs, contents } = this.#needs;
    if (codecs === undefined) return fail('decoder.unavailable', NO_ENGINE);
    const source = script.startsWith(BYTE_ORDER_MARK) ? script.slice(1) : script;
    return andThen(openCodec(source, codecs), () => ok(contents.keep(encodeUtf8(source))));
  }

  /** A source is named once less. */
  drop(sha256: string): void {
    this.#needs.contents.drop(sha256);
    this.#codecs.delete(sha256);
  }

  sourceOf(sha256: string): string {
    const read = decodeUtf8(this.#needs.contents.get(sha256));
    assert('text' in read, 'a source is text');
    return read.text;
  }

  codecOf(sha256: string): Codec {
    const known = this.#codecs.get(sha256);
    if (known !== undefined) return known;
    const { codecs, world } = this.#needs;
    assert(codecs !== undefined, NO_ENGINE);
    const opened = openCodec(this.sourceOf(sha256), codecs);
    assert(opened.ok, 'a source that was stored is a codec');
    const { sandbox, declared } = opened.value;
    const codec = javaScriptCodec(sandbox, declared, (name) => world.placeDraws(`codec ${name}`));
    this.#codecs.set(sha256, codec);
    return codec;
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

export const NO_ENGINE =
  'A codec in JavaScript needs an engine, and this world has none (WorldOptions.codecs).';
