/** Knobs of what is stored of frames in a scenario file. */
import { MOST_LOG_ENTRIES, USUAL_LOG_ENTRIES } from '../../core/management/logs/log-store.ts';
import { count, flag } from '../language/kinds.ts';
import { knob, maybe, record } from '../language/knob.ts';

export const Records = record({
  logEntries: maybe(count(1, MOST_LOG_ENTRIES), {
    is:
      'Number of log entries stored for each subscriber, the latest; payloads are among them. ' +
      `${USUAL_LOG_ENTRIES} when absent.`,
    source: 'docs/decisions/0059',
  }),
  inRuns: knob(flag(), false, {
    is:
      'Whether `fleetwave run` keeps statistics, payloads and logs, too, and writes the logs; ' +
      '`fleetwave serve` always keeps them. Nothing else of a result depends on it.',
  }),
});
