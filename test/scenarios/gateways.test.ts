/**
 * Gateways in scenario files: where on Earth they stand, and what management is reported of them.
 */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { got } from '../core/resources/service.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const fileOf = (gateways: string, more = '') => `scenario: a
gateways: [${gateways}]
devices: [{ name: meter }]
${more}`;

function worldOf(text: string, by = 'default') {
  const world = World.create(populate(scenarioOf(text), 'seed'), 'seed');
  world.runUntil(1);
  const { Gateways } = got(world.ask({ kind: 'baseStation.list', by }));
  const { GatewayProfiles } = got(world.ask({ kind: 'gatewayProfile.list', by }));
  const idOf = (name: string) => GatewayProfiles.find(({ Name }) => Name === name)?.Id;
  return { world, Gateways, idOf };
}

const profiles = `gatewayProfiles:
  - name: mine
    description: My own.
    chip: SX1302
    maxEirp: 14 dBm
    manufacturer: us
    model: own-1
    freeMemory: 64 MiB
    interfaces: [{ name: wwan0, type: cellular }]
`;

describe('the origin of a world', () => {
  it('is 48° north, 11° east; a plan names another one', () => {
    expect(populate(scenarioOf(fileOf('{}')))).not.toHaveProperty('origin');
    const text = fileOf('{ placement: { at: [0 m, 0 m] } }', 'origin: { latitude: -33.9 }\n');
    expect(populate(scenarioOf(text)).origin).toEqual({ latitude: -33.9, longitude: 11 });
    const [gateway] = worldOf(text).Gateways;
    expect(gateway?.Coordinates).toEqual({ X: '-33.9', Y: '11', Z: '0' });
  });
});

describe('a gateway of a file', () => {
  it('stands at latitude and longitude, by the origin', () => {
    const text = fileOf(
      '{ placement: { latitude: 51.5, longitude: -0.125 }, height: 35 m }',
      'origin: { latitude: 51, longitude: 0 }\n',
    );
    const [gateway] = worldOf(text).Gateways;
    // Places are whole millimetres.
    const { X, Y, Z } = gateway!.Coordinates;
    expect(Number(X)).toBeCloseTo(51.5, 7);
    expect(Number(Y)).toBeCloseTo(-0.125, 7);
    expect(Z).toBe('35');
    const [planned] = populate(scenarioOf(text)).network.gateways;
    expect(planned!.yMeters).toBeGreaterThan(55_000);
    expect(planned!.xMeters).toBeLessThan(-8_000);
  });

  it('may come, and be moved, to latitude and longitude later', () => {
    const timeline = `timeline:
  - { at: 1 h, addGateway: { name: late, placement: { latitude: 48.1, longitude: 11.1 } } }
  - { at: 2 h, moveGateway: { gateway: late, placement: { latitude: 48.2, longitude: 11.2 } } }
