/** A reporter that names the files whose share of a run has grown since it was recorded. */
import type { Reporter, TestModule } from 'vitest/node';
import { grownFiles, recordedTimes } from './file-times.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

export class GrownFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const wallMs = Object.fromEntries(
      modules.map((module) => {
        const { collectDuration, setupDuration, duration } = module.diagnostic();
        return [module.relativeModuleId, collectDuration + setupDuration + duration];
      }),
    );
    for (const { path, share, recordedShare } of grownFiles(wallMs, recordedTimes())) {
      console.log(
        `${path} took ${percent(share)} of the time of all files, ` +
          `${percent(recordedShare)} by test/times.json: npm run test:times`,
      );
    }
  }
}
