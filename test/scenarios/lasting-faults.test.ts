/** Faults of a file that last for a while: each as long as it says, whichever others meet it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { verbReader } from '../../scenarios/filling/live-verbs.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { checkInvariants, runScenario } from '../../scenarios/testing/testing.ts';
import { MINUTE_US } from '../support/small-network.ts';
import { everyCommandIn } from '../support/timeline.ts';
import { scenarioOf } from './scenario.ts';

const textOf = (entries: readonly string[]) =>
  [
    'scenario: lasting',
    'duration: 3 h',
    'gateways: [{ name: east }, { name: west }]',
    'devices: [{ name: meter, count: 2, activation: abp }]',
    'timeline:',
    ...entries.map((entry) => `  - ${entry}`),
    '',
  ].join('\n');

const ofGateway = (at: number, what: string) =>
  `{ at: ${at} min, gatewayFault: { gateway: east, ${what} } }`;
const ofDevice = (at: number, what: string) =>
  `{ at: ${at} min, deviceFault: { device: meter, ${what} } }`;

/** A world that reports what is on, as `thing fault strength@channel`. */
class Watched {
  readonly #world: World;
  readonly #names: ReadonlyMap<string, string>;

  constructor(entries: readonly string[]) {
    const plan = populate(scenarioOf(textOf(entries)));
    this.#world = World.create(plan, 'seed');
    this.#names = new Map(plan.network.gateways.map(({ eui, name }) => [eui, name]));
  }

  /** After that many minutes, which never go back. */
  at(minute: number): string[] {
    this.#world.runUntil(minute * MINUTE_US);
    const response = this.#world.ask({ kind: 'fault.list', by: 'default' });
    if (!response.ok) throw new Error(response.failure.message);
    return response.value.faults.map(({ eui, fault, decibels, channel, delay, share }) => {
      const strength = decibels ?? delay ?? share;
      const how = strength === null ? '' : ` ${strength}`;
      const where = channel === null ? '' : `@${channel}`;
      return `${this.#names.get(eui) ?? 'meter'} ${fault}${how}${where}`;
    });
  }
}

const onAt = (entries: readonly string[], minutes: readonly number[]) => {
  const watched = new Watched(entries);
  return minutes.map((minute) => watched.at(minute));
};

describe('a fault of an entry of gateways', () => {
  const OF_ROOFS = (timeline: string, more = '') => `scenario: roofs
duration: 3 h
gateways: [{ name: roof, count: 3 }, { name: mast }]
devices: [{ name: meter }]
${more}timeline: [${timeline}]
`;
  const commandsIn = (text: string) => {
    const { network, timeline } = populate(scenarioOf(text));
    const names = new Map(network.gateways.map(({ eui, name }) => [eui, name]));
    return everyCommandIn(timeline).flatMap(({ atUs, command }) =>
      command.kind === 'gateway.fault'
        ? [`${atUs / MINUTE_US} ${names.get(command.eui)} ${command.on} ${command.by}`]
        : [],
    );
  };

  it('begins and ends at every gateway of it, and at a single one by its own name', () => {
    const all = '{ at: 1 h, gatewayFault: { gateway: roof, fault: backhaul, for: 1 h } }';
    expect(commandsIn(OF_ROOFS(all)).sort()).toEqual([
      '120 roof-1 false default',
      '120 roof-2 false default',
      '120 roof-3 false default',
      '60 roof-1 true default',
      '60 roof-2 true default',
      '60 roof-3 true default',
    ]);
    const one = '{ at: 1 h, gatewayFault: { gateway: mast, fault: backhaul } }';
    expect(commandsIn(OF_ROOFS(one))).toEqual(['60 mast true default']);
  });

  it('leaves out a gateway that was taken down, until it is back', () => {
    const radio = '{ at: 1 h, every: 40 min, gatewayFault: { gateway: roof, fault: radio } }';
    const text = OF_ROOFS(
      `{ at: 30 min, removeGateway: roof-2 }, ${radio}, { at: 2 h, addGateway: { name: roof-2 } }`,
    );
    const at = (minute: number) => commandsIn(text).filter((one) => one.startsWith(`${minute} `));
    expect(at(60)).toEqual(['60 roof-1 true default', '60 roof-3 true default']);
    expect(at(100)).toHaveLength(2);
    expect(at(140)).toHaveLength(3);
  });

  it('is asked for by the subscriber that the entry belongs to', () => {
    const text = OF_ROOFS(
      '{ at: 1 h, gatewayFault: { gateway: roof, fault: radio } }',
      'subscribers: [north, south]\n',
    ).replace('count: 3', 'count: 3, subscriber: south');
    expect(commandsIn(text)).toEqual([
      '60 roof-1 true south',
      '60 roof-2 true south',
      '60 roof-3 true south',
    ]);
  });
});

