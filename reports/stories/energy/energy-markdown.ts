/** Energy in Markdown, a line for each population. */
import type { RunResult } from '../../../core/result/result.ts';
import { plain, table } from '../../markup/markdown-parts.ts';
import { joules, lifetime, NOTHING } from '../../text/format.ts';
import { byAmount, ENERGY_WORDS } from '../../text/words.ts';

/** What each population drew, and how long its batteries last. */
export function energyTable({ energy }: RunResult): string[] {
  if (energy === undefined || energy.populations.length === 0) return [];
  const rows = energy.populations.map(({ name, chip, meanJoules, byCause, batteryLifeSeconds }) => {
    const [most] = byAmount(byCause);
    const dearest = most === undefined ? NOTHING : plain(ENERGY_WORDS[most[0]].label);
    const life = batteryLifeSeconds === null ? NOTHING : lifetime(batteryLifeSeconds.p10);
    return [plain(name), chip, joules(meanJoules), dearest, life];
  });
  const heads = [
    'Population',
    'Chip',
    'Energy per device',
    'Most of it',
    'Battery lasts (9 in 10)',
  ];
  return [table(heads, 'llrlr', rows)];
}
