/** Physical truth of devices as the operator of the simulator is reported it. */
import { describe, expect, it } from 'vitest';
import { World } from '../../../core/world/world.ts';
import { eui, MINUTE_US } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { failureOf, got } from './service.ts';
import { planOf } from './things.ts';

testIsolation('truth', (_, devEui) => devEui, {
  'device.truth': (devEui) => ({ devEui }),
  'device.truths': () => ({}),
});

const METERS = planOf({ devices: 3, gatewaysAt: [100, 400] });
const groundTruthOf = (world: World, devEui = eui('02', 1)) =>
  got(world.ask({ kind: 'device.truth', by: 'default', devEui }));

/** A world of three meters that have spoken for so long. */
function spokenFor(minutes: number): World {
  const world = World.create(METERS, 'seed');
  world.runUntil(minutes * MINUTE_US);
  return world;
}

describe('the truth of a device', () => {
  it('has its session as the device has it: it counts frames that are to come', () => {
    const world = spokenFor(5);
    const { session, activation, device_class, dev_eui } = groundTruthOf(world);
    expect({ activation, device_class, dev_eui }).toEqual({
      activation: 'active',
      device_class: 'A',
      dev_eui: eui('02', 1),
    });
    expect(session).toMatchObject({ lorawan: '1.0', data_rate: 5, tx_power: 0, channels: 3 });
    expect(session!.f_cnt_up).toBeGreaterThan(2);
  });

  it('has the gateways in its reach with their levels, the nearest first', () => {
    const { links } = groundTruthOf(spokenFor(5));
    expect(links.map(({ gateway_eui }) => gateway_eui)).toEqual([eui('06', 1), eui('06', 2)]);
    const [near, far] = links as [(typeof links)[number], (typeof links)[number]];
    expect(near.up_dbm).toBeGreaterThan(far.up_dbm);
    // −174 dBm/Hz in 125 kHz with a noise figure of 6 dB; ns-3's gateways need −130 dBm at SF7.
    expect(near.up_dbm - near.up_snr_db).toBeCloseTo(-117, 0);
    expect(near.up_dbm - near.up_margin_db).toBeCloseTo(-130, 5);
  });

  it('has what it runs, and how its latest uplink went out', () => {
    const world = spokenFor(5);
    const { firmware, last_uplink, last_downlink_at } = groundTruthOf(world);
    expect(firmware).toEqual({
      running: '0100000001000000',
      image: 'none',
      next: null,
      reboot_at: null,
    });
    expect(last_uplink).toMatchObject({ on_air: false, data_rate: 5 });
    expect(last_downlink_at).toBeNull();
    expect(Object.keys(groundTruthOf(world))).not.toContain('keys');
  });

  it('is reported page by page in the order of DevEUIs, each device once', () => {
    const world = spokenFor(1);
    const page = (page_token = '') =>
      got(world.ask({ kind: 'device.truths', by: 'default', limit: 2, page_token }));
    const first = page();
    expect(first.data.map(({ dev_eui }) => dev_eui)).toEqual([eui('02', 1), eui('02', 2)]);
    const second = page(first.meta.next_page_token!);
    expect(second.data).toEqual([groundTruthOf(world, eui('02', 3))]);
    expect(second.meta).toEqual({ more: false, next_page_token: null });
    const wrong = { kind: 'device.truths', by: 'default', page_token: '00' } as const;
    expect(failureOf(world.ask(wrong)).code).toBe('truth.page');
  });
});
