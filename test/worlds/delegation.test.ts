/**
 * Delegated updates in whole worlds: which senders reach which devices, and what a delegation's end
 * changes.
 */
import { describe, expect, it } from 'vitest';
import { type ListedOperation, OPERATIONS } from '../../core/operations.ts';
import { isQuery } from '../../core/rows/permissions.ts';
import { type Run, World } from '../../core/world/world.ts';
import { populate, seedOf } from '../../scenarios/filling/populate.ts';
import type { Result } from '../../sim/base/result.ts';
import type { News } from '../../sim/contract/news.ts';
import { got } from '../core/resources/service.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { asReported } from '../support/answers.ts';
import { carryOut, outcomeOf, stopping, straightOn, throughBytes } from '../support/worlds.ts';

/** Two owners with two gateways each, and an integrator with one, in the middle of all. */
const FLEETS = `
scenario: fleets
duration: 8 h
area: { radius: 2 km }
subscribers: [north, south, integrator]
gateways:
  - { name: mast, count: 2, subscriber: north }
  - { name: tower, count: 2, subscriber: south }
  - { name: office, subscriber: integrator }
devices:
  - name: meter
    count: 6
    class: C
    subscriber: north
    activation: abp
    joinWithin: 5 min
    traffic: { every: 10 min }
  - name: valve
    count: 6
    class: C
    subscriber: south
    activation: abp
    joinWithin: 5 min
    traffic: { every: 10 min }
  - name: own
    count: 2
    class: C
    subscriber: integrator
    activation: abp
    joinWithin: 5 min
    traffic: { every: 10 min }
radio: { pathLoss: { model: constant, loss: 110 dB } }
images: [{ name: app-1.2.0.bin, bytes: 1 kB, subscriber: integrator }]
delegations:
  - { name: meters, subscriber: north, to: integrator, devices: [meter], expires: 7 h }
  - { name: valves, subscriber: south, to: integrator, devices: [valve], expires: 7 h }
groups:
  - { name: all, subscriber: integrator, devices: [meter] }
campaigns:
  - { name: spring, image: app-1.2.0.bin, group: all, at: 1 h, subscriber: integrator }
`;

/** What is no part of an update. */
const OF_INTEGRATOR = `
applications: [{ name: canary-meters, subscriber: integrator, roles: [canary-readers] }]
roles: [{ name: canary-readers, subscriber: integrator, permissions: [Device.Read] }]
serviceProfiles: [{ name: canary-service, subscriber: integrator }]
decoderTypes: [{ name: canary-decoder, subscriber: integrator, decoder: ELSYS }]
outputProfiles:
  - name: canary-output
    subscriber: integrator
    rest: [{ url: https://canary.example/in, outputFormat: simple }]
endDeviceGroups: [{ name: canary-own, subscriber: integrator, devices: [own] }]
destinations:
  - name: canary-destination
    subscriber: integrator
    type: webhook
    data: { url: https://canary.example/alerts }
credentials:
  - name: canary-credentials
    subscriber: integrator
    type: basic_auth
    data: { username: canary, password: secret }
alerts:
  - name: canary-alert
    subscriber: integrator
    gateways: [office]
    destinations: [canary-destination]
`;

function run(text: string) {
  const scenario = scenarioOf(text);
  const plan = populate(scenario, seedOf(scenario));
  const gateways = new Map<string, number>();
  const news = (response: News) => {
    if (response.kind !== 'multicast' || response.status.outcome.kind !== 'sent') return;
    const { gatewayEui } = response.status;
    gateways.set(gatewayEui, (gateways.get(gatewayEui) ?? 0) + 1);
  };
  const world = World.create(plan, seedOf(scenario), { news });
  world.runUntil(plan.durationUs);
  const names = new Map(plan.network.gateways.map(({ eui, name }) => [eui, name]));
  const senders = [...gateways.keys()].map((eui) => names.get(eui)!.replace(/-\d$/, ''));
  return { result: world.result(), senders: [...new Set(senders)].sort() };
}

