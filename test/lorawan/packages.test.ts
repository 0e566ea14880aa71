/** TS003, TS004, TS005 (versions 1 and 2), TS006: every command of the vectors, and laws. */
import { describe, expect, it } from 'vitest';
import { fromHex, readLe, toHex } from '../../sim/base/bytes.ts';
import { type CommandSet, readCommands } from '../../sim/lorawan/message.ts';
import { PACKAGES } from '../../sim/lorawan/packages/package-version.ts';
import { clockSync } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import {
  DataFragment,
  FragSessionStatusAnsV1,
  FragSessionStatusAnsV2,
  fragmentation,
  longestAckDelayS,
} from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  classBTimeOutS,
  classCTimeOutS,
  multicastSetup,
} from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { firmwareManagement } from '../../sim/lorawan/packages/ts006-firmware.ts';
import { commandRows, DERIVED, RENAMED } from '../support/applayer.ts';
import { expectLawfulMessages } from '../support/messages.ts';

type Directions = { readonly uplink: CommandSet; readonly downlink: CommandSet };

const SETS: Readonly<Record<string, Readonly<Record<number, Directions>>>> = {
  clocksync: clockSync,
  fragmentation,
  multicastsetup: multicastSetup,
  firmwaremanagement: firmwareManagement,
};

const PORTS: Readonly<Record<string, number>> = {
  clocksync: PACKAGES.clockSync.fPort,
  fragmentation: PACKAGES.fragmentation.fPort,
  multicastsetup: PACKAGES.multicastSetup.fPort,
  firmwaremanagement: PACKAGES.firmwareManagement.fPort,
};

/** The payload in the vectors' words: bytes as text, addresses as text, flags compared as truth. */
function report(name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map((item) => inVectorWords(item));
  if (name === 'mcAddr' && typeof value === 'number') return value.toString(16).padStart(8, '0');
  if (name === 'mic' && typeof value === 'number') {
    return (value >>> 0).toString(16).match(/../g)!.reverse().join('');
  }
  return value;
}

const inVectorWords = (payload: object): object =>
  Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, report(name, value)]));

function expected(fields: object, payload: object): object {
  const entries = Object.entries(fields)
    .filter(([name]) => !DERIVED.includes(name))
    .map(([name, value]) => {
      const ours = RENAMED[name] ?? name;
      const isFlag = typeof (payload as Record<string, unknown>)[ours] === 'boolean';
      if (Array.isArray(value)) return [ours, value.map((item) => expected(item, {}))];
      return [ours, isFlag ? Boolean(value) : value];
    });
  return Object.fromEntries(entries);
}

describe('the commands of the application packages', () => {
  it.each(commandRows)('$package v$version $name: $hex', (row) => {
    const name = row.name.split(/[ /]/)[0]!;
    const { uplink, downlink } = SETS[row.package]![row.version]!;
    const set = row.uplink ? uplink : downlink;
    const run = readCommands(set, fromHex(row.hex));
    expect(run.unreadBytes).toBe(0);
    expect(run.commands).toHaveLength(1);
    const command = run.commands[0]!;
    const aliases = name === 'ForceDeviceResyncReq' ? [name, 'ForceDeviceResyncCmd'] : [name];
    expect(aliases).toContain(command.name);
    expect(inVectorWords(command.payload)).toMatchObject(expected(row.fields, command.payload));
    expect(toHex(set[command.name]!.encode(command.payload))).toBe(row.hex);
    expect(row.fPort).toBe(PORTS[row.package]);
  });

  it('are all there, in both versions', () => {
    expect(commandRows.length).toBeGreaterThan(70);
    for (const [name, versions] of Object.entries(SETS)) {
      for (const [version, { uplink, downlink }] of Object.entries(versions)) {
        const inVectors = commandRows
          .filter((row) => row.package === name && row.version === Number(version))
          .map((row) => row.name.split(/[ /]/)[0]!);
        const names = Object.keys({ ...uplink, ...downlink });
        for (const each of inVectors) {
          expect(names.map((known) => known.replace('Cmd', 'Req'))).toContain(each);
        }
      }
    }
  });

  it('keep the laws of messages', () => {
    for (const versions of Object.values(SETS)) {
      for (const { uplink, downlink } of Object.values(versions)) {
        expectLawfulMessages(uplink);
        expectLawfulMessages(downlink);
      }
    }
  });

  it('come several in one payload, and end at an unknown CID', () => {
    const { downlink } = fragmentation[2];
    const run = readCommands(downlink, fromHex('0105' + '0301' + '7f00'));
    expect(run.commands.map((command) => command.name)).toEqual([
      'FragSessionStatusReq',
      'FragSessionDeleteReq',
    ]);
    expect(run.unreadBytes).toBe(2);
  });
});

describe('what differs between the versions', () => {
  it('is where FragSessionStatusAns has its status, and what follows an unknown session', () => {
    const { FragSessionStatusAns } = fragmentation[2].uplink;
    const gone = { sessionDoesNotExist: true, micError: false, memoryError: false };
    expect(toHex(FragSessionStatusAns.encode(gone))).toBe('0104');
    expect(FragSessionStatusAns.decode(fromHex('0104'))).toEqual({ ok: true, value: gone });
    expect(FragSessionStatusAns.decode(fromHex('0100')).ok).toBe(false);
  });

  it('is StartMissed, which hides TimeToStart in version 2 and is no error in version 1', () => {
    const v1 = multicastSetup[1].uplink.McClassBSessionAns;
    const v2 = multicastSetup[2].uplink.McClassBSessionAns;
    expect(v2.decode(fromHex('0521'))).toMatchObject({ ok: true, value: { startMissed: true } });
    expect(v1.decode(fromHex('0521')).ok).toBe(false);
    expect(v1.decode(fromHex('0521102030'))).toMatchObject({ value: { timeToStart: 0x302010 } });
  });

  it('is FragDataBlockReceived, which version 1 does not have', () => {
    expect(readCommands(fragmentation[1].uplink, fromHex('0405')).unreadBytes).toBe(2);
    expect(readCommands(fragmentation[2].uplink, fromHex('0405')).commands).toEqual([
      { name: 'FragDataBlockReceivedReq', payload: { micError: true, fragIndex: 1 } },
    ]);
  });
});

describe('numbers of fragments', () => {
  it('have 14 bits in FragSessionStatusAns, the index above them, in both versions', () => {
    const response = { fragIndex: 2, nbFragReceived: 0x3abc, missingFrag: 7 };
    const first = FragSessionStatusAnsV1.encode({ ...response, notEnoughMatrixMemory: true });
    expect(toHex(first)).toBe('01bcba0701');
    const flags = { sessionDoesNotExist: false, micError: true, memoryError: false };
    const second = FragSessionStatusAnsV2.encode({ ...response, ...flags });
    expect(toHex(second)).toBe('0102bcba07');
  });
});

describe('times in the packages', () => {
  it('are powers of two', () => {
    expect([classCTimeOutS(0), classCTimeOutS(15)]).toEqual([1, 32_768]);
    expect([classBTimeOutS(0), classBTimeOutS(3)]).toEqual([128, 1024]);
    expect([longestAckDelayS(0), longestAckDelayS(7)]).toEqual([16, 2048]);
  });

  it('leave room for three bytes beside a fragment', () => {
    const fragment = new Uint8Array(50);
    const bytes = DataFragment.encode({ fragIndex: 3, fragmentNumber: 16_383, fragment });
    expect(bytes).toHaveLength(53);
    expect(readLe(bytes, 1, 2)).toBe(0xffff);
  });
});
