/**
 * Multicast groups of management in living worlds: what members receive (LoRaWAN 1.0.4 §15.1 and
 * §9…§12; docs/decisions/0058).
 */
import { describe, expect, it } from 'vitest';
import { judge } from '../../scenarios/invariants/laws.ts';
import { classBNetwork } from '../support/class-b-world.ts';
import {
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
  type Wanted,
  watch,
} from '../support/small-network.ts';
import {
  at,
  copiesOf,
  fatesOf,
  GROUP_EUI,
  groupOf,
  messageTo,
} from '../support/standing-groups.ts';

const classC = (wanted: Wanted = {}) =>
  networkOf({ devices: 3, ...wanted, type: { deviceClass: 'C', ...wanted.type } });

describe('a class C group', () => {
  it('is heard by its members in class C, which have its keys without a command', () => {
    const network = classC();
    const two = network.devices.slice(0, 2).map(({ devEui }) => devEui);
    const trace = watch(network, 10 * MINUTE_US, [
      at(0, groupOf(network, { devices: two })),
      at(5 * MINUTE_US, messageTo(GROUP_EUI, 'C0FFEE')),
    ]);
    expect(copiesOf(trace)).toHaveLength(1);
    expect(fatesOf(trace)).toEqual({ 'meter-1': ['heard'], 'meter-2': ['heard'] });
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('is not heard by a device of class A', () => {
    const network = classC({ type: { deviceClass: 'A' } });
    const trace = watch(network, 10 * MINUTE_US, [
      at(0, groupOf(network)),
      at(5 * MINUTE_US, messageTo(GROUP_EUI, 'C0FFEE')),
    ]);
    const missed = ['notListening'];
    expect(fatesOf(trace)).toEqual({ 'meter-1': missed, 'meter-2': missed, 'meter-3': missed });
    expect(judge(trace.rows, network)).toEqual({});
  });
});

describe('a class B group', () => {
  it('is heard in its ping slots by its members in class B', () => {
    const network = classBNetwork({ devices: 2 });
    const trace = watch(network, 2 * HOUR_US, [
      at(0, groupOf(network, { type: 'B', period: 16, DataRate: 3 })),
      at(HOUR_US, messageTo(GROUP_EUI, 'C0FFEE')),
      at(HOUR_US + SECOND_US, messageTo(GROUP_EUI, 'C0FFEE')),
    ]);
    expect(copiesOf(trace)).toHaveLength(2);
    expect(fatesOf(trace)).toEqual({
      'meter-1': ['heard', 'heard'],
      'meter-2': ['heard', 'heard'],
    });
    expect(judge(trace.rows, network)).toEqual({});
  });
});
