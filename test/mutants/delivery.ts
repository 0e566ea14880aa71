/** Faults of codecs, of what is delivered, and of what devices are set to. */
import type { Mutant } from './mutant.ts';

export const DELIVERY_MUTANTS: readonly Mutant[] = [
  {
    what: 'Signed numbers of codecs are not negative.',
    file: 'core/codecs/numbers.ts',
    find: 'raw >= values / 2 ? raw - values : raw',
    replace: 'raw > values ? raw - values : raw',
    test: 'test/codecs/native.test.ts',
  },
  {
    what: 'An answer of 429 is final.',
    file: 'core/delivery/deliveries/schedule.ts',
    find: 'answer >= 500 || answer === TOO_MANY_REQUESTS',
    replace: 'answer >= 500',
    test: 'test/core/resources/deliveries.test.ts',
  },
  {
    what: 'Changes of a configuration are told the oldest first.',
    file: 'core/delivery/device-configuration/history.ts',
    find: '?? []).toReversed();',
    replace: '?? []).slice();',
    test: 'test/core/resources/device-configurations.test.ts',
  },
  {
    what: 'Topics of publishers have wildcards.',
    file: 'core/delivery/output-profiles/forms.ts',
    find: 'if (/[#+]/.test(text)) return false;',
    replace: '',
    test: 'test/core/resources/output-profiles.test.ts',
  },
  {
    what: 'Receivers have no phases.',
    file: 'core/delivery/receivers/behaviour.ts',
    find: 'holds === undefined ? receiver : effective(BEHAVIOUR, holds)',
    replace: 'receiver',
    test: 'test/core/resources/deliveries.test.ts',
  },
  {
    what: 'Whatever is to be delivered is accepted.',
    file: 'reports/figures/delivery.ts',
    find: '[deliveries?.fates.delivered ?? 0,',
    replace: '[deliveries?.emitted ?? 0,',
    test: 'test/reports/delivery.test.ts',
  },
  {
    what: 'A status is told after a minute.',
    file: 'core/delivery/alerts/debounce.ts',
    find: '900 * SECOND_US',
    replace: '60 * SECOND_US',
    test: 'test/worlds/alert-events.test.ts',
  },
  {
    what: 'Authorization is given twice.',
    file: 'core/delivery/headers.ts',
    find: "hasOwn && name === 'authorization'",
    replace: 'false',
    test: 'test/core/resources/destinations.test.ts',
  },
];
