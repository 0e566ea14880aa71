/**
 * Commands of those who manage devices, each held against the reference model: refused if the model
 * has a reason, for one of its reasons, and carried out otherwise.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FailureClass } from '../../core/kit/failures.ts';
import { World } from '../../core/world/world.ts';
import { SEED } from './driving.ts';
import { asksForPayloads, asksForRecent } from './management-laws.ts';
import { type FilterTree, filterTrees, listsAsFiltered } from './management-lists.ts';
import { type ModelDevice, type Said, WHO } from './management-model.ts';
import { type Chosen, devEuiOf, type Managed, TYPES, unchanged } from './management-world.ts';
import { HOUR_US, MINUTE_US, SECOND_US } from './small-network.ts';

type Does = (driven: Managed, chosen: Chosen) => void;

const NAMES = ['pump', 'valve', 'Ärger ~1', 'meter-2', 'meter-4', 'tank', 'PUMP'] as const;
const oneOf = <Each>(all: readonly Each[], n: number): Each => all[n % all.length]!;

/** What a request says of references; some are to nothing. */
function saidBy(driven: Managed, { by, a, b }: Chosen, whole: boolean): Said {
  const { serviceProfiles, decoderTypes, outputProfiles, deviceProfiles } =
    driven.model.references.get(by)!;
  const foreign = driven.model.references.get(by === 'ann' ? 'bob' : 'ann')!.outputProfiles[0]!;
  const decoder = oneOf(['', ...decoderTypes.keys(), ...decoderTypes.keys(), 'nothing1'], a);
  const output = oneOf(['', ...outputProfiles, ...outputProfiles, foreign, ''], b);
  const profile = oneOf([...deviceProfiles.keys()], a + b);
  return {
    ...((whole || a % 3 === 0) && {
      ServiceProfile: a === 7 ? 'nothing2' : serviceProfiles[0]!,
      DeviceProfile: b === 7 ? 'nothing3' : profile,
    }),
    ...(a % 2 === 0 && { DecoderType: decoder }),
    ...(b % 2 === 0 && { OutputProfile: output }),
    ...(b % 3 > 0 && { PrivateData: b % 3 === 1 }),
  };
}

/** Keys of a creation: those that its activation needs, but for one more or less. */
function keysBy(driven: Managed, profile: string | undefined, { a, b }: Chosen) {
  const isModern = driven.model.references.get('ann')!.deviceProfiles.get(profile!) === '1.1';
  const key = (driven.next() % 16).toString(16).repeat(32);
  const address = (0x01000000 + driven.next()).toString(16).padStart(8, '0');
  const keys: Record<string, string> =
    a % 2 === 0
      ? { ActivationType: 'ABP', DevAddr: address, NetworkSkey: key, ApplicationSKey: key }
      : { ActivationType: 'OTAA', ApplicationEUI: '70b3d5000000000a', ApplicationKey: key };
  if (a % 2 === 1 && isModern) keys.NetworkKey = key;
  if (a % 4 === 3) keys.DevAddr = address;
  const all = ['NetworkSkey', 'ApplicationSKey', 'ApplicationKey', 'NetworkKey', 'DevAddr'];
  const one = oneOf(all, b);
  if (b % 4 !== 3) return keys;
  const { [one]: had, ...less } = keys;
  return had === undefined ? { ...keys, [one]: one === 'DevAddr' ? address : key } : less;
}

const touch = (driven: Managed, chosen: Chosen, device: ModelDevice): void => {
  device.updatedAtMs = driven.nowMs;
  device.updatedBy = driven.callerOf(chosen);
};

/** A change of a device that the model takes over. */
function change(
  driven: Managed,
  chosen: Chosen,
  device: ModelDevice,
  Name: string | undefined,
  said: Said,
): void {
  if (Name !== undefined) device.name = Name;
  device.said = { ...device.said, ...said };
  touch(driven, chosen, device);
}

