/** Set-ups in turn, and the habits of other servers (docs/decisions/0126). */
import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../core/update-service/campaigns/commands.ts';
import { USUAL_PACKAGES } from '../../sim/plan/packages-plan.ts';
import { campaignId } from '../support/ids.ts';
import { MINUTE_US, SECOND_US } from '../support/small-network.ts';
import { runCampaign, START_UNIX_MS, STARTS_AT_US, takenBy, upTo } from './notation.ts';

const IN_TURN: Partial<CampaignInput> = {
  set_up_in_turn: true,
  skip_clock_sync: true,
  ignore_clock_rates: true,
  multicast_setup_time: null,
  set_up_interval: 60,
  set_up_tries: 3,
  session_delay: 300,
  min_downlink_delay: 0,
};

type Ran = ReturnType<typeof runCampaign>;

/** Devices that keep the network's time, which no step of the set-up gives them. */
const timed = { timeSyncEveryUs: 60 * MINUTE_US };

const run = (wanted: Parameters<typeof runCampaign>[0]): Ran =>
  runCampaign({
    ...wanted,
    type: { ...timed, ...wanted.type },
    traffic: { inSessions: 'pause', ...wanted.traffic },
  });

/** When devices passed a step, µs, in the order of the group. */
function passed({ world }: Ran, step: 'multicast_set_up' | 'fragmentation_set_up' | 'session') {
  const query = {
    kind: 'campaign.get',
    campaign_id: campaignId('campaign'),
    by: 'default',
  } as const;
  const answer = world.ask(query);
  if (!answer.ok) throw new Error(answer.failure.message);
  const { devices } = answer.value as unknown as {
    devices: Record<string, { steps: Record<string, { passed_at: string | null }> }>;
  };
  return Object.values(devices).flatMap(({ steps }) => {
    const at = steps[step]?.passed_at;
    return at == null ? [] : [(Date.parse(at) - START_UNIX_MS) * 1000];
  });
}

const sessionOf = (trace: Ran) =>
  trace.world.result().campaigns[0]!.stages.find(({ stage }) => stage === 'SENDING_FRAGMENTS')!
    .atSeconds;

describe('a set-up in turn', () => {
  it('begins each step once every device has passed the one before', () => {
    const trace = run({ devices: 3, campaign: IN_TURN, minutes: 20 });
    const groups = passed(trace, 'multicast_set_up');
    const sessions = passed(trace, 'fragmentation_set_up');
    expect([groups.length, sessions.length]).toEqual([3, 3]);
    expect(Math.min(...sessions)).toBeGreaterThan(Math.max(...groups));
    expect(Math.min(...passed(trace, 'session'))).toBeGreaterThan(Math.max(...sessions));
    expect(takenBy(trace, 'meter-1')).toEqual(upTo(20));
  });

  it('has each device go on by itself where nobody asks for turns', () => {
    const trace = run({
      devices: 3,
      campaign: { ...IN_TURN, set_up_in_turn: false, multicast_setup_time: 600 },
      minutes: 20,
    });
    const groups = passed(trace, 'multicast_set_up');
    expect(Math.min(...passed(trace, 'fragmentation_set_up'))).toBeLessThan(Math.max(...groups));
  });

  it('begins the session so long after its first request', () => {
    const trace = run({ devices: 2, campaign: IN_TURN, minutes: 20 });
    const requested = Math.max(...passed(trace, 'fragmentation_set_up')) / SECOND_US;
    expect(sessionOf(trace)).toBeGreaterThan(requested + 299);
    expect(sessionOf(trace)).toBeLessThan(requested + 303);
  });

  it('begins the session after all tries where no delay is given', () => {
    const { session_delay: _, ...rest } = IN_TURN;
    const trace = run({ devices: 2, campaign: rest, minutes: 20 });
    const requested = Math.max(...passed(trace, 'fragmentation_set_up')) / SECOND_US;
    expect(Math.round(sessionOf(trace) - requested)).toBeGreaterThanOrEqual(180);
    expect(sessionOf(trace) - requested).toBeLessThan(183);
  });

  it('keeps the time that is given for the session', () => {
    const campaign = { ...IN_TURN, multicast_setup_time: 900 };
    const trace = run({ devices: 2, campaign, minutes: 25 });
    expect(Math.abs(sessionOf(trace) - (STARTS_AT_US / SECOND_US + 902))).toBeLessThan(2);
  });

  it('ends a step only with its time where the server looks no earlier', () => {
    const campaign = { ...IN_TURN, set_up_waits: true };
    const trace = run({ devices: 2, campaign, minutes: 20 });
    const [first = 0] = passed(trace, 'fragmentation_set_up');
    expect(first).toBeGreaterThan(STARTS_AT_US + 60 * SECOND_US);
    expect(first).toBeLessThan(STARTS_AT_US + 2 * MINUTE_US);
    expect(sessionOf(trace)).toBeGreaterThan((STARTS_AT_US + 120 * SECOND_US) / SECOND_US + 299);
  });

  it('leaves out who has not passed a step when its tries are over', () => {
    const trace = run({
      devices: 3,
      campaign: IN_TURN,
      minutes: 20,
      change: (network) => ({
        ...network,
        deviceTypes: [
          ...network.deviceTypes,
          {
            ...network.deviceTypes[0]!,
            traffic: { ...network.deviceTypes[0]!.traffic, meanUs: 3_000_000_000 },
          },
        ],
        devices: network.devices.map((one, at) => (at === 2 ? { ...one, type: 1 } : one)),
      }),
    });
    const { failures, running } = trace.world.result().campaigns[0]!;
    expect(failures).toEqual({ 'no uplink': 1 });
    expect(running).toBe(2);
    const [first = 0] = passed(trace, 'fragmentation_set_up');
    expect(first).toBeGreaterThan(STARTS_AT_US + 180 * SECOND_US);
    expect(first).toBeLessThan(STARTS_AT_US + 240 * SECOND_US);
  });

  it('needs only a share of the devices where that is enough', () => {
    const slow = (campaign: Partial<CampaignInput>) =>
      run({
        devices: 3,
        campaign: { ...IN_TURN, ...campaign },
        minutes: 25,
        change: (network) => ({
          ...network,
          deviceTypes: [
            ...network.deviceTypes,
            {
              ...network.deviceTypes[0]!,
              traffic: { ...network.deviceTypes[0]!.traffic, meanUs: 150_000_000 },
            },
          ],
          devices: network.devices.map((one, at) => (at === 2 ? { ...one, type: 1 } : one)),
        }),
      });
    const first = (trace: Ran) => passed(trace, 'fragmentation_set_up')[0]!;
    expect(first(slow({ set_up_threshold: 0.66 }))).toBeLessThan(first(slow({})));
  });

  it('speaks with class C devices when their turn comes', () => {
    const trace = run({
      devices: 3,
      type: { deviceClass: 'C' },
      traffic: { meanUs: 400_000_000 },
      campaign: IN_TURN,
      minutes: 20,
    });
    const groups = passed(trace, 'multicast_set_up');
    const sessions = passed(trace, 'fragmentation_set_up');
    expect(sessions).toHaveLength(3);
    expect(Math.min(...sessions)).toBeGreaterThan(Math.max(...groups));
    // Nobody waits for their uplinks, which come every 400 s.
    expect(Math.max(...sessions)).toBeLessThan(STARTS_AT_US + 4 * MINUTE_US);
  });
});

