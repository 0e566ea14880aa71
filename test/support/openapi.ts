/** The OpenAPI document as the emulator serves it. */
import { startEmulator } from '../../api/emulator.ts';

export const OPENAPI_FILE = 'docs/openapi.json';

/** A document as its file has it. */
export async function openApiText(path = '/openapi.json'): Promise<string> {
  const emulator = await startEmulator({ http: true, paused: true });
  try {
    const response = await fetch(emulator.url + path);
    return documentText(await response.json());
  } finally {
    await emulator.stop();
  }
}

/** A line for each operation and component: a file that shows what changed, without white space. */
export function documentText(document: unknown): string {
  return `${linesOf(document, 0)}\n`;
}

const DEEPEST = 3;

function linesOf(value: unknown, depth: number): string {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap || depth === DEEPEST) return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${linesOf(each, depth + 1)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}