function whyNotChanged(driven: Managed, { by }: Chosen, id: string, Name?: string, said?: Said) {
  const { model } = driven;
  const device = model.own(by, id);
  if (device === undefined) return ['unknown'] satisfies FailureClass[];
  return [
    ...(Name === undefined || Name === device.name ? [] : model.whyNotNamed(by, Name, id)),
    ...model.whyNotReferring(by, said ?? {}),
    // What it has already is not given anew.
    ...(said?.DeviceProfile === undefined ||
    said.DeviceProfile === model.referencesOf(device).DeviceProfile
      ? []
      : model.whyNotProfile(device, said.DeviceProfile)),
  ];
}

const devices = {
  create: (driven, chosen) => {
    const { model } = driven;
    const { by, a, b } = chosen;
    const said = saidBy(driven, chosen, true);
    const id = devEuiOf((a + b) % 14);
    const Name = oneOf(NAMES, b >> 1);
    const keys = keysBy(driven, said.DeviceProfile, chosen);
    const DevEUI = b % 2 === 0 ? id : id.toLowerCase();
    const version = model.references.get(by)!.deviceProfiles.get(said.DeviceProfile!);
    const reasons: FailureClass[] = [
      ...model.whyNotNamed(by, Name, id),
      ...model.whyNotReferring(by, said),
      ...(version === undefined ? [] : model.whyNotKeys(keys, version)),
      ...(model.devices.has(id) ? (['conflict'] as const) : []),
    ];
    const device = { Name, DevEUI, ...said, ...keys } as never;
    const answer = driven.say(chosen, { kind: 'endDevice.create', device }, reasons);
    if (answer === undefined) return;
    expect(answer).toEqual({ Id: id });
    const activation = keys.ActivationType === 'ABP' ? 'abp' : 'otaa';
    const all = { DecoderType: '', OutputProfile: '', PrivateData: false, ...said };
    driven.know(by, id, Name, activation, said.DeviceProfile!, all, driven.callerOf(chosen));
  },
  replace: (driven, chosen) => {
    const said = saidBy(driven, chosen, true);
    const [own, id] = driven.pick(driven.model.devices, chosen);
    const Name = oneOf([...NAMES, own?.name ?? 'own'], chosen.b);
    const device = { Name, ...said } as never;
    const reasons = whyNotChanged(driven, chosen, id, Name, said);
    const command = { kind: 'endDevice.replace', DevEUI: id, device } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    const defaults = { DecoderType: '', OutputProfile: '', PrivateData: false };
    change(driven, chosen, own!, Name, { ...defaults, ...said });
  },
  update: (driven, chosen) => {
    const { a, b } = chosen;
    const [own, id] = driven.pick(driven.model.devices, chosen);
    const { OutputProfile, ...others } = saidBy(driven, chosen, false);
    const RemoveOutputProfile = a % 4 === 0;
    const output = RemoveOutputProfile || OutputProfile === undefined ? {} : { OutputProfile };
    const said: Said = { ...others, ...output };
    const Name = b % 3 === 0 ? oneOf(NAMES, a) : undefined;
    const device = { ...said, ...(Name && { Name }), ...(a % 2 === 0 && { RemoveOutputProfile }) };
    const reasons = whyNotChanged(driven, chosen, id, Name, said);
    const DevEUI = b % 2 === 0 ? id : id.toLowerCase();
    const command = { kind: 'endDevice.update', DevEUI, device } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    const removed = RemoveOutputProfile ? { OutputProfile: '' } : {};
    change(driven, chosen, own!, Name, { ...said, ...removed });
  },
  delete: (driven, chosen) => {
    const [own, id] = driven.pick(driven.model.devices, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'endDevice.delete', DevEUI: id }, reasons);
    if (own !== undefined) driven.model.removeDevice(id);
  },
  assign: (driven, chosen) => {
    const { model } = driven;
    const { by, a, b } = chosen;
    const profiles = [...model.references.get(by)!.deviceProfiles.keys(), 'nothing4'];
    const Id = oneOf(profiles, a);
    const Devices = devEuis(a + 8 * b);
    const reasons: FailureClass[] = Id === 'nothing4' ? ['unknown'] : [];
    const command = { kind: 'deviceProfile.assign', Id, Devices } as const;
    const answer = driven.say(chosen, command, reasons);
    if (answer === undefined) return;
    const expected = Devices.map((each) => {
      const device = model.own(by, each.toUpperCase());
      const isGiven = device !== undefined && model.whyNotProfile(device, Id).length === 0;
      if (isGiven) change(driven, chosen, device, undefined, { DeviceProfile: Id });
      const why = isGiven ? '' : expect.stringMatching(/./);
      return { DevEUI: each.toUpperCase(), Response: isGiven, Error: why };
    });
    expect(answer.Responses).toEqual(expected);
  },
  preset: (driven, chosen) => {
    const { model } = driven;
    const { by, a } = chosen;
    const Id = oneOf([...model.references.get(by)!.deviceProfiles.keys()], a >> 1);
    const { DeviceProfile: _, ...preset } = saidBy(driven, chosen, false);
    const command = { kind: 'deviceProfile.preset', Id, preset } as const;
    const reasons = model.whyNotReferring(by, preset);
    if (driven.say(chosen, command, reasons) === undefined) return;
    model.presets.set(`${by}/${Id}`, { ...model.presets.get(`${by}/${Id}`), ...preset });
  },
  simulatorCreates: (driven, chosen) => {
    const { model } = driven;
    const { by, a, b } = chosen;
    const devEui = devEuiOf((a + b) % 14);
    const row = a % TYPES.length;
    const { name, activation } = TYPES[row]!;
    const device = { devEui, name: oneOf(NAMES, b), type: row };
    const reasons: FailureClass[] = model.devices.has(devEui) ? ['conflict'] : [];
    const command = { kind: 'device.create', device } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    driven.know(by, devEui, device.name, activation, driven.profile(name), {}, '');
  },
  simulatorRenames: (driven, chosen) => {
    const [own, devEui] = driven.pick(driven.model.devices, chosen);
    const name = oneOf(NAMES, chosen.b);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'device.change', devEui, device: { name } }, reasons);
    if (own !== undefined) own.name = name;
  },
  simulatorRemoves: (driven, chosen) => {
    const [own, devEui] = driven.pick(driven.model.devices, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'device.remove', devEui }, reasons);
    if (own !== undefined) driven.model.removeDevice(devEui);
  },
  asksForStatus: (driven, chosen) => {
    const [own, devEui] = driven.pick(driven.model.devices, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'mac.request', devEui, commandsHex: '06' }, reasons);
  },
} satisfies Record<string, Does>;

