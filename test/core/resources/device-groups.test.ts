/** Device groups (firmware update service). */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlatformCommand } from '../../../core/operations.ts';
import {
  type DeviceGroupAnswer,
  type DeviceGroupInput,
  MOST_BY_PARTS,
} from '../../../core/update-service/device-groups.ts';
import { itThorough, someRuns } from '../../support/long.ts';
import { ready } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { failureOf, NORTH, SOUTH, Subscriber, service } from './service.ts';

const A = 'D000000000000001';
const C = 'D000000000000002';
const A2 = 'D000000000000003';

/** Devices A and A2 of class A, C of class C. */
function withDevices(): Subscriber {
  const us = service();
  us.devices(3, (i) => ({ deviceClass: i === 1 ? 'C' : 'A' }));
  return us;
}

const create = (group: DeviceGroupInput) => ({ kind: 'deviceGroup.create', group }) as const;

describe('a device group', () => {
  it.each([
    [A, 'A'],
    [C, 'C'],
  ])(
    'deviceGroup.create: of %s alone has class %s and an id of 6 alphanumerics',
    (devEui, loraClass) => {
      const group = withDevices().do(create({ name: 'g', devices: [devEui] }));
      expect(group).toEqual({
        name: 'g',
        lora_class: loraClass,
        gateways: [],
        device_group_id: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
        devices: [devEui],
      });
    },
  );

  it('deviceGroup.create: has the class that it is given, EUIs in upper case, each once', () => {
    const devices = [A.toLowerCase(), C, A];
    const gateways = [NORTH.toLowerCase()];
    const group = withDevices().do(create({ name: 'g', lora_class: 'A', devices, gateways }));
    expect(group).toMatchObject({ lora_class: 'A', devices: [A, C], gateways: [NORTH] });
  });

  itThorough('takes devices by parts until it has 20 000; one of a plan may have more', () => {
    const us = service();
    const all = us.devices(MOST_BY_PARTS + 2, () => ({ deviceClass: 'A' }));
    const { device_group_id } = us.do(create({ name: 'g', devices: all.slice(2) }));
    us.do({ kind: 'deviceGroup.update', device_group_id, group: { devices: all.slice(3) } });
    const add = { kind: 'deviceGroup.addDevices', device_group_id } as const;
    expect(us.refused({ ...add, devices: all.slice(1, 3) })).toBe('deviceGroup.too-large');
    expect(us.do({ ...add, devices: [all[2]!] }).devices).toHaveLength(MOST_BY_PARTS);
    expect(us.refused({ ...add, devices: [all[1]!] })).toBe('deviceGroup.too-large');
    us.do({ kind: 'deviceGroup.update', device_group_id, group: { devices: all.slice(1) } });
    // It has one more already, and gets none.
    expect(us.do({ ...add, devices: [all[2]!] }).devices).toHaveLength(MOST_BY_PARTS + 1);
    const kind = 'deviceGroup.keygenAddDevices';
    const generated = { ...add, kind, keygen_type: 'vendor', devices: [all[0]!] } as const;
    expect(us.refused(generated)).toBe('deviceGroup.too-large');
  });

  it.each(['gateway.remove', 'baseStation.delete'] as const)(
    'deviceGroup.get: has lost a gateway after %s; what is answered of it can be given back',
    (kind) => {
      const us = withDevices();
      const lists = [[NORTH, SOUTH], [NORTH], [SOUTH], []];
      const groups = lists.map(
        (gateways) => us.do(create({ name: 'g', devices: [A], gateways })).device_group_id,
      );
      us.do(kind === 'gateway.remove' ? { kind, eui: NORTH } : { kind, Id: NORTH });
      const get = (id: string) => us.ask({ kind: 'deviceGroup.get', device_group_id: id });
      const left = () => groups.map((id) => get(id).gateways);
      expect(left()).toEqual([[SOUTH], [], [SOUTH], []]);
      for (const id of groups) {
        const { device_group_id, ...group } = get(id);
        us.do({ kind: 'deviceGroup.replace', device_group_id, group });
      }
      us.do({ kind: 'gateway.create', gateway: { eui: NORTH } });
      expect(left()).toEqual([[SOUTH], [], [SOUTH], []]);
    },
  );

  const WRONG = [
    ['deviceGroup.name', { name: '', devices: [A] }],
    ['deviceGroup.empty', { name: 'g', devices: [] }],
    ['deviceGroup.unknown-device', { name: 'g', devices: [A, 'D0000000000000FF'] }],
    ['deviceGroup.mixed-classes', { name: 'g', devices: [A, C] }],
    ['deviceGroup.mixed-classes', { name: 'g', lora_class: null, devices: [A, C] }],
    ['eui.malformed', { name: 'g', devices: [A], gateways: ['BB'] }],
    ['deviceGroup.unknown-gateway', { name: 'g', devices: [A], gateways: ['BB00000000000000'] }],
    [
      'deviceGroup.too-many-gateways',
      { name: 'g', devices: [A], gateways: Array.from({ length: 11 }, (_, i) => `${i}`) },
    ],
  ] as const;

  it.each(WRONG)(
    'deviceGroup.create, replace and update, mixedClasses, tooManyGateways, unknownInBody: is refused with %s',
    (code, group) => {
      const us = withDevices();
      expect(us.refused(create(group))).toBe(code);
      const old = us.do(create({ name: 'old', devices: [A] }));
      const { device_group_id } = old;
      expect(us.refused({ kind: 'deviceGroup.replace', device_group_id, group })).toBe(code);
      expect(us.refused({ kind: 'deviceGroup.update', device_group_id, group })).toBe(code);
      expect(us.ask({ kind: 'deviceGroup.list' })).toEqual([old]);
    },
  );

  it('deviceGroup.list and get: is listed in the order of ids and reported by its id', () => {
    const us = withDevices();
    const groups = ['x', 'y', 'z'].map((name) => us.do(create({ name, devices: [A] })));
    const sorted = groups.sort((a, b) => (a.device_group_id < b.device_group_id ? -1 : 1));
    expect(us.ask({ kind: 'deviceGroup.list' })).toEqual(sorted);
    for (const group of groups) {
      const { device_group_id } = group;
      expect(us.ask({ kind: 'deviceGroup.get', device_group_id })).toEqual(group);
    }
  });

  it('deviceGroup.create: may have the label of another', () => {
    const us = withDevices();
    const ids = [1, 2].map(() => us.do(create({ name: 'g', devices: [A] })).device_group_id);
    expect(new Set(ids).size).toBe(2);
  });

  it('deviceGroup.replace: is replaced whole: what is not given is as in a new one', () => {
    const us = withDevices();
    const old = us.do(create({ name: 'g', lora_class: 'C', devices: [A], gateways: [NORTH] }));
    const { device_group_id } = old;
    const group = { name: 'h', devices: [A2] };
    expect(us.do({ kind: 'deviceGroup.replace', device_group_id, group })).toEqual({
      name: 'h',
      lora_class: 'A',
      gateways: [],
      device_group_id,
      devices: [A2],
    });
  });

  it('deviceGroup.update: changes only in what is given', () => {
    const us = withDevices();
    const old = us.do(create({ name: 'g', lora_class: 'C', devices: [A], gateways: [NORTH] }));
    const { device_group_id } = old;
    const update = (group: Partial<DeviceGroupInput>) =>
      us.do({ kind: 'deviceGroup.update', device_group_id, group });
    expect(update({})).toEqual(old);
    expect(update({ name: 'h' })).toEqual({ ...old, name: 'h' });
    expect(update({ gateways: [SOUTH] })).toMatchObject({ name: 'h', gateways: [SOUTH] });
    expect(update({ devices: [A, C] })).toMatchObject({ lora_class: 'C', devices: [A, C] });
    expect(update({ devices: [A2], lora_class: null })).toMatchObject({ lora_class: 'A' });
    expect(us.ask({ kind: 'deviceGroup.get', device_group_id })).toMatchObject({ name: 'h' });
  });

  it('deviceGroup.update: has the class of its devices again when null is given for it', () => {
    const us = withDevices();
    const { device_group_id } = us.do(create({ name: 'g', lora_class: 'C', devices: [A] }));
    const update = { kind: 'deviceGroup.update', device_group_id } as const;
    expect(us.do({ ...update, group: { name: 'h' } })).toMatchObject({ lora_class: 'C' });
    expect(us.do({ ...update, group: { lora_class: null } })).toMatchObject({ lora_class: 'A' });
    expect(us.do({ ...update, group: { devices: [C] } })).toMatchObject({ lora_class: 'C' });
  });

  describe('whose class nobody asked for, once a device has changed its own,', () => {
    function mixed() {
      const us = withDevices();
      const { device_group_id } = us.do(create({ name: 'g', devices: [A, A2] }));
      us.do({ kind: 'device.class', devEui: A2, deviceClass: 'C' });
      return { us, update: { kind: 'deviceGroup.update', device_group_id } as const };
    }
    const read = (us: Subscriber) => us.ask({ kind: 'deviceGroup.list' })[0];

    it('deviceGroup.update: still changes in what is given', () => {
      const { us, update } = mixed();
      expect(us.do({ ...update, group: { name: 'h' } })).toMatchObject({ name: 'h' });
      expect(us.do({ ...update, group: { gateways: [NORTH] } })).toMatchObject({
        gateways: [NORTH],
      });
      expect(us.do({ ...update, group: {} })).toMatchObject({ devices: [A, A2] });
    });

    it('deviceGroup.list and get: reads A while classes are mixed, else that of all devices', () => {
      const { us, update } = mixed();
      expect(read(us)).toMatchObject({ lora_class: 'A' });
      us.do({ kind: 'device.class', devEui: A, deviceClass: 'C' });
      const { device_group_id } = update;
      expect(read(us)).toMatchObject({ lora_class: 'C' });
      expect(us.ask({ kind: 'deviceGroup.get', device_group_id })).toEqual(read(us));
      us.bench.reload();
      expect(read(us)).toMatchObject({ lora_class: 'C' });
      for (const devEui of [A, A2]) us.do({ kind: 'device.class', devEui, deviceClass: 'A' });
      expect(read(us)).toMatchObject({ lora_class: 'A' });
    });

    it('deviceGroup.replace, update and addDevices, mixedClasses: is refused where devices or class are given and mixed', () => {
      const { us, update } = mixed();
      const { device_group_id } = update;
      const devices = [A, A2];
      const code = 'deviceGroup.mixed-classes';
      const failure = (command: PlatformCommand) => failureOf(us.try(command));
      const given = { ...update, group: { lora_class: null } };
      expect(failure(given)).toMatchObject({ code, path: '/lora_class' });
      expect(failure({ ...update, group: { devices } })).toMatchObject({ code, path: '/devices' });
      const group = { name: 'g', devices };
      const replace = { kind: 'deviceGroup.replace', device_group_id, group } as const;
      expect(failure(replace)).toMatchObject({ code, path: '/devices' });
      const add = { kind: 'deviceGroup.addDevices', device_group_id, devices: [C] } as const;
      expect(failure(add)).toMatchObject({ code, path: '/devices' });
      expect(us.do({ ...update, group: { lora_class: 'C' } })).toMatchObject({ lora_class: 'C' });
      expect(us.do(add)).toMatchObject({ devices: [A, A2, C] });
    });

    it('deviceGroup.create: keeps what was asked for, and nothing that derives from it', () => {
      const { us } = mixed();
      const [stored] = us.bench.platform.save().resources.deviceGroup;
      expect(stored).toMatchObject({ lora_class: null });
      expect(stored).not.toHaveProperty('deviceClass');
    });
  });

  it('deviceGroup.create, tooManyGateways: lists ten gateways at most, each once and in either case', () => {
    const listed = Array.from({ length: 10 }, (_, i) => `AA0000000000000${i.toString(16)}`);
    const us = service({ gateways: listed });
    us.devices(1);
    const make = (gateways: readonly string[]) => create({ name: 'g', devices: [A], gateways });
    expect(us.do(make(listed.map((eui) => eui.toLowerCase()))).gateways).toEqual(listed);
    expect(us.do(make([NORTH, NORTH.toLowerCase()])).gateways).toEqual([NORTH]);
    const more = [...listed, 'BB00000000000000'];
    expect(us.refused(make(more))).toBe('deviceGroup.too-many-gateways');
  });

  it('deviceGroup.update, mixedClasses: keeps out another class unless a class is asked for', () => {
    const us = withDevices();
    const { device_group_id } = us.do(create({ name: 'g', devices: [A] }));
    const update = { kind: 'deviceGroup.update', device_group_id } as const;
    expect(us.refused({ ...update, group: { devices: [A, C] } })).toBe('deviceGroup.mixed-classes');
    const named = { kind: 'deviceGroup.create', group: { name: 'g'.repeat(250), devices: [A, C] } };
    expect(failureOf(us.try(named as PlatformCommand)).message.length).toBeLessThan(100);
    const group = { devices: [A, C], lora_class: 'C' } as const;
    expect(us.do({ ...update, group })).toMatchObject({ lora_class: 'C' });
  });

  it('deviceGroup.addDevices, mixedClasses, unknownInBody: takes more devices, those that it has once', () => {
    const us = withDevices();
    const { device_group_id } = us.do(create({ name: 'g', devices: [A] }));
    const add = { kind: 'deviceGroup.addDevices', device_group_id } as const;
    expect(us.do({ ...add, devices: [A2.toLowerCase(), A] })).toMatchObject({ devices: [A, A2] });
    expect(us.refused({ ...add, devices: [C] })).toBe('deviceGroup.mixed-classes');
    expect(us.refused({ ...add, devices: ['F0'.repeat(8)] })).toBe('deviceGroup.unknown-device');
  });

  it('deviceGroup.delete: is deleted, and unknown from then on', () => {
    const us = withDevices();
    const { device_group_id } = us.do(create({ name: 'g', devices: [A] }));
    us.do({ kind: 'deviceGroup.delete', device_group_id });
    expect(us.refusedQuery({ kind: 'deviceGroup.get', device_group_id })).toBe(
      'deviceGroup.unknown',
    );
    const again = { kind: 'deviceGroup.delete', device_group_id } as const;
    expect(us.refused(again)).toBe('deviceGroup.unknown');
  });

  it('deviceGroup.delete, groupInUse: stays while a campaign uses it', () => {
    const bench = ready(1);
    const us = new Subscriber(bench, 'default');
    bench.campaign();
    const [group] = us.ask({ kind: 'deviceGroup.list' });
    const { device_group_id } = group as DeviceGroupAnswer;
    const drop = { kind: 'deviceGroup.delete', device_group_id } as const;
    expect(us.refused(drop)).toBe('deviceGroup.in-use');
  });

  it('deviceGroup.replace to keygenAddDevices, unknownId: is unknown by an id that none has', () => {
    const us = withDevices();
    const device_group_id = 'abc123';
    const group = { name: 'g', devices: [A] };
    const commands: PlatformCommand[] = [
      { kind: 'deviceGroup.replace', device_group_id, group },
      { kind: 'deviceGroup.update', device_group_id, group },
      { kind: 'deviceGroup.addDevices', device_group_id, devices: [A] },
      {
        kind: 'deviceGroup.keygenAddDevices',
        device_group_id,
        keygen_type: 'vendor',
        devices: [A],
      },
      { kind: 'deviceGroup.delete', device_group_id },
    ];
    for (const command of commands) expect(us.refused(command)).toBe('deviceGroup.unknown');
  });

  it('deviceGroup.update: changes though a gateway or all devices that it has are gone', () => {
    const us = service({ gateways: [NORTH, SOUTH] });
    us.devices(1);
    const group = { name: 'g', devices: [A], gateways: [NORTH, SOUTH] };
    const { device_group_id } = us.do(create(group));
    us.do({ kind: 'gateway.remove', eui: SOUTH });
    us.do({ kind: 'device.remove', devEui: A });
    const update = { kind: 'deviceGroup.update', device_group_id } as const;
    expect(us.do({ ...update, group: { name: 'h' } })).toMatchObject({
      name: 'h',
      lora_class: 'A',
      devices: [],
      gateways: [NORTH],
    });
    expect(us.refused({ ...update, group: { gateways: [SOUTH] } })).toBe(
      'deviceGroup.unknown-gateway',
    );
  });

  it('deviceGroup.create: that is refused uses up no id', () => {
    const [us, same] = [withDevices(), withDevices()];
    us.refused(create({ name: 'g', devices: [A, C] }));
    us.refused(create({ name: 'g', devices: [A], gateways: ['F0'] }));
    const group = create({ name: 'g', devices: [A] });
    expect(us.do(group)).toEqual(same.do(group));
  });

  it('loses a device that is taken away', () => {
    const us = withDevices();
    const { device_group_id } = us.do(create({ name: 'g', devices: [A, A2] }));
    us.bench.remove(A);
    expect(us.ask({ kind: 'deviceGroup.get', device_group_id })).toMatchObject({ devices: [A2] });
  });
});

