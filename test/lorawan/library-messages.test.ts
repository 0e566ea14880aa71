/** The application packages at the public face: every row of the vectors, and wrong fields. */
import { describe, expect, it } from 'vitest';
import { fromHex, messages, type PackageMessage, readCommands, toHex } from '../../sim/library.ts';
import { type CommandRow, commandRows, DERIVED, RENAMED } from '../support/applayer.ts';

type Table = Readonly<Record<string, PackageMessage<object>>>;
type Version = Record<'uplink' | 'downlink', Table>;

const PACKAGES: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  clocksync: messages.ts003,
  fragmentation: messages.ts004,
  multicastsetup: messages.ts005,
  firmwaremanagement: messages.ts006,
};

const BYTES = ['mcKeyEncrypted', 'descriptor', 'data'];

/** The fields of a vector as the face has them. */
function fieldsOf(response: object, row: CommandRow): Record<string, unknown> {
  const entries = Object.entries(response)
    .filter(([name]) => !DERIVED.includes(name))
    .map(([name, value]) => [RENAMED[name] ?? name, faceValue(name, value, row)]);
  return Object.fromEntries(entries);
}

function faceValue(name: string, value: unknown, row: CommandRow): unknown {
  if (BYTES.includes(name)) return fromHex(String(value));
  if (name === 'mic') return Buffer.from(String(value), 'hex').readUInt32LE();
  if (name === 'mcAddr' || name === 'addr') return Number.parseInt(String(value), 16);
  if (Array.isArray(value)) return value.map((item) => fieldsOf(item, row));
  if (/Unsupported$|^notEnough|^indexNot|^wrongD|Replay$|^error/.test(name)) {
    return value === 1 || value === true;
  }
  return value;
}

/** Name of a command in its version. */
function nameOf(row: CommandRow): string {
  const [name] = row.name.split(/[ /]/);
  return name === 'ForceDeviceResyncReq' && row.version === 2 ? 'ForceDeviceResyncCmd' : name;
}

describe('the commands of the application packages', () => {
  it.each(commandRows)('$package v$version $name: $hex', (row) => {
    const version = PACKAGES[row.package][`v${row.version}`] as Table & Version;
    const message = version[nameOf(row)];
    const fields = fieldsOf(row.fields, row);
    expect(toHex(message.encode(fields))).toBe(row.hex);
    const decoded = message.decode(fromHex(row.hex));
    expect(decoded).toMatchObject(fields);
    expect(toHex(message.encode(decoded))).toBe(row.hex);
    const set = version[row.uplink ? 'uplink' : 'downlink'];
    expect(readCommands(set, fromHex(row.hex))).toEqual({
      commands: [{ name: nameOf(row), fields: decoded }],
      unreadBytes: 0,
    });
  });

  it('are read one after the other, up to the first unknown', () => {
    const run = readCommands(messages.ts004.v2.downlink, fromHex('010503017f00'));
    expect(run.commands.map(({ name }) => name)).toEqual([
      'FragSessionStatusReq',
      'FragSessionDeleteReq',
    ]);
    expect(run.unreadBytes).toBe(2);
    expect(readCommands(messages.ts004.v1.uplink, fromHex('01e8')).unreadBytes).toBe(2);
  });

  it('do not share bytes with what they were read from', () => {
    const bytes = Buffer.from('080184000102', 'hex');
    const { fragment } = messages.ts004.v1.DataFragment.decode(bytes);
    const [command] = readCommands(messages.ts004.v1.downlink, bytes).commands;
    bytes.fill(0xff);
    expect(toHex(fragment)).toBe('000102');
    expect(command).toMatchObject({ fields: { fragment: Uint8Array.of(0, 1, 2) } });
  });
});

const { FragSessionSetupReq, FragSessionStatusReq, DataFragment } = messages.ts004.v1;
const { FragSessionStatusAns } = messages.ts004.v2;
const { McGroupStatusAns, McClassCSessionReq, McClassCSessionAns } = messages.ts005.v1;
const { DevUpgradeImageAns, DevVersionReq } = messages.ts006.v1;
const setup = {
  fragIndex: 0,
  mcGroupBitMask: 1,
  nbFrag: 20,
  fragSize: 48,
  fragAlgo: 0,
  blockAckDelay: 1,
  padding: 0,
  descriptor: new Uint8Array(4),
};
const classC = { mcGroupId: 0, sessionTime: 0, timeOut: 8, dlFrequencyHz: 869_525_000, dr: 0 };
const late = { timeCorrection: 2_147_483_648, tokenAns: 0 };
const someGroups = { nbTotalGroups: 1, ansGroupMask: 3, groups: [] };
const oneGroup = { nbTotalGroups: 1, ansGroupMask: 1, groups: [{ mcGroupId: 0, mcAddr: -1 }] };

