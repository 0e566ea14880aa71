/**
 * The eager oracle: a second, plain decision for every multicast frame and every device that
 * listens, from what an observer sees of the air. It knows nothing of logs, cursors or checks:
 * frame after frame, device after device, at the frame's end.
 */
import {
  DrawPurpose,
  draw,
  entityKey,
  expandSeed,
  happens,
  type Seed,
} from '../../../sim/base/random.ts';
import type { DecoderRules } from '../../../sim/lorawan/decoder-rules.ts';
import { countedFrames } from '../../../sim/lorawan/frame-security.ts';
import type { McGroupSetupReq } from '../../../sim/lorawan/packages/ts005-multicast-setup.ts';
import type { TraceRow } from '../../../sim/observation/observer.ts';
import type { NetworkPlan } from '../../../sim/plan/network-plan.ts';
import { packagesOf } from '../../../sim/plan/packages-plan.ts';
import { Equations } from './rank.ts';
import { type Attempt, fateOf, reaches } from './reception.ts';
import { type BlockEvent, type Copy, Fades, type Life, overlap, sessionsOf } from './story.ts';

/** Rows as the simulator's own, in a form that compares. */
export interface Verdicts {
  /** `device mcAddr fCnt end fate` */
  readonly decided: readonly string[];
  /** `device fragIndex/number end`; where the block is complete, also when that was noticed. */
  readonly taken: readonly string[];
}

export interface EagerVerdicts extends Verdicts {
  /** Frames that came in whole and that the device's keys of the group do not open. */
  readonly unopened: number;
}

/** The trace does not show which frame the radio of a removed device was locked on. */
const LAST_WORDS_US = 4_000_000;

/** Without what ended just before a device was removed. */
function withoutLastWords(rows: readonly TraceRow[], { decided, taken }: Verdicts): Verdicts {
  const removedAtUs = new Map<string, number>();
  const lives = new Map<string, number>();
  for (const row of rows) {
    if (row.kind !== 'deviceRemoved') continue;
    const life = lives.get(row.device) ?? 0;
    lives.set(row.device, life + 1);
    removedAtUs.set(lifeName(row.device, life), row.atUs);
  }
  const stays = (field: number) => (line: string) => {
    const words = line.split(' ');
    const untilUs = removedAtUs.get(words[0]) ?? Number.POSITIVE_INFINITY;
    return Number(words[field]) < untilUs - LAST_WORDS_US;
  };
  return { decided: decided.filter(stays(3)).sort(), taken: taken.filter(stays(2)).sort() };
}

const lifeName = (name: string, life: number): string => (life === 0 ? name : `${name}#${life}`);

/** What the simulator itself reported. */
export function reportedBy(rows: readonly TraceRow[]): Verdicts {
  const decided: string[] = [];
  const taken: string[] = [];
  const lives = new Map<string, number>();
  const lifeOf = (name: string): string => lifeName(name, lives.get(name) ?? 0);
  for (const row of rows) {
    if (row.kind === 'deviceRemoved') lives.set(row.device, (lives.get(row.device) ?? 0) + 1);
    if (row.kind === 'multicastDecided') {
      const fate = row.fate === 'outOfReach' ? 'tooWeak' : row.fate;
      const { mcAddr, fCnt, endedAtUs } = row;
      decided.push(`${lifeOf(row.device)} ${mcAddr} ${fCnt} ${endedAtUs} ${fate}`);
    }
    if (row.kind === 'fragmentTaken') {
      const { fragIndex, fragmentNumber, receivedAtUs, completes } = row;
      const noticedAtUs = completes ? row.atUs : undefined;
      const what = `${fragIndex}/${fragmentNumber}`;
      taken.push(takenLine(lifeOf(row.device), what, receivedAtUs, noticedAtUs));
    }
  }
  return withoutLastWords(rows, { decided, taken });
}

const takenLine = (life: string, what: string, atUs: number, completeAtUs?: number): string =>
  `${life} ${what} ${atUs}${completeAtUs === undefined ? '' : ` complete ${completeAtUs}`}`;

