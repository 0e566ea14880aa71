/** What devices refer to, in scenario files: sections, knobs of populations, and their faults. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const fileOf = (devices: string, more = '') => `scenario: a
subscribers: [north, south]
devices: [${devices}]
serviceProfiles: [{ name: gold, description: The best. }, { name: his, subscriber: south }]
decoderTypes: [{ name: own, decoder: ELSYS }]
outputProfiles: [{ name: out, rest: [{ url: https://a.b/in, outputFormat: simple }] }]
${more}`;

function worldOf(text: string) {
  const world = World.create(populate(scenarioOf(text), 'seed'), 'seed');
  world.runUntil(1);
  return {
    world,
    devicesOf: (by: string) => {
      const answer = world.ask({ by, kind: 'endDevice.list' });
      if (!answer.ok) throw new Error('devices are answered');
      return answer.value.Devices;
    },
    idsOf: (by: string): Record<string, string> => {
      const lists = [
        world.ask({ by, kind: 'serviceProfile.list' }),
        world.ask({ by, kind: 'decoderType.list' }),
        world.ask({ by, kind: 'outputProfile.list' }),
        world.ask({ by, kind: 'deviceProfile.list' }),
      ].flatMap((answer) => (answer.ok ? Object.values(answer.value).flat() : []));
      return Object.fromEntries(lists.map(({ Id, Name }) => [Name, Id]));
    },
  };
}

describe('what a population refers to', () => {
  it('is that of its knobs, for all its devices, those that come later too', () => {
    const { world, devicesOf, idsOf } = worldOf(
      fileOf(
        '{ name: meter, count: 2, serviceProfile: gold, decoderType: own, outputProfile: out, ' +
          'privateData: true }',
        'timeline: [{ at: 1 s, addDevices: { population: meter, count: 1 } }]',
      ),
    );
    world.runUntil(2_000_000);
    const ids = idsOf('north');
    const devices = devicesOf('north');
    expect(devices).toHaveLength(3);
    for (const device of devices) {
      expect(device).toMatchObject({
        ServiceProfile: ids.gold,
        DecoderType: ids.own,
        PayloadDecoder: 'ELSYS',
        OutputProfile: ids.out,
        DeviceProfile: ids.meter,
        PrivateData: true,
      });
    }
    expect(devices.map(({ CreatedAt }) => CreatedAt).sort()).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:01Z',
    ]);
  });

  it('may be a decoder type that every world has', () => {
    const { devicesOf, idsOf } = worldOf(fileOf('{ name: meter, decoderType: CAYENNE_LPP }'));
    expect(devicesOf('north')).toMatchObject([
      { DecoderType: idsOf('north')['Cayenne LPP'], PayloadDecoder: 'CAYENNE_LPP' },
    ]);
  });

  it('is as in every world where it says nothing', () => {
    const { devicesOf, idsOf } = worldOf(
      fileOf('{ name: meter }, { name: valve, subscriber: south }'),
    );
    for (const by of ['north', 'south']) {
      expect(devicesOf(by)).toMatchObject([
        { ServiceProfile: idsOf(by).standard, DecoderType: '', OutputProfile: '' },
      ]);
    }
    const kinds = populate(scenarioOf('scenario: a\ndevices: [{ name: meter }]\n')).timeline;
    expect(kinds).toEqual([]);
  });

  it('is a profile of its own where it has no devices', () => {
    const { idsOf } = worldOf(fileOf('{ name: meter }, { name: spare, count: 0, class: C }'));
    expect(Object.keys(idsOf('north'))).toContain('spare');
    expect(Object.keys(idsOf('south'))).not.toContain('spare');
  });
});

describe('what is wrong with it', () => {
  it.each([
    [
      '{ name: meter, serviceProfile: silver }',
      '/devices/0/serviceProfile  "silver" is not a service profile of this scenario',
    ],
    [
      '{ name: meter, serviceProfile: his }',
      '/devices/0/serviceProfile  "his" is of the subscriber south, not of north',
    ],
    [
      '{ name: meter, decoderType: elsys }',
      '/devices/0/decoderType  "elsys" is not a decoder type of this scenario',
    ],
    [
      '{ name: meter, outputProfile: in }',
      '/devices/0/outputProfile  "in" is not an output profile of this scenario',
    ],
    [
      '{ name: meter, count: 0 }, { name: meter, count: 0 }',
      '/devices/1/name  the name "meter" is taken by /devices/0',
    ],
  ])('is reported: %s', (devices, fault) => {
    const [first, ...others] = faultsOf(fileOf(devices));
    expect(first).toContain(fault);
    expect(others).toEqual([]);
  });
});
