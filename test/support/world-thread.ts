/** Runs in a thread of its own: carries out worlds and posts their outcomes. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { straightOn } from './worlds.ts';

parentPort?.postMessage((workerData as readonly ArbitraryWorld[]).map(straightOn));
