/** Troubles of devices, in a table as long as the last one that had any. */
import { expect, it } from 'vitest';
import { DeviceTroubles, Power } from '../../sim/device/troubles.ts';

it('a device behind the last that had troubles has none', () => {
  const troubles = new DeviceTroubles();
  for (let device = 0; device < 100; device++) {
    troubles.setPower(device, Power.off, 1_000 + device);
    const next = device + 1;
    expect([troubles.power(device), troubles.power(next)]).toEqual([Power.off, Power.on]);
    expect(troubles.aliveBeforeUs(next)).toBe(0);
  }
});
