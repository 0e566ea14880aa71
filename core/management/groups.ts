/**
 * What groups of devices and groups of gateways do alike: they are made, changed and deleted by
 * their ids, and reported with their members in slices. A group is a label under which a subscriber
 * finds things; a thing may stand in several.
 */
import { andThen, fail, found, ok, type Result } from '../../sim/base/result.ts';
import { type Ids, MEDIUM_ID } from '../base/ids.ts';
import { type Slices, slicesOf } from '../base/in-steps.ts';
import type { Asking } from '../base/subscribers.ts';
import { responseField } from '../rows/answers.ts';
import { id } from '../rows/fields.ts';
import type { GroupRecord, GroupRecords } from './group-records.ts';
import { responded } from './response.ts';

/** Row of a group's label. */
export const groupName = <const Code extends string>(failure: Code, source: string) =>
  ({
    type: 'text',
    required: true,
    failure,
    is: 'A label; several groups may have it.',
    source,
  }) as const;

/** Row of a group's id as it is reported, and as it is asked for. */
export const groupId = (source: string) => responseField({ ...MEDIUM_ID, is: 'Its id.', source });
export const GROUP_ID = id('The group, by its id.');

/** Members per slice of a response. */
const PER_SLICE = 128;

/** Members of a group with all their fields. */
export const membersOf = <Each>(
  { members }: GroupRecord,
  report: (member: string) => Each,
): Slices<Each> => slicesOf(members.length, PER_SLICE, (at) => report(members[at]!));

/** What is given of a group: its label, and its list. */
interface Given {
  readonly name?: string | undefined;
  readonly listed?: readonly string[] | undefined;
}

/** What groups of one kind say of themselves. */
interface GroupKind<Unknown extends string, Exists extends string, Wrong extends string> {
  /** What they are called, for people. */
  readonly noun: string;
  /** Codes of their failures. */
  readonly unknown: Unknown;
  readonly exists: Exists;
  /** The members that are listed, as they are stored; the first that the caller does not have. */
  readonly membersIn: (
    listed: readonly string[],
    asking: Asking,
  ) => Result<readonly string[], Wrong>;
}

/** Makes, changes and deletes the groups of one kind. */
export function groupChanges<
  const Unknown extends string,
  const Exists extends string,
  Wrong extends string,
>(
  groups: GroupRecords,
  ids: Pick<Ids, 'medium'>,
  { noun, unknown, exists, membersIn }: GroupKind<Unknown, Exists, Wrong>,
) {
  const isTaken = (id: string) => groups.has(id);

  const known = (by: string, id: string): Result<GroupRecord, Unknown> =>
    found(groups.get(by, id), unknown, `There is no ${noun} ${id}.`);

  return {
    /** A group of the caller. */
    known,

    /** Makes one under the id that is given, or under a free one. */
    create(
      { name, listed }: Given & { readonly name: string },
      id: string | undefined,
      asking: Asking,
    ) {
      if (id !== undefined && isTaken(id)) {
        return fail(exists, `There is a ${noun} ${id}.`, '/id');
      }
      return andThen(membersIn(listed ?? [], asking), (members) => {
        const created = id ?? ids.medium(isTaken);
        groups.put({ owner: asking.by, id: created, name, members });
        return ok({ Id: created });
      });
    },

    /** Changes what is given of one; the rest stays. */
    change: (id: string, { name, listed }: Given, asking: Asking) =>
      andThen(known(asking.by, id), (old) =>
        andThen(listed === undefined ? ok(old.members) : membersIn(listed, asking), (members) =>
          responded(groups.put({ ...old, name: name ?? old.name, members })),
        ),
      ),

    /** Deletes one; its members stay. */
    remove: (id: string, { by }: Asking) =>
      andThen(known(by, id), () => responded(groups.remove(by, id))),
  };
}