describe('fragments as other servers send them', () => {
  const starts = (campaign: Partial<CampaignInput>) => {
    const trace = run({ campaign, isPaced: false, minutes: 40 });
    const ends = trace.of('multicastDecided').map(({ endedAtUs }) => endedAtUs);
    const { fragSize, nbFrag } = trace.world.result().campaigns[0]!;
    return { ends, fragSize, nbFrag };
  };

  it('begin a given number of air times apart', () => {
    const { ends } = starts({ frag_send_airtimes: 20 });
    // FragSize 50 at DR5: 66 B on the air.
    expect(new Set(ends.slice(1).map((at, i) => at - ends[i]!))).toEqual(new Set([20 * 118_016]));
  });

  it('begin at whole seconds, and not later from one to the next', () => {
    const { ends } = starts({ frag_send_airtimes: 20, frag_send_grid: 1 });
    const begins = ends.map((at) => at - 118_016);
    expect(begins.filter((at) => at % SECOND_US !== 0)).toEqual([]);
    const mean = (begins.at(-1)! - begins[0]!) / (begins.length - 1);
    expect(Math.abs(mean - 20 * 118_016)).toBeLessThan(SECOND_US / 19);
  });

  it('have the sizes of their data rate, or a multiple of some bytes', () => {
    expect(
      starts({ frag_size: undefined, frag_sizes: [1, 1, 1, 1, 1, 60] } as never),
    ).toMatchObject({
      fragSize: 60,
    });
    expect(starts({ frag_size: undefined, frag_size_multiple: 64 } as never).fragSize % 64).toBe(0);
  });
});

describe('the end of a campaign as other servers have it', () => {
  it('is the status, without a question for the version', () => {
    const trace = run({ campaign: { verify_by_status: true }, minutes: 40 });
    expect(trace.world.result().campaigns[0]).toMatchObject({ success: 1, stage: 'FINISHED' });
    expect(trace.world.result().campaigns[0]!.funnel.map(({ step }) => step)).not.toContain(
      'final version',
    );
  });

  it('comes when the server gives the group up, whatever was sent', () => {
    const campaign = { session_closes_after: 20, verify_by_status: true };
    const { sent, success } = run({ campaign, minutes: 40 }).world.result().campaigns[0]!;
    expect(sent).toBeLessThan(12);
    expect(success).toBe(0);
  });

  it('is refused at the set-up by devices with fewer sessions', () => {
    const trace = run({
      campaign: { frag_index: 1 },
      minutes: 20,
      change: (network) => ({
        ...network,
        deviceTypes: network.deviceTypes.map((type) => ({
          ...type,
          packages: { ...USUAL_PACKAGES, fragIndices: 1 },
        })),
      }),
    });
    expect(trace.world.result().campaigns[0]!.failures).toEqual({ 'FragIndex unsupported': 1 });
    const taken = run({ campaign: { frag_index: 1 }, minutes: 40 });
    expect(taken.world.result().campaigns[0]).toMatchObject({ success: 1 });
  });
});
