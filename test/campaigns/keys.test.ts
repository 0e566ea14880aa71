/** Root keys of devices in whole worlds: what a device was made with, and what campaigns know. */

import { describe, expect, it } from 'vitest';
import { vendorKey } from '../../core/base/vendor-key.ts';
import type { Command } from '../../core/command.ts';
import { toHex } from '../../sim/base/bytes.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { eui } from '../support/small-network.ts';
import { runCampaign } from './notation.ts';

const KEY = '00112233445566778899aabbccddeeff';

/** One device that is no product of the operator's, made with this root key. */
const createdWith =
  (genAppKey: (devEui: string) => string) =>
  (network: NetworkPlan): NetworkPlan => ({
    ...network,
    devices: network.devices.map((device) => ({
      ...device,
      genAppKey: genAppKey(device.devEui),
    })),
  });

const FIRST = eui('02', 1);

describe.each(['counted', 'real'] as const)('a device, in %s frames', (frames) => {
  const outcome = (
    command: Command | undefined,
    genAppKey: (devEui: string) => string = () => KEY,
    rootKeyKnown = false,
  ) => {
    const commands = command === undefined ? [] : [{ atUs: 0, command }];
    const change = createdWith(genAppKey);
    const { world } = runCampaign({
      frames,
      type: { rootKeyKnown },
      change,
      commands,
      campaign: { redundancy: 0.5 },
    });
    const { success, failures, verified } = world.result().campaigns[0]!;
    return { success, failures, right: verified.right };
  };

  const upload = (hex: string): Command => ({
    kind: 'key.upload',
    by: 'default',
    keys: { [FIRST]: hex },
  });

  it('is updated with the key that it was made with', () => {
    expect(outcome(upload(KEY))).toEqual({ success: 1, failures: {}, right: 1 });
  });

  it('hears nothing of a session that was set up with another key', () => {
    expect(outcome(upload('ff'.repeat(16)))).toMatchObject({
      success: 0,
      failures: { 'session missed': 1 },
      right: 0,
    });
  });

  it('is not updated without a key', () => {
    expect(outcome(undefined)).toMatchObject({ success: 0, failures: { 'no key': 1 } });
  });

  it('is updated with a key of its own that the server knows', () => {
    expect(outcome(undefined, () => KEY, true)).toMatchObject({ success: 1 });
  });

  it('is updated with the key that its vendor derived', () => {
    const command = {
      kind: 'key.generate',
      by: 'default',
      keygen_type: 'vendor',
      devices: [FIRST],
    } as const;
    const create = (devEui: string) => toHex(vendorKey('default', devEui));
    expect(outcome(command, create)).toMatchObject({ success: 1, failures: {} });
    expect(outcome(command)).toMatchObject({ success: 0 });
  });
});
