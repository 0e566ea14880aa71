/** Subscribers of a scenario: whose things are, who asks for what, and what each of them sees. */
import { describe, expect, it } from 'vitest';
import { Owners } from '../../core/base/subscribers.ts';
import { vendorKey } from '../../core/base/vendor-key.ts';
import type { Command } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { toHex } from '../../sim/base/bytes.ts';
import { beside } from '../support/worlds.ts';
import { faultsOf, SHORTEST, scenarioOf } from './scenario.ts';

/** Two of everything. The masts stand beside each other, so each hears all devices. */
const TWO = `scenario: two
duration: 12 h
subscribers: [north, south]
gateways:
  - { name: mast, placement: { at: [0 m, 0 m] } }
  - { name: tower, count: 2, placement: { ring: 50 m }, subscriber: south }
devices:
  - { name: meter, count: 8, joinWithin: 5 min, traffic: { every: 5 min } }
  - { name: valve, count: 6, joinWithin: 5 min, traffic: { every: 5 min }, subscriber: south }
area: { radius: 1 km }
radio: { shadowing: 0 dB }
images:
  - { name: meter-1.2.0.bin, bytes: 1 kB }
  - { name: valve-2.0.0.bin, bytes: 1 kB, subscriber: south }
groups:
  - { name: meters, devices: all }
  - { name: valves, devices: [valve], subscriber: south }
campaigns:
  - { name: spring, image: meter-1.2.0.bin, group: meters, at: 1 h }
  - { name: autumn, image: valve-2.0.0.bin, group: valves, at: 1 h, subscriber: south }
`;

const planOf = (settings: readonly string[] = []) => populate(scenarioOf(TWO, settings));

const commandsOf = (settings: readonly string[] = []): readonly Command[] =>
  planOf(settings).timeline.map(({ command }) => command);

/** Requests and their callers, in the order of the timeline. */
const asked = (settings: readonly string[] = []): string[] =>
  commandsOf(settings).map(({ kind, by }) => `${kind} ${by}`);

const POPULATIONS = ['meter', 'valve'] as const;

describe('an entry of a scenario', () => {
  it('belongs to the subscriber that it names, else to the first that the file names', () => {
    const { owners, network } = planOf();
    const planned = new Owners();
    planned.plan(owners!);
    for (const { name, devEui } of network.devices) {
      expect([name, planned.ownerOf('device', devEui)]).toEqual([
        name,
        name.startsWith('valve') ? 'south' : 'north',
      ]);
    }
    expect(
      network.gateways.map(({ name, eui }) => [name, planned.ownerOf('gateway', eui)]),
    ).toEqual([
      ['mast', 'north'],
      ['tower-1', 'south'],
      ['tower-2', 'south'],
    ]);
    const runs = [...owners!.devices, ...owners!.gateways];
    expect(runs.reduce((sum, [, , following = 0]) => sum + 1 + following, 0)).toBe(17);
  });

  it('is the default’s in a file that names nobody, and the plan says nothing of things', () => {
    const plan = populate(scenarioOf(`${SHORTEST}groups: [{ name: all, devices: all }]\n`));
    expect(plan.owners).toEqual({ devices: [], gateways: [], deviceTypes: ['default'] });
    expect(Object.keys(plan)).not.toContain('subscribers');
    expect(plan.timeline.map(({ command }) => command.by)).toEqual(['default']);
  });

  it('may belong to the default subscriber beside others', () => {
    const { owners, network } = planOf(['subscribers=[default, south]']);
    expect(owners!.devices).toEqual([[expect.any(String), 'south', 5]]);
    const towers = network.gateways.slice(1).map(({ eui }) => eui);
    expect(owners!.gateways).toEqual([[towers.sort()[0], 'south', 1]]);
  });

  it('is all that a group of all has, of its own subscriber', () => {
    const groups = commandsOf(['groups.valves.devices=all']).flatMap((command) =>
      command.kind === 'deviceGroup.create' ? [command.group.devices.length] : [],
    );
    expect(groups).toEqual([8, 6]);
  });
});

