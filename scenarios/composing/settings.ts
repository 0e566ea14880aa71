/** Overrides from the command line: `devices.meter.count=50` written over what the file says. */
import { parse, YAMLParseError } from 'yaml';
import type { Problem } from '../language/problem.ts';
import { type Layer, Marks } from './layer.ts';
import { readSteps } from './override-path.ts';
import { overridden } from './overrides.ts';

interface Settings extends Layer {
  readonly problems: readonly Problem[];
}

/**
 * List entries are named by their index, by their `name`, or by `*` for all of them; a name that
 * holds points stands in quotes. What an override wrote is found there.
 */
export function applySettings({ value, source }: Layer, settings: readonly string[]): Settings {
  const problems: Problem[] = [];
  const marks = new Marks(source);
  let whole = value;
  for (const text of settings) {
    const path = readSteps(text, '=');
    if (path === undefined) {
      problems.push(
        wrong(
          text,
          'is not an override; allowed: path=value such as devices.0.count=50; a name with ' +
            'points stands in quotes: \'images."fw-1.2.bin".bytes=2 kB\'',
        ),
      );
      continue;
    }
    const setting = readValue(text.slice(path.endsAt));
    if (!setting.ok) {
      problems.push(
        wrong(text, `${setting.message}; allowed: a YAML value such as 10 km or {link: 5 dB}`),
      );
      continue;
    }
    const where = `--set ${text}`;
    const own = { value: setting.value, source: { locate: () => ({ where, line: 0 }) } };
    const written = overridden(whole, { ...own, steps: path.steps, from: [], lays: false }, marks);
    if ('refused' in written) problems.push(wrong(text, written.refused));
    else whole = written.value;
  }
  return { value: whole, source: marks, problems };
}

function wrong(text: string, message: string): Problem {
  return { where: `--set ${text}`, line: 0, pointer: '', message };
}

function readValue(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  if (/^[0-9]{16}$|^[0-9]{32}$|^0\d+$/.test(text)) return { ok: true, value: text };
  try {
    return {
      ok: true,
      value: parse(text, { version: '1.2', maxAliasCount: 0, logLevel: 'error' }),
    };
  } catch (error) {
    // The library's only way to say that text is not YAML.
    if (!(error instanceof YAMLParseError) && !(error instanceof ReferenceError)) throw error;
    return { ok: false, message: `"${text}" is not a value` };
  }
}
