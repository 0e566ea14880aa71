/**
 * Device configuration: who may set one, what a device has reported, and what is desired of it
 * (data delivery and device configuration, Device configuration). Rollouts and their fragments are
 * in rollouts.test.ts.
 */
import { describe, expect, it, vi } from 'vitest';
import { formatInstant } from '../../../core/base/instant.ts';
import { isReflected, merged } from '../../../core/delivery/device-configuration/parameters.ts';
import { CONFIGURING, deviceReport } from '../../support/configuration-codecs.ts';
import { Configuring, twoConfiguring } from './configuration-notation.ts';
import { testIsolation } from './isolation.ts';
import { failureOf } from './service.ts';

const NOBODY = 'D0FFFFFFFFFFFFFF';
const KINDS = [
  'deviceConfiguration.enableManualControl',
  'deviceConfiguration.disableManualControl',
  'deviceConfiguration.cancel',
] as const;

describe('the configuration of a device', () => {
  it('deviceConfiguration.get: is under manual control, and nothing is reported or desired, at first', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    const { owner_id, dev_eui, control, reported, desired } = fleet.get(devEui);
    expect([owner_id, dev_eui, reported, desired]).toEqual(['default', devEui, null, null]);
    expect(control.mode).toBe('manual');
  });

  it('deviceConfiguration.get, anyCaseEui: is found by the DevEUI in any case, which is reported in upper case', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    expect(fleet.get(devEui.toLowerCase()).dev_eui).toBe(devEui);
    expect(fleet.set(devEui.toLowerCase(), { level: 1 }).ok).toBe(true);
    expect(fleet.rollout(devEui).config).toEqual({ level: 1 });
  });

  it('deviceConfiguration.get to history, foreignThing: is one’s own: another’s device is as unknown as none', () => {
    const [ann, bob] = twoConfiguring();
    const hers = ann.device('silent');
    for (const dev_eui of [hers, NOBODY]) {
      const history = { kind: 'deviceConfiguration.history', dev_eui } as const;
      const get = { kind: 'deviceConfiguration.get', dev_eui } as const;
      const failures = [
        bob.refused(dev_eui, { level: 1 }),
        ...KINDS.map((kind) => failureOf(bob.who.try({ kind, dev_eui }))),
        failureOf(bob.who.tryAsk(history)),
        failureOf(bob.who.tryAsk(get)),
      ];
      for (const { code } of failures) expect(code).toBe('device.unknown');
    }
    expect(ann.get(hers).desired).toBeNull();
  });
});

