/**
 * A day of two subscribers on one network server: the one updates her meters, the other asks his
 * valves by downlinks of his own. Neither hears of the other, and neither is in the other's way.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import type { News } from '../../sim/contract/news.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { Listener } from '../support/news-listener.ts';

const HOURS = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17];
const VALVES = [1, 2, 3, 4];

/** Each hour a downlink to each valve, and Ann's campaign in the midst of them. */
const DAY = `
scenario: shared-day
duration: 1 d
subscribers: [ann, bob]
radio: { pathLoss: { model: constant, loss: 110 dB } }
server: { rx2DataRate: DR3, adr: false }
gateways:
  - { name: mast, subscriber: ann }
  - { name: tower, subscriber: bob }
devices:
  - name: meter
    count: 6
    subscriber: ann
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: 10 min }
  - name: valve
    count: 4
    subscriber: bob
    activation: abp
    dataRate: DR5
    adr: false
    traffic: { every: 15 min }
images: [{ name: meter-2.0.0.bin, bytes: 1 kB, subscriber: ann }]
groups: [{ name: meters, devices: [meter], subscriber: ann }]
campaigns:
  - name: spring
    image: meter-2.0.0.bin
    group: meters
    at: 9 h
    mcast_dr: DR5
    min_downlink_delay: 1 s
    subscriber: ann
timeline:
${HOURS.flatMap((hour) =>
  VALVES.map(
    (valve) => `  - { at: ${hour} h, downlink: { to: valve-${valve}, payload: '0${valve}' } }`,
  ),
).join('\n')}
`;

/** The device that a piece of news is about; undefined: a gateway, or a group. */
const deviceOf = (news: News): string | undefined => {
  if (news.kind === 'frameUp' || news.kind === 'frameDown') return news.frame.devEui ?? undefined;
  if (news.kind === 'uplink') return news.uplink.devEui;
  return 'devEui' in news ? news.devEui : undefined;
};

describe('a day of one with a campaign and one with downlinks of his own', () => {
  const listener = new Listener();
  const seed = 'day';
  const { result } = runScenario(DAY, { seed, news: listener.news });
  const plan = populate(scenarioOf(DAY), seed);
  const namesOf = new Map(plan.network.devices.map(({ devEui, name }) => [devEui, name]));
  const report = (owner: string) => listener.reported.filter((each) => each.owner === owner);
  const downlinksOf = (owner: string) =>
    report(owner).flatMap(({ news }) => (news.kind === 'downlink' ? [news] : []));

  it('updates all her meters and sends all his downlinks', () => {
    expect(result.campaigns).toMatchObject([{ subscriber: 'ann', success: 6, failed: 0 }]);
    const sent = downlinksOf('bob').filter(({ what }) => what.kind === 'sent');
    expect(new Set(sent.map(({ id }) => id)).size).toBe(HOURS.length * VALVES.length);
  });

  it('notifies her of meters and her campaign alone, him of valves and the application', () => {
    for (const [owner, population, kind] of [
      ['ann', 'meter', 'campaign'],
      ['bob', 'valve', 'application'],
    ] as const) {
      const devices = report(owner).flatMap(({ news }) => deviceOf(news) ?? []);
      expect(devices.length).toBeGreaterThan(300);
      for (const devEui of new Set(devices)) expect(namesOf.get(devEui)).toContain(population);
      expect(new Set(downlinksOf(owner).map(({ sender }) => sender.kind))).toEqual(new Set([kind]));
    }
    const ids = (owner: string) => new Set(downlinksOf(owner).map(({ id }) => id));
    expect([...ids('ann')].filter((id) => ids('bob').has(id))).toEqual([]);
  });

  it('answers each in the midst of it as if the other’s things were not', () => {
    const world = World.create(plan, seed);
    world.runUntil(9.5 * 3_600_000_000);
    const [meter, valve] = ['meter', 'valve'].map(
      (population) => plan.network.devices.find(({ name }) => name.startsWith(population))!.devEui,
    );
    const asked = (by: string, devEui: string) => [
      world.ask({ by, kind: 'campaign.list' }),
      world.ask({ by, kind: 'deviceGroup.list' }),
      world.ask({ by, kind: 'image.list' }),
      world.ask({ by, kind: 'downlink.waiting', devEui }),
      world.ask({ by, kind: 'history.all' }),
    ];
    const [campaigns, groups, images, waiting] = asked('bob', meter!);
    for (const answer of [campaigns, groups, images]) {
      expect(answer).toEqual({ ok: true, value: [] });
    }
    expect(waiting).toMatchObject({ ok: false, failure: { code: 'device.unknown' } });
    expect(asked('ann', valve!)[3]).toMatchObject({ failure: { code: 'device.unknown' } });
    expect(asked('ann', meter!)[0]).toMatchObject({ value: [{ name: 'spring' }] });
  });
});