describe('a fault of an entry of gateways that a client asks for', () => {
  it('begins at those of them that the world has now', () => {
    const text = 'scenario: a\ngateways: [{ name: roof, count: 3 }]\ndevices: [{ name: m }]\n';
    const gateways = [1, 3].map((number) => ({ name: `roof-${number}`, eui: `0${number}` }));
    const read = verbReader(scenarioOf(text), 'seed', { devices: [], gateways });
    const euis = (gateway: string) => {
      const verb = read({ gatewayFault: { gateway, fault: 'backhaul' } });
      return verb.ok ? verb.commands.map((one) => 'eui' in one && one.eui) : verb.problems;
    };
    expect(euis('roof')).toEqual(['01', '03']);
    expect(euis('roof-3')).toEqual(['03']);
  });
});

describe('faults that last for a while', () => {
  it('end after the last of those that overlap, not after the first', () => {
    const entries = [
      ofGateway(10, 'fault: backhaul, for: 20 min'),
      ofGateway(20, 'fault: backhaul, for: 30 min'),
      ofGateway(25, 'fault: backhaul, for: 1 min'),
    ];
    const on = ['east backhaul'];
    expect(onAt(entries, [9, 10, 27, 31, 49, 50])).toEqual([[], on, on, on, on, []]);
  });

  it('are as strong as the one that began last of those that still last', () => {
    const entries = [
      ofGateway(10, 'fault: noise, by: 10 dB, for: 60 min'),
      ofGateway(20, 'fault: noise, by: 30 dB, for: 10 min'),
      ofGateway(25, 'fault: noise, by: 20 dB, for: 10 min'),
    ];
    const noise = (decibels: number) => [`east noise ${decibels}`];
    // The one of 30 dB ends unnoticed: another began after it.
    expect(onAt(entries, [15, 20, 25, 31, 35, 69, 70])).toEqual([
      noise(10),
      noise(30),
      noise(20),
      noise(20),
      noise(10),
      noise(10),
      [],
    ]);
    const slow = [
      ofGateway(10, 'fault: delay, delay: 2 s, for: 20 min'),
      ofGateway(15, 'fault: delay, for: 5 min'),
    ];
    expect(onAt(slow, [10, 15, 20, 30])).toEqual([
      ['east delay 2'],
      ['east delay 1'],
      ['east delay 2'],
      [],
    ]);
  });

  it('end all with an entry that ends the fault, and none of them ends what begins later', () => {
    const entries = [
      ofGateway(10, 'fault: radio, for: 60 min'),
      ofGateway(20, 'fault: radio, for: 60 min'),
      ofGateway(30, 'fault: radio, on: false'),
      ofGateway(40, 'fault: radio'),
    ];
    expect(onAt(entries, [29, 30, 39, 40, 81, 180])).toEqual([
      ['east radio'],
      [],
      [],
      ['east radio'],
      ['east radio'],
      ['east radio'],
    ]);
    // What is over is not ended once more, as it would be of a fault that is begun over HTTP.
    const { timeline } = populate(scenarioOf(textOf(entries.slice(0, 3))));
    expect(everyCommandIn(timeline).map(({ atUs }) => atUs / MINUTE_US)).toEqual([10, 20, 30]);
  });

  it('leave on what lasts until another entry ends it', () => {
    const entries = [
      ofGateway(10, 'fault: attenuation, by: 6 dB'),
      ofGateway(20, 'fault: attenuation, by: 9 dB, for: 10 min'),
    ];
    expect(onAt(entries, [10, 20, 30, 180])).toEqual([
      ['east attenuation 6'],
      ['east attenuation 9'],
      ['east attenuation 6'],
      ['east attenuation 6'],
    ]);
  });

  it('have nothing to do with other faults, other channels, other gateways', () => {
    const entries = [
      ofGateway(10, 'fault: noise, for: 60 min'),
      ofGateway(10, 'fault: noise, channel: 868.1 MHz, by: 5 dB, for: 20 min'),
      ofGateway(10, 'fault: noise, channel: 868.3 MHz, by: 6 dB, for: 10 min'),
      '{ at: 10 min, gatewayFault: { gateway: west, fault: noise, for: 30 min } }',
    ];
    const all = [
      'east noise 20',
      'east noise 5@868.1',
      'east noise 6@868.3',
      'west noise 20',
    ].sort();
    const without = (...gone: string[]) => all.filter((one) => !gone.includes(one));
    const [third, first] = ['east noise 6@868.3', 'east noise 5@868.1'];
    expect(onAt(entries, [10, 20, 30, 40, 70]).map((on) => on.sort())).toEqual([
      all,
      without(third!),
      without(third!, first!),
      ['east noise 20'],
      [],
    ]);
  });

  it('of a population last likewise on each of its devices, power among them', () => {
    const entries = [
      ofDevice(10, 'fault: loss, share: 40 %, for: 30 min'),
      '{ at: 20 min, deviceFault: { device: meter-2, fault: loss, share: 90 %, for: 10 min } }',
      '{ at: 100 min, powerCut: { devices: meter, for: 20 min } }',
      '{ at: 110 min, powerCut: { devices: meter-1, for: 20 min } }',
    ];
    expect(onAt(entries, [10, 20, 30, 40, 115, 121, 130])).toEqual([
      ['meter loss 0.4', 'meter loss 0.4'],
      ['meter loss 0.4', 'meter loss 0.9'],
      ['meter loss 0.4', 'meter loss 0.4'],
      [],
      ['meter power', 'meter power'],
      ['meter power'],
      [],
    ]);
  });

  it('that meet themselves by `every` last from the first to the last', () => {
    const entry =
      '{ at: 10 min, every: 10 min, until: 30 min, ' +
      'gatewayFault: { gateway: east, fault: backhaul, for: 15 min } }';
    const on = ['east backhaul'];
    expect(onAt([entry], [10, 24, 25, 44, 45])).toEqual([on, on, on, on, []]);
  });

  it('are over when their gateway goes: one that comes back has none of them', () => {
    const entries = [
      ofGateway(10, 'fault: noise, by: 9 dB, for: 60 min'),
      ofGateway(20, 'fault: noise, by: 12 dB, for: 20 min'),
      '{ at: 25 min, removeGateway: east }',
      '{ at: 30 min, addGateway: { name: east } }',
      ofGateway(50, 'fault: noise, by: 3 dB'),
    ];
    const on = ['east noise 3'];
    expect(onAt(entries, [24, 30, 41, 50, 71])).toEqual([['east noise 12'], [], [], on, on]);
  });

  it('count together with commands in their own fields, which a repair ends', () => {
    const entries = [
      ofGateway(10, 'fault: backhaul, for: 10 min'),
      '{ at: 15 min, command: { kind: gateway.fault, eui: EUI, fault: backhaul } }',
      ofGateway(30, 'fault: backhaul, for: 90 min'),
      '{ at: 40 min, command: { kind: gateway.repair, eui: EUI, fault: backhaul } }',
      ofGateway(50, 'fault: backhaul'),
    ];
    const [{ eui = '' } = {}] = populate(scenarioOf(textOf(entries))).network.gateways;
    const named = entries.map((entry) => entry.replace('EUI', `"${eui.toLowerCase()}"`));
    const on = ['east backhaul'];
    expect(onAt(named, [20, 39, 40, 50, 121])).toEqual([on, on, [], on, on]);
  });

  it('keep the laws of noise while they meet', () => {
    const { result, trace } = runScenario(
      textOf([
        ofGateway(10, 'fault: noise, by: 40 dB, for: 60 min'),
        ofGateway(20, 'fault: noise, by: 80 dB, for: 20 min'),
        ofGateway(30, 'fault: noise, channel: 868.3 MHz, by: 70 dB, for: 60 min'),
      ]),
    );
    expect(result.radio.uplinks).toBeGreaterThan(0);
    expect(checkInvariants(trace)).toEqual({});
  });
});