describe('control', () => {
  const policyFor = (fleet: Configuring, devices: readonly string[], level = 5) =>
    fleet.who.do({
      kind: 'deviceConfiguration.addPolicy',
      policy: { name: 'night', config: { level }, devices },
    }).id;
  const enable = (fleet: Configuring, dev_eui: string) =>
    fleet.who.try({ kind: 'deviceConfiguration.enableManualControl', dev_eui });
  const disable = (fleet: Configuring, dev_eui: string) =>
    fleet.who.try({ kind: 'deviceConfiguration.disableManualControl', dev_eui });

  it('deviceConfiguration.disableManualControl: is changed by a person, who is reported with the instant', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.wait(60);
    const who = fleet.get(devEui).control.updated_by;
    expect(disable(fleet, devEui)).toMatchObject({ ok: true, value: { dev_eui: devEui } });
    const { mode, updated_at, updated_by } = fleet.get(devEui).control;
    const now = formatInstant(fleet.bench.view.unixMs(fleet.bench.nowUs));
    expect([mode, updated_at, updated_by]).toEqual(['policy', now, who]);
  });

  it('deviceConfiguration.enableManualControl and disableManualControl: that is so already stays as it is, who said so, and when', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    const before = fleet.get(devEui).control;
    fleet.wait(60);
    expect(enable(fleet, devEui).ok).toBe(true);
    expect(fleet.get(devEui).control).toEqual(before);
    disable(fleet, devEui);
    const policy = fleet.get(devEui).control;
    fleet.wait(60);
    expect(disable(fleet, devEui).ok).toBe(true);
    expect(fleet.get(devEui).control).toEqual(policy);
  });

  it('deviceConfiguration.enableManualControl, noManualControl: is no person’s where the codec encodes nothing; a policy’s it may be', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('');
    expect(failureOf(enable(fleet, devEui)).code).toBe('deviceConfiguration.unsupported');
    expect(disable(fleet, devEui).ok).toBe(true);
    expect(fleet.get(devEui).control.mode).toBe('policy');
    expect(failureOf(enable(fleet, devEui)).code).toBe('deviceConfiguration.unsupported');
    expect(fleet.get(devEui).control.mode).toBe('policy');
  });

  it('is a policy’s from the start where one has the device, which rolls out', () => {
    const fleet = new Configuring();
    const [mine, other] = fleet.devices(2, 'silent') as [string, string];
    const id = policyFor(fleet, [mine]);
    fleet.wait(2);
    expect(fleet.get(other)).toMatchObject({ control: { mode: 'manual' }, desired: null });
    expect(fleet.get(mine)).toMatchObject({
      control: { mode: 'policy' },
      desired: { source_type: 'policy', policy_id: id, config: { level: 5 } },
    });
    expect(fleet.states(mine)).toBe('in_progress queued');
  });

  it('deviceConfiguration.setDesired, underPolicy: of a policy lets nobody desire another, were it valid or not', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    policyFor(fleet, [devEui]);
    fleet.wait(2);
    for (const config of [{ level: 1 }, { nonsense: 1 }]) {
      expect(fleet.refused(devEui, config).code).toBe('deviceConfiguration.policy');
    }
    expect(fleet.rollout(devEui).config).toEqual({ level: 5 });
  });

  it('that a person takes lets policies stand aside; given back, the policy rolls out anew', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    policyFor(fleet, [devEui]);
    fleet.wait(2);
    enable(fleet, devEui);
    expect(fleet.states(devEui)).toBe('cancelled cancelled');
    expect(fleet.waiting(devEui)).toBe(0);
    expect(fleet.set(devEui, { level: 1 }).ok).toBe(true);
    expect(fleet.rollout(devEui)).toMatchObject({ source_type: 'manual', policy_id: null });
    disable(fleet, devEui);
    expect(fleet.rollout(devEui)).toMatchObject({ source_type: 'policy', config: { level: 5 } });
    fleet.wait(2);
    fleet.writeReport(devEui);
    expect(fleet.states(devEui)).toBe('applied confirmed');
  });

  it('of a policy is encoded once, however many devices have it', () => {
    const fleet = new Configuring();
    const devEuis = fleet.devices(40, 'silent');
    const { configuration } = CONFIGURING.silent!;
    const encode = vi.spyOn(configuration!, 'encode');
    policyFor(fleet, devEuis);
    fleet.wait(2);
    expect(fleet.get(devEuis.at(-1)!)).toMatchObject({ desired: { config: { level: 5 } } });
    expect(encode).toHaveBeenCalledTimes(1);
    encode.mockRestore();
  });

  it('of a policy rolls out nothing that the device has reported already', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.report(devEui, { level: 5 });
    policyFor(fleet, [devEui]);
    fleet.wait(2);
    expect(fleet.get(devEui)).toMatchObject({ control: { mode: 'policy' }, desired: null });
  });

  it('of a policy rolls out what was reported before something else was sent', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('polite');
    policyFor(fleet, [devEui]);
    fleet.report(devEui, { level: 5 });
    enable(fleet, devEui);
    fleet.wait(60);
    fleet.set(devEui, { level: 1 });
    fleet.wait(2);
    fleet.writeReport(devEui);
    disable(fleet, devEui);
    expect(fleet.rollout(devEui)).toMatchObject({ status: 'pending', config: { level: 5 } });
  });

  it('of a policy whose configuration the codec does not encode fails, and is reported so', () => {
    const fleet = new Configuring();
    const [wrong, none] = [fleet.device('silent'), fleet.device('')];
    policyFor(fleet, [wrong, none], 256);
    fleet.wait(2);
    for (const devEui of [wrong, none]) {
      const failed = { status: 'failed', failure_reason: 'not encodable' };
      expect(fleet.rollout(devEui)).toMatchObject(failed);
    }
    expect(fleet.bench.platform.resources.deviceConfiguration.isIdle).toBe(true);
  });

  it('of a policy of a device profile has devices that come later, and not another’s', () => {
    const [ann, bob] = twoConfiguring();
    const profile = ann.who.ask({ kind: 'deviceProfile.list' }).DeviceProfiles.at(-1)!.Id;
    const policy = { name: 'all', config: { level: 5 }, deviceProfile: profile };
    ann.who.do({ kind: 'deviceConfiguration.addPolicy', policy });
    const type = 3;
    const created = [ann, bob].map(({ who }, i) =>
      who.do({
        kind: 'device.create',
        device: { devEui: `C00000000000000${i}`, name: 'late', type, xMeters: 0, yMeters: 0 },
      }),
    );
    const modes = [ann, bob].map((each, i) => each.get(created[i]!.devEui).control.mode);
    expect(modes).toEqual(['policy', 'manual']);
  });

  it('is the first policy’s of several that have a device', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    const first = policyFor(fleet, [devEui], 1);
    policyFor(fleet, [devEui], 2);
    fleet.wait(2);
    expect(fleet.rollout(devEui)).toMatchObject({ policy_id: first, config: { level: 1 } });
  });
});

