/**
 * What clients did to a world, as they know it, and what a world that is found after a crash has to
 * have of that. Clients ask at the same time, and some name the world and restore it; so a deed is
 * known to lie in one of several epochs: between which two of those steps it was carried out.
 */

/** `unknown`: nobody was answered. */
type Fate = 'done' | 'refused' | 'unknown';

/** Something that has a name in the world once it is done. */
interface Deed {
  readonly name: string;
  fate: Fate;
  /** In which of these it may have been done. */
  epochs: readonly number[];
}

/** What whole worlds are asked, by one client: step `i` ends epoch `i`. */
interface Step {
  readonly kind: 'named' | 'forgotten' | 'restored';
  readonly name: string;
  fate: Fate;
}

/** A look at the clock, ms since 1970. */
interface Seen {
  readonly nowMs: number;
  readonly epochs: readonly number[];
}

/** A world as it stands after another start. */
export interface FoundWorld {
  readonly worldId: string;
  readonly nowMs: number;
  /** Names of all that deeds have made. */
  readonly created: ReadonlySet<string>;
  readonly snapshots: readonly string[];
}

export class Story {
  readonly #deeds: Deed[] = [];
  readonly #steps: Step[] = [];
  /** A start knows no more of what was not answered than that it is over. */
  #seen: Seen[] = [];
  /** Of each life, in their order; undefined: nobody has asked. */
  readonly #ids: (string | undefined)[] = [];
  #names = 0;

  /** One that nothing else has. */
  newName(): string {
    return `n${++this.#names}`;
  }

  /** To be called when it is asked; what it returns, once it is answered or nobody is left. */
  deed(name: string): (fate: Fate) => void {
    const from = this.#answered();
    return (fate) => {
      this.#deeds.push({ name, fate, epochs: range(from, this.#steps.length) });
    };
  }

  /** As `deed`, of a step; one at a time. */
  step(kind: Step['kind'], name: string): (fate: Fate) => void {
    const step: Step = { kind, name, fate: 'unknown' };
    this.#steps.push(step);
    return (fate) => {
      step.fate = fate;
    };
  }

  /** As `deed`, of a look at the clock. */
  look(): (nowMs: number) => void {
    const from = this.#answered();
    return (nowMs) => void this.#seen.push({ nowMs, epochs: range(from, this.#steps.length) });
  }

  /** The id of the world as it is now, reported to the client of the steps. */
  isCalled(worldId: string): void {
    this.#ids[this.#life()] = worldId;
  }

  /** Names of states that may be restored. */
  get snapshots(): readonly string[] {
    return [...this.#worlds().named.keys()];
  }

  get counts() {
    const done = (kind: Step['kind']) =>
      this.#steps.filter((each) => each.kind === kind && each.fate === 'done').length;
    return {
      commands: this.#deeds.filter(({ fate }) => fate === 'done').length,
      names: done('named'),
      restores: done('restored'),
    };
  }

  /** All that is wrong with a world; what nobody was answered is as it was found from now on. */
  judge(found: FoundWorld): readonly string[] {
    this.#settleStep(found);
    const { present, named } = this.#worlds();
    const complaints = [
      ...this.#wrongId(found),
      ...wrongNames([...named.keys()], found),
      ...this.#deeds.flatMap((deed) => wrongDeed(deed, found, present)),
      ...this.#wrongTime(found, present),
    ];
    for (const deed of this.#deeds) settle(deed, found, present);
    this.#seen = [];
    return complaints;
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  /** Steps that are over. */
  #answered(): number {
    return this.#steps.filter(({ fate }) => fate !== 'unknown').length;
  }

  #life(): number {
    return this.#steps.filter(({ kind, fate }) => kind === 'restored' && fate === 'done').length;
  }

  /** Epochs that have led to the world, and to each state with a name. */
  #worlds() {
    let present: readonly number[] = [0];
    const named = new Map<string, readonly number[]>();
    this.#steps.forEach(({ kind, name, fate }, at) => {
      if (fate === 'done' && kind === 'named') named.set(name, present);
      if (fate === 'done' && kind === 'forgotten') named.delete(name);
      if (fate === 'done' && kind === 'restored') present = named.get(name) ?? [];
      present = [...present, at + 1];
    });
    return { present: new Set(present), named };
  }

  /** The last one alone may not have been answered. */
  #settleStep({ snapshots, worldId }: FoundWorld): void {
    const last = this.#steps.at(-1);
    if (last?.fate !== 'unknown') return;
    const isNamed = snapshots.includes(last.name);
    const isDone = {
      named: isNamed,
      forgotten: !isNamed,
      restored: worldId !== this.#ids[this.#life()],
    }[last.kind];
    last.fate = isDone ? 'done' : 'refused';
  }

  #wrongId({ worldId }: FoundWorld): readonly string[] {
    const life = this.#life();
    const known = this.#ids[life];
    this.#ids[life] = worldId;
    if (known !== undefined && known !== worldId) return [`its id was ${known}, and is ${worldId}`];
    const earlier = this.#ids.indexOf(worldId);
    return earlier === life ? [] : [`it has the id of life ${earlier} in life ${life}`];
  }

  #wrongTime({ nowMs }: FoundWorld, present: ReadonlySet<number>): readonly string[] {
    const seen = this.#seen.filter(({ epochs }) => epochs.every((each) => present.has(each)));
    const latest = Math.max(...seen.map((each) => each.nowMs));
    return latest > nowMs ? [`it stands ${latest - nowMs} ms before what was answered`] : [];
  }
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

function wrongNames(known: readonly string[], { snapshots }: FoundWorld): readonly string[] {
  const isSame = known.join() === snapshots.join();
  return isSame ? [] : [`its snapshots are ${snapshots.join()}, and should be ${known.join()}`];
}

function wrongDeed(
  { name, fate, epochs }: Deed,
  { created }: FoundWorld,
  present: ReadonlySet<number>,
): readonly string[] {
  const isThere = created.has(name);
  if (isThere && fate === 'refused') return [`${name} was refused, and is there`];
  if (isThere && !epochs.some((each) => present.has(each))) {
    return [`${name} was taken back, and is there`];
  }
  const isLost = !isThere && fate === 'done' && epochs.every((each) => present.has(each));
  return isLost ? [`${name} was acknowledged, and is lost`] : [];
}

/** A deed is where it was found: in an epoch that has led to the world, or in another one. */
function settle(deed: Deed, { created }: FoundWorld, present: ReadonlySet<number>): void {
  const isThere = created.has(deed.name);
  if (deed.fate === 'unknown' && !isThere && deed.epochs.every((each) => present.has(each))) {
    deed.fate = 'refused';
  }
  if (deed.fate === 'unknown' && isThere) deed.fate = 'done';
  const left = deed.epochs.filter((each) => present.has(each) === isThere);
  if (deed.fate === 'done' && left.length > 0) deed.epochs = left;
}