describe('what a file asks for', () => {
  it('is asked by the subscriber whose image, group or campaign it is', () => {
    expect(asked()).toEqual([
      'image.create north',
      'image.create south',
      'deviceGroup.create north',
      'deviceGroup.create south',
      'campaign.create north',
      'campaign.create south',
    ]);
  });

  it('is asked, for keys, by the subscriber whose devices they are of', () => {
    const kinds = { uploaded: 'key.upload', wrong: 'key.upload', vendor: 'key.generate' };
    for (const [keys, kind] of Object.entries(kinds)) {
      const settings = POPULATIONS.map((name) => `devices.${name}.multicastKeys=${keys}`);
      expect(asked(settings).slice(0, 2)).toEqual([`${kind} north`, `${kind} south`]);
    }
  });

  it('gives devices the key that their vendor derives for their subscriber', () => {
    const { devices } = planOf(
      POPULATIONS.map((name) => `devices.${name}.multicastKeys=vendor`),
    ).network;
    for (const { name, devEui, genAppKey } of devices) {
      const owner = name.startsWith('valve') ? 'south' : 'north';
      expect(genAppKey).toBe(toHex(vendorKey(owner, devEui)));
    }
  });

  it('is asked, by every verb of the timeline, by the subscriber whose thing it names', () => {
    const timeline = [
      'addDevices: { population: meter, count: 1 }',
      'addDevices: { population: valve, count: 1 }',
      'downlink: { to: meter-9 }',
      'downlink: { to: valve-7 }',
      'macRequest: { to: valve-1, commands: "06" }',
      'switchClass: { device: valve-1, to: C }',
      'removeDevice: valve-7',
      'removeDevice: meter-9',
      'addGateway: { name: late }',
      'addGateway: { name: later, subscriber: south }',
      'moveGateway: { gateway: late, placement: { at: [1 km, 0 m] } }',
      'moveGateway: { gateway: later, placement: { at: [1 km, 0 m] } }',
      'removeGateway: tower-1',
      'removeGateway: mast',
      'haltCampaign: autumn',
      'restartCampaign: { campaign: spring }',
      'restartCampaign: { campaign: autumn }',
      'deleteCampaign: autumn',
    ];
    const entries = timeline.map((verb, i) => `{ at: ${7200 + i} s, ${verb} }`).join(', ');
    expect(asked([`timeline=[${entries}]`]).slice(6)).toEqual([
      'device.create north',
      'device.create south',
      'downlink.enqueue north',
      'downlink.enqueue south',
      'mac.request south',
      'device.class south',
      'device.remove south',
      'device.remove north',
      'gateway.create north',
      'gateway.create south',
      'gateway.change north',
      'gateway.change south',
      'gateway.remove south',
      'gateway.remove north',
      'campaign.halt south',
      'campaign.restart north',
      'campaign.restart south',
      'campaign.delete south',
    ]);
  });

  it('is refused nowhere', () => {
    const added =
      'timeline=[{ at: 1 h, addDevices: { population: valve } }, ' +
      '{ at: 2 h, downlink: { to: valve-7, payload: "01" } }, { at: 3 h, removeDevice: valve-7 }]';
    const world = World.create(planOf([added]), 'a');
    world.runUntil(4 * 3600e6);
    expect(world.result().warnings).toEqual([]);
  });
});

describe('subscribers', () => {
  const faultsWith = (settings: readonly string[]) => faultsOf(TWO, settings);

  it('need not own anything', () => {
    expect(faultsOf(`${SHORTEST}subscribers: [a, b, c]\n`)).toEqual([]);
  });

  it('have names of their own', () => {
    expect(faultsOf(`${SHORTEST}subscribers: [a, b, a]\n`)).toEqual([
      'file.yaml:3:21  /subscribers/2  the name "a" is taken by /subscribers/0; ' +
        'allowed: a name of its own for every subscriber',
    ]);
  });

  it.each([
    ['gateways', '{ name: mast, subscriber: noth }'],
    ['images', '{ name: a-1.2.0.bin, bytes: 1 kB, subscriber: noth }'],
    ['groups', '{ name: g, devices: all, subscriber: noth }'],
  ])('are named where %s belong to them', (list, entry) => {
    const column = `${list}: [${entry}]`.indexOf('noth') + 1;
    expect(faultsOf(`${SHORTEST}subscribers: [north, south]\n${list}: [${entry}]\n`)).toEqual([
      `file.yaml:4:${column}  /${list}/0/subscriber  "noth" is not a subscriber of this ` +
        'scenario; allowed: north, south; did you mean "north"?',
    ]);
  });

  it('are named where devices, campaigns and later gateways belong to them', () => {
    const wrong = 'is not a subscriber of this scenario; allowed: north, south';
    expect(faultsWith(['devices.meter.subscriber=west'])).toEqual([
      expect.stringContaining(`/devices/0/subscriber  "west" ${wrong}`),
    ]);
    expect(faultsWith(['campaigns.spring.subscriber=west'])).toEqual([
      expect.stringContaining(`/campaigns/0/subscriber  "west" ${wrong}`),
    ]);
    expect(
      faultsWith(['timeline=[{ at: 1 h, addGateway: { name: x, subscriber: west } }]']),
    ).toEqual([expect.stringContaining(`/timeline/0/addGateway/subscriber  "west" ${wrong}`)]);
    expect(faultsOf('scenario: a\ndevices: [{ name: m, subscriber: a }]')).toEqual([
      'file.yaml:2:34  /devices/0/subscriber  "a" is not a subscriber of this scenario; ' +
        'allowed: no subscriber, for there is none',
    ]);
  });

  it('have groups of their own devices and gateways', () => {
    const text = TWO.replace(
      'devices: [valve], subscriber: south',
      'devices: [meter, valve, meter-3], gateways: [mast, tower], subscriber: south',
    );
    const line = text.split('\n').findIndex((each) => each.includes('name: valves')) + 1;
    const shown = text.split('\n')[line - 1]!;
    const at = (word: string) => shown.indexOf(word) + 1;
    const foreign = 'is of the subscriber north, not of south';
    expect(faultsOf(text)).toEqual([
      `file.yaml:${line}:${at('meter,')}  /groups/1/devices/0  "meter" ${foreign}; allowed: valve`,
      `file.yaml:${line}:${at('meter-3')}  /groups/1/devices/2  "meter-3" ${foreign}; ` +
        'allowed: valve',
      `file.yaml:${line}:${at('mast')}  /groups/1/gateways/0  "mast" ${foreign}; allowed: tower`,
    ]);
  });

  it('have campaigns over their own image and group', () => {
    expect(
      faultsWith(['campaigns.autumn.image=meter-1.2.0.bin', 'campaigns.autumn.group=meters']),
    ).toEqual([
      expect.stringContaining(
        '/campaigns/1/image  "meter-1.2.0.bin" is of the subscriber north, not of south; ' +
          'allowed: valve-2.0.0.bin',
      ),
      expect.stringContaining(
        '/campaigns/1/group  "meters" is of the subscriber north, not of south; allowed: valves',
      ),
    ]);
  });

  it('are reported when they have nothing that would do', () => {
    expect(
      faultsOf(
        'scenario: a\nsubscribers: [a, b, c]\ndevices: [{ name: m }]\n' +
          'groups: [{ name: g, devices: [m], subscriber: c }]\n',
      ),
    ).toEqual([
      'file.yaml:4:31  /groups/0/devices/0  "m" is of the subscriber a, not of c; ' +
        'allowed: no device, for c has none',
    ]);
    expect(
      faultsOf(
        'scenario: a\nsubscribers: [a, b]\ndevices: [{ name: m }]\n' +
          'groups: [{ name: g, devices: all, subscriber: b }]\n',
      ),
    ).toEqual([
      'file.yaml:4:30  /groups/0/devices  the group "g" has no device; ' +
        'allowed: at least one device at the start',
    ]);
  });

  it('that are no text are one fault, whatever belongs to them', () => {
    expect(faultsOf(`${SHORTEST}subscribers: [7]\ngroups: [{ name: g, devices: all }]\n`)).toEqual([
      expect.stringContaining('/subscribers/0  7 is not text'),
    ]);
  });
});

