/**
 * What an import of a large list costs, and the load of the scenario that it makes:
 * `npm run build && node test/bench/importing.mjs`.
 *
 * A list as The Things Stack exports it, with places and columns that nobody needs, of 10 000 and
 * of 100 000 devices. CPU time of the whole command, and of the load alone; the best of three.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadFromDisk } from '../../dist/api/host/files/scenario-files.js';
import { HERE, timed, withFolder } from './measured.mjs';

const HEAD =
  'id;dev_eui;join_eui;name;frequency_plan_id;lorawan_version;app_key;supports_class_c;' +
  'brand_id;model_id;Latitude;Longitude;Customer';
const hex = (value, digits) => value.toString(16).toUpperCase().padStart(digits, '0');
const row = (i) =>
  [
    `dev-${i}`,
    `70B3D57ED${hex(i, 7)}`,
    '70B3D57ED0000000',
    `Zähler ${i}`,
    'EU_863_870_TTN;MAC_V1_0_3',
    hex(i, 32),
    i % 10 === 0,
    'acme',
    i % 3 === 0 ? 'one' : 'two',
    (48 + (i % 300) / 1000).toFixed(4),
    (11 + (i % 331) / 1000).toFixed(4),
    `Stadtwerke ${i}`,
  ].join(';');

const best = (act) => Math.min(...[1, 2, 3].map(act));

for (const count of [10_000, 100_000]) {
  withFolder((folder) => {
    const [list, out] = ['list.csv', 'fleet.yaml'].map((name) => join(folder, name));
    writeFileSync(list, [HEAD, ...Array.from({ length: count }, (_, i) => row(i))].join('\n'));
    const words = [join(HERE, 'dist/fleetwave.js'), 'import', list, '--out', out, '--force'];
    const imported = best(() => timed(process.execPath, words).cpuSeconds);
    const loaded = best(() => {
      const before = process.cpuUsage();
      if (loadFromDisk(out, []).outcome !== 'scenario') throw new Error('it is no scenario');
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e6;
    });
    const figures = `import ${imported.toFixed(2)} s, load ${loaded.toFixed(2)} s of CPU time`;
    console.log(`${count} devices: ${figures}`);
  });
}