// ── any timeline ─────────────────────────────────────────────────────────────────────────────────

const entries = fc.array(
  fc.record({
    at: fc.integer({ min: 1, max: 40 }),
    /** Minutes that it lasts; 0: until it is ended. */
    lasting: fc.integer({ min: 0, max: 20 }),
    by: fc.integer({ min: 1, max: 5 }),
    ends: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

it('is on what began last of those that still last, whatever the timeline', () => {
  fc.assert(
    fc.property(entries, (drawn) => {
      const sorted = drawn.toSorted((a, b) => a.at - b.at);
      const lines = sorted.map(({ at, lasting, by, ends }) =>
        ofGateway(
          at,
          ends
            ? 'fault: noise, on: false'
            : `fault: noise, by: ${by} dB${lasting > 0 ? `, for: ${lasting} min` : ''}`,
        ),
      );
      const watched = new Watched(lines);
      for (let minute = 0; minute <= 62; minute++) {
        const lastEnd = sorted.findLastIndex(({ at, ends }) => ends && at <= minute);
        const last = sorted.findLast(
          ({ at, lasting, ends }, i) =>
            i > lastEnd && !ends && at <= minute && (lasting === 0 || minute < at + lasting),
        );
        expect(watched.at(minute)).toEqual(last === undefined ? [] : [`east noise ${last.by}`]);
      }
    }),
    { numRuns: 60 },
  );
});

/** When each device of a file sent first, in minutes. */
const firstSentMinutes = (activation: string, entry: string) => {
  const text = [
    'scenario: late',
    'duration: 4 h',
    'gateways: [{ name: east, gps: true }]',
    `devices: [{ name: c, count: 6, joinWithin: 30 min, activation: ${activation},`,
    `  traffic: { every: 5 min } }]`,
    `timeline: [${entry}]`,
    '',
  ].join('\n');
  const first = new Map<string, number>();
  const { trace } = runScenario(text);
  expect(checkInvariants(trace)).toEqual({});
  for (const row of trace.rows) {
    if (row.kind !== 'uplinkBegins' || first.has(row.device)) continue;
    first.set(row.device, row.atUs / MINUTE_US);
  }
  return [...first.values()];
};

describe('power that is cut before the power-on', () => {
  const cut = '{ at: 0 s, powerCut: { devices: c, for: 1 h } }';

  it('keeps devices off until it returns, and they begin then', () => {
    const energy = 'energy: { battery: 2.4 Ah }';
    const plain = ['abp', 'otaa'];
    const drawn = plain.flatMap((each) =>
      ['class: B', 'class: C', 'lorawan: 1.1, class: C'].map(
        (more) => `${each}, ${more}, ${energy}`,
      ),
    );
    for (const activation of [...plain, ...drawn]) {
      const minutes = firstSentMinutes(activation, cut);
      expect(minutes).toHaveLength(6);
      expect(Math.min(...minutes)).toBeGreaterThanOrEqual(60);
      expect(Math.max(...minutes)).toBeLessThan(70);
    }
  });

  it('does so as a fault, too, and one that returns earlier leaves the power-on as it was', () => {
    const fault = '{ at: 0 s, deviceFault: { device: c, fault: power, for: 1 h } }';
    const minutes = firstSentMinutes('abp', fault);
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(60);
    const short = '{ at: 0 s, powerCut: { devices: c, for: 1 ms } }';
    expect(firstSentMinutes('otaa', short)).toEqual(
      firstSentMinutes('otaa', cut.replace('at: 0 s', 'at: 3 h')),
    );
  });
});

describe('a verb on a population', () => {
  /** Names of the devices that a verb is carried out on, after these entries. */
  const meant = (verb: string, ...before: string[]) => {
    const entries = [...before, `{ at: 100 min, ${verb} }`];
    const { network, timeline, warnings } = runOf(entries);
    expect(warnings).toEqual([]);
    const nameOf = new Map(network.devices.map(({ name, devEui }) => [devEui, name]));
    const then = everyCommandIn(timeline).filter(({ atUs }) => atUs === 100 * MINUTE_US);
    return then.map(({ command }) => nameOf.get((command as { devEui?: string }).devEui ?? ''));
  };
  const runOf = (entries: readonly string[]) => {
    const { network, timeline } = populate(scenarioOf(textOf(entries)));
    return { network, timeline, warnings: runScenario(textOf(entries)).result.warnings };
  };
  const verbs = [
    'powerCut: { devices: meter }',
    'deviceFault: { device: meter, fault: loss, for: 5 min }',
    'reboot: { device: meter }',
    'stepClock: { devices: meter, step: 1 s }',
  ];

  it.each(verbs)('means those that are there, not what the file has removed: %s', (verb) => {
    expect(meant(verb)).toEqual(['meter-1', 'meter-2']);
    expect(meant(verb, '{ at: 50 min, removeDevice: meter-1 }')).toEqual(['meter-2']);
  });

  it('means a device that is there again', () => {
    const { network } = runOf(['{ at: 1 h, removeDevice: meter-2 }']);
    const [{ devEui = '' } = {}] = network.devices;
    const device = `{ devEui: "${devEui}" }`;
    const again = `{ at: 60 min, command: { kind: device.create, device: ${device} } }`;
    const gone = '{ at: 50 min, removeDevice: meter-1 }';
    expect(meant('reboot: { device: meter }', gone, again)).toEqual(['meter-1', 'meter-2']);
  });
});

describe('a fault of a population', () => {
  const fileOf = (entries: readonly string[]) => `scenario: many
duration: 3 h
gateways: [{ name: mast }]
devices: [{ name: meter, count: 4, activation: abp }]
timeline: [${entries.join(', ')}]
`;
  const timelineOf = (entries: readonly string[]) =>
    populate(scenarioOf(fileOf(entries)), 'many').timeline;
  const entry = fc.record({
    at: fc.integer({ min: 1, max: 9 }),
    verb: fc.constantFrom('deviceFault', 'removeDevice', 'powerCut', 'reboot'),
    member: fc.option(fc.integer({ min: 1, max: 4 })),
    fault: fc.constantFrom('power', 'attenuation'),
    how: fc.constantFrom('on: false', 'on: true', 'for: 2 min', 'for: 5 min'),
    by: fc.integer({ min: 3, max: 4 }),
  });
  type Entry = typeof entry extends fc.Arbitrary<infer One> ? One : never;
  const whatOf = ({ verb, fault, how, by }: Entry, who: string): string => {
    if (verb === 'removeDevice') return who;
    if (verb === 'reboot') return `{ device: ${who} }`;
    if (verb === 'powerCut') return `{ devices: ${who}, for: 3 min }`;
    const strength = fault === 'attenuation' && how !== 'on: false' ? `, by: ${by} dB` : '';
    return `{ device: ${who}, fault: ${fault}, ${how}${strength} }`;
  };
  const lineOf = (one: Entry, who: string): string =>
    `{ at: ${one.at} min, ${one.verb}: ${whatOf(one, who)} }`;

  it('is what the same fault of each of its members would be, whatever else meets them', () => {
    const run = (given: readonly Entry[]) => {
      // A device is removed once at most, and nothing is asked of it after.
      const gone = new Set<number>();
      const [whole, single]: [string[], string[]] = [[], []];
      for (const one of [...given].sort((a, b) => a.at - b.at)) {
        const member = one.verb === 'removeDevice' ? (one.member ?? 1) : one.member;
        if (member !== null && gone.has(member)) continue;
        const those = member === null ? [1, 2, 3, 4].filter((each) => !gone.has(each)) : [member];
        if (those.length === 0) continue;
        if (one.verb === 'removeDevice') gone.add(those[0]!);
        whole.push(lineOf(one, member === null ? 'meter' : `meter-${member}`));
        single.push(...those.map((each) => lineOf(one, `meter-${each}`)));
      }
      expect(everyCommandIn(timelineOf(whole))).toEqual(everyCommandIn(timelineOf(single)));
    };
    fc.assert(fc.property(fc.array(entry, { maxLength: 12 }), run));
  });

  it('goes on where a world is saved or forked between two of its members', () => {
    const entries = [1, 2].map(
      (at) => `{ at: ${at} min, deviceFault: { device: meter, fault: loss, for: 3 min } }`,
    );
    const plan = populate(scenarioOf(fileOf(entries)), 'many');
    const whole = World.create(plan, 'many');
    whole.runUntil(plan.durationUs);
    for (let stopped = 1; stopped <= 12; stopped++) {
      const world = World.create(plan, 'many');
      let commands = 0;
      const isThere = () => world.nowUs > 0 && world.nowUs % MINUTE_US === 0;
      world.runUntil(plan.durationUs, Number.POSITIVE_INFINITY, () => {
        if (isThere()) commands++;
        return commands === stopped;
      });
      const others = [World.restore(plan, 'many', world.snapshot()), world.fork()];
      for (const other of [world, ...others]) {
        other.runUntil(plan.durationUs);
        expect(other.digest()).toEqual(whole.digest());
      }
    }
    const trunk = World.create(plan, 'many');
    trunk.runUntil(1.5 * MINUTE_US);
    const branch = trunk.branch({ ...plan });
    branch.runUntil(plan.durationUs);
    expect(branch.digest()).toEqual(whole.digest());
    const [, ...others] = plan.timeline;
    expect(() => trunk.branch({ ...plan, timeline: others })).toThrow(/the same commands/);
  });

  it('costs an entry of the timeline, however many members it has and others overlap it', () => {
    const objectsOf = (faults: number, members: number) => {
      const line = (i: number) => {
        const fault = `fault: attenuation, by: ${1 + (i % 20)} dB, for: 100 min`;
        return `{ at: ${i} s, deviceFault: { device: meter, ${fault} } }`;
      };
      const file = fileOf(Array.from({ length: faults }, (_, i) => line(i)));
      const text = file.replace('count: 4', `count: ${members}`);
      const { timeline } = populate(scenarioOf(text), 'many');
      expect(everyCommandIn(timeline).length).toBeGreaterThan(faults * members);
      const lists = new Set(timeline.map(({ each }) => each));
      return {
        entries: timeline.length,
        euis: [...lists].reduce((sum, one) => sum + one!.length, 0),
      };
    };
    const small = objectsOf(20, 8);
    expect(objectsOf(20, 64)).toEqual({ entries: small.entries, euis: 64 });
    expect(objectsOf(160, 8).entries).toBeLessThanOrEqual(8 * small.entries);
  });

  it('is one entry of the timeline until it is due, and so is its end', () => {
    const entries = Array.from(
      { length: 30 },
      (_, i) => `{ at: ${i} min, deviceFault: { device: meter, fault: loss, for: 1 h } }`,
    );
    expect(timelineOf(entries).map(({ each }) => each?.length)).toEqual(new Array(31).fill(4));
    expect(everyCommandIn(timelineOf(entries))).toHaveLength(31 * 4);
  });
});