/** DevEUIs by the bits of a number, in any case, some of them twice. */
function devEuis(bits: number): string[] {
  const all = Array.from({ length: 14 }, (_, i) => devEuiOf((i * 5) % 14));
  const chosen = all.filter((_, i) => ((bits >> (i % 9)) & 1) === 1);
  const cased = chosen.map((each, i) => (i % 2 === 0 ? each : each.toLowerCase()));
  return bits % 7 === 0 ? [...cased, ...cased.slice(0, 1)] : cased;
}

/** Those of a list that the caller has, so that lists are right more often than not. */
function someOwn(driven: Managed, { by, a, b }: Chosen): string[] {
  const listed = devEuis(a + 8 * b);
  if (b % 8 === 0) return listed;
  return listed.filter((each) => driven.model.own(by, each.toUpperCase()) !== undefined);
}

const distinct = (list: readonly string[]): string[] => [
  ...new Set(list.map((each) => each.toUpperCase())),
];

const whyNotGroup = (driven: Managed, { by }: Chosen, Name: string | undefined, list: string[]) => [
  ...driven.model.whyNotMembers(by, list),
  ...(Name === '' ? (['malformed'] as const) : []),
];

const groups = {
  group: (driven, chosen) => {
    const { model } = driven;
    const { by, a, b } = chosen;
    const Name = oneOf(['a', 'b', 'a', 'north ~', 'c', 'd', 'e', ''], a);
    const DeviceList = b % 3 === 0 ? [] : someOwn(driven, chosen);
    const group = { Name, ...((b & 1) === 0 || DeviceList.length > 0 ? { DeviceList } : {}) };
    const reasons = whyNotGroup(driven, chosen, Name, DeviceList);
    const answer = driven.say(chosen, { kind: 'endDeviceGroup.create', group }, reasons);
    if (answer === undefined) return;
    expect(model.groups.has(answer.Id)).toBe(false);
    const devices = distinct(DeviceList);
    model.groups.set(answer.Id, { id: answer.Id, owner: by, name: Name, devices });
  },
  groupReplace: (driven, chosen) => {
    const { a, b } = chosen;
    const [own, Id] = driven.pick(driven.model.groups, chosen);
    const Name = oneOf(['c', 'd', 'e', 'f', 'g', ''], a);
    const DeviceList = someOwn(driven, chosen);
    const group = { Name, ...(b % 5 > 0 && { DeviceList }) };
    const wrong = whyNotGroup(driven, chosen, Name, b % 5 > 0 ? DeviceList : []);
    const reasons: FailureClass[] = own === undefined ? ['unknown', ...wrong] : wrong;
    const command = { kind: 'endDeviceGroup.replace', Id, group } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    Object.assign(own!, { name: Name, devices: b % 5 > 0 ? distinct(DeviceList) : [] });
  },
  groupUpdate: (driven, chosen) => {
    const { a, b } = chosen;
    const [own, Id] = driven.pick(driven.model.groups, chosen);
    const Name = a % 2 === 0 ? oneOf(['f', 'g', ''], a >> 1) : undefined;
    const DeviceList = b % 2 === 0 ? someOwn(driven, chosen) : undefined;
    const group = { ...(Name !== undefined && { Name }), ...(DeviceList && { DeviceList }) };
    const wrong = whyNotGroup(driven, chosen, Name, DeviceList ?? []);
    const reasons: FailureClass[] = own === undefined ? ['unknown', ...wrong] : wrong;
    const command = { kind: 'endDeviceGroup.update', Id, group } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    if (Name !== undefined) own!.name = Name;
    if (DeviceList !== undefined) own!.devices = distinct(DeviceList);
  },
  groupDelete: (driven, chosen) => {
    const [own, Id] = driven.pick(driven.model.groups, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'endDeviceGroup.delete', Id }, reasons);
    if (own !== undefined) driven.model.groups.delete(Id);
  },
  recent: asksForRecent,
  payloads: asksForPayloads,
} satisfies Record<string, Does>;

