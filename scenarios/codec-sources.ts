/** The codecs of a scenario: sources that stand in it or in files beside it, and what is wrong. */
import { openCodec } from '../core/codecs/declared.ts';
import { CODEC_LIMITS, type CodecEngine } from '../core/codecs/engine.ts';
import { sentence } from './language/complaint.ts';
import type { Problem, Source } from './language/problem.ts';
import type { DecoderEntry } from './schema/profile-schema.ts';

/** What reading codecs takes. */
export interface CodecSources {
  /** Text of a file; undefined: it was not read yet, and is missed; a problem: it is none. */
  readonly textOf: (path: string) => string | Problem | undefined;
  readonly source: Source;
  /** Checks them; absent: nobody does before the world that has them. */
  readonly codecs: CodecEngine | undefined;
  readonly report: (problem: Problem) => unknown;
}

/** Decoder types with their sources in the place of paths; what is wrong is reported. */
export function withSources(
  entries: readonly DecoderEntry[],
  { textOf, source, codecs, report }: CodecSources,
): DecoderEntry[] {
  return entries.map((entry, i) => {
    const { codec } = entry;
    if (codec.by === 'decoder') return entry;
    const pointer = `/decoderTypes/${i}/${codec.by}`;
    const { where, line } = source.locate(['decoderTypes', i, codec.by]);
    const text = codec.by === 'file' ? textOf(codec.path) : codec.text;
    if (text === undefined) return entry;
    if (typeof text !== 'string') {
      report(text);
      return entry;
    }
    const problem = wrongWith(text, codecs);
    if (problem !== undefined) {
      const message = codec.by === 'file' ? `${codec.path} ${problem}` : problem;
      report({ where, line, pointer, message });
    }
    return { ...entry, codec: { by: 'script', text } };
  });
}

function wrongWith(text: string, codecs: CodecEngine | undefined): string | undefined {
  if (text.length === 0 || text.length > CODEC_LIMITS.source) {
    const what = `has ${text.length} characters`;
    return sentence({ what, allowed: `1 to ${CODEC_LIMITS.source} characters of JavaScript` });
  }
  const opened = codecs === undefined ? undefined : openCodec(text, codecs);
  return opened?.ok === false ? `is no codec. ${opened.failure.message}` : undefined;
}