const REFUSED: readonly (readonly [complaint: string, call: () => unknown])[] = [
  [
    'FragSessionSetupReq: nbFrag is a whole number from 0 to 65535, not 65536',
    () => FragSessionSetupReq.encode({ ...setup, nbFrag: 65_536 }),
  ],
  [
    'FragSessionSetupReq: mcGroupBitMask is a whole number from 0 to 15, not 16',
    () => FragSessionSetupReq.encode({ ...setup, mcGroupBitMask: 16 }),
  ],
  [
    'FragSessionSetupReq: descriptor is a Uint8Array of 4 bytes, not 3 bytes',
    () => FragSessionSetupReq.encode({ ...setup, descriptor: new Uint8Array(3) }),
  ],
  [
    'FragSessionSetupReq has no nbFrags, but fragIndex, mcGroupBitMask, nbFrag, fragSize,',
    () => FragSessionSetupReq.encode({ ...setup, nbFrags: 1 } as never),
  ],
  [
    'FragSessionStatusReq: participants is true or false, not 1',
    () => FragSessionStatusReq.encode({ fragIndex: 0, participants: 1 as never }),
  ],
  [
    'DataFragment: fragment is a Uint8Array of 0 to 255 bytes, not left out',
    () => DataFragment.encode({ fragIndex: 0, fragmentNumber: 1 } as never),
  ],
  [
    'FragSessionStatusAns: missingFrag is given only without sessionDoesNotExist',
    () => FragSessionStatusAns.encode({ sessionDoesNotExist: true, missingFrag: 0 }),
  ],
  [
    'FragSessionStatusAns: fragIndex is a whole number from 0 to 3, not left out',
    () => FragSessionStatusAns.encode({ missingFrag: 0 }),
  ],
  [
    'AppTimeAns: timeCorrection is a whole number from -2147483648 to 2147483647, not 2147483648',
    () => messages.ts003.v1.AppTimeAns.encode(late),
  ],
  [
    'McGroupStatusAns: groups is a list of 2, one per bit of ansGroupMask, not a list of 0',
    () => McGroupStatusAns.encode(someGroups),
  ],
  [
    'McGroupStatusAns: groups[0]: mcAddr is a whole number from 0 to 4294967295, not -1',
    () => McGroupStatusAns.encode(oneGroup),
  ],
  [
    'McClassCSessionReq: dlFrequencyHz is a multiple of 100, not 869525050',
    () => McClassCSessionReq.encode({ ...classC, dlFrequencyHz: 869_525_050 }),
  ],
  [
    'McClassCSessionReq: dlFrequencyHz is a whole number from 0 to 1677721500, not 869.525',
    () => McClassCSessionReq.encode({ ...classC, dlFrequencyHz: 869.525 }),
  ],
  [
    'McClassCSessionAns: timeToStart is given only without mcGroupUndefined, freqError, drError',
    () => McClassCSessionAns.encode({ mcGroupId: 0, drError: true, timeToStart: 1 }),
  ],
  [
    'DevUpgradeImageAns: nextFirmwareVersion is given only with upImageStatus 3',
    () => DevUpgradeImageAns.encode({ upImageStatus: 1, nextFirmwareVersion: 7 }),
  ],
  ['DevVersionReq is an object, not null', () => DevVersionReq.encode(null as never)],
  ['DevVersionReq has no a, but no fields', () => DevVersionReq.encode({ a: 1 } as never)],
  [
    'DataFragment is a Uint8Array of 1 to 255 bytes, not 0 bytes',
    () => DataFragment.decode(fromHex('')),
  ],
  ['DataFragment begins with CID 8, not 2', () => DataFragment.decode(fromHex('0201'))],
  ['DataFragment is cut short: 2 bytes', () => DataFragment.decode(fromHex('0801'))],
  ['DevVersionReq has 1 bytes, and 2 are behind it', () => DevVersionReq.decode(fromHex('010203'))],
];

describe('fields or bytes that do not fit', () => {
  it.each(REFUSED)('are refused: %s', (complaint, call) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(complaint);
  });
});
