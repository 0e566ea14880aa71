/** Mutants of boundaries, of the second of two, of the order of sources, and of bounds. */
import type { Mutant } from './mutant.ts';

export const BOUNDARY_MUTANTS: readonly Mutant[] = [
  {
    what: 'Frames for ping slots go through gateways without GPS.',
    file: 'sim/network-server/best-gateway.ts',
    find: 'if (withGps && !station.plan.gps) continue;',
    replace: '',
    test: 'test/sim/best-gateway.test.ts',
  },
  {
    what: 'A lock whose process number another process has by now holds for ever.',
    file: 'api/host/journal/folder-lock.ts',
    find: "return known === '' || known === began;",
    replace: 'return true;',
    test: 'test/host/journal/folder-lock.test.ts',
  },
  {
    what: 'Most of the addresses of a provider’s own network are reached.',
    file: 'api/host/deliveries/network/egress.ts',
    find: "'100.64.0.0/10'",
    replace: "'100.64.0.0/16'",
    test: 'test/host/deliveries/egress.test.ts',
  },
  {
    what: 'Without a duty cycle the set-up is planned as if RX1 had one.',
    file: 'core/update-service/campaigns/set-up-time.ts',
    find: 'rx2Share < 1 ?',
    replace: 'rx2Share <= 1 ?',
    test: 'test/campaigns/set-up-time.test.ts',
  },
  {
    what: 'EndTime of a log is exclusive.',
    file: 'core/management/logs/selecting.ts',
    find: 'atUs[at]! > untilUs',
    replace: 'atUs[at]! >= untilUs',
    test: 'test/core/resources/logs.test.ts',
  },
  {
    what: 'What is being written is read before what is newer.',
    file: 'api/host/deliveries/delivery-store.ts',
    find: 'of [this.#changes, this.#writing]',
    replace: 'of [this.#writing, this.#changes]',
    test: 'test/host/deliveries/delivery-store.test.ts',
  },
  {
    what: 'The last group of eight channels is taken for the one before.',
    file: 'sim/network-server/mask-block.ts',
    find: 'wide >> (index >> 3)',
    replace: 'wide >> Math.min(6, index >> 3)',
    test: 'test/sim/mask-block.test.ts',
  },
  {
    what: 'A line that is too long is never shortened.',
    file: 'core/delivery/deliveries/backlog.ts',
    find: 'if (line.length > most) keep(line',
    replace: 'if (line.length > most + 1_000_000) keep(line',
    test: 'test/core/backlog.test.ts',
  },
  {
    what: 'A list of what is due that is too long is never shortened.',
    file: 'core/delivery/deliveries/backlog.ts',
    find: 'if (due.length > most) keep(due',
    replace: 'if (due.length > most + 1_000_000) keep(due',
    test: 'test/core/backlog.test.ts',
  },
];
