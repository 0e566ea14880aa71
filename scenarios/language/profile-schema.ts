/**
 * What devices refer to in device and gateway management: sections of a file, and the knobs of
 * populations that name them.
 */
import { PAYLOAD_DECODERS } from '../../core/management/decoder-types.ts';
import { REFERENCES } from '../../core/management/end-devices/rows.ts';
import { SERVICE_PROFILE } from '../../core/management/service-profiles.ts';
import { fieldKnobs } from './field-knob.ts';
import { choice, flag, knob, maybe, needed, record } from './knob.ts';
import { name } from './readers.ts';
import { subscriber } from './subscriber-knob.ts';

const itsName = needed(name(), { is: 'Its name, and what its id derives from.' });

export const ServiceProfile = record({
  name: itsName,
  description: fieldKnobs({ Description: SERVICE_PROFILE.Description }).Description,
  subscriber,
});

export const DecoderType = record({
  name: itsName,
  decoder: needed(choice(...PAYLOAD_DECODERS), { is: 'Its algorithm.' }),
  subscriber,
});

export const OutputProfile = record({ name: itsName, subscriber });

/** What the devices of a population refer to until they are told otherwise. */
export const referenceKnobs = {
  serviceProfile: maybe(name(), {
    is: 'Service profile, a name of `serviceProfiles`; the one that every world has when absent.',
    source: REFERENCES.ServiceProfile.source,
  }),
  decoderType: maybe(name(), {
    is:
      `Decoder type, a name of \`decoderTypes\`, or ${PAYLOAD_DECODERS.join(', ')}; ` +
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
