/** Engines on this machine, in a test's hands: they are killed, emptied, and come back. */
import { IS_LONG, IS_RELEASE } from './long.ts';
import { hasPostgres, startPostgres } from './postgres-servers.ts';
import { hasRedis, startRedis } from './redis-servers.ts';

export interface EngineServer {
  readonly url: string;
  /** All that was handed out is forgotten, as by FLUSHALL. */
  empty(): Promise<void>;
  kill(): Promise<void>;
  /** On the same port, with what it had written. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface EngineKind {
  readonly name: string;
  readonly isHere: () => boolean;
  readonly start: () => Promise<EngineServer>;
}

const ENGINES: readonly EngineKind[] = [
  { name: 'Redis', isHere: hasRedis, start: startRedis },
  { name: 'PostgreSQL', isHere: hasPostgres, start: startPostgres },
];

/** The rules are written once for both kinds, so `npm test` tries them on one. */
export const enginesHere = (): readonly EngineKind[] =>
  ENGINES.filter(({ isHere }) => isHere()).slice(0, IS_LONG || IS_RELEASE ? ENGINES.length : 1);
