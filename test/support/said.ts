/** What a command line of this process says, and how it ends. */
import { vi } from 'vitest';
import { commandLine } from '../../api/cli/command-line.ts';

export interface Said {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function said(...words: readonly string[]): Promise<Said> {
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  try {
    return { status: await commandLine(words), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
