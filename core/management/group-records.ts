/**
 * Records of groups, with an index of members both ways: removing a member costs O(its groups),
 * however many other members they have.
 */
import { type Cell, type Fold, FoldSum, foldField, newCell } from '../base/fold.ts';
import { Store } from '../base/store.ts';

/** Plain data. */
export interface GroupRecord {
  readonly owner: string;
  /** 8 alphanumeric characters, unique in the world. */
  readonly id: string;
  readonly name: string;
  /** In the order in which they were given, each once. */
  readonly members: readonly string[];
}

/** Fields of a group that do not depend on its members. */
type Heading = Omit<GroupRecord, 'members'>;

/** What others see of it. */
type Named = Pick<Heading, 'id' | 'name'>;

interface Members {
  readonly id: string;
  /** In the order in which they were given. */
  readonly members: Set<string>;
}

export class GroupRecords {
  readonly #name: string;
  readonly #headings: Store<Heading>;
  /** By the group's id; groups without members have none. */
  readonly #members = new Map<string, Cell<Members>>();
  readonly #sum: FoldSum<Members>;
  /** Ids of the groups of each member. */
  readonly #groups = new Map<string, Set<string>>();

  /** Records are folded under the name. */
  constructor(name: string) {
    this.#name = name;
    this.#headings = new Store(name, ({ id }: Heading) => id);
    this.#sum = new FoldSum((fold, { id, members }) =>
      foldField(fold, name, { id, members: [...members] }),
    );
  }

  /** What a resource says of its records, when they are all that it has. */
  get saving() {
    return {
      fold: (fold: Fold) => this.fold(fold),
      save: () => this.save(),
      load: (saved: readonly GroupRecord[]) => this.load(saved),
    };
  }

  get(owner: string, id: string): GroupRecord | undefined {
    const heading = this.#headings.get(owner, id);
    return heading === undefined ? undefined : this.#whole(heading);
  }

  has(id: string): boolean {
    return this.#headings.ofAnybody(id) !== undefined;
  }

  /** An owner's, in the order of their ids. */
  list(owner: string): readonly GroupRecord[] {
    return this.#headings.list(owner).map((each) => this.#whole(each));
  }

  /** Groups in which somebody stands, in the order of their ids: O(those groups). */
  groupsOf(member: string): readonly Heading[] {
    const ids = [...(this.#groups.get(member) ?? [])].sort();
    return ids.map((id) => this.#headings.ofAnybody(id)!);
  }

  /** The same of very many members: those who stand in the same groups share one list of them. */
  groupsOfEach(members: readonly string[]): readonly (readonly Named[])[] {
    const lists = new Map<string, readonly Named[]>();
    const none: readonly Named[] = [];
    if (this.#groups.size === 0) return new Array(members.length).fill(none);
    return members.map((member) => {
      const ids = this.#groups.get(member);
      if (ids === undefined) return none;
      const key = ids.size === 1 ? (ids.keys().next().value as string) : [...ids].join();
      const known = lists.get(key);
      if (known !== undefined) return known;
      const created = this.groupsOf(member).map(({ id, name }) => ({ id, name }));
      lists.set(key, created);
      return created;
    });
  }

  /** Adds a group, or puts it in the place of the one with its id. */
  put({ members, ...heading }: GroupRecord): void {
    const { id } = heading;
    this.#headings.put(heading);
    const old = this.#members.get(id)?.record.members;
    if (old !== undefined && areSame([...old], members)) return;
    this.#empty(id);
    if (members.length === 0) return;
    const cell = newCell<Members>({ id, members: new Set(members) });
    this.#members.set(id, cell);
    this.#sum.note(cell);
    for (const member of members) this.#noteGroup(member, id);
  }

  /** Whether somebody stands in a group. */
  isMember(id: string, member: string): boolean {
    return this.#members.get(id)?.record.members.has(member) ?? false;
  }

  /** Whether somebody stands in a group, whichever it is. */
  isInAny(member: string): boolean {
    return this.#groups.has(member);
  }

  /** Puts others behind the members of a group, which may be a new one: O(those others). */
  join(heading: Heading, others: readonly string[]): void {
    const { id } = heading;
    this.#headings.put(heading);
    if (others.length === 0) return;
    const cell = this.#members.get(id) ?? newCell<Members>({ id, members: new Set() });
    this.#members.set(id, cell);
    this.#sum.note(cell);
    for (const member of others) {
      cell.record.members.add(member);
      this.#noteGroup(member, id);
    }
  }

  /** Takes members out of a group: O(those). */
  part(heading: Heading, members: readonly string[]): void {
    const { id } = heading;
    this.#headings.put(heading);
    const cell = this.#members.get(id);
    if (cell === undefined) return;
    for (const member of members) {
      if (cell.record.members.delete(member)) this.#forgetGroup(member, id);
    }
    if (cell.record.members.size === 0) this.#empty(id);
    else this.#sum.note(cell);
  }

  remove(owner: string, id: string): void {
    this.#headings.remove(owner, id);
    this.#empty(id);
  }

  /** Somebody is gone: O(its groups). */
  leave(member: string): void {
    for (const id of this.#groups.get(member) ?? []) {
      const cell = this.#members.get(id)!;
      cell.record.members.delete(member);
      if (cell.record.members.size === 0) this.#empty(id);
      else this.#sum.note(cell);
    }
    this.#groups.delete(member);
  }

  fold(fold: Fold): void {
    this.#headings.saving.fold(fold);
    this.#sum.into(fold, `${this.#name}.members`);
  }

  save(): readonly GroupRecord[] {
    return this.#headings.all().map((each) => this.#whole(each));
  }

  load(saved: readonly GroupRecord[]): void {
    for (const { owner, id } of this.#headings.all()) this.remove(owner, id);
    for (const record of saved) this.put({ ...record });
  }

  #whole(heading: Heading): GroupRecord {
    return { ...heading, members: [...(this.#members.get(heading.id)?.record.members ?? [])] };
  }

  /** Nobody stands in it any more. */
  #empty(id: string): void {
    const cell = this.#members.get(id);
    if (cell === undefined) return;
    this.#members.delete(id);
    this.#sum.forget(cell);
    for (const member of cell.record.members) this.#forgetGroup(member, id);
  }

  #noteGroup(member: string, id: string): void {
    const groups = this.#groups.get(member);
    if (groups === undefined) this.#groups.set(member, new Set([id]));
    else groups.add(id);
  }

  #forgetGroup(member: string, id: string): void {
    const groups = this.#groups.get(member)!;
    groups.delete(id);
    if (groups.size === 0) this.#groups.delete(member);
  }
}

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, i) => each === other[i]);