describe('in a network of two subscribers', () => {
  const plan = planOf();
  const world = World.create(plan, 'two');
  world.runUntil(plan.durationUs);
  const result = world.result();

  it('each updates its devices, by its own gateways only', () => {
    expect(result.warnings).toEqual([]);
    expect(result.campaigns).toMatchObject([
      { name: 'spring', subscriber: 'north', success: 8, devices: 8, gateways: ['mast'] },
      { name: 'autumn', subscriber: 'south', success: 6, devices: 6 },
    ]);
    for (const name of result.campaigns[1]!.gateways) expect(name).toMatch(/^tower-[12]$/);
  });

  it('every gateway hears every device', () => {
    const heard = result.gateways.map(({ uplinksReceived }) => uplinksReceived);
    expect(Math.min(...heard)).toBeGreaterThan(0.9 * result.radio.uplinks);
  });

  it('each knows the versions and the history of its own devices only', () => {
    for (const [by, count] of [
      ['north', 8],
      ['south', 6],
      ['default', 0],
    ] as const) {
      const versions = world.ask({ kind: 'deviceVersion.all', by });
      const campaigns = world.ask({ kind: 'campaign.list', by });
      if (!versions.ok || !campaigns.ok) throw new Error('both are answered');
      expect(Object.keys(versions.value)).toHaveLength(count);
      expect(campaigns.value).toHaveLength(count === 0 ? 0 : 1);
    }
  });

  it('who has no gateway can update nobody', () => {
    const lonely = World.create(planOf(['gateways.tower.subscriber=north']), 'two');
    lonely.runUntil(2 * 3600e6);
    const { warnings, campaigns } = lonely.result();
    expect(warnings).toEqual([
      'campaign.create of autumn at 3600 s was refused: There is no gateway.',
    ]);
    expect(campaigns.map(({ name }) => name)).toEqual(['spring']);
  });

  it('a fork, a snapshot and a replay have the same owners', () => {
    const middle = World.create(plan, 'two');
    middle.runUntil(2 * 3600e6);
    const restored = World.fromBytes(plan, 'two', middle.toBytes(), beside(middle.contents()));
    if (!restored.ok) throw new Error(restored.failure.message);
    for (const other of [middle.fork(), restored.value, World.replay(plan, 'two', [])]) {
      other.runUntil(plan.durationUs);
      expect(other.digest()).toEqual(world.digest());
    }
  });

  it('a snapshot is not taken by a world whose things are another’s', () => {
    const others = { ...plan, owners: { ...plan.owners!, gateways: [] } };
    expect(World.fromBytes(others, 'two', world.toBytes())).toMatchObject({
      failure: { code: 'snapshot.plan' },
    });
  });
});
