/** The command line in a process of its own, without a block of the test's event loop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM } from './bundled.ts';

export async function fleetwave(
  words: readonly string[],
  onBegin: (process: ReturnType<typeof spawn>) => void = () => undefined,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...words]);
  onBegin(child);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...texts };
}
