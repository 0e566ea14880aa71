/** Managed campaigns in scenario files: what is read, what is refused, and what comes of it. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { gatewayEui } from '../../scenarios/filling/identity.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const HOUR_US = 3600 * SECOND_US;

/** A scenario with one image, whose managed campaign stands in line 5. */
const managed = (entry: string, more = '') =>
  'scenario: a\n' +
  'gateways: [{ name: roof, count: 12 }, { name: mast }]\n' +
  'devices: [{ name: meter, count: 3, versionReports: 1 h, activation: abp }]\n' +
  'images: [{ name: m-1.2.0.bin, bytes: 1 kB }]\n' +
  `managedCampaigns: [${entry}]\n${more}`;

const GOOD = 'name: n, image: m-1.2.0.bin, gateway: mast, include_versions: [1.0.0]';

describe('a managed campaign of a file', () => {
  it('is created at its time, with EUIs and instants in the place of names and durations', () => {
    const entry =
      `{ ${GOOD}, exclude_versions: [1.0.0.7, '010............5'], expected_version: 1.2.0,` +
      ' at: 2 h, preferred_start_time_utc: 03:30, stop_when_no_match: true, run_until: 40 h }';
    const { timeline } = populate(scenarioOf(managed(entry)));
    const found = timeline.find(({ command }) => command.kind === 'managedCampaign.create');
    expect(found).toEqual({
      atUs: 2 * HOUR_US,
      command: {
        kind: 'managedCampaign.create',
        by: 'default',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        managedCampaign: {
          name: 'n',
          image_name: 'm-1.2.0.bin',
          gateways: [gatewayEui('mast', 1)],
          include_versions: ['01000000........'],
          exclude_versions: ['01000007........', '010............5'],
          expected_version: '01020000........',
          preferred_start_time_utc: '03:30',
          stop_when_no_match: true,
          run_until: '2026-01-02T16:00:00Z',
        },
      },
    });
  });

  it.each([
    [
      'an unknown image',
      '{ name: n, image: m-1.2.1.bin, gateway: mast, include_versions: [1.0.0] }',
      'file.yaml:5:38  /managedCampaigns/0/image  "m-1.2.1.bin" is not an image of this ' +
        'scenario; allowed: m-1.2.0.bin; did you mean "m-1.2.0.bin"?',
    ],
    [
      'an unknown gateway',
      '{ name: n, image: m-1.2.0.bin, gateway: mart, include_versions: [1.0.0] }',
      'file.yaml:5:60  /managedCampaigns/0/gateway  "mart" is not a gateway of the start; ' +
        'allowed: roof, mast; did you mean "mast"?',
    ],
    [
      'several gateways',
      '{ name: n, image: m-1.2.0.bin, gateway: roof, include_versions: [1.0.0] }',
      'file.yaml:5:60  /managedCampaigns/0/gateway  "roof" is 12 gateways; ' +
        'allowed: one of them, such as roof-1',
    ],
    [
      'an end before its beginning',
      `{ ${GOOD}, at: 2 h, run_until: 1 h }`,
      'file.yaml:5:113  /managedCampaigns/0/run_until  1 h is not after the creation; ' +
        'allowed: above 2 h',
    ],
    [
      'no time of day',
      `{ ${GOOD}, preferred_start_time_utc: noon }`,
      'file.yaml:5:119  /managedCampaigns/0/preferred_start_time_utc  "noon" is not right here; ' +
        'allowed: a time of day such as 22:30',
    ],
    [
      'a name twice',
      `{ ${GOOD} }, { ${GOOD} }`,
      'file.yaml:5:103  /managedCampaigns/1/name  the name "n" is taken by ' +
        '/managedCampaigns/0; allowed: a name of its own for every managed campaign',
    ],
  ])('is refused for %s', (_, entry, fault) => {
    expect(faultsOf(managed(entry))).toEqual([fault]);
  });

  it('is named by the timeline once it has begun', () => {
    const verbs = (at: string) =>
      `timeline: [{ at: ${at}, haltManagedCampaign: n }, ` +
      `{ at: ${at}, clearProblematicDevices: n }, { at: ${at}, deleteManagedCampaign: n }]`;
    const entry = `{ ${GOOD}, at: 2 h }`;
    expect(faultsOf(managed(entry, verbs('1 h')))).toHaveLength(3);
    const { timeline } = populate(scenarioOf(managed(entry, verbs('3 h'))));
    expect(timeline.slice(-3).map(({ command }) => command.kind)).toEqual([
      'managedCampaign.halt',
      'managedCampaign.clearProblematicDevices',
      'managedCampaign.delete',
    ]);
    const ids = timeline.slice(-3).map(({ command }) => Object.values(command));
    expect(new Set(ids.map((values) => values.find((each) => /-4/.test(String(each))))).size).toBe(
      1,
    );
  });
});