`;
    const { world } = worldOf(fileOf('{}', timeline));
    const report = () =>
      got(world.ask({ kind: 'baseStation.list', by: 'default' })).Gateways.find(
        ({ Name }) => Name === 'late',
      )?.Coordinates;
    world.runUntil(3_600_000_001);
    expect(report()).toMatchObject({ X: '48.1', Y: '11.1' });
    world.runUntil(7_200_000_001);
    expect(report()).toMatchObject({ X: '48.2', Y: '11.2' });
  });

  it('is reported as its knobs say, each of an entry that has several', () => {
    const knobs =
      '{ name: mast, count: 3, gatewayProfile: mine, locationType: INDOOR, height: 12.5 m, ' +
      'macAddress: "0a:0b:0c:0d:0e:0f", cellular: { iccid: "89490200001234567890" } }';
    const { Gateways, idOf } = worldOf(fileOf(`${knobs}, { name: other }`, profiles));
    expect(Gateways).toHaveLength(4);
    const reports = Gateways.filter(({ Name }) => Name !== 'other');
    expect(reports).toHaveLength(3);
    for (const gateway of reports) {
      expect(gateway).toMatchObject({
        GatewayProfile: idOf('mine'),
        MacAddress: '0A:0B:0C:0D:0E:0F',
        LocationType: 'INDOOR',
        CellularEnabled: true,
        IMEI: '',
        ICCID: '89490200001234567890',
        Manufacturer: '',
        Model: 'own-1',
        CreatedAt: '2026-01-01T00:00:00Z',
        UpdatedAt: '2026-01-01T00:00:00Z',
      });
      expect(gateway.Coordinates.Z).toBe('12.5');
    }
    const other = Gateways.find(({ Name }) => Name === 'other');
    expect(other).toMatchObject({ GatewayProfile: idOf('standard'), CellularEnabled: false });
  });

  it('may have a profile that every world has', () => {
    const { Gateways, idOf } = worldOf(fileOf('{ gatewayProfile: indoor-SX1302 }'));
    expect(Gateways).toMatchObject([
      { GatewayProfile: idOf('indoor-SX1302'), Model: 'FW-IN-1302' },
    ]);
  });

  it('costs no command where it says nothing', () => {
    expect(populate(scenarioOf(fileOf('{ count: 100 }'))).timeline).toEqual([]);
  });

  it('is a model whose hardware a gateway over the API has', () => {
    const { world, idOf } = worldOf(fileOf('{}', profiles));
    const gateway = {
      GatewayProfile: idOf('mine')!,
      MacAddress: '0a:0b:0c:0d:0e:0f',
      NodeId: 'C0FFEE0000000001',
      Name: 'new',
      AntennaGain: '2.15',
      LocationType: 'OUTDOOR',
      GPSEnabled: true,
    } as const;
    got(world.submit({ kind: 'baseStation.create', by: 'default', gateway }));
    const eui = gateway.NodeId;
    const response = got(world.ask({ kind: 'gateway.get', by: 'default', eui }));
    expect(response).toMatchObject({ maxEirpCentiDbm: 1_400, txJitUs: 40_000 });
    expect(response.paths).toHaveLength(4);
  });
});

describe('what is wrong with it', () => {
  it.each([
    [
      '{ placement: { latitude: 48 } }',
      '/gateways/0/placement  has one of latitude and longitude; allowed: both of them',
    ],
    [
      '{ placement: { latitude: 48, longitude: 11, at: [0 m, 0 m] } }',
      '/gateways/0/placement  says where in more than one way',
    ],
    [
      '{ placement: { latitude: -48, longitude: -169 } }',
      '/gateways/0/placement  -48, -169 is beyond the world’s edge',
    ],
    [
      '{ count: 2, placement: { latitude: 48, longitude: 11 } }',
      '/gateways/0/placement  one point cannot be the place of 2',
    ],
    ['{ placement: { latitude: 91, longitude: 11 } }', '91 is out of range'],
    [
      '{ gatewayProfile: indoors }',
      '"indoors" is not a gateway profile of this scenario; allowed: standard, indoor-SX1302',
    ],
    ['{ locationType: ROOF }', '"ROOF" is not known; allowed: INDOOR, OUTDOOR'],
    ['{ macAddress: "0a0b" }', '"0a0b" is not right here; allowed: six pairs'],
    ['{ cellular: { imei: "1" } }', '"1" is not right here; allowed: 15 digits'],
  ])('is reported: %s', (gateways, fault) => {
    const [first, ...others] = faultsOf(fileOf(gateways));
    expect(first).toContain(fault);
    expect(others).toEqual([]);
  });

  it('is reported of a place on the timeline, and of two profiles with one name', () => {
    const far = `timeline:
  - { at: 1 h, addGateway: { name: late, placement: { latitude: -48, longitude: -169 } } }
`;
    expect(faultsOf(fileOf('{}', far))[0]).toContain('/timeline/0/addGateway/placement');
    const twice = 'gatewayProfiles: [{ name: a }, { name: a }]\n';
    expect(faultsOf(fileOf('{}', twice))[0]).toContain('/gatewayProfiles/1/name');
  });
});
