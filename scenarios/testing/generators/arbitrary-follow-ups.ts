/** Small worlds with firmware campaigns, after which others are to begin (docs/decisions/0074). */
import * as fc from 'fast-check';
import type { TimedCommand } from '../../../core/command.ts';
import type { ArbitraryWorld } from './arbitraries.ts';
import { type CampaignLimits, campaignWorlds } from './arbitrary-campaigns.ts';

const drawnFollowUps = fc.array(
  fc.record({
    /** Among the campaigns of the world and those that are drawn before. */
    after: fc.nat(5),
    least: fc.oneof(
      fc.constant({}),
      fc.record({ least_updated: fc.nat(6) }),
      fc.record({ least_updated_share: fc.constantFrom(0, 0.3, 0.5, 1) }),
    ),
    /** When it is called off, in shares of the run; null: never. */
    calledOff: fc.option(fc.integer({ min: 1, max: 99 }), { freq: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);

type FollowUps = typeof drawnFollowUps extends fc.Arbitrary<infer F> ? F : never;

export const followedWorlds = (
  limits: Partial<CampaignLimits> = {},
): fc.Arbitrary<ArbitraryWorld> =>
  fc.tuple(campaignWorlds(limits), drawnFollowUps).map(([world, drawn]) => withThem(world, drawn));

/** They are asked for with the last campaign of the world, and named `follow-0` and so on. */
function withThem({ plan, ...world }: ArbitraryWorld, drawn: FollowUps): ArbitraryWorld {
  const { timeline, durationUs } = plan;
  const known = timeline.flatMap(({ command }) =>
    command.kind === 'campaign.create' && command.id !== undefined
      ? [{ id: command.id, by: command.by ?? 'default', campaign: command.campaign }]
      : [],
  );
  const atUs = Math.max(...timeline.map((one) => one.atUs));
  const more: TimedCommand[] = [];
  for (const [i, { after, least, calledOff }] of drawn.entries()) {
    const { id: earlier, by, campaign } = known[after % known.length]!;
    const id = `00000000-0000-4000-8000-0000000000f${i}`;
    const { scheduled_start_at: _, ...input } = { ...campaign, name: `follow-${i}` };
    const follows = { id, campaign: input, after: earlier, ...least };
    known.push({ id, by, campaign: input });
    more.push({ atUs, command: { kind: 'followUp.create', by, ...follows } });
    if (calledOff === null) continue;
    const offUs = Math.max(atUs, Math.round((calledOff * durationUs) / 100));
    more.push({ atUs: offUs, command: { kind: 'campaign.halt', by, campaign_id: id } });
  }
  const whole = [...timeline, ...more].sort((a, b) => a.atUs - b.atUs);
  return { ...world, plan: { ...plan, timeline: whole } };
}
