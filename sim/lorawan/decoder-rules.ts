/**
 * What decoders of fragmented blocks do beside the code itself: memory limits and the order that
 * fragments must come in (docs/standard.md, Reference decoders).
 */
import type { AdmissionRules } from './fragment-admission.ts';
import { MAX_FRAGMENT_NUMBER } from './fragmentation-code.ts';

export interface DecoderRules extends AdmissionRules {
  /** Largest block: fragments, bytes of a fragment, bytes. */
  readonly maxNbFrag: number;
  readonly maxFragSize: number;
  readonly maxBlockBytes: number;
  /** Blocks that can be in work at once, 1…4. */
  readonly blocks: number;
}

const MOST_FRAG_SIZE = 255;

/** Limits by implementation; `unlimited` is the code as such. */
export const DECODERS = {
  unlimited: {
    maxNbFrag: MAX_FRAGMENT_NUMBER,
    maxFragSize: MOST_FRAG_SIZE,
    blocks: 4,
    maxBlockBytes: MAX_FRAGMENT_NUMBER * MOST_FRAG_SIZE,
    maxLost: MAX_FRAGMENT_NUMBER,
    inOrder: false,
  },
  /** FRAG_MAX_NB, FRAG_MAX_SIZE and FRAG_MAX_REDUNDANCY of the example. */
  'LoRaMac-node': {
    maxNbFrag: 21,
    maxFragSize: 50,
    maxBlockBytes: 21 * 50,
    maxLost: 5,
    inOrder: true,
    blocks: 4,
  },
  /** Four session slots, one decoder. */
  LBM: {
    maxNbFrag: 100,
    maxFragSize: 242,
    maxBlockBytes: 100 * 242,
    maxLost: 100,
    inOrder: true,
    blocks: 1,
  },
  /** Semtech's decoder, sized for the partition of nucleo_wl55jc (98 KiB): one session. */
  Zephyr: {
    maxNbFrag: 2_091,
    maxFragSize: 232,
    maxBlockBytes: 100_352,
    maxLost: 418,
    inOrder: true,
    blocks: 1,
  },
  /** Slots of 256 kB. */
  'fuota-fragmentation-rs': {
    maxNbFrag: MAX_FRAGMENT_NUMBER,
    maxFragSize: MOST_FRAG_SIZE,
    maxBlockBytes: 262_144,
    maxLost: 1_600,
    inOrder: true,
    blocks: 4,
  },
} as const satisfies Readonly<Record<string, DecoderRules>>;
export type DecoderName = keyof typeof DECODERS;
