/** What this process has cost its host so far. */
import { performance } from 'node:perf_hooks';
import type { HostResult } from '../../../core/result/result.ts';

/** `startedMs`: when what is measured began. */
export function measureHost(startedMs: number): HostResult {
  const { user, system } = process.cpuUsage();
  return {
    wallSeconds: Math.round(performance.now() - startedMs) / 1000,
    cpuSeconds: Math.round((user + system) / 1000) / 1000,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
    node: process.version,
  };
}
