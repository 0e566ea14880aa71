/** What devices refer to by id: profiles, a decoder type, an output profile. */
import type { Asking } from '../base/subscribers.ts';

/** Codes of references to what there is not. */
export const UNKNOWN_REFERENCES = [
  'serviceProfile.unknown',
  'decoderType.unknown',
  'outputProfile.unknown',
] as const;

interface Known {
  get(id: string, by: string): unknown;
}

/** The resources that are referred to. */
export interface Referred {
  readonly serviceProfile: Known;
  readonly decoderType: Known;
  readonly outputProfile: Known;
}

/** What is given of references; '' says that there is none, where there need not be one. */
interface Given {
  readonly ServiceProfile?: string;
  readonly DecoderType?: string;
  readonly OutputProfile?: string;
}

type Unknown = readonly [
  code: (typeof UNKNOWN_REFERENCES)[number],
  message: string,
  pointer: string,
];

/** Code, message and pointer of the first reference to what the caller does not have. */
export function unknownReference(
  { serviceProfile, decoderType, outputProfile }: Referred,
  { ServiceProfile, DecoderType = '', OutputProfile = '' }: Given,
  { by }: Pick<Asking, 'by'>,
): Unknown | undefined {
  if (ServiceProfile !== undefined && serviceProfile.get(ServiceProfile, by) === undefined) {
    const message = `No service profile is ${ServiceProfile}.`;
    return ['serviceProfile.unknown', message, '/ServiceProfile'];
  }
  if (DecoderType !== '' && decoderType.get(DecoderType, by) === undefined) {
    return ['decoderType.unknown', `No decoder type is ${DecoderType}.`, '/DecoderType'];
  }
  if (OutputProfile !== '' && outputProfile.get(OutputProfile, by) === undefined) {
    return ['outputProfile.unknown', `No output profile is ${OutputProfile}.`, '/OutputProfile'];
  }
  return undefined;
}
