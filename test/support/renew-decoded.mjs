/** Writes what codecs answer now into test/codecs/decoded.txt, after a build. */
import { writeFileSync } from 'node:fs';
import { decodedTexts } from '../../dist/test/support/decoded-texts.js';

const FILE = new URL('../codecs/decoded.txt', import.meta.url);
writeFileSync(FILE, `${decodedTexts().join('\n')}\n`);
