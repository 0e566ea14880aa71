/** A campaign that waits for the air of another one, or that may not wait and is warned of it. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { HOUR_US, SECOND_US } from '../../sim/base/units.ts';
import { got } from '../core/resources/service.ts';
import { scenarioOf } from '../scenarios/scenario.ts';

const text = (second: string) => `
scenario: waiting
duration: 12 h
start: 2026-03-01
area: { radius: 1 km }
gateways: [{ name: roof }]
devices:
  - { name: a, count: 2, class: C, traffic: { every: 10 min } }
  - { name: b, count: 2, class: C, traffic: { every: 10 min } }
images: [{ name: a-1.1.0.bin, bytes: 6 kB }, { name: b-1.1.0.bin, bytes: 6 kB }]
groups: [{ name: ga, devices: [a] }, { name: gb, devices: [b] }]
campaigns:
  - { name: ca, image: a-1.1.0.bin, group: ga, at: 1 h }
  - { name: cb, image: b-1.1.0.bin, group: gb, at: 1 h${second} }
`;

/** Two gateways, one for each campaign, which leave each other no time between their fragments. */
const withTwoGateways = (text: string): string =>
  text
    .replace(
      '[{ name: roof }]',
      '[{ name: east, dutyCycle: false }, { name: west, dutyCycle: false }]',
    )
    .replaceAll(', at: 1 h', ', at: 1 h, redundancy: 0 %, frag_send_delay: 500 ms')
    .replace('[a] }', '[a], gateways: [east] }')
    .replace('[b] }', '[b], gateways: [west] }');

function begun(second = '', change = (text: string) => text) {
  const plan = populate(scenarioOf(change(text(second))));
  const world = World.create(plan, '1');
  world.runUntil(HOUR_US + 5 * SECOND_US);
  const status = () =>
    got(world.ask({ kind: 'campaign.list', by: 'default' })).map(({ campaign_id }) =>
      got(world.ask({ kind: 'campaign.get', by: 'default', campaign_id })),
    ) as unknown as readonly [Status, Status];
  return { world, status, endUs: plan.durationUs };
}

interface Status {
  readonly stage_str: string;
  readonly status: string;
  readonly warnings: readonly string[];
  readonly multicast_setup_time: number;
  readonly multicast_sessions: readonly { readonly starts_at: string; readonly timeout: number }[];
}

describe('a campaign whose session would meet that of another', () => {
  it('waits, names the other one and the time, and has its session after it', () => {
    const { world, status, endUs } = begun();
    const [first, second] = status();
    expect(first).toMatchObject({ stage_str: 'SETTING_UP_DEVICES', status: '', warnings: [] });
    expect(second).toMatchObject({ stage_str: 'WAITING_FOR_START', warnings: [] });
    expect(second.status).toMatch(
      /^waits until 2026-03-01T01:\d\d:\d\d(\.\d+)?Z for the air that campaign ca uses$/,
    );
    const until = Date.parse(/until (\S+) /.exec(second.status)![1]!);
    const startsMs = Date.parse(first.multicast_sessions[0]!.starts_at);
    world.runUntil(endUs);
    const [, later] = status();
    const begins = Date.parse(later.multicast_sessions[0]!.starts_at);
    // Its set-up began when the status said.
    expect(begins - 1_000 * later.multicast_setup_time - until).toBeLessThan(3_000);
    expect(begins).toBeGreaterThan(startsMs);
    expect(world.result().campaigns.map(({ success }) => success)).toEqual([2, 2]);
  });

  it('looks again as soon as the other is over, and goes on from a save', () => {
    const { world, status } = begun();
    const list = got(world.ask({ kind: 'campaign.list', by: 'default' }));
    const { campaign_id } = list[0]!;
    got(world.submit({ kind: 'campaign.halt', by: 'default', campaign_id }));
    world.runUntil(world.nowUs + 5 * SECOND_US);
    expect(status()[1]).toMatchObject({ stage_str: 'SETTING_UP_DEVICES', status: '' });
  });

  it('waits for no air when none of its devices is left', () => {
    const plan = populate(scenarioOf(text('')));
    const world = World.create(plan, '1');
    world.runUntil(HOUR_US);
    for (const { name, devEui } of plan.network.devices) {
      if (name.startsWith('b')) got(world.submit({ kind: 'device.remove', by: 'default', devEui }));
    }
    world.runUntil(HOUR_US + 5 * SECOND_US);
    const stages = got(world.ask({ kind: 'campaign.list', by: 'default' })).map(
      ({ stage_str }) => stage_str,
    );
    expect(stages).toEqual(['SETTING_UP_DEVICES', 'FINISHED']);
  });

  it('is warned where its time is given, and the time that the warning names will do', () => {
    const seconds = begun().status()[0].multicast_setup_time;
    const { status } = begun(`, multicast_setup_time: ${seconds} s`);
    const [warning] = status()[1].warnings;
    expect(warning).toMatch(/^Its session meets that of campaign ca, .*or give \d+ s or more\.$/);
    const [, enough] = /give (\d+) s/.exec(warning!)!;
    const mended = begun(`, multicast_setup_time: ${enough} s`);
    expect(mended.status()[1].warnings).toEqual([]);
  });

  it('fails devices for that where its time is given, and so does the one that it meets', () => {
    const seconds = begun('', withTwoGateways).status()[0].multicast_setup_time;
    const given = `, multicast_setup_time: ${seconds} s, is_troubleshooting: true`;
    const { world, status, endUs } = begun(given, withTwoGateways);
    const [first, second] = status().map(({ warnings }) => warnings[0]);
    expect(first).toBe(
      'The session of campaign cb, whose time is given, meets its own: fragments of both are ' +
        'lost or not sent.',
    );
    world.runUntil(endUs);
    // The capture effect may save one.
    const { campaigns } = world.result();
    expect(campaigns[1]!.failed).toBeGreaterThan(0);
    expect(campaigns[1]!.diagnoses).toMatchObject([
      { diagnosis: 'sessions-meet', devices: campaigns[1]!.failed, example: second },
    ]);
  });
});
