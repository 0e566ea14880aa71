/**
 * What every field of every operation does: what it says of null, how it fails, and what no row
 * names. Samples are made from the rows; what null means is reported here, as the document has it.
 */
import { describe, expect, it } from 'vitest';
import { admit } from '../../../core/admission.ts';
import type { Caller } from '../../../core/base/subscribers.ts';
import {
  FAILURES,
  OPERATIONS,
  type OperationKind,
  type PlatformCommand,
  type PlatformFailure,
} from '../../../core/operations.ts';
import type { Result } from '../../../sim/base/result.ts';
import type { Kind } from '../../../sim/base/rows/fields.ts';
import { type Spot, sampleOfFields, spotsOf } from '../kit/samples.ts';
import { failureOf, got } from './service.ts';
import { logged, planOf } from './things.ts';

const KEY = 'C0FFEE0123456789DEADBEEF01234567';

const KINDS = Object.entries(OPERATIONS);
const operation = (kind: string) => OPERATIONS[kind as OperationKind];
const isQuery = (kind: string) => ['list', 'get'].includes(operation(kind).verb);
const read = (kind: string, given: object) =>
  admit({ ...given, kind, by: 'ann' }, isQuery(kind) ? 'query' : 'command');

const spots = KINDS.flatMap(([kind, { takes }]) => spotsOf(takes).map((spot) => ({ kind, spot })));
const having = (is: (kind: Kind) => boolean) =>
  spots
    .filter(({ spot }) => is(spot.kind))
    .map(({ kind, spot }) => [kind, spot.pointer, spot] as const);

// ── null ─────────────────────────────────────────────────────────────────────────────────────────

/** Where a field of an operation stands: in the command itself, or in its one record. */
const RECORDS: Readonly<Record<string, string>> = {
  'campaign.create': 'campaign',
  'campaign.restart': 'changes',
  'deviceGroup.create': 'group',
  'deviceGroup.replace': 'group',
  'deviceGroup.update': 'group',
  'reliableDownlink.create': 'job',
  'delegation.create': 'delegation',
  'delegation.update': 'delegation',
};

type Meaning = 'absent' | 'retained';

/** Fields that the document lets be null; `stored`: it has a meaning of its own. */
const NULLS: Readonly<Record<string, Readonly<Partial<Record<string, Meaning>>>>> = {
  'campaign.create': {
    expected_version: 'absent',
    multicast_setup_time: 'retained',
    scheduled_start_at: 'absent',
    mcast_deveui: 'absent',
    mcast_devaddr: 'absent',
    mcast_mc_key: 'absent',
    mcast_session_timeout: 'absent',
  },
  'campaign.restart': {
    gateways: 'absent',
    multicast_setup_time: 'retained',
    scheduled_start_at: 'absent',
    automatic_retry_count: 'absent',
    redundancy: 'absent',
  },
  'deviceGroup.create': { lora_class: 'retained' },
  'deviceGroup.replace': { lora_class: 'retained' },
  'deviceGroup.update': { lora_class: 'retained' },
  'reliableDownlink.create': { devices: 'absent', device_group_id: 'absent' },
  'delegation.update': { expires_at: 'absent' },
  'deviceVersion.all': { delegated_subscriber_id: 'absent' },
};

const SERVICE = KINDS.filter(([, { resource }]) =>
  /^(campaign|deviceGroup|delegation|deviceVersion|history|image|key|reliableDownlink)$/.test(
    resource,
  ),
);

const FIELDS = SERVICE.flatMap(([kind, { takes }]) => {
  const record = RECORDS[kind];
  const rows = record === undefined ? takes : (takes[record] as { fields: typeof takes }).fields;
  return Object.keys(rows).map((field) => ({
    kind,
    field,
    record,
    path: record === undefined && takes[field]!.body ? '' : `/${field}`,
    meaning: NULLS[kind]?.[field] ?? ('refused' as const),
  }));
});

