/** What runs in a thread of its own: a world is carried out, and what it tells goes back. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ArbitraryWorld } from '../../scenarios/generators/arbitraries.ts';
import { straightOn } from './worlds.ts';

parentPort?.postMessage((workerData as readonly ArbitraryWorld[]).map(straightOn));
