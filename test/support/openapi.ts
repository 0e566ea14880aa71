/** The OpenAPI document as the emulator serves it. */
import { startEmulator } from '../../api/emulator.ts';

export const OPENAPI_FILE = 'docs/openapi.json';

/** A document as its file has it. */
export async function openApiText(path = '/openapi.json'): Promise<string> {
  const emulator = await startEmulator({ http: true, paused: true });
  try {
    const response = await fetch(emulator.url + path);
    return `${JSON.stringify(await response.json(), null, 2)}\n`;
  } finally {
    await emulator.stop();
  }
}