/** Roles by name or of nobody. */
function rolesBy(driven: Managed, { by, a }: Chosen): readonly string[] | undefined {
  const known = [...driven.model.references.get(by)!.roles.keys()];
  const some = known.filter((_, i) => ((a >> i) & 1) === 1);
  return a % 9 === 0 ? undefined : a % 7 === 0 ? [...some, 'nothing5'] : some;
}

/** Without roles it may look, and change nothing. */
const usualRoles = (driven: Managed, { by }: Chosen): readonly string[] =>
  [...driven.model.references.get(by)!.roles.keys()].slice(1, 2);

function whyNotApplication(
  driven: Managed,
  chosen: Chosen,
  name: string | undefined,
  roles: readonly string[],
): FailureClass[] {
  const permitted = driven.permissionsOf(chosen);
  const reasons = driven.model.whyNotRoles(chosen.by, roles, permitted);
  return name === '' ? [...reasons, 'malformed'] : reasons;
}

const accounts = {
  application: (driven, chosen) => {
    const { by, b } = chosen;
    const Name = oneOf(['app', 'other', 'app', 'app', ''], b);
    const Roles = rolesBy(driven, chosen);
    const roles = Roles ?? usualRoles(driven, chosen);
    const application = { Name, ...(Roles && { Roles }) };
    const reasons = whyNotApplication(driven, chosen, Name, roles);
    const answer = driven.say(chosen, { kind: 'application.create', application }, reasons);
    if (answer === undefined) return;
    const { applications } = driven.model;
    const { Id: id, UUID: uuid } = answer;
    const isNew = [...applications.values()].every((each) => each.id !== id && each.uuid !== uuid);
    expect(isNew, 'ids and client ids are given once').toBe(true);
    applications.set(id, { id, owner: by, name: Name, uuid, roles });
  },
  applicationReplace: (driven, chosen) => {
    const [own, Id] = driven.pick(driven.model.applications, chosen);
    const Name = oneOf(['new', 'newer', ''], chosen.b);
    const Roles = rolesBy(driven, chosen);
    const roles = Roles ?? usualRoles(driven, chosen);
    // Nothing is given to who has it.
    const wrong = whyNotApplication(driven, chosen, Name, without(roles, own?.roles));
    const reasons: FailureClass[] = own === undefined ? ['unknown', ...wrong] : wrong;
    const application = { Name, ...(Roles && { Roles }) };
    const command = { kind: 'application.replace', Id, application } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    Object.assign(own!, { name: Name, roles });
  },
  applicationUpdate: (driven, chosen) => {
    const [own, Id] = driven.pick(driven.model.applications, chosen);
    const Name = chosen.b % 2 === 0 ? oneOf(['newest', ''], chosen.b >> 1) : undefined;
    const Roles = rolesBy(driven, chosen);
    const wrong = whyNotApplication(driven, chosen, Name, without(Roles ?? [], own?.roles));
    const reasons: FailureClass[] = own === undefined ? ['unknown', ...wrong] : wrong;
    const application = { ...(Name !== undefined && { Name }), ...(Roles && { Roles }) };
    const command = { kind: 'application.update', Id, application } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    if (Name !== undefined) own!.name = Name;
    if (Roles !== undefined) own!.roles = Roles;
  },
  applicationDelete: (driven, chosen) => {
    const [own, Id] = driven.pick(driven.model.applications, chosen);
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
    driven.say(chosen, { kind: 'application.delete', Id }, reasons);
    if (own !== undefined) driven.model.applications.delete(Id);
  },
  refreshToken: (driven, chosen) => {
    const [own, Id] = driven.pick(driven.model.applications, chosen);
    const held = driven.permissionsOf(chosen);
    const its = own === undefined ? [] : driven.model.permissionsOf(chosen.by, own.roles);
    const lacks = its.some((each) => !held.includes(each));
    const reasons: FailureClass[] = own === undefined ? ['unknown'] : lacks ? ['forbidden'] : [];
    const verifier = verifierOf(String(driven.next()), '');
    driven.say(chosen, { kind: 'application.refreshToken', Id, verifier }, reasons);
  },
  patchUser: (driven, chosen) => {
    const { by, a, b } = chosen;
    const user = {
      ...(a % 2 === 0 && { Email: oneOf(EMAILS, b) }),
      ...(a % 3 === 0 && { FirstName: oneOf(FIRST_NAMES, b) }),
      ...(b % 2 === 0 && { PhoneNumber: oneOf(['', '+49 1'], a) }),
    };
    const reasons = whyNotUser(driven, chosen, user);
    const command = { kind: 'account.patchUserInfo', user } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    const known = driven.model.users.get(by)!;
    known.info = { ...known.info, ...user };
  },
  replaceUser: (driven, chosen) => {
    const { by, a, b } = chosen;
    const user = {
      Email: oneOf(EMAILS, b),
      FirstName: oneOf(FIRST_NAMES, a),
      LastName: 'B',
      ...(b % 2 === 0 && { PhoneNumber: '+49 2' }),
    };
    const reasons = whyNotUser(driven, chosen, user);
    const command = { kind: 'account.updateUserInfo', user } as const;
    if (driven.say(chosen, command, reasons) === undefined) return;
    driven.model.users.get(by)!.info = { PhoneNumber: '', ...user };
  },
  passwords: (driven, chosen) => {
    const { b } = chosen;
    for (const each of [b, b + 3, b + 4]) password(driven, { ...chosen, b: each });
  },
} satisfies Record<string, Does>;

