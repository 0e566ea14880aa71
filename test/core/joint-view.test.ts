/** E58 for campaigns: a joint view shows what its parts show, each thing as its owner sees it. */
import { describe, expect, it } from 'vitest';
import { jointView } from '../../core/base/joint-view.ts';
import { ownView } from '../../core/base/own-view.ts';
import { Owners } from '../../core/base/subscribers.ts';
import { Bench } from './bench.ts';

const [N, S, E] = ['AA00000000000001', 'AA00000000000002', 'AA00000000000003'] as const;

/** Every gateway hears every device; Ann, Bob and Eve have one of each, Ann another device. */
function shared() {
  const bench = new Bench({ gateways: [N, S, E] });
  const levels = { [N]: -100, [S]: -90, [E]: -80 };
  const [hers, his, eves, more] = bench.add(4, () => ({ levels })) as [
    string,
    string,
    string,
    string,
  ];
  const owners = new Owners();
  owners.plan({
    devices: [
      [hers, 'ann'],
      [more, 'ann'],
      [his, 'bob'],
      [eves, 'eve'],
    ],
    gateways: [
      [N, 'ann'],
      [S, 'bob'],
      [E, 'eve'],
    ],
  });
  const viewOf = (subscriber: string) => ownView(bench.view, owners, subscriber);
  /** View of Bob, who received a delegation of one device when it was Ann's. */
  const joint = (given: string) =>
    jointView(viewOf, 'bob', {
      owners: ['ann'],
      ownerOf: (devEui) => (devEui === given ? 'ann' : undefined),
    });
  return { bench, owners, joint, hers, his, eves, more };
}

describe('a joint view', () => {
  it('has one’s own devices and those that were given, and no others', () => {
    const { joint, hers, his, eves, more } = shared();
    const view = joint(hers);
    const found = [hers, his, eves, more].map((devEui) => view.device(devEui)?.devEui);
    expect(found).toEqual([hers, his, undefined, undefined]);
    expect(view.devices().map(({ devEui }) => devEui)).toEqual([his, hers]);
    expect(view.deviceColumns().devEui).toEqual([his, hers]);
  });

  it('has receptions by the gateways of whose a device is', () => {
    const { joint, hers, his } = shared();
    const view = joint(hers);
    const heardBy = (devEui: string) =>
      view.device(devEui)!.heardBy.map(({ gatewayEui }) => gatewayEui);
    expect(heardBy(hers)).toEqual([N]);
    expect(heardBy(his)).toEqual([S]);
  });

  it('has one’s own gateways and those of who gave something, and no others', () => {
    const { joint, hers } = shared();
    const view = joint(hers);
    expect(view.gateways().map(({ eui }) => eui)).toEqual([S, N]);
    expect([N, S, E].map((eui) => view.gateway(eui)?.eui)).toEqual([N, S, undefined]);
  });

  it('does not take a device that became one’s own, or another’s, for what was given', () => {
    const { owners, joint, hers } = shared();
    const view = joint(hers);
    owners.note('eve', 'device', hers);
    expect(view.device(hers)).toBeUndefined();
    owners.note('bob', 'device', hers);
    expect(view.device(hers)).toBeUndefined();
    owners.note('ann', 'device', hers);
    expect(view.device(hers)?.devEui).toBe(hers);
  });

  it('has the facts that are everybody’s', () => {
    const { bench, joint, hers } = shared();
    const view = joint(hers);
    expect(view.rx2).toEqual(bench.view.rx2);
    expect(view.unixMs(1_000_000)).toBe(bench.view.unixMs(1_000_000));
    expect(view.dataRate(5)).toEqual(bench.view.dataRate(5));
  });
});