describe('null', () => {
  const given = (kind: string, record: string | undefined, change: (inner: object) => object) => {
    const sample = sampleOfFields(operation(kind).takes);
    if (record === undefined) return read(kind, change(sample));
    return read(kind, { ...sample, [record]: change(sample[record] as object) });
  };

  it.each(FIELDS)(
    'campaign.list to key.delete and delegation.list to delete, malformedField: of $field in $kind is $meaning',
    ({ kind, field, record, path, meaning }) => {
      const withNull = given(kind, record, (inner) => ({ ...inner, [field]: null }));
      if (meaning === 'refused') {
        const failure = failureOf(withNull);
        expect(FAILURES[failure.code as PlatformFailure]).toBe('malformed');
        expect(failure.path).toBe(path);
        expect(failure.message).toMatch(/ is (null|missing|something else); it has to be .{4,}\.$/);
        return;
      }
      const without = given(kind, record, ({ ...inner }) => {
        delete (inner as Record<string, unknown>)[field];
        return inner;
      });
      expect(withNull.ok).toBe(true);
      if (meaning === 'absent') expect(withNull).toEqual(without);
      else expect(withNull).not.toEqual(without);
    },
  );

  it('is reported of for fields that there are', () => {
    const known = new Set(FIELDS.map(({ kind, field }) => `${kind} ${field}`));
    const lines = Object.entries(NULLS).flatMap(([kind, fields]) =>
      Object.keys(fields).map((field) => `${kind} ${field}`),
    );
    expect(lines.filter((each) => !known.has(each))).toEqual([]);
    expect(FIELDS.length).toBeGreaterThan(90);
  });
});

// ── what no row names ────────────────────────────────────────────────────────────────────────────

describe('what no row names', () => {
  it.each(KINDS)('malformedField: is ignored in %s, in what is nested, too', (kind, { takes }) => {
    const plain = read(kind, sampleOfFields(takes));
    expect(plain.ok).toBe(true);
    const more = { unknown: 'canary', __proto: { canary: 1 }, '': ['canary'] };
    expect(read(kind, { ...sampleOfFields(takes), ...more })).toEqual(plain);
    for (const { kind: each, put } of spotsOf(takes)) {
      if (each.type !== 'record') continue;
      expect(read(kind, put({ ...sampleOfFields(each.fields), ...more }))).toEqual(plain);
    }
  });
});

describe('a world that is given what no row names', () => {
  const more = { unknown: 'canary', device_group: 'canary', groupId: 5 };

  /** A campaign over a device of its own, and what a world keeps and answers of that. */
  function report(extra: object) {
    const { world, log } = logged(planOf({ devices: 1 }));
    const submit = (command: object) => {
      const answer = world.submit({ by: 'default', ...command, ...extra } as PlatformCommand &
        Caller);
      return got(answer as Result<Readonly<Record<string, string>>>);
    };
    const { devEui } = world.plan.network.devices[0]!;
    const name = 'meter-1.2.3.bin';
    submit({ kind: 'image.create', name, bytes: Uint8Array.of(1, 2, 3) });
    const group = { name: 'g', devices: [devEui], ...extra };
    const { device_group_id } = submit({ kind: 'deviceGroup.create', group });
    const campaign = { name: 'c', image_name: name, device_group_id, ...extra };
    const { campaign_id } = submit({ kind: 'campaign.create', campaign });
    world.runUntil(5_000_000);
    const full = world.ask({ kind: 'campaign.get', by: 'default', campaign_id: campaign_id! });
    return { log, digest: world.digest(), bytes: world.toBytes(), full };
  }

  it('campaign.create and deviceGroup.create: logs, keeps, folds and answers the same', () => {
    const [plain, filled] = [report({}), report(more)];
    expect(filled).toEqual(plain);
    expect(JSON.stringify(filled.log)).not.toContain('canary');
  });

  it('campaign.list, create, get, deviceGroup.create: calls the group device_group_id: its id, never its name', () => {
    const { full } = report({});
    expect(full).toMatchObject({
      ok: true,
      value: { device_group_id: expect.stringMatching(/^[A-Za-z0-9]{6}$/) },
    });
    expect(JSON.stringify(full)).not.toMatch(/"(group|group_id|device_group)":/);
    const named = { name: 'c', image_name: 'meter-1.2.3.bin', device_group_id: 'g' };
    const { world } = logged(planOf({ devices: 1 }));
    const { devEui } = world.plan.network.devices[0]!;
    const submit = (command: PlatformCommand) => world.submit({ by: 'default', ...command });
    submit({ kind: 'image.create', name: 'meter-1.2.3.bin', bytes: Uint8Array.of(1), tags: [] });
    submit({ kind: 'deviceGroup.create', group: { name: 'g', devices: [devEui] } });
    expect(failureOf(submit({ kind: 'campaign.create', campaign: named }))).toMatchObject({
      code: 'deviceGroup.unknown',
      path: '/device_group_id',
    });
    const { device_group_id, ...without } = named;
    const wrong = { ...without, group: 'g', device_group: 'g' } as unknown as typeof named;
    expect(failureOf(submit({ kind: 'campaign.create', campaign: wrong }))).toMatchObject({
      code: 'campaign.invalid',
      path: '/device_group_id',
    });
  });
});

