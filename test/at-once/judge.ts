/** What is wrong with a run of a story: sums, truth, chosen gateways, frames that meet. */
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { MINUTE_US, SECOND_US, Trace } from '../support/small-network.ts';
import { type Sender, type Story, textOf } from './stories.ts';

/** A status every 30 s, and 90 s until its absence says something. */
const KNOWN_AFTER_US = 121 * SECOND_US;

interface Run {
  readonly world: World;
  readonly trace: Trace;
  readonly faults: string[];
}

/** Runs it, with a look at the sums at every hour. */
function run(text: string): Run {
  const trace = new Trace();
  const plan = populate(scenarioOf(text));
  const world: World = World.create(plan, '1', { observer: trace });
  const faults: string[] = [];
  for (let untilUs = 60 * MINUTE_US; untilUs <= plan.durationUs; untilUs += 60 * MINUTE_US) {
    world.runUntil(untilUs);
    faults.push(...sumsOf(world).map((fault) => `${untilUs / (60 * MINUTE_US)} h: ${fault}`));
  }
  return { world, trace, faults };
}

function sumsOf(world: World): string[] {
  const { campaigns, reliableDownlinks = [] } = world.result();
  const ofCampaigns = campaigns.flatMap((each) => {
    const { name, devices, success, failed, inProgress, failures, running } = each;
    const reasons = Object.values(failures).reduce((sum, count) => sum + count, 0);
    return [
      success + failed + inProgress === devices ? [] : `${name}: devices do not add up`,
      reasons === failed ? [] : `${name}: ${failed} failed for ${reasons} reasons`,
      running >= success ? [] : `${name}: ${success} confirmed, and ${running} run it`,
    ].flat();
  });
  const ofJobs = reliableDownlinks.flatMap(({ name, devices, pending, success, failures }) => {
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    return pending + success + failed === devices ? [] : `job ${name}: devices do not add up`;
  });
  return [...ofCampaigns, ...ofJobs];
}

interface Outage {
  readonly gateway: string;
  readonly fromUs: number;
  untilUs: number;
}

/** Times from which on the platform knows of a failed gateway, until it recovers. */
function knownOutages(trace: Trace): Outage[] {
  const found: Outage[] = [];
  const open = new Map<string, Outage>();
  for (const { gateway, fault, on, atUs } of trace.of('gatewayFault')) {
    if (fault !== 'backhaul' && fault !== 'radio') continue;
    const key = `${gateway} ${fault}`;
    const outage = open.get(key);
    if (!on && outage !== undefined) {
      outage.untilUs = atUs;
      open.delete(key);
    }
    if (!on || outage !== undefined) continue;
    const begun = { gateway, fromUs: atUs + KNOWN_AFTER_US, untilUs: Number.POSITIVE_INFINITY };
    open.set(key, begun);
    found.push(begun);
  }
  return found;
}

/** Unicast outside the windows of uplinks through gateways that are known to fail. */
function wrongGateways(trace: Trace): string[] {
  const outages = knownOutages(trace);
  return trace
    .of('downlinkPlanned')
    .filter(({ window, purpose }) => window === 0 && purpose === 'data')
    .filter(({ gateway, atUs }) =>
      outages.some((one) => one.gateway === gateway && atUs > one.fromUs && atUs < one.untilUs),
    )
    .map(({ gateway, atUs }) => `${gateway} is chosen at ${atUs / SECOND_US} s, and has failed`);
}

/** Multicast frames of different groups that are on the air together. */
function meetings(trace: Trace): string[] {
  const rows = new Map(
    trace
      .of('downlinkPlanned')
      .filter(({ purpose }) => purpose === 'multicast')
      .map((row) => [`${row.gateway} ${row.downlink}`, row] as const),
  );
  const sent = trace
    .of('downlinkBegins')
    .flatMap((begins) => {
      const row = rows.get(`${begins.gateway} ${begins.downlink}`);
      if (row === undefined) return [];
      // The address of the group, in the order of the air.
      return [{ ...begins, group: row.phyPayload.slice(2, 10) }];
    })
    .sort((a, b) => a.atUs - b.atUs);
  return sent.flatMap((one, i) => {
    const next = sent[i + 1];
    if (next === undefined || next.group === one.group) return [];
    if (next.frequencyHz !== one.frequencyHz) return [];
    if (next.spreadingFactor !== one.spreadingFactor) return [];
    return next.atUs < one.atUs + one.airtimeUs
      ? [`fragments of ${one.group} and ${next.group} meet at ${next.atUs / SECOND_US} s`]
      : [];
  });
}

/** How many devices run the image, or have answered. */
function reached(world: World, { name, kind }: Sender): number {
  const { campaigns, reliableDownlinks = [] } = world.result();
  if (kind === 'campaign') return campaigns.find((one) => one.name === name)?.running ?? 0;
  return reliableDownlinks.find((one) => one.name === name)?.success ?? 0;
}

/** Of all senders together: faults of one more than one device in a sender are the air's. */
export function faultsOfStory(story: Story): string[] {
  const { world, trace, faults } = run(textOf(story));
  const all = [...faults, ...wrongGateways(trace), ...meetings(trace)];
  for (const sender of story.senders) {
    const together = reached(world, sender);
    if (together >= sender.count - 1 || story.happens.length > 0) continue;
    const alone = reached(run(textOf(story, [sender])).world, sender);
    if (together < alone - 1) all.push(`${sender.name}: ${together} with others, ${alone} alone`);
  }
  return all;
}
