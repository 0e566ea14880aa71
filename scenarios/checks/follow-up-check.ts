/**
 * Checks of campaigns that begin after another one (docs/decisions/0074): the one each follows, and
 * whether its condition can come true.
 */
import { unknownName } from '../language/complaint.ts';
import { listOf, mapOf, type Named, type Report } from '../language/members.ts';
import { givenTo } from '../schema/update-schema.ts';
import { type Known, sizeOf } from './group-check.ts';
import type { Subscribers } from './subscriber-check.ts';

/** Commands by which a group may have more devices than the file gives it. */
const GROWING: ReadonlySet<unknown> = new Set([
  'deviceGroup.replace',
  'deviceGroup.update',
  'deviceGroup.addDevices',
  'deviceGroup.keygenAddDevices',
]);

export function checkFollowUps(
  scenario: Readonly<Record<string, unknown>>,
  campaigns: readonly Named[],
  groups: readonly Named[],
  known: Pick<Known, 'devices' | 'subscribers'>,
  report: Report,
): void {
  const follow = campaigns.filter(
    ({ entry: { after, when } }) => after !== undefined || when !== undefined,
  );
  const mayGrow = listOf(scenario.timeline, 'timeline').some((item) =>
    GROWING.has(mapOf(mapOf(item).command).kind),
  );
  for (const campaign of follow) {
    checkFollowing(campaign, campaigns, known.subscribers, report);
    if (!mayGrow) checkCondition(campaign, campaigns, groups, known, report);
  }
}

/** What follows an earlier campaign follows one of the file, and not itself in the end. */
function checkFollowing(
  campaign: Named,
  campaigns: readonly Named[],
  subscribers: Subscribers,
  report: Report,
): void {
  const { path, name, entry } = campaign;
  const { after, scheduled_start_at: start } = entry;
  if (after === undefined) {
    const what = 'a condition without the campaign that it is on';
    return report([...path, 'when'], { what, allowed: 'after beside it, the earlier campaign' });
  }
  if (start !== undefined) {
    const what = 'a start of its own beside after';
    report([...path, 'scheduled_start_at'], { what, allowed: 'at, the earliest start' });
  }
  if (typeof after !== 'string') return;
  const earlier = campaigns.find((each) => each.name === after);
  const isForeign = earlier !== undefined && subscribers.areApart(earlier, campaign);
  if (earlier === undefined || isForeign) {
    return report([...path, 'after'], () => {
      const others = whatMayBeFollowed(campaign, campaigns, subscribers);
      return isForeign
        ? subscribers.foreign(after, earlier, campaign, 'other campaign', others)
        : unknownName(after, 'campaign', namesOf(others));
    });
  }
  const chain = chainOf(campaign, campaigns);
  // Who leads into a circle without being in it is reported by those who are.
  if (chain.at(-1) !== name || chain.length === 1) return;
  const what = `"${name}" follows itself: ${chain.join(' after ')}`;
  report([...path, 'after'], { what, allowed: 'a campaign that begins without it' });
}

type Entry = Readonly<Record<string, unknown>>;

/** The entry that an entry follows in the end: with it, all of its chain are asked for. */
export function firstOfChain(entry: Entry, entries: readonly Entry[]): Entry {
  const passed = new Set<Entry>();
  for (let first = entry; ; ) {
    const earlier = entries.find(({ name }) => name === first.after);
    // A circle is reported where it stands.
    if (first.after === undefined || earlier === undefined || passed.has(earlier)) return first;
    passed.add(earlier);
    first = earlier;
  }
}

/** A campaign and what it is after, the nearest first, until the first that stands there twice. */
function chainOf({ name, entry }: Named, campaigns: readonly Named[]): readonly string[] {
  const earlierOf = new Map(campaigns.map((each) => [each.name, each.entry.after]));
  const names = new Set([name]);
  for (let word: unknown = entry.after; typeof word === 'string'; word = earlierOf.get(word)) {
    if (names.has(word)) return [...names, word];
    names.add(word);
  }
  return [...names];
}

/** Campaigns of its subscriber that are not itself, and do not wait for it. */
function whatMayBeFollowed(
  campaign: Named,
  campaigns: readonly Named[],
  subscribers: Subscribers,
): readonly Named[] {
  return campaigns.filter(
    (each) =>
      !subscribers.areApart(each, campaign) && !chainOf(each, campaigns).includes(campaign.name),
  );
}

const namesOf = (things: readonly Named[]): string[] => things.map(({ name }) => name);

/** No more devices can be updated than the earlier campaign’s group has. */
function checkCondition(
  { path, entry }: Named,
  campaigns: readonly Named[],
  groups: readonly Named[],
  known: Pick<Known, 'devices' | 'subscribers'>,
  report: Report,
): void {
  const condition = givenTo('when', entry);
  if (condition === undefined || !('least_updated' in condition)) return;
  const earlier = campaigns.find(({ name }) => name === entry.after);
  const group = groups.find(({ name }) => name === earlier?.entry.group);
  const size = group && sizeOf(group, known);
  if (earlier === undefined || size === undefined || condition.least_updated <= size) return;
  const devices = `${size} ${size === 1 ? 'device' : 'devices'}`;
  const what = `"${earlier.name}" updates ${devices}, never ${condition.least_updated}`;
  report([...path, 'when'], { what, allowed: `0 to ${size}, or a share from 0 % to 100 %` });
}