describe('a desired configuration', () => {
  it('deviceConfiguration.setDesired: makes a rollout that is reported with who desired it, and when', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    const answer = fleet.set(devEui, { level: 1, period: 600 });
    expect(answer).toMatchObject({ ok: true, meanwhile: true, value: { dev_eui: devEui } });
    expect(fleet.rollout(devEui)).toMatchObject({
      config: { level: 1, period: 600 },
      source_type: 'manual',
      policy_id: null,
      status: 'pending',
      failure_reason: null,
      started_at: null,
      completed_at: null,
      progress: { total_fragments: 2, fragments_confirmed: 0 },
    });
  });

  it('deviceConfiguration.setDesired, noConfiguration, badConfiguration: is refused where the codec cannot encode it, with the place', () => {
    const fleet = new Configuring();
    const [devEui, none] = [fleet.device('silent'), fleet.device('')];
    const cases = [
      [none, { level: 1 }, 'deviceConfiguration.unsupported', undefined],
      [devEui, { level: 256 }, 'deviceConfiguration.invalid', '/config/level'],
      [devEui, { level: 1, colour: 2 }, 'deviceConfiguration.invalid', '/config/colour'],
      [devEui, {}, 'deviceConfiguration.invalid', '/config'],
      [
        fleet.device('piecemeal'),
        { level: 1, period: 2 },
        'deviceConfiguration.invalid',
        '/config',
      ],
    ] as const;
    for (const [to, config, code, path] of cases) {
      expect(fleet.refused(to, config)).toMatchObject({ code, ...(path && { path }) });
      expect(fleet.get(to).desired).toBeNull();
    }
    expect(fleet.refused(devEui, { level: 256 }).message).toMatch(/from 0 to 255/);
  });

  it('deviceConfiguration.setDesired, reportedAlready: that is reported already makes no rollout, whatever else is', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.report(devEui, { level: 1, period: 600 });
    expect(fleet.set(devEui, { level: 1 })).toEqual({ ok: true, value: undefined });
    expect(fleet.get(devEui).desired).toBeNull();
    expect(fleet.set(devEui, { level: 2 })).toMatchObject({ meanwhile: true });
  });

  it('that is reported already ends a rollout that is not over', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.report(devEui, { level: 1 });
    fleet.set(devEui, { level: 2 });
    fleet.wait(2);
    expect(fleet.set(devEui, { level: 1 })).toEqual({ ok: true, value: undefined });
    expect(fleet.states(devEui)).toBe('cancelled cancelled');
    expect(fleet.waiting(devEui)).toBe(0);
  });
});

describe('a reported configuration', () => {
  it('is what uplinks have reported, each parameter as it was reported last', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.report(devEui, { level: 1 });
    fleet.wait(60);
    fleet.report(devEui, { period: 600 });
    const at = formatInstant(fleet.bench.view.unixMs(fleet.bench.nowUs));
    const reported = { config: { level: 1, period: 600 }, last_uplink_at: at };
    expect(fleet.get(devEui).reported).toEqual(reported);
    fleet.wait(60);
    fleet.report(devEui, { level: 1 });
    expect(fleet.get(devEui).reported!.config).toEqual(reported.config);
    expect(fleet.get(devEui).reported!.last_uplink_at).not.toBe(at);
  });

  it('is read of the codec’s FPorts alone, and of devices that have such a codec', () => {
    const fleet = new Configuring();
    const [devEui, none] = [fleet.device('silent'), fleet.device('')];
    fleet.who.hear(devEui, 42, deviceReport({ level: 1 }));
    fleet.report(none, { level: 1 });
    fleet.who.hear(devEui, 41, Uint8Array.of(77));
    for (const each of [devEui, none]) expect(fleet.get(each).reported).toBeNull();
  });

  it('is that of an earlier device no more, once that was removed', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    fleet.report(devEui, { level: 1 });
    fleet.set(devEui, { level: 2 });
    fleet.who.do({ kind: 'endDevice.delete', DevEUI: devEui });
    const device = { devEui, name: 'again', type: 0, xMeters: 0, yMeters: 0 };
    fleet.who.do({ kind: 'device.create', device });
    expect(fleet.get(devEui)).toMatchObject({ reported: null, desired: null });
    expect(fleet.who.ask({ kind: 'deviceConfiguration.history', dev_eui: devEui }).data).toEqual(
      [],
    );
  });
});

