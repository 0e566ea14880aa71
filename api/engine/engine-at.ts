/** The engine at an address, as `--engine` has it. */
import { readAddress } from './address.ts';
import type { Engine, Say } from './engine.ts';

/** Connected, and looked at; it comes back by itself from then on. What it needs is loaded here. */
export async function engineAt(word: string, say: Say): Promise<Engine> {
  const address = readAddress(word);
  if (address.kind === 'redis') {
    const { RedisEngine } = await import('./redis-engine.ts');
    return RedisEngine.at(address, say);
  }
  const { PostgresEngine } = await import('./postgres-engine.ts');
  return PostgresEngine.at(address, say);
}