const password: Does = (driven, chosen) => {
  const { by, a, b } = chosen;
  const user = driven.model.users.get(by)!;
  const current = b % 9 === 8 ? oneOf(PASSWORDS, a) : user.passwords.at(-1)!.text;
  const text = oneOf(PASSWORDS, b);
  const salt = driven.next().toString(16).toUpperCase().padStart(32, '0');
  const reasons: FailureClass[] = [
    ...driven.model.whyNotPassword(user, current, text),
    ...(driven.asking(chosen) === undefined ? [] : (['forbidden'] as const)),
  ];
  const change = passwordChange(user.passwords, current, { text, salt });
  const command = { kind: 'account.changePassword', ...change } as const;
  if (driven.say(chosen, command as never, reasons) === undefined) return;
  user.passwords = [...user.passwords, { text, salt }];
};

const without = (roles: readonly string[], had: readonly string[] = []): readonly string[] =>
  roles.filter((each) => !had.includes(each));

const EMAILS = ['a@b.example', 'x.y@z', 'nobody', 'a@b', 'a b@c'] as const;
const FIRST_NAMES = ['A', 'Zoë', '', 'B'] as const;
const PASSWORDS = [
  'Correct-Horse-1',
  'short-A1',
  'onlysmallletters',
  'Battery-Staple-2',
  'ÄÖÜ-äöü-1234',
  'lower1234567',
  'UPPER-1234-x',
] as const;

