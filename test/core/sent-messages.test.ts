/** What campaigns send of the packages, and which messages of devices therefore need a handler. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAwaited } from '../../core/update-service/campaigns/payloads.ts';
import { clockSync } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import { fragmentation } from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import { multicastSetup } from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { firmwareManagement } from '../../sim/lorawan/packages/ts006-firmware.ts';

const PACKAGES = [clockSync, fragmentation, multicastSetup, firmwareManagement];

it('a message with the identifier of what a campaign sends is awaited, and no other', () => {
  const names = PACKAGES.flatMap((versions) =>
    Object.values(versions).flatMap(({ uplink }) => Object.keys(uplink)),
  );
  const awaited = [...new Set(names)].filter((name) => isAwaited({ name } as never)).sort();
  expect(awaited).toEqual([
    'AppTimeReq',
    'DevVersionAns',
    'FragDataBlockReceivedReq',
    'FragSessionSetupAns',
    'FragSessionStatusAns',
    'McClassBSessionAns',
    'McClassCSessionAns',
    'McGroupSetupAns',
  ]);
});

it('campaigns encode the messages of their list, and no others', () => {
  const folder = join(import.meta.dirname.replace('/dist/', '/'), '../../core/update-service');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const encoders = files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/[\w.]+(?=\.encode\()/g),
    ])
    .map(([encoder]) => encoder);
  expect(encoders.length).toBeGreaterThanOrEqual(11);
  expect(encoders.filter((encoder) => !/^SENT\.\w+\.\w+$/.test(encoder))).toEqual([]);
});
