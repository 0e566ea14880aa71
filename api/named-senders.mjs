/**
 * Senders of deliveries are imported by the name of their kind (api/host/deliveries/senders/): a
 * bundle has all of them. For api/bundle.mjs and programs of tests.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SENDERS = fileURLToPath(new URL('./host/deliveries/senders/senders.ts', import.meta.url));
const NAMED_SENDER = /import\(`\.\/\$\{file\}\.ts`\)/;

/** A plugin of Rolldown. */
export const namedSenders = {
  name: 'named-senders',
  transform(code, id) {
    if (id !== SENDERS) return null;
    if (!NAMED_SENDER.test(code)) throw new Error(`${id} imports no sender by its name`);
    const files = readdirSync(dirname(id)).filter((name) => join(dirname(id), name) !== id);
    const rows = files.map((name) => `'./${name}': () => import('./${name}')`);
    return code.replace(NAMED_SENDER, () => `({ ${rows.join(', ')} })['./' + file + '.ts']()`);
  },
};
