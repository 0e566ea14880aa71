/** A folder with a small scenario in it, for tests of the bundled command line. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundled.ts';

export const SMALL = `scenario: small
duration: 1 h
area: { radius: 1 km }
devices: [{ name: meter, count: 5, joinWithin: 1 min, traffic: { every: 10 min } }]
expectations: [joined >= 99 %]
`;

/** Bundles, and makes the folder; `small.yaml` lies in it. Anyone who asks for it removes it. */
export function folderWithSmall(): string {
  bundle();
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-'));
  writeFileSync(join(folder, 'small.yaml'), SMALL);
  return folder;
}
