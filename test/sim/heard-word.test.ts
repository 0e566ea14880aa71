import { describe, expect, it } from 'vitest';
import { i32, opaque, Table } from '../../sim/kernel/columns.ts';
import {
  HEARD_BY,
  heardGateway,
  heardLevel,
  heardWord,
} from '../../sim/network-server/heard-word.ts';
import { Registrations } from '../../sim/network-server/registrations.ts';
import { RootKeys } from '../../sim/plan/root-keys.ts';

function registrationsOfOne(): Registrations {
  const entities = new Table({ key0: opaque(i32), key1: opaque(i32) });
  entities.add();
  const registrations = new Registrations(0, new RootKeys(entities));
  registrations.add({ devEui: '0000000000000001', name: 'one' }, 0);
  return registrations;
}

describe('the gateways that heard a device', () => {
  it('are each a word of gateway and level, to the ends of both', () => {
    for (const gateway of [0, 1, 0x1_ffff]) {
      for (const level of [-19_999, -13_700, -1, 0, 12_767]) {
        const word = heardWord(gateway, level);
        expect(Uint32Array.of(word)[0]).toBe(word);
        expect([heardGateway(word), heardLevel(word)]).toEqual([gateway, level]);
      }
    }
    expect(() => heardWord(0x2_0000, -13_000)).toThrow(/131 072 gateways/);
    expect(heardLevel(heardWord(3, -20_000))).toBe(-19_999);
    expect(heardLevel(heardWord(3, -31_234))).toBe(-19_999);
    expect(() => heardWord(0, 12_768)).toThrow(/127 dBm/);
  });

  it('are reported also where each frame fades below what a word holds', () => {
    const registrations = registrationsOfOne();
    registrations.noteHeard(0, 5, -23_000);
    const [word] = registrations.column.heard;
    expect([heardGateway(word!), heardLevel(word!)]).toEqual([5, -19_999]);
  });

  it('are the strongest ones, each at its latest level', () => {
    const registrations = registrationsOfOne();
    const heard = () =>
      Array.from(registrations.column.heard.subarray(0, HEARD_BY), (word) =>
        word === 0 ? null : [heardGateway(word), heardLevel(word)],
      );
    registrations.noteHeard(0, 0, -9_000);
    registrations.noteHeard(0, 7, -11_000);
    expect(heard()).toEqual([[0, -9_000], [7, -11_000], null, null]);
    registrations.noteHeard(0, 8, -10_000);
    registrations.noteHeard(0, 9, -8_000);
    registrations.noteHeard(0, 10, -11_000);
    expect(heard()[1]).toEqual([7, -11_000]);
    registrations.noteHeard(0, 11, -10_999);
    expect(heard()[1]).toEqual([11, -10_999]);
    registrations.noteHeard(0, 9, -12_000);
    expect(heard()[3]).toEqual([9, -12_000]);
  });
});
