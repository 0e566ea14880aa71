/** What TS004, TS005 and TS006 ask of devices: blocks, sessions of groups, images. */
import { parityRow } from '../../../sim/lorawan/fragmentation-code.ts';
import type {
  FragmentationSessionBegins,
  FragmentTaken,
  MulticastSessionOpens,
  TraceRow,
} from '../../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import { deviceOf } from './planned.ts';
import { law } from './story.ts';

/** A block of a device, from the trace. */
interface Block {
  readonly begins: FragmentationSessionBegins;
  readonly taken: FragmentTaken[];
}

const placeOf = (row: { readonly device: string; readonly fragIndex: number }): string =>
  `${row.device} ${row.fragIndex}`;

/** Blocks in the order of their beginnings, each with what was taken; and fragments of none. */
function blocksOf(rows: readonly TraceRow[]): { blocks: Block[]; stray: FragmentTaken[] } {
  const open = new Map<string, Block>();
  const blocks: Block[] = [];
  const stray: FragmentTaken[] = [];
  for (const row of rows) {
    if (row.kind === 'fragmentationSessionBegins') {
      const block: Block = { begins: row, taken: [] };
      blocks.push(block);
      open.set(placeOf(row), block);
    } else if (row.kind === 'fragmentationSessionEnds') {
      open.delete(placeOf(row));
    } else if (row.kind === 'fragmentTaken') {
      const block = open.get(placeOf(row));
      if (block === undefined) stray.push(row);
      else block.taken.push(row);
    }
  }
  return { blocks, stray };
}

/** A fragment is taken once, for a block that was set up and is not complete. */
export const fragmentsAreTakenOnce = law(({ rows }) => {
  const { blocks, stray } = blocksOf(rows);
  const complaints = stray.map((row) => `${fragmentName(row)} belongs to no block`);
  for (const { taken } of blocks) {
    const numbers = new Set<number>();
    let isComplete = false;
    for (const row of taken) {
      if (isComplete) complaints.push(`${fragmentName(row)} comes after the last`);
      if (numbers.has(row.fragmentNumber)) complaints.push(`${fragmentName(row)} is taken twice`);
      numbers.add(row.fragmentNumber);
      isComplete ||= row.completes;
    }
  }
  return complaints;
});

const fragmentName = ({ device, fragIndex, fragmentNumber }: FragmentTaken): string =>
  `fragment ${fragIndex}/${fragmentNumber} of ${device}`;

/** A block is complete with the fragment that gives its rows full rank, and is noticed then. */
export const blocksCompleteByRank = law(({ rows, plan }) =>
  blocksOf(rows).blocks.flatMap(({ begins: { device, nbFrag }, taken }) => {
    const rank = new Rank(versionOf(plan, device), nbFrag);
    return taken.flatMap((row) => {
      const isFull = rank.add(row.fragmentNumber) === nbFrag;
      if (isFull !== row.completes) {
        return [`${fragmentName(row)} ${row.completes ? 'completes' : 'does not complete'} it`];
      }
      const isLate = row.completes && row.atUs !== row.receivedAtUs;
      return isLate ? [`${fragmentName(row)} completes it unnoticed`] : [];
    });
  }),
);

/** Which redundancy code a device speaks; a device that came back has a number behind its name. */
function versionOf(plan: NetworkPlan, device: string): 1 | 2 {
  const planned = deviceOf(plan, device) ?? deviceOf(plan, device.split('#')[0]!);
  if (planned === undefined) return 1;
  return plan.deviceTypes[planned.type]?.packages?.fragmentation.version ?? 1;
}

/** Rank of fragments over GF(2), row by row. */
class Rank {
  readonly #version: 1 | 2;
  readonly #nbFrag: number;
  readonly #rows = new Map<number, bigint>();

  constructor(version: 1 | 2, nbFrag: number) {
    this.#version = version;
    this.#nbFrag = nbFrag;
  }

  /** The rank with this fragment. */
  add(fragmentNumber: number): number {
    let row = this.#rowOf(fragmentNumber);
    while (row !== 0n) {
      const highest = row.toString(2).length;
      const other = this.#rows.get(highest);
      if (other === undefined) {
        this.#rows.set(highest, row);
        break;
      }
      row ^= other;
    }
    return this.#rows.size;
  }

  #rowOf(fragmentNumber: number): bigint {
    if (fragmentNumber <= this.#nbFrag) return 1n << BigInt(fragmentNumber - 1);
    const bits = parityRow(this.#version, this.#nbFrag, fragmentNumber - this.#nbFrag);
    return BigInt(`0b${[...bits].reverse().join('')}`);
  }
}

/** A device runs an image once, and only after a block of it was complete. */
export const imagesRunWhole = law(({ rows }) => {
  const whole = new Map<string, number>();
  return rows.flatMap((row) => {
    if (row.kind === 'fragmentTaken' && row.completes) {
      whole.set(row.device, (whole.get(row.device) ?? 0) + 1);
    }
    if (row.kind !== 'imageActivated') return [];
    const left = whole.get(row.device) ?? 0;
    whole.set(row.device, 0);
    return left > 0 ? [] : [`${row.device} runs an image that it does not have`];
  });
});

/**
 * A device hears a group only in a session of its, and of sessions on different channels only that
 * of the lowest McGroupID.
 */
export const theLowestGroupIsHeard = law(({ rows }) => {
  const open = new Map<string, MulticastSessionOpens[]>();
  return rows.flatMap((row) => {
    if (row.kind === 'multicastSessionOpens') {
      open.set(row.device, [...(open.get(row.device) ?? []), row]);
    }
    if (row.kind === 'multicastSessionCloses') {
      const left = (open.get(row.device) ?? []).filter(({ mcAddr }) => mcAddr !== row.mcAddr);
      open.set(row.device, left);
    }
    if (row.kind === 'deviceRemoved') open.delete(row.device);
    if (row.kind !== 'multicastDecided' || row.fate !== 'heard') return [];
    const { device, mcAddr, endedAtUs } = row;
    const name = `${device} hears frame ${row.fCnt} of ${mcAddr}`;
    const sessions = (open.get(device) ?? []).filter(({ opensAtUs }) => opensAtUs < endedAtUs);
    const own = sessions.filter((one) => one.mcAddr === mcAddr);
    if (!own.some(({ closesAtUs }) => endedAtUs <= closesAtUs)) return [`${name} out of session`];
    const first = sessions.reduce((a, b) => (b.mcGroupId < a.mcGroupId ? b : a));
    return own.some(
      (one) =>
        one.frequencyHz === first.frequencyHz && one.spreadingFactor === first.spreadingFactor,
    )
      ? []
      : [`${name} with its radio elsewhere`];
  });
});