// ── EUIs ─────────────────────────────────────────────────────────────────────────────────────────

describe('an EUI', () => {
  const euis = having((kind) => kind.type === 'hex' && kind.digits === 16);

  it.each(euis)(
    'malformedField, badEuiOrKey: that is malformed has one code in %s at %s',
    (kind, pointer, spot) => {
      for (const wrong of ['', 'D0', 'A'.repeat(15), 'A'.repeat(17), 'G'.repeat(16), 5, true, {}]) {
        expect(failureOf(read(kind, spot.put(wrong)))).toMatchObject({
          code: 'eui.malformed',
          path: pointer,
        });
      }
    },
  );

  it('badEuiOrKey: that names an entry is pointed to by itself', () => {
    const entry = (name: string) => failureOf(read('key.upload', { keys: { [name]: KEY } }));
    expect(entry('D0')).toMatchObject({ code: 'eui.malformed', path: '/D0' });
    expect(entry('a/b~c')).toMatchObject({ code: 'eui.malformed', path: '/a~1b~0c' });
    const wrongKey = { keys: { D000000000000001: KEY, d000000000000002: 'short' } };
    expect(failureOf(read('key.upload', wrongKey))).toMatchObject({
      code: 'key.malformed',
      path: '/d000000000000002',
    });
  });

  it('stands in many places, those of groups, keys, versions and campaigns among them', () => {
    const kinds = new Set(euis.map(([kind]) => kind));
    for (const kind of [
      'deviceGroup.create',
      'deviceGroup.addDevices',
      'key.delete',
      'deviceVersion.get',
      'deviceVersion.several',
      'campaign.create',
      'device.create',
      'gateway.create',
      'endDevice.create',
      'endDeviceGroup.create',
      'baseStation.create',
      'multicastGroup.create',
    ]) {
      expect(kinds).toContain(kind);
    }
  });
});

// ── secrets ──────────────────────────────────────────────────────────────────────────────────────

