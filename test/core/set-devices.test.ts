/** When devices were really set as is desired: core/world/set-devices.ts. */
import { describe, expect, it } from 'vitest';
import { SetDevices } from '../../core/world/set-devices.ts';

const always = () => true;

describe('when a device is set', () => {
  it('is when the downlink that made it so came, not a later copy of it', () => {
    const devices = new SetDevices();
    devices.note('A', '1', false, 10);
    devices.note('A', '1', true, 20);
    devices.note('A', '1', true, 30);
    expect(devices.instants(always)).toEqual([20]);
  });

  it('is anew for another rollout, and nothing of who is set otherwise by now', () => {
    const devices = new SetDevices();
    devices.note('B', '1', true, 40);
    devices.note('A', '2', true, 20);
    devices.note('A', '3', true, 30);
    expect(devices.instants(always)).toEqual([30, 40]);
    expect(devices.instants((devEui) => devEui === 'B')).toEqual([40]);
  });

  it('is the same where it was saved', () => {
    const [devices, restored] = [new SetDevices(), new SetDevices()];
    devices.note('A', '1', true, 20);
    restored.load(devices.save());
    restored.note('A', '1', true, 30);
    expect(restored.instants(always)).toEqual([20]);
  });
});
