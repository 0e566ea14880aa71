/** `npm run docs`: writes the parts of `docs/` that derive from the product. Run it at the root. */
import { readFileSync, writeFileSync } from 'node:fs';
import { PARTS, withPart } from './parts.ts';

for (const part of PARTS) {
  const page = readFileSync(part.page, 'utf8');
  const renewed = withPart(page, part);
  if (renewed === page) continue;
  writeFileSync(part.page, renewed);
  process.stdout.write(`${part.page}: ${part.name}\n`);
}
