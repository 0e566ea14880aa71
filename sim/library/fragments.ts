/** The redundancy code of data blocks at the public face (TS004-1.0.0 and TS004-2.0.0). */
import { checkOptionNames } from '../base/options.ts';
import { bytesOf, oneOf, refuse, whole } from '../lorawan/argument.ts';
import * as code from '../lorawan/fragmentation-code.ts';
import * as rank from '../lorawan/fragmentation-rank.ts';

const MOST = code.MAX_FRAGMENT_NUMBER;
const MOST_FRAG_SIZE = 255;

function checkedVersion(version: code.FragmentationVersion): code.FragmentationVersion {
  return oneOf('version', version, [1, 2]);
}

/**
 * Which fragments the n-th coded fragment (fragment number nbFrag + n) combines: 0 or 1 each, entry
 * 0 for fragment 1. nbFrag and n are 1 … 16 383, else it is a RangeError.
 */
export function parityRow(
  version: code.FragmentationVersion,
  nbFrag: number,
  n: number,
): Uint8Array {
  checkedVersion(version);
  return code.parityRow(version, whole('nbFrag', nbFrag, 1, MOST), whole('n', n, 1, MOST));
}

/**
 * All fragments to send: those of the block, the last one filled with zeros, then `redundancy`
 * coded ones; entry N − 1 is fragment number N. `fragSize` is 1 … 255 bytes, and there are at most
 * 16 383 fragments, else it is a RangeError.
 */
export function encodeFragments(
  version: code.FragmentationVersion,
  block: Uint8Array,
  fragSize: number,
  redundancy: number,
): Uint8Array[] {
  checkedVersion(version);
  whole('fragSize', fragSize, 1, MOST_FRAG_SIZE);
  const bytes = bytesOf('block', block, 1, MOST * fragSize);
  const nbFrag = code.fragmentCount(bytes.length, fragSize);
  whole(`redundancy of ${nbFrag} fragments`, redundancy, 0, MOST - nbFrag);
  const fragments = code.encodeFragments(version, bytes, fragSize, redundancy);
  return fragments.map((fragment) => fragment.slice());
}

/** Rebuilds a block from any fragments of full rank, in any order. */
export class FragmentDecoder extends code.FragmentDecoder {
  /**
   * `maxLost`: coded fragments are used only while at most this number is missing, as in a device
   * with memory for as many rows; default no limit. `inOrder`: a fragment with a lower number than
   * one before is dropped, as most devices do; default false. What is out of range is a RangeError.
   */
  constructor(
    version: code.FragmentationVersion,
    nbFrag: number,
    fragSize: number,
    options: { readonly maxLost?: number; readonly inOrder?: boolean } = {},
  ) {
    checkOptionNames('FragmentDecoder', options, ['maxLost', 'inOrder']);
    whole('nbFrag', nbFrag, 1, MOST);
    if (options.maxLost !== undefined) whole('maxLost', options.maxLost, 0, MOST);
    whole('fragSize', fragSize, 1, MOST_FRAG_SIZE);
    super(checkedVersion(version), nbFrag, fragSize, options);
  }

  /** Takes fragment number 1 … 16 383 of `fragSize` bytes; true once the block is complete. */
  override add(fragmentNumber: number, fragment: Uint8Array): boolean {
    whole('fragmentNumber', fragmentNumber, 1, MOST);
    return super.add(fragmentNumber, bytesOf('fragment', fragment, this.fragSize, this.fragSize));
  }
}

/** When receivers of a fragmented block are complete, from what they received and without bytes. */
export class RankModel extends rank.RankModel {
  constructor(version: code.FragmentationVersion, nbFrag: number) {
    super(checkedVersion(version), whole('nbFrag', nbFrag, 1, MOST));
  }

  override completesAt(received: Int32Array | Uint32Array, at: number, sent: number): number {
    checkReceived(received, at, sent);
    return super.completesAt(received, at, sent);
  }

  override missingAfter(received: Int32Array | Uint32Array, at: number, sent: number): number {
    checkReceived(received, at, sent);
    return super.missingAfter(received, at, sent);
  }
}

function checkReceived(received: Int32Array | Uint32Array, at: number, sent: number): void {
  whole('sent', sent, 0, MOST);
  whole('at', at, 0, received.length);
  const words = (sent + 31) >> 5;
  const held = received.length - at;
  if (held < words) refuse(`received has ${words} words for ${sent} fragments, not ${held}`);
}
