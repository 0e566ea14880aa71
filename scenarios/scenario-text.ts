/** Scenario files as text: what is parsed YAML, written so that it is read as the same again. */
import { Scalar, stringify } from 'yaml';

/**
 * The text of a scenario file (YAML; ends in a line feed) from its value as `load` gives it: plain
 * maps, lists, texts and numbers. The same value gives the same text.
 */
export function scenarioText(document: unknown): string {
  // Values that stand at several places are written at each, and no line is folded.
  return stringify(document, asNumbers, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** Whole numbers of 16 digits get a fraction: without one they read as EUIs, which are texts. */
function asNumbers(_key: unknown, value: unknown): unknown {
  if (typeof value !== 'number' || !/^\d{16}$/.test(String(value))) return value;
  return Object.assign(new Scalar(value), { minFractionDigits: 1 });
}
