/** `npm run openapi`: writes docs/openapi.json, the source of the client's types. */
import { writeFileSync } from 'node:fs';
import { OPENAPI_FILE, openApiText } from '../support/openapi.ts';

writeFileSync(OPENAPI_FILE, await openApiText());
