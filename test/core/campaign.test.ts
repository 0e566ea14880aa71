/** A campaign from its creation to its end. */
import { describe, expect, it } from 'vitest';
import { toHex } from '../../sim/base/bytes.ts';
import { ready, someImage } from './bench.ts';

describe('a campaign without trouble', () => {
  it.each(['A', 'C'] as const)('updates a group of class %s', (deviceClass) => {
    const bench = ready(5, () => ({ deviceClass, clockErrorS: 100 }));
    bench.campaign({ frag_size: 50 });
    const result = bench.finish();
    expect(result).toMatchObject({
      stage: 'FINISHED',
      devices: 5,
      success: 5,
      failed: 0,
      nbFrag: 20,
      redundancy: 6,
      sent: 26,
      failures: {},
    });
    expect(result.stages.map(({ stage }) => stage)).toEqual([
      'INITIALIZING',
      'SETTING_UP_DEVICES',
      'SENDING_FRAGMENTS',
      'VERIFYING',
      'FINISHED',
    ]);
    for (const device of bench.devices.values()) {
      expect(device.image).toBe(toHex(someImage(1_000)));
      expect(bench.platform.resources.campaign.fate(device.devEui)).toBe(1);
    }
    expect(bench.commandsTo('D000000000000001')).toEqual([
      ...(deviceClass === 'A'
        ? [
            'ForceDeviceResyncReq',
            'McGroupSetupReq',
            'FragSessionSetupReq',
            'AppTimeAns+ForceDeviceResyncReq',
          ]
        : [
            'ForceDeviceResyncReq',
            'AppTimeAns+ForceDeviceResyncReq',
            'McGroupSetupReq',
            'FragSessionSetupReq',
          ]),
      'McClassCSessionReq',
      'FragSessionStatusReq',
      'DevVersionReq',
    ]);
  });
});
