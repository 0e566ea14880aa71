/** A reporter that names the files that took much of a run: they belong in `SLOW_TESTS`. */
import type { Reporter, TestModule } from 'vitest/node';
import { SLOW_SHARE } from './slow-tests.ts';

export class SlowFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const all = modules.reduce((sum, module) => sum + module.diagnostic().duration, 0);
    for (const module of modules) {
      const share = module.diagnostic().duration / all;
      if (share <= SLOW_SHARE) continue;
      const percent = `${Math.round(100 * share)} %`;
      console.log(`${module.relativeModuleId} took ${percent}: see test/quick/slow-tests.ts`);
    }
  }
}