function whyNotUser(driven: Managed, chosen: Chosen, user: object): FailureClass[] {
  const { Email = 'a@b', FirstName = 'A' } = user as { Email?: string; FirstName?: string };
  const isWrong = Email === 'nobody' || Email === 'a b@c' || FirstName === '';
  return [
    ...(isWrong ? (['malformed'] as const) : []),
    ...(driven.asking(chosen) === undefined ? [] : (['forbidden'] as const)),
  ];
}

const verifierOf = (text: string, salt: string): string =>
  createHash('sha256').update(`${salt} ${text}`).digest('hex').toUpperCase();

interface Password {
  readonly text: string;
  readonly salt: string;
}

/** What a host makes of two passwords, given the salts of all that there were. */
function passwordChange(had: readonly Password[], current: string, { text, salt }: Password) {
  const classes = { lower: /\p{Ll}/u, upper: /\p{Lu}/u, digit: /\p{Nd}/u };
  const is = Object.entries(classes).filter(([, each]) => each.test(text));
  const isSpecial = /[^\p{Ll}\p{Lu}\p{Nd}]/u.test(text);
  return {
    length: [...text].length,
    classes: [...is.map(([name]) => name), ...(isSpecial ? ['special'] : [])],
    current: verifierOf(current, had.at(-1)!.salt),
    earlier: had.map((each) => verifierOf(text, each.salt)),
    first: verifierOf(had[0]!.text, ''),
    salt,
    verifier: verifierOf(text, salt),
  };
}

