/**
 * Which fragments a decoder takes: order and memory for the matrix (docs/standard.md,
 * Reference decoders).
 */

/** What a decoder demands of fragments beside the code itself. */
export interface AdmissionRules {
  /** Lost uncoded fragments that the matrix can hold when the first coded one comes. */
  readonly maxLost: number;
  /** A fragment whose number is below that of the last one is dropped. */
  readonly inOrder: boolean;
}

/** What a decoder does with a fragment. */
export const Admission = { taken: 0, outOfOrder: 1, noMemory: 2 } as const;
export type Admission = (typeof Admission)[keyof typeof Admission];

/** What a decoder has so far. */
export interface DecoderState {
  readonly nbFrag: number;
  /** Highest fragment number that came, dropped ones included; 0 before the first. */
  readonly highest: number;
  /** Fragments neither received nor determined. */
  readonly missing: number;
  /** Whether a coded fragment was taken. */
  readonly usesCoded: boolean;
}

/** Whether a decoder takes a fragment; once a coded one was taken, memory suffices for all. */
export function admit(
  { inOrder, maxLost }: AdmissionRules,
  { nbFrag, highest, missing, usesCoded }: DecoderState,
  fragmentNumber: number,
): Admission {
  if (inOrder && fragmentNumber < highest) return Admission.outOfOrder;
  if (fragmentNumber > nbFrag && !usesCoded && missing > maxLost) return Admission.noMemory;
  return Admission.taken;
}
