/** What a registration says with each uplink: what was said of the device, or of its profile. */
import { describe, expect, it } from 'vitest';
import type { OwnView } from '../../../core/base/subscribers.ts';
import { Registrations } from '../../../core/management/end-devices/registrations.ts';

const DEVICE = '0200000000000001';
const GONE = '0200000000000002';

/** Ann's device type has presets if any are given; Bob has none. */
function registrations(preset: { PrivateData?: boolean; OutputProfile?: string } | undefined) {
  const asked: string[] = [];
  const all = new Registrations({
    deviceProfile: {
      idOf: (row, name) => `${row} ${name}`,
      presetOf: (owner, id) => {
        asked.push(`${owner} ${id}`);
        return (preset ?? {}) as never;
      },
      hasPresets: (owner) => preset !== undefined && owner === 'ann',
    },
    serviceProfile: { usual: 'usual' },
    account: { idOf: () => 'first' },
  });
  const view = {
    device: (devEui: string) =>
      devEui === DEVICE ? { profile: { type: 3, name: 'meter', activation: 'otaa' } } : undefined,
  } as unknown as OwnView;
  return {
    asked,
    all,
    isPrivate: (owner: string, devEui: string) => all.isPrivate(owner, devEui, view),
    outputOf: (owner: string, devEui: string) => all.outputProfileOf(owner, devEui, view),
  };
}

describe('a device that was never changed', () => {
  it('is as the presets of its type say, by the one who owns it', () => {
    const { asked, isPrivate, outputOf } = registrations({ PrivateData: true, OutputProfile: 'p' });
    expect([isPrivate('ann', DEVICE), outputOf('ann', DEVICE)]).toEqual([true, 'p']);
    expect([isPrivate('bob', DEVICE), outputOf('bob', DEVICE)]).toEqual([false, '']);
    expect(asked).toEqual(['ann 3 meter', 'ann 3 meter']);
  });

  it('is public and without an output where the presets do not say', () => {
    const { isPrivate, outputOf } = registrations({});
    expect([isPrivate('ann', DEVICE), outputOf('ann', DEVICE)]).toEqual([false, '']);
  });

  it('is public and without an output where there are no presets, and none is looked for', () => {
    const { asked, isPrivate, outputOf } = registrations(undefined);
    expect([isPrivate('ann', DEVICE), outputOf('ann', DEVICE)]).toEqual([false, '']);
    expect(asked).toEqual([]);
  });

  it('is public and without an output once it is gone', () => {
    const { isPrivate, outputOf } = registrations({ PrivateData: true, OutputProfile: 'p' });
    expect([isPrivate('ann', GONE), outputOf('ann', GONE)]).toEqual([false, '']);
  });
});
