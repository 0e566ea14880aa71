/** The table of devices finds its rows by what names them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeviceTable } from '../../sim/device/device-table.ts';
import { eui } from '../support/small-network.ts';

const DEVICES = 6;

describe('the rows of a DevAddr', () => {
  const devAddr = fc.constantFrom(0, 1, 0x7fff_ffff, 0xffff_ffff);
  const steps = fc.array(fc.record({ row: fc.nat(DEVICES - 1), devAddr, isLoaded: fc.boolean() }), {
    maxLength: 40,
  });

  it('are those of all devices that have it, whenever it is asked for first', () => {
    const run = (given: readonly { row: number; devAddr: number; isLoaded: boolean }[]) => {
      let devices = new DeviceTable();
      const addresses = new Array<number>(DEVICES).fill(0);
      for (let row = 0; row < DEVICES; row++) {
        const identity = { name: `meter-${row}`, devEui: eui('02', row), xMeters: 0, yMeters: 0 };
        devices.add(identity, { key0: row, key1: row });
      }
      for (const step of given) {
        devices.setDevAddr(step.row, step.devAddr);
        addresses[step.row] = step.devAddr;
        if (step.isLoaded) {
          const saved = devices.save();
          devices = new DeviceTable();
          devices.load(saved);
        }
        for (const asked of [1, 0x7fff_ffff, 0xffff_ffff]) {
          const expected = addresses.flatMap((one, row) => (one === asked ? [row] : []));
          expect(devices.withDevAddr(asked)).toEqual(expected);
        }
        expect(devices.withDevAddr(0)).toBe(undefined);
      }
    };
    fc.assert(fc.property(steps, run));
  });
});