const message: Does = (driven, chosen) => {
  const { a, b } = chosen;
  const [own, DevEUI] = driven.pick(driven.model.devices, chosen);
  const Payload = oneOf(['a5', 'A5FF', '', 'a5', 'a6', 'a7', 'abc', undefined], a);
  const TargetPort = oneOf(['1', '223', 225, '7', '8', '9', '0', '224', '226', undefined], b);
  const ApplicationPayload = a % 8 === 7 || b === 3 ? { valve: 1 } : undefined;
  const Confirm = a % 3 === 0;
  const FlushQueue = b % 3 === 0;
  const isPort =
    TargetPort === undefined || ['1', '7', '8', '9', '223', '225'].includes(`${TargetPort}`);
  const reasons: FailureClass[] = own === undefined ? ['unknown'] : [];
  if (Payload === 'abc' || !isPort) reasons.push('malformed');
  if ((Payload === undefined) === (ApplicationPayload === undefined)) reasons.push('malformed');
  if (Payload !== undefined && TargetPort === undefined) reasons.push('malformed');
  if (ApplicationPayload !== undefined) reasons.push('malformed');
  if (own?.uplinks.heardByOwn === 'no') reasons.push('failed');
  const mayFail: FailureClass[] = own?.uplinks.heardByOwn === 'hardly' ? ['failed'] : [];
  const given = { Payload, TargetPort, ApplicationPayload, Confirm, FlushQueue };
  const command = { kind: 'message.send', DevEUI, ...defined(given) } as const;
  const waiting = () =>
    own === undefined ? [] : driven.got(chosen.by, { kind: 'downlink.waiting', devEui: DevEUI });
  const before = waiting();
  if (driven.say(chosen, command as never, reasons, mayFail) === undefined) {
    expect(waiting(), 'what is refused changes nothing').toEqual(before);
    return;
  }
  const { deviceClass } = driven.got(chosen.by, { kind: 'device.get', devEui: DevEUI });
  if (deviceClass !== 'A') return;
  const last = {
    sender: 'application',
    fPort: Number(TargetPort),
    payloadHex: Payload!.toUpperCase(),
    confirmed: Confirm,
  };
  const stored = FlushQueue ? [] : before;
  expect(waiting()).toMatchObject([...stored, last]);
};

const defined = (given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

const STEPS_US = [
  SECOND_US,
  MINUTE_US,
  20 * MINUTE_US,
  HOUR_US,
  5 * HOUR_US,
  25 * HOUR_US,
  80 * HOUR_US,
  170 * HOUR_US,
] as const;

const worlds = {
  wait: (driven, { a }) => {
    driven.world.runUntil(driven.world.nowUs + oneOf(STEPS_US, a));
  },
  save: (driven) => {
    unchanged(driven, () => {
      const again = World.fromBytes(driven.plan, SEED, driven.world.toBytes(), driven.options);
      if (!again.ok) throw new Error(again.failure.message);
      driven.world = again.value;
    });
  },
  fork: (driven, { a }) => {
    unchanged(driven, () => {
      const fork = driven.world.fork({});
      fork.runUntil(driven.world.nowUs + oneOf(STEPS_US, a));
      fork.submit({ kind: 'device.remove', by: 'ann', devEui: devEuiOf(a % 14) });
    });
  },
} satisfies Record<string, Does>;

const DOES = { ...devices, ...groups, ...accounts, message, ...worlds };

/** How often a command comes that is not as usual, and more often. */
const OFTEN: Partial<Record<keyof typeof DOES, number>> = {
  wait: 20,
  create: 10,
  update: 4,
  group: 5,
  message: 4,
  application: 4,
  passwords: 4,
  save: 2,
};

/** A command: kind, caller, and numbers that choose among what there is; or a filtered list. */
export type Step =
  | (Omit<Chosen, 'by'> & { readonly does: keyof typeof DOES; readonly who: number })
  | { readonly does: 'list'; readonly who: number; readonly tree: FilterTree };

const does = fc.oneof(
  ...(Object.keys(DOES) as (keyof typeof DOES)[]).map((each) => ({
    weight: OFTEN[each] ?? 2,
    arbitrary: fc.constant(each),
  })),
);

const who = fc.nat(2);

export const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ does, who, as: fc.nat(7), a: fc.nat(63), b: fc.nat(63) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('list' as const), who, tree: filterTrees }),
  },
);

export function carryOut(driven: Managed, step: Step): void {
  const by = WHO[step.who % WHO.length]!;
  if (step.does === 'list') listsAsFiltered(driven, by, step.tree);
  else DOES[step.does](driven, { ...step, by });
}