describe('a secret', () => {
  const isSecret = (kind: Kind) => kind.secret === true;
  const secrets = having(isSecret);

  /** What goes wrong with a key: its digits, its type, its place. */
  const WRONG: readonly unknown[] = [
    `${KEY}0`,
    KEY.slice(1),
    `${KEY.slice(1)}g`,
    ` ${KEY}`,
    [KEY],
    { [KEY]: KEY },
    { key: KEY },
  ];

  const reportsNothing = (kind: string, given: object) => isSilent(read(kind, given));

  const isSilent = (answer: Result<unknown>) => {
    const text = JSON.stringify(answer.ok ? '' : answer.failure).toUpperCase();
    expect(text).not.toContain(KEY.slice(0, 8));
    return answer.ok;
  };

  it('is a key, verifies another, or is what opens where something is delivered', () => {
    expect(secrets.map(([kind, pointer]) => `${kind} ${pointer}`)).toEqual([
      'subscriber.create /secretVerifier',
      'subscriber.create /passwordVerifier',
      'application.create /verifier',
      'application.refreshToken /verifier',
      'account.changePassword /current',
      'account.changePassword /earlier',
      'account.changePassword /earlier/0',
      'account.changePassword /first',
      'account.changePassword /salt',
      'account.changePassword /verifier',
      'device.create /appKey',
      'device.create /genAppKey',
      'key.upload /AAAAAAAAAAAAAAAA',
      'campaign.create /mcast_mc_key',
      'followUp.create /mcast_mc_key',
      'multicastGroup.create /MulticastNwkSKey',
      'multicastGroup.create /MulticastAppSKey',
      'outputProfile.create /RestParams/0/TokenValue',
      'outputProfile.create /RestParams/0/Secret',
      'outputProfile.create /MqttParams/0/Password',
      'outputProfile.create /CloudAParams/0/PrivateKey',
      'outputProfile.create /CloudBParams/0/SharedAccessKey',
      'outputProfile.replace /RestParams/0/TokenValue',
      'outputProfile.replace /RestParams/0/Secret',
      'outputProfile.replace /MqttParams/0/Password',
      'outputProfile.replace /CloudAParams/0/PrivateKey',
      'outputProfile.replace /CloudBParams/0/SharedAccessKey',
      'outputProfile.update /RestParams/0/TokenValue',
      'outputProfile.update /RestParams/0/Secret',
      'outputProfile.update /MqttParams/0/Password',
      'outputProfile.update /CloudAParams/0/PrivateKey',
      'outputProfile.update /CloudBParams/0/SharedAccessKey',
      'endDevice.create /NetworkSkey',
      'endDevice.create /ApplicationSKey',
      'endDevice.create /ApplicationKey',
      'endDevice.create /NetworkKey',
      'destination.create /data/headers/0/value',
      'destination.create /data/secret',
      'destination.replace /data/headers/0/value',
      'destination.replace /data/secret',
      'credentials.create /data/password',
      'credentials.create /data/client_secret',
      'credentials.create /data/private_key',
      'credentials.create /data/key',
      'credentials.replace /data/password',
      'credentials.replace /data/client_secret',
      'credentials.replace /data/private_key',
      'credentials.replace /data/key',
    ]);
  });

  it.each(secrets)(
    'badMulticastKey, badEuiOrKey: is repeated in no message of %s at %s',
    (kind, _, spot) => {
      // A secret of another’s making is any text.
      const isAny = spot.kind.type === 'text' && read(kind, spot.put(KEY)).ok;
      for (const wrong of WRONG) {
        const isTaken = reportsNothing(kind, spot.put(wrong));
        if (!isAny || typeof wrong !== 'string') expect(isTaken).toBe(false);
      }
    },
  );

  /** What surrounds a secret: a record, a list or a map, which somebody may give as text. */
  const around = (kind: string, { pointer }: Spot) =>
    spotsOf(operation(kind).takes).filter(
      (spot) => spot.pointer !== pointer && pointer.startsWith(spot.pointer),
    );

  it.each(secrets)(
    'badMulticastKey, badEuiOrKey: is repeated in none of %s where %s stands in',
    (kind, _, spot) => {
      const outer = around(kind, spot);
      // A field of the command may stand in nothing but the command.
      const isOutermost = Object.hasOwn(operation(kind).takes, spot.pointer.slice(1));
      if (!isOutermost) expect(outer.length).toBeGreaterThan(0);
      for (const wrong of [KEY, [KEY], [[KEY]]]) {
        expect(isSilent(admit(wrong, 'command'))).toBe(false);
        for (const { put } of outer) expect(reportsNothing(kind, put(wrong))).toBe(false);
      }
    },
  );

  it('badMulticastKey, badEuiOrKey: is repeated in the place of the address or the DevEUI beside it neither', () => {
    const named = { name: 'x', image_name: 'a-1.2.3.bin', device_group_id: 'x' };
    for (const key of [KEY, KEY.toLowerCase(), `0x${KEY}`]) {
      const group = { mcast_devaddr: key, mcast_mc_key: '01020304' };
      for (const [kind, given] of [
        ['campaign.create', { campaign: { ...named, ...group } }],
        ['key.delete', { devices: [key] }],
      ] as const) {
        const { message } = failureOf(read(kind, given));
        expect(message.toUpperCase()).not.toContain(KEY.toUpperCase());
        expect(message).toContain(`is a text of ${key.length} characters; it has to be`);
      }
    }
  });

  it('badEuiOrKey: in the place of the DevEUI that it belongs to is repeated neither', () => {
    for (const name of [KEY, `0x${KEY}`, `${KEY}00`, KEY.match(/../g)!.join(':')]) {
      const given = { keys: { [name]: 'D000000000000001' } };
      expect(reportsNothing('key.upload', given)).toBe(false);
      expect(failureOf(read('key.upload', given))).toMatchObject({
        code: 'eui.malformed',
        path: '',
        message: expect.stringContaining(`of ${name.length} characters`),
      });
    }
  });
});
