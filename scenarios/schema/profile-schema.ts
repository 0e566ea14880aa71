/**
 * What devices refer to in device and gateway management: sections of a file, and the knobs of
 * populations that name them.
 */
import type { NativeWord } from '../../core/codecs/native.ts';
import { SCRIPT } from '../../core/management/decoders/decoder-scripts.ts';
import { NATIVE_DECODERS } from '../../core/management/decoders/decoder-types.ts';
import { REFERENCES } from '../../core/management/end-devices/rows.ts';
import { SERVICE_PROFILE } from '../../core/management/service-profiles.ts';
import { fieldKnobs } from '../language/field-knob.ts';
import { choice, flag, text } from '../language/kinds.ts';
import { type Context, complain, knob, maybe, needed, record } from '../language/knob.ts';
import { name } from '../language/readers.ts';
import { subscriber } from '../language/subscriber-knob.ts';

const itsName = needed(name(), { is: 'Its name, and what its id derives from.' });

export const ServiceProfile = record({
  name: itsName,
  description: fieldKnobs({ Description: SERVICE_PROFILE.Description }).Description,
  subscriber,
});

/** Where the codec of a decoder type comes from. */
export type CodecContent =
  | { readonly by: 'decoder'; readonly word: NativeWord }
  | { readonly by: 'file'; readonly path: string }
  | { readonly by: 'script'; readonly text: string };

export interface DecoderEntry {
  readonly name: string;
  readonly codec: CodecContent;
  readonly subscriber?: string | undefined;
}

const CODEC_FILE = /^(?!\/)(?!.*\.\.)[\w./ -]{1,196}\.(js|cjs|mjs)$/;

export const DecoderType = record({
  name: itsName,
  decoder: maybe(choice(...NATIVE_DECODERS), { is: 'Its algorithm.' }),
  file: maybe(text(CODEC_FILE, 'a path below the scenario file’s folder that ends in .js'), {
    is: 'A file with a codec in JavaScript (docs/codecs.md), of at most 262 144 characters.',
    source: SCRIPT.source,
  }),
  script: maybe(text(/^[\s\S]+$/, 'JavaScript'), {
    is: 'The same, written here.',
    source: SCRIPT.source,
  }),
  subscriber,
}).transform(toDecoder);

interface DecoderInput {
  readonly name: string;
  readonly decoder?: string | undefined;
  readonly file?: string | undefined;
  readonly script?: string | undefined;
  readonly subscriber?: string | undefined;
}

function toDecoder(input: DecoderInput, context: Context): DecoderEntry {
  const { name, decoder, file, script, subscriber } = input;
  const contents: CodecContent[] = [];
  if (decoder !== undefined) contents.push({ by: 'decoder', word: decoder as NativeWord });
  if (file !== undefined) contents.push({ by: 'file', path: file });
  if (script !== undefined) contents.push({ by: 'script', text: script });
  const [codec, more] = contents;
  if (codec !== undefined && more === undefined) return { name, codec, subscriber };
  const what = more === undefined ? 'says nothing of its codec' : 'has several codecs';
  return complain(context, input, what, 'exactly one of decoder, file, script');
}

/** What the devices of a population refer to by default. */
export const referenceKnobs = {
  serviceProfile: maybe(name(), {
    is: 'Service profile, a name of `serviceProfiles`; the one that every world has when absent.',
    source: REFERENCES.ServiceProfile.source,
  }),
  decoderType: maybe(name(), {
    is:
      `Decoder type, a name of \`decoderTypes\`, or ${NATIVE_DECODERS.join(', ')}; ` +
      'none when absent.',
    source: REFERENCES.DecoderType.source,
  }),
  outputProfile: maybe(name(), {
    is: 'Output profile, a name of `outputProfiles`; none when absent.',
    source: REFERENCES.OutputProfile.source,
  }),
  privateData: knob(flag(), false, {
    is: 'Whether their data is delivered alone, and not stored.',
    source: REFERENCES.PrivateData.source,
  }),
};