/** What the rules say. Frames must be counted: payloads are read in clear. */
export function decideEagerly(
  rows: readonly TraceRow[],
  plan: NetworkPlan,
  seedText: string,
): EagerVerdicts {
  const seed = expandSeed(seedText);
  const story = sessionsOf(rows, plan, seed);
  const world = { plan, seed, fades: new Fades(plan, seed) };
  const blocks = new Blocks(plan, seed);
  const decided: string[] = [];
  const events = [...story.blockEvents];
  const endUs = rows.at(-1)?.atUs ?? 0;
  for (const attempt of attemptsOf(story.copies)) {
    if (attempt.endUs > endUs) break;
    while (events.length > 0 && events[0]!.atUs < attempt.endUs) blocks.happen(events.shift()!);
    for (const life of story.lives) {
      const session = life.sessions.find(
        ({ mcAddr, fromUs, endedAtUs, frequencyHz, spreadingFactor }) =>
          mcAddr === attempt.mcAddr &&
          frequencyHz === attempt.copies[0]!.frequencyHz &&
          spreadingFactor === attempt.copies[0]!.spreadingFactor &&
          fromUs < attempt.endUs &&
          attempt.endUs <= endedAtUs,
      );
      if (session === undefined || !reaches(world, life, attempt)) continue;
      const fate = fateOf(world, life, session, attempt);
      const { mcAddr, counter, endUs: atUs } = attempt;
      decided.push(`${life.name} ${mcAddr} ${counter & 0xffff} ${atUs} ${fate}`);
      if (fate !== 'heard' || !blocks.isNew(life, attempt)) continue;
      const { bytes } = attempt.copies[0]!;
      const mask = 1 << session.mcGroupId;
      if (!blocks.take(life, bytes.subarray(9, bytes.length - 4), atUs, mask)) continue;
      const open = life.sessions.filter((one) => one.fromUs < atUs && atUs <= one.endedAtUs);
      for (const one of open) if (blocks.isDone(life, one.mcGroupId)) one.endedAtUs = atUs;
    }
  }
  for (const event of events) blocks.happen(event);
  const { taken, unopened } = blocks;
  return { ...withoutLastWords(rows, { decided, taken }), unopened };
}

/** Copies of one frame that overlap, directly or through others, in the order of their ends. */
function attemptsOf(copies: readonly Copy[]): Attempt[] {
  const attempts: Attempt[] = [];
  const left = new Set(copies.filter(({ mcAddr }) => mcAddr !== 0));
  for (const first of left) {
    left.delete(first);
    const together = [first];
    for (const one of together) {
      for (const other of left) {
        const isTwin = other.mcAddr === one.mcAddr && other.counter === one.counter;
        if (!isTwin || overlap(one, other) <= 0) continue;
        left.delete(other);
        together.push(other);
      }
    }
    const others = copies.filter(
      (other) =>
        other.frequencyHz === first.frequencyHz &&
        !together.includes(other) &&
        together.some((one) => overlap(one, other) > 0),
    );
    const { mcAddr, counter } = first;
    const endUs = Math.max(...together.map(({ untilUs }) => untilUs));
    attempts.push({ mcAddr, counter, copies: together, others, endUs });
  }
  return attempts.sort((a, b) => a.endUs - b.endUs);
}

interface Block {
  readonly fragSize: number;
  readonly mcGroupBitMask: number;
  readonly held: Set<number>;
  readonly equations: Equations;
  readonly rules: DecoderRules;
  /** Highest number that came, and whether a coded fragment was taken. */
  highest: number;
  usesCoded: boolean;
  /** Once a fragment could not be written none is. */
  isUnwritable: boolean;
}

/** Order and memory: a decoder that starts on coded fragments needs memory for all that is lost. */
function isTakenBy(block: Block, number: number): boolean {
  const { nbFrag } = block.equations;
  const isLate = block.rules.inOrder && number < block.highest;
  block.highest = Math.max(block.highest, number);
  if (isLate) return false;
  if (number <= nbFrag) return true;
  if (!block.usesCoded && nbFrag - block.held.size > block.rules.maxLost) return false;
  block.usesCoded = true;
  return true;
}

const NO_COUNTER = -1;

interface Group {
  readonly setUp: McGroupSetupReq;
  /** As the device has it, hexadecimal; not the network's if it came under a wrong root. */
  readonly mcNwkSKey: string;
  /** The last counter accepted; `NO_COUNTER` before the first. */
  last: number;
}

/** A group as a device understands its set-up; frames must be counted. */
function groupOf({ rootKey }: Life, setUp: McGroupSetupReq): Group {
  const mcKey = countedFrames.unwrapMcKey(Buffer.from(rootKey, 'hex'), setUp.mcKeyEncrypted, 0);
  const key = new Uint8Array(16);
  countedFrames.multicastKey(mcKey, 0, 2, setUp.mcAddr, key, 0);
  return { setUp, mcNwkSKey: Buffer.from(key).toString('hex'), last: NO_COUNTER };
}

class Blocks {
  readonly taken: string[] = [];
  unopened = 0;
  readonly #blocks = new Map<string, Block>();
  readonly #groups = new Map<string, Group>();
  readonly #plan: NetworkPlan;
  readonly #seed: Seed;
  /** How often a life has failed to write, by its name and the model's place. */
  readonly #failed = new Map<string, number>();

