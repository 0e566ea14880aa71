/** The last step of `npm run openapi`: the generated types of the client on fewer lines. */
import { readFileSync, writeFileSync } from 'node:fs';
import { compactTypes } from './compact-types.ts';

const FILE = 'api/client/generated/operations.ts';

writeFileSync(FILE, compactTypes(readFileSync(FILE, 'utf8')));
