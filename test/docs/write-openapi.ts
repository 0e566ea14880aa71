/** `npm run openapi`: writes docs/openapi.json, of which the types of the client are made. */
import { writeFileSync } from 'node:fs';
import { OPENAPI_FILE, openApiText } from '../support/openapi.ts';

writeFileSync(OPENAPI_FILE, await openApiText());