  constructor(plan: NetworkPlan, seed: Seed) {
    this.#plan = plan;
    this.#seed = seed;
  }

  happen(event: BlockEvent): void {
    const { life, atUs } = event;
    if ('setUp' in event) {
      const { mcAddr } = event.setUp;
      this.#groups.set(`${life.name} ${mcAddr}`, groupOf(life, event.setUp));
    } else if ('begins' in event) {
      const { fragIndex, nbFrag, fragSize, mcGroupBitMask } = event.begins;
      const { fragmentation, decoder } = this.#packagesOf(life);
      const equations = new Equations(fragmentation.version, nbFrag);
      const held = new Set<number>();
      const state = { held, equations, highest: 0, usesCoded: false, isUnwritable: false };
      const block = { fragSize, mcGroupBitMask, rules: decoder, ...state };
      this.#blocks.set(`${life.name} ${fragIndex}`, block);
    } else if ('endsIndex' in event) {
      this.#blocks.delete(`${life.name} ${event.endsIndex}`);
    } else {
      this.take(life, event.unicast, atUs, 0xff);
    }
  }

  #packagesOf(life: Life) {
    return packagesOf(this.#typeOf(life));
  }

  #typeOf({ plainName }: Life) {
    const { type } = this.#plan.devices.find(({ name }) => name === plainName)!;
    return this.#plan.deviceTypes[type]!;
  }

  /** By the models of failures of its type; a failure counts. */
  #isWritten(life: Life, block: Block): boolean {
    if (block.isUnwritable) return false;
    const { key0, key1 } = entityKey(this.#seed, life.name);
    const { failures = [] } = this.#typeOf(life);
    const which = failures.findIndex(({ model, sharePpm, times = Infinity }, i) => {
      const failed = this.#failed.get(`${life.name} ${i}`) ?? 0;
      const drawn = draw(key0, key1, DrawPurpose.deviceFailure, i);
      return model === 'flashWrite' && happens(drawn, sharePpm) && failed < times;
    });
    if (which < 0) return true;
    const before = (block.equations.nbFrag * failures[which]!.atPpm!) / 1_000_000;
    if (block.held.size < Math.floor(before)) return true;
    const key = `${life.name} ${which}`;
    this.#failed.set(key, (this.#failed.get(key) ?? 0) + 1);
    block.isUnwritable = true;
    return false;
  }

  /** Whether the group's keys open it, and its counter is in range and above the last accepted. */
  isNew(life: Life, { mcAddr, counter, copies }: Attempt): boolean {
    const group = this.#groups.get(`${life.name} ${mcAddr}`)!;
    if (group.mcNwkSKey !== copies[0]!.keys?.nwkSKey) {
      this.unopened++;
      return false;
    }
    const { minMcFCount, maxMcFCount } = group.setUp;
    const isLast = counter === maxMcFCount && this.#packagesOf(life).stack === 'LoRaMac-node';
    if (counter < minMcFCount || !(counter < maxMcFCount || isLast)) return false;
    if (counter <= group.last) return false;
    group.last = counter;
    return true;
  }

  /** Takes a DataFragment, CID first; true when it completes the block. */
  take(life: Life, payload: Uint8Array, atUs: number, mask: number): boolean {
    if (payload[0] !== 8) return false;
    const indexAndN = payload[1]! | (payload[2]! << 8);
    const number = indexAndN & 0x3fff;
    const block = this.#blocks.get(`${life.name} ${indexAndN >> 14}`);
    if (block === undefined || (block.mcGroupBitMask & mask) === 0) return false;
    const { held, equations, fragSize } = block;
    if (equations.rank === equations.nbFrag) return false;
    if (number === 0 || payload.length - 3 !== fragSize) return false;
    if (!isTakenBy(block, number) || held.has(number)) return false;
    if (!this.#isWritten(life, block)) return false;
    held.add(number);
    equations.add(number);
    const completes = equations.rank === equations.nbFrag;
    const what = `${indexAndN >> 14}/${number}`;
    this.taken.push(takenLine(life.name, what, atUs, completes ? atUs : undefined));
    return completes;
  }

  /** Whether a group has brought every block that takes its fragments, and there is one. */
  isDone(life: Life, mcGroupId: number): boolean {
    const fed = [0, 1, 2, 3].flatMap((index) => {
      const block = this.#blocks.get(`${life.name} ${index}`);
      return block === undefined || (block.mcGroupBitMask & (1 << mcGroupId)) === 0 ? [] : [block];
    });
    return fed.length > 0 && fed.every(({ equations: { rank, nbFrag } }) => rank === nbFrag);
  }
}
