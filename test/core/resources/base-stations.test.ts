/** Gateways of device and gateway management (rows 97, 98 and 101 to 104). */
import { describe, expect, it } from 'vitest';
import type { Creation } from '../../../core/management/gateways/rows.ts';
import type { NetworkRequest } from '../../../core/network-requests.ts';
import { testIsolation } from './isolation.ts';
import { NORTH, type Subscriber, service } from './service.ts';

const NEW = 'C0FFEE0000000001';

/** Id of a gateway profile. */
const profileOf = (us: Subscriber, name = 'standard'): string =>
  us.ask({ kind: 'gatewayProfile.list' }).GatewayProfiles.find(({ Name }) => Name === name)!.Id;

const creation = (us: Subscriber, more: Partial<Creation> = {}): Creation => ({
  GatewayProfile: profileOf(us),
  MacAddress: 'aa:bb:cc:0d:0e:0f',
  NodeId: NEW,
  Name: 'roof',
  AntennaGain: '3.5',
  LocationType: 'OUTDOOR',
  Coordinates: { X: '48.01', Y: '11.02', Z: '519.5' },
  ...more,
});

const create = (gateway: Creation) => ({ kind: 'baseStation.create', gateway }) as const;
const get = (Id: string) => ({ kind: 'baseStation.get', Id }) as const;
const update = (Id: string, gateway: object) =>
  ({ kind: 'baseStation.update', Id, gateway }) as const;

/** What was requested of the network since. */
function requestsOf({ bench }: Subscriber, act: () => unknown): readonly NetworkRequest[] {
  const before = bench.log.length;
  act();
  return bench.log.slice(before).map(({ request }) => request);
}

describe('a gateway that is created', () => {
  it('row 98: is told whole, with its Id, as it is told from then on', () => {
    const us = service();
    const made = us.do(create(creation(us)));
    expect(made.Id).toMatch(/^[0-9A-Za-z]{8}$/);
    expect(us.ask(get(made.Id))).toEqual(made);
    expect(us.ask(get(NEW.toLowerCase()))).toEqual(made);
  });
});

describe('a gateway that is changed', () => {
  it('row 103: stays where it is when it is given back what it tells', () => {
    const us = service();
    const made = us.do(create(creation(us)));
    const { Coordinates, AntennaGain, Name } = made;
    const requests = requestsOf(us, () =>
      us.do(update(made.Id, { Coordinates, AntennaGain, Name })),
    );
    expect(requests).toEqual([]);
  });
});

testIsolation('baseStation', (ann) => ({ ann, Id: ann.ask(get(NORTH)).Id }), {
  'baseStation.create': ({ ann }) => create(creation(ann)),
  'baseStation.list': () => ({}),
  'baseStation.get': ({ Id }) => ({ Id }),
  'baseStation.replace': ({ ann, Id }) => ({ Id, gateway: creation(ann) }),
  'baseStation.update': ({ Id }) => ({ Id, gateway: { Name: 'north' } }),
  'baseStation.describe': ({ Id }) => ({
    Gateways: [Id],
    description: { LocationType: 'INDOOR', HeightMeters: 3 },
  }),
  'baseStation.delete': ({ Id }) => ({ Id }),
});