describe('fragments for delegated devices', () => {
  it('are sent by the gateways of who delegates them, and by no others', () => {
    const { result, senders } = run(FLEETS);
    expect(result.campaigns[0]).toMatchObject({ success: 6, failed: 0, delegated: 6 });
    expect(senders).toEqual(['mast']);
  });

  it('are sent by the gateways of every owner where a group is mixed', () => {
    const { result, senders } = run(
      FLEETS.replace('devices: [meter] }', 'devices: [meter, own] }'),
    );
    expect(result.campaigns[0]).toMatchObject({ success: 8, failed: 0, delegated: 6 });
    expect(senders).toEqual(['mast', 'office']);
    const three = run(FLEETS.replace('devices: [meter] }', 'devices: [valve, meter, own] }'));
    expect(three.result.campaigns[0]).toMatchObject({ success: 14, failed: 0, delegated: 12 });
    expect(three.senders).toEqual(['mast', 'office', 'tower']);
  });

  it('are sent by those that are listed, of who delegates or one’s own', () => {
    const listed = (names: string) =>
      run(FLEETS.replace('devices: [meter] }', `devices: [meter], gateways: [${names}] }`));
    expect(listed('mast-2').senders).toEqual(['mast']);
    expect(listed('mast-1, office').senders).toEqual(['mast', 'office']);
  });
});

const SUBSCRIBERS = ['north', 'south', 'integrator'] as const;

/** What has an `Id` that a query asks for. */
const LISTS = ['role.list', 'application.list', 'decoderType.list', 'endDeviceGroup.list'] as const;

/** Without these, more is answered. */
const NARROWING = [
  ...'Payload StartTime EndTime field_mask page_size page sort filter'.split(' '),
  ...'Days GatewayID Page limit page_token'.split(' '),
  ...['Stream', 'MessageType', 'Late', 'Activation', 'Ack'].map((of) => `LogFrameFilter.${of}`),
];