describe('device groups under any commands', () => {
  type Model = Map<string, { name: string; devices: Set<string> }>;

  const members = fc.subarray([A, A2], { minLength: 1 });
  const places = fc.nat({ max: 5 });

  class Step implements fc.Command<Model, Subscriber> {
    readonly verb: 'create' | 'replace' | 'rename' | 'add' | 'delete';
    readonly place: number;
    readonly devices: readonly string[];
    constructor(verb: Step['verb'], place: number, devices: readonly string[]) {
      this.verb = verb;
      this.place = place;
      this.devices = devices;
    }
    check = () => true;
    toString = () => `${this.verb} ${this.place} ${this.devices.join()}`;

    run(model: Model, us: Subscriber): void {
      const { devices } = this;
      const ids = [...model.keys()];
      const name = `n${this.place}`;
      const device_group_id = ids[this.place % Math.max(1, ids.length)] ?? 'none00';
      const answer = us.try(this.#command(device_group_id, name));
      const known = model.get(device_group_id);
      expect(answer.ok).toBe(this.verb === 'create' || known !== undefined);
      if (this.verb === 'create' || this.verb === 'replace') {
        const created = answer.ok ? (answer.value as DeviceGroupAnswer) : undefined;
        if (created !== undefined)
          model.set(created.device_group_id, { name, devices: new Set(devices) });
      } else if (this.verb === 'delete') model.delete(device_group_id);
      else if (this.verb === 'rename' && known !== undefined) known.name = name;
      else for (const devEui of devices) known?.devices.add(devEui);
      us.bench.reload();
      const list = us.ask({ kind: 'deviceGroup.list' });
      expect(list.map((group) => [group.device_group_id, group.name, group.devices])).toEqual(
        [...model.keys()]
          .sort()
          .map((id) => [id, model.get(id)?.name, [...model.get(id)!.devices]]),
      );
    }

    #command(device_group_id: string, name: string): PlatformCommand {
      const { devices } = this;
      switch (this.verb) {
        case 'create':
          return create({ name, devices });
        case 'replace':
          return { kind: 'deviceGroup.replace', device_group_id, group: { name, devices } };
        case 'rename':
          return { kind: 'deviceGroup.update', device_group_id, group: { name } };
        case 'add':
          return { kind: 'deviceGroup.addDevices', device_group_id, devices };
        case 'delete':
          return { kind: 'deviceGroup.delete', device_group_id };
      }
    }
  }

  const verbs = fc.constantFrom('create', 'replace', 'rename', 'add', 'delete');
  const step = fc.tuple(verbs, places, members).map((parts) => new Step(...parts));

  itThorough(
    'deviceGroup.list to addDevices: are what a plain model says, saved and loaded at every step',
    () => {
      fc.assert(
        fc.property(fc.commands([step], { maxCommands: 30 }), (commands) => {
          fc.modelRun(() => ({ model: new Map(), real: withDevices() }), commands);
        }),
        { numRuns: someRuns(250) },
      );
    },
  );
});

testIsolation(
  'deviceGroup',
  (ann, devEui) => {
    const { device_group_id } = ann.do(create({ name: 'all', devices: [devEui] }));
    return { id: { device_group_id }, devices: [devEui] };
  },
  {
    'deviceGroup.create': ({ devices }) => ({ group: { name: 'mine', devices } }),
    'deviceGroup.list': () => ({}),
    'deviceGroup.get': ({ id }) => id,
    'deviceGroup.replace': ({ id, devices }) => ({ ...id, group: { name: 'mine', devices } }),
    'deviceGroup.update': ({ id }) => ({ ...id, group: { name: 'mine' } }),
    'deviceGroup.addDevices': ({ id, devices }) => ({ ...id, devices }),
    'deviceGroup.keygenAddDevices': ({ id, devices }) => ({
      ...id,
      keygen_type: 'vendor',
      devices,
    }),
    'deviceGroup.delete': ({ id }) => id,
  },
);
