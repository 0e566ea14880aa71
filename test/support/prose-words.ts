/**
 * Words that a stranger has to read twice, and how often prose still has them: comments, texts of
 * the code, test titles and pages. CONTRIBUTING.md, "Language", says what to write instead.
 */

/** Of names: parts of names of files, types, functions and constants. */
export const BANNED_IN_NAMES = [
  'told tells tell kept made whose whom whoever offered living street lane lanes parcel parcels',
  'door doors knock ear ears luck asker askers vain',
].flatMap((line) => line.split(' '));

/** Of prose, by the word that is counted. */
export const BANNED_IN_PROSE: Readonly<Record<string, RegExp>> = {
  told: /\btold\b/gi,
  tells: /\btells\b/gi,
  whoever: /\bwhoever\b/gi,
  whom: /\bwhom\b/gi,
  kept: /\bkept\b/gi,
  'in vain': /\bin vain\b/gi,
  'so many': /\bso many\b/gi,
  'goes on with': /\bgoes on with\b/gi,
  'comes to': /\bcomes to\b/gi,
  'of which': /\bof which\b/gi,
  'may be asked': /\bmay be asked\b/gi,
  'is through': /\b(is|are) through\b/gi,
  askers: /\baskers?\b/gi,
  doors: /\bdoors?\b/gi,
  lanes: /\blanes?\b/gi,
  parcels: /\bparcels?\b/gi,
};
