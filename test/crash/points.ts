/**
 * The moments at which a process is killed, by name: what it was about to do, or had just done. A
 * point of a file is `file.operation.moment`, one of the journal `entry.moment`.
 */
export interface CrashPoint {
  readonly name: string;
  readonly is: string;
  /** It comes within that many times in a life that is under load. */
  readonly within: number;
}

export const CRASH_POINTS: readonly CrashPoint[] = [
  // What every command passes, in its order.
  { name: 'segment.write.before', is: 'before a group is written', within: 40 },
  { name: 'segment.write.half', is: 'half of a group is written', within: 40 },
  { name: 'segment.write.after', is: 'a group is written, and not synced', within: 40 },
  { name: 'segment.sync.after', is: 'a group is synced, and not acknowledged', within: 40 },
  { name: 'command.acknowledged', is: 'a command is acknowledged, and not applied', within: 80 },
  { name: 'command.applied', is: 'a command is applied, and not answered', within: 80 },
  // Marks of time.
  { name: 'clockReached.asked', is: 'a time mark is about to be written', within: 6 },
  { name: 'clockReached.acknowledged', is: 'a time mark is stored, and not used', within: 6 },
  { name: 'clockReached.applied', is: 'the world may go on', within: 6 },
  // Segments.
  { name: 'segment.create.before', is: 'a segment is about to begin', within: 4 },
  { name: 'segment.create.after', is: 'a segment is a name without a header', within: 4 },
  {
    name: 'latest.create.before',
    is: 'a segment has begun, and latest does not say so',
    within: 4,
  },
  { name: 'latest.write.half', is: 'half of latest is written', within: 4 },
  { name: 'latest.rename.before', is: 'latest is whole beside the last one', within: 4 },
  { name: 'latest.rename.after', is: 'latest is in its place', within: 4 },
  { name: 'folder.sync.before', is: 'names are about to be synced', within: 12 },
  // Contents of images, and states.
  { name: 'content.create.before', is: 'contents are about to be put', within: 12 },
  { name: 'content.write.half', is: 'half of some contents is written', within: 12 },
  { name: 'content.rename.before', is: 'contents are whole, and have no name', within: 12 },
  { name: 'content.rename.after', is: 'contents are there, and no entry names them', within: 12 },
  { name: 'state.create.before', is: 'a state is about to be put', within: 3 },
  { name: 'state.write.half', is: 'half of a state is written', within: 3 },
  { name: 'state.rename.before', is: 'a state is whole, and has no name', within: 3 },
  { name: 'state.rename.after', is: 'a state is in its place', within: 3 },
  { name: 'state.remove.before', is: 'an old state is about to be removed', within: 2 },
  { name: 'state.remove.after', is: 'an old state is removed', within: 2 },
  // Whole worlds.
  { name: 'named.asked', is: 'a name is about to be written', within: 2 },
  { name: 'named.acknowledged', is: 'a name is stored, and not known', within: 2 },
  { name: 'named.applied', is: 'a name is known, and not answered', within: 2 },
  { name: 'forgotten.acknowledged', is: 'a name is forgotten on the disk alone', within: 1 },
  { name: 'restored.asked', is: 'a restore is about to be written', within: 1 },
  {
    name: 'restored.acknowledged',
    is: 'a restore is stored, and the last world stands',
    within: 1,
  },
  { name: 'restored.applied', is: 'a restore is reported, and no new world stands', within: 1 },
  // What a start does.
  { name: 'lock.link.before', is: 'the folder is about to be locked', within: 1 },
  { name: 'lock.link.after', is: 'the folder is locked', within: 1 },
  { name: 'lock.remove.before', is: 'a lock that was left is about to be taken over', within: 1 },
  { name: 'segment.truncate.before', is: 'a torn tail is about to be cut', within: 1 },
  { name: 'segment.truncate.after', is: 'a torn tail is cut', within: 1 },
];

/** What a file is, by its path, as points call it; undefined: nothing that is waited for. */
export function fileOf(path: string): string | undefined {
  return FILES.find(([pattern]) => pattern.test(path))?.[1];
}

const FILES: readonly (readonly [RegExp, string])[] = [
  [/\/segment-\d{8}$/, 'segment'],
  [/\/latest(\.tmp)?$/, 'latest'],
  [/\/contents\/[0-9a-f]{64}(\.tmp)?$/, 'content'],
  [/\/snapshots\/[\d-]+(\.tmp)?$/, 'state'],
  [/\/world\/lock$/, 'lock'],
  [/\/(world|contents|snapshots)$/, 'folder'],
];
