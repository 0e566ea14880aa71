/**
 * Devices given blocks with a defective number of fragments finish where the reference decoders do
 * (docs/standard.md, Redundancy code; vectors/fragmentation-decoder.json).
 */
import { describe, expect, it } from 'vitest';
import { DECODERS } from '../../../sim/lorawan/decoder-rules.ts';
import { encodeFragments, isDefective } from '../../../sim/lorawan/fragmentation-code.ts';
import {
  DataFragment,
  FragSessionSetupReqV1,
  FragSessionSetupReqV2,
} from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import { Dialogue, V2 } from '../../support/dialogue.ts';
import { SECOND_US } from '../../support/small-network.ts';
import { vectors } from '../../support/vectors.ts';

interface Check {
  readonly M: number;
  readonly lostFragments: readonly number[];
  readonly loraMacNode_and_LBM_v1_completeAtN?: number;
  readonly LBM_v2_completeAtN?: number;
  readonly completeAtN?: number;
}
const { referenceDecoderChecks } = vectors<{ referenceDecoderChecks: readonly Check[] }>(
  'fragmentation-decoder',
);

const FRAG_SIZE = 2;

/** The fragment with which a device is complete that misses these alone. */
function completesAt(version: 1 | 2, nbFrag: number, lost: readonly number[], most: number) {
  const decoder = { ...DECODERS.unlimited, inOrder: true };
  const dialogue = new Dialogue(
    { ...(version === 2 ? V2 : {}), decoder },
    { traffic: { meanUs: 30_000 * SECOND_US } },
  );
  // The device speaks once, then for long no more.
  while (dialogue.bench.heard.length === 0) dialogue.wait(60, 201);
  const block = Uint8Array.from({ length: nbFrag * FRAG_SIZE }, (_, i) => (i * 31) % 253);
  const setUp = {
    fragIndex: 0,
    mcGroupBitMask: 1,
    nbFrag,
    fragSize: FRAG_SIZE,
    fragAlgo: 0,
    padding: 0,
    blockAckDelay: 0,
    descriptor: Uint8Array.of(1, 2, 0, 0),
  };
  const mic = dialogue.mic(0, 0, 0x01020000, block);
  const more = { sessionCnt: 0, mic, ackReception: false };
  dialogue.say(
    201,
    version === 1
      ? FragSessionSetupReqV1.encode(setUp)
      : FragSessionSetupReqV2.encode({ ...setUp, ...more }),
  );
  const fragments = encodeFragments(version, block, FRAG_SIZE, most - nbFrag);
  for (let fragmentNumber = 1; fragmentNumber <= most; fragmentNumber++) {
    if (lost.includes(fragmentNumber)) continue;
    const fragment = fragments[fragmentNumber - 1]!;
    dialogue.bench.sendCommands(
      '0200000000000001',
      201,
      DataFragment.encode({ fragIndex: 0, fragmentNumber, fragment }),
    );
    dialogue.wait(6, 201);
  }
  const taken = dialogue.bench.trace.of('fragmentTaken');
  expect(dialogue.bench.blocks.map((one) => [...one.block])).toEqual([[...block]]);
  return taken.find(({ completes }) => completes)?.fragmentNumber;
}

describe('a device that lost one of the pairs that look alike', () => {
  const cases = referenceDecoderChecks.flatMap((check) => {
    const { M, lostFragments, completeAtN } = check;
    const first = completeAtN ?? check.loraMacNode_and_LBM_v1_completeAtN!;
    const second = completeAtN ?? check.LBM_v2_completeAtN!;
    return [
      [M, 1 as const, lostFragments, first] as const,
      [M, 2 as const, lostFragments, second] as const,
    ];
  });

  it.each(cases)(
    'of %i fragments, version %i, %j, is complete at %i',
    (nbFrag, version, lost, n) => {
      expect(isDefective(nbFrag)).toBe(true);
      expect(completesAt(version, nbFrag, lost, n + 20)).toBe(n);
    },
  );
});