describe('devices with versionReports', () => {
  const reports = (knobs: string, atUs: number) => {
    const text =
      'scenario: a\nradio: { pathLoss: { model: constant, loss: 110 dB } }\nduration: 3 d\n' +
      `devices: [{ name: meter, traffic: { every: 20 min }, joinWithin: 1 min, ${knobs} }]\n`;
    const world = World.create(populate(scenarioOf(text)), 'a');
    world.runUntil(atUs);
    const answer = world.ask({ kind: 'deviceVersion.all', by: 'default' });
    if (!answer.ok) throw new Error(answer.failure.message);
    return Object.values(answer.value);
  };

  it('report what they run within a minute of their join, and at intervals', () => {
    const knobs = 'versionReports: 5 h, firmware: 1.2.3, hardware: 4.0.0';
    const [first] = reports(knobs, HOUR_US);
    expect(first!.version_hex).toBe('0102030004000000');
    expect(Date.parse(first!.reported_at)).toBeLessThan(Date.parse('2026-01-01T00:03:00Z'));
    const [later] = reports(knobs, 6 * HOUR_US);
    const apart = Date.parse(later!.reported_at) - Date.parse(first!.reported_at);
    // By its own clock, and behind a message in hand.
    expect(apart / 1000).toBeGreaterThan(5 * 3600 - 60);
    expect(apart / 1000).toBeLessThan(5 * 3600 + 60);
  });

  it('on the port that their profile has', () => {
    expect(reports('versionReports: 5 h, ports: { firmwareManagement: 77 }', HOUR_US)).toHaveLength(
      1,
    );
  });

  it('and others never, unless they are asked', () => {
    expect(reports('firmware: 1.2.3', 48 * HOUR_US)).toEqual([]);
  });
});

describe('a world with managed campaigns', () => {
  const TEXT =
    'scenario: a\nradio: { pathLoss: { model: constant, loss: 110 dB } }\nduration: 2 d\n' +
    'subscribers: [ann, bob]\n' +
    'gateways: [{ name: mast, subscriber: ann }, { name: tower, subscriber: bob }]\n' +
    'devices:\n' +
    '  - { name: meter, count: 3, class: C, traffic: { every: 10 min }, dataRate: DR5,' +
    ' adr: false, versionReports: 6 h, subscriber: ann }\n' +
    '  - { name: valve, count: 2, class: C, traffic: { every: 10 min }, dataRate: DR5,' +
    ' adr: false, versionReports: 6 h, subscriber: bob }\n' +
    'server: { rx2DataRate: DR3 }\n' +
    'images: [{ name: m-1.2.0.bin, bytes: 500 B, subscriber: ann },' +
    ' { name: v-2.0.0.bin, bytes: 500 B, subscriber: bob }]\n' +
    'managedCampaigns:\n' +
    '  - { name: one, image: m-1.2.0.bin, gateway: mast, include_versions: [1.0.0],' +
    ' preferred_start_time_utc: 03:00, subscriber: ann }\n' +
    '  - { name: two, image: v-2.0.0.bin, gateway: tower, include_versions: [1.0.0],' +
    ' preferred_start_time_utc: 09:00, stop_when_no_match: true, subscriber: bob }\n' +
    'expectations:\n' +
    '  [managedCampaigns.one.updated = 3, managed.updated = 5, managed.problematic = 0]\n';

  it('reports updated devices by ground truth and by confirmation, for each subscriber', () => {
    const world = World.create(populate(scenarioOf(TEXT)), 'a');
    world.runUntil(world.endUs);
    const { managedCampaigns } = world.result();
    expect(managedCampaigns).toMatchObject([
      {
        name: 'one',
        subscriber: 'ann',
        gateway: 'mast',
        stage: 'GATHERING_DEVICES',
        updated: 3,
        problematic: 0,
        sessions: [{ date: '2026-01-01', scheduled: 3, running: 3, refused: [] }],
      },
      { name: 'two', subscriber: 'bob', gateway: 'tower', stage: 'FINISHED', updated: 2 },
    ]);
  });

  it('is the same through snapshots at any time, and asking changes nothing', () => {
    const plan = populate(scenarioOf(TEXT));
    const straight = World.create(plan, 'a');
    straight.runUntil(straight.endUs);
    let world = World.create(plan, 'a');
    for (let hour = 1; hour <= 48; hour++) {
      world.runUntil(hour * HOUR_US);
      world.result();
      if (hour % 5 === 0) world = World.restore(plan, 'a', world.snapshot());
    }
    expect(world.digest()).toEqual(straight.digest());
  });

  it('has none of it in its result where a file has none', () => {
    const text = 'scenario: a\nduration: 1 min\ndevices: [{ name: meter }]\n';
    const world = World.create(populate(scenarioOf(text)), 'a');
    expect('managedCampaigns' in world.result()).toBe(false);
  });
});