describe('of a delegated update', () => {
  const text = FLEETS.replace('devices: [meter] }', 'devices: [meter, own] }')
    .replaceAll('expires: 7 h', 'expires: 9 h')
    .replaceAll('spring', 'canary-spring')
    .replaceAll('app-1.2.0.bin', 'canary-1.2.0.bin')
    .replace('name: all,', 'name: canary-all,')
    .replace('group: all,', 'group: canary-all,')
    .concat(OF_INTEGRATOR);
  const scenario = scenarioOf(text);
  const plan = populate(scenario, seedOf(scenario));
  const world = World.create(plan, seedOf(scenario));
  world.runUntil(plan.durationUs);
  const { devices, gateways } = plan.network;
  const euisOf = (word: string) => [
    ...devices.flatMap(({ name, devEui }) => (name.startsWith(word) ? [devEui] : [])),
    ...gateways.flatMap(({ name, eui }) => (name.startsWith(word) ? [eui] : [])),
  ];
  const idOf = (kind: string) =>
    plan.timeline.flatMap(({ command }) =>
      command.kind === kind && 'id' in command ? [command.id!] : [],
    );
  const devEuis = devices.map(({ devEui }) => devEui);
  /** What there is of each kind that a query may ask for. */
  const all: Readonly<Record<string, readonly unknown[]>> = {
    devEui: devEuis,
    deveui: devEuis,
    deveuis: [devEuis],
    eui: gateways.map(({ eui }) => eui),
    campaign_id: idOf('campaign.create'),
    campaign_ids: [idOf('campaign.create')],
    device_group_id: idOf('deviceGroup.create'),
    delegation_id: idOf('delegation.create'),
    delegated_subscriber_id: SUBSCRIBERS,
    managed_campaign_id: idOf('managedCampaign.create'),
    job_id: idOf('reliableDownlink.create'),
    destination_id: idOf('destination.create'),
    credentials_id: idOf('credentials.create'),
    alert_id: idOf('alert.create'),
    name: ['canary-1.2.0.bin'],
    DevEUI: devEuis,
    dev_eui: devEuis,
    NodeID: gateways.map(({ eui }) => eui),
    MulticastDevEUI: ['FC00000000000001'],
    Id: SUBSCRIBERS.flatMap((by) =>
      LISTS.flatMap((kind) => {
        const listed = got(world.ask({ kind, by }) as Result<object>);
        return Object.values(listed).flatMap((list: readonly { readonly Id: string }[]) =>
          list.map(({ Id }) => Id),
        );
      }),
    ),
  };

  it('is reported all that there is to ask about', () => {
    expect(all.Id!.length).toBeGreaterThan(3 * LISTS.length);
    expect(
      answersTo('integrator').flatMap(([kind, reportText]) =>
        reportText.includes('canary') ? [kind] : [],
      ),
    ).toEqual(
      expect.arrayContaining([
        'role.get',
        'application.get',
        'endDeviceGroup.get',
        'destination.get',
        'credentials.get',
        'alert.get',
      ]),
    );
  });

  /** Every query that a subscriber may ask about all that there is, and what it is answered. */
  function answersTo(by: string): readonly (readonly [kind: string, text: string])[] {
    return Object.entries<ListedOperation>(OPERATIONS).flatMap(([kind, { verb, takes }]) => {
      if (!isQuery(verb)) return [];
      const [first, ...others] = Object.keys(takes).filter((name) => !NARROWING.includes(name));
      const queries = first === undefined ? [{}] : all[first]!.map((of) => ({ [first]: of }));
      expect(others).toEqual([]);
      return queries.map((query) => {
        const answer = asReported(
          kind,
          world.ask({ kind, by, ...query } as never) as Result<unknown>,
        );
        return [kind, answer.ok ? JSON.stringify(answer.value) : ''] as const;
      });
    });
  }

  const kindsWith = (by: string, marks: readonly string[]) => [
    ...new Set(
      answersTo(by).flatMap(([kind, reportText]) =>
        marks.some((mark) => reportText.includes(mark)) ? [kind] : [],
      ),
    ),
  ];

  it('whose the devices are sees the attempts, and nothing else', () => {
    expect(kindsWith('north', idOf('campaign.create'))).toEqual(['history.all', 'history.get']);
    expect(kindsWith('north', ['canary', ...euisOf('own'), ...euisOf('office')])).toEqual([]);
    // Anyone who delegates something else sees nothing at all.
    expect(kindsWith('south', ['canary', ...idOf('campaign.create'), ...euisOf('meter')])).toEqual(
      [],
    );
  });

  it('who updates sees groups, statuses, attempts and versions of devices, nothing else', () => {
    expect(kindsWith('integrator', euisOf('meter')).sort()).toEqual([
      'campaign.get',
      'campaign.shortStatus',
      'deviceGroup.get',
      'deviceGroup.list',
      'deviceVersion.all',
      'deviceVersion.several',
      'history.all',
    ]);
    expect(kindsWith('integrator', euisOf('mast'))).toEqual(['campaign.get']);
    expect(kindsWith('integrator', ['meter-', 'mast-', 'valve-', 'tower-'])).toEqual([]);
    expect(kindsWith('integrator', [...euisOf('valve'), ...euisOf('tower')])).toEqual([]);
  });
});

describe('a world with delegations', () => {
  const scenario = scenarioOf(
    FLEETS.replace('devices: [meter] }', 'devices: [valve, meter, own] }') +
      `timeline:
  - { at: 70 min, endDelegation: meters }
  - { at: 80 min, changeDelegation: { delegation: valves, exclude: [valve-1] } }
  - { at: 5 h, restartCampaign: { campaign: spring } }
`,
  );
  const world = {
    plan: populate(scenario, seedOf(scenario)),
    seed: seedOf(scenario),
    commands: [],
  };

  it('is the same saved and loaded at any event', () => {
    const reload = (run: Run) =>
      World.restore(world.plan, world.seed, throughBytes(run.snapshot()));
    const cut = outcomeOf(carryOut(world, stopping([400, 1, 37], reload)));
    expect(cut).toEqual(straightOn(world));
    // A restart of what was delegated once would be refused; nobody has failed here.
    expect(cut.result.campaigns[0]).toMatchObject({ success: 14, failed: 0 });
  });
});