describe('the history of a reported configuration', () => {
  const page = (fleet: Configuring, dev_eui: string, asked: object = {}) =>
    fleet.who.ask({ kind: 'deviceConfiguration.history', dev_eui, ...asked });
  const levelsOf = ({ data }: ReturnType<typeof page>) => data.map(({ config }) => config.level);

  it('deviceConfiguration.history: has changes, the latest first; a report of the same is none', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    for (const level of [1, 1, 2, 2, 1]) fleet.report(devEui, { level });
    const response = page(fleet, devEui);
    expect(levelsOf(response)).toEqual([1, 2, 1]);
    expect(response.meta).toEqual({ more: false, next_page_token: null });
  });

  it('deviceConfiguration.history, badPage: is reported 20 at a time, or as many as are asked for, at most 100', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    for (let level = 0; level < 130; level++) fleet.report(devEui, { level });
    const first = page(fleet, devEui);
    expect([first.data.length, first.meta.more]).toEqual([20, true]);
    expect(page(fleet, devEui, { limit: 1_000 }).data).toHaveLength(100);
    expect(page(fleet, devEui, { limit: 3 }).data).toHaveLength(3);
    for (const asked of [{ limit: 0 }, { page_token: 'mine' }]) {
      const query = { kind: 'deviceConfiguration.history', dev_eui: devEui, ...asked } as const;
      expect(failureOf(fleet.who.tryAsk(query)).code).toBe('deviceConfiguration.page');
    }
  });

  it('reports each change once over all pages, though others come meanwhile', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    for (let level = 0; level < 50; level++) fleet.report(devEui, { level });
    const seen: unknown[] = [];
    let token: string | null = '';
    for (let level = 100; token !== null; level++) {
      const response: ReturnType<typeof page> = page(fleet, devEui, { page_token: token });
      seen.push(...levelsOf(response));
      token = response.meta.next_page_token;
      fleet.report(devEui, { level });
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => 49 - i));
  });

  it('is reported to no other device by a token of this one', () => {
    const fleet = new Configuring();
    const [one, other] = fleet.devices(2, 'silent') as [string, string];
    for (const devEui of [one, other]) {
      for (let level = 0; level < 30; level++) fleet.report(devEui, { level });
    }
    const page_token = page(fleet, one).meta.next_page_token!;
    const query = { kind: 'deviceConfiguration.history', dev_eui: other, page_token } as const;
    expect(failureOf(fleet.who.tryAsk(query)).code).toBe('deviceConfiguration.page');
  });

  it('keeps the latest thousand', () => {
    const fleet = new Configuring();
    const devEui = fleet.device('silent');
    for (let period = 0; period < 1_010; period++) fleet.report(devEui, { period });
    const all: unknown[] = [];
    let token: string | null = '';
    while (token !== null) {
      const response: ReturnType<typeof page> = page(fleet, devEui, {
        limit: 100,
        page_token: token,
      });
      all.push(...response.data.map(({ config }) => config.period));
      token = response.meta.next_page_token;
    }
    expect([all.length, all[0], all.at(-1)]).toEqual([1_000, 1_009, 10]);
  });
});

describe('parameters', () => {
  it('are reflected where each is the same, however its keys are ordered', () => {
    const reported = { a: { x: 1, y: [1, 2] }, b: true, c: null };
    expect(isReflected({ a: { y: [1, 2], x: 1 } }, reported)).toBe(true);
    expect(isReflected({}, reported)).toBe(true);
    const others = [{ a: { x: 1 } }, { b: 1 }, { c: 0 }, { d: null }, { a: { x: 1, y: [2, 1] } }];
    for (const desired of others) expect(isReflected(desired, reported)).toBe(false);
  });

  it('are not stored without end, however many a codec makes up', () => {
    let config = {};
    for (let i = 0; i < 300; i++) config = merged(config, { [`p${i}`]: i });
    expect(Object.keys(config)).toHaveLength(256);
    expect(merged({ a: 1 }, { text: 'x'.repeat(20_000) })).toEqual({ a: 1 });
  });
});

testIsolation(
  'deviceConfiguration',
  (ann, devEui) => {
    const fleet = new Configuring(ann);
    const [under, idle] = fleet.devices(2, 'silent') as [string, string];
    fleet.give(devEui, 'silent');
    fleet.report(devEui, { level: 1 });
    fleet.set(devEui, { level: 5 });
    ann.do({ kind: 'deviceConfiguration.disableManualControl', dev_eui: under });
    return { devEui, under, idle };
  },
  {
    'deviceConfiguration.get': ({ devEui: dev_eui }) => ({ dev_eui }),
    'deviceConfiguration.enableManualControl': ({ under: dev_eui }) => ({ dev_eui }),
    'deviceConfiguration.disableManualControl': ({ idle: dev_eui }) => ({ dev_eui }),
    'deviceConfiguration.setDesired': ({ idle: dev_eui }) => ({
      dev_eui,
      desired: { config: { level: 7 } },
    }),
    'deviceConfiguration.cancel': ({ devEui: dev_eui }) => ({ dev_eui }),
    'deviceConfiguration.history': ({ devEui: dev_eui }) => ({ dev_eui }),
    'deviceConfiguration.addPolicy': ({ under }) => ({
      policy: { name: 'night', config: { level: 5 }, devices: [under] },
    }),
  },
);
