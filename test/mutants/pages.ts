/** Faults of pages that can be asked: what is recorded, what is computed, what the data is. */
import type { Mutant } from './mutant.ts';

const RECORDER = 'test/sim/recorder.test.ts';
const COLUMNS = 'test/worlds/columns.test.ts';
const ANSWER = 'test/reports/answer.test.ts';
const REPORT = 'test/e2e/report.test.ts';

export const PAGE_MUTANTS: readonly Mutant[] = [
  {
    what: 'A frame that a gateway brought is lost since another one did not.',
    file: 'sim/observation/recorder.ts',
    find: 'return had === OUT_OF_REACH ? now : had;',
    replace: 'return now;',
    test: RECORDER,
    title: 'heard when one of several gateways was',
  },
  {
    what: 'A lost transmission is counted as sent alone.',
    file: 'sim/observation/recorder.ts',
    find: "if (fate !== 'received' && this",
    replace: "if (fate === 'noise' && this",
    test: COLUMNS,
    title: 'sums are those by fate',
  },
  {
    what: 'Devices that are no members have the columns of members.',
    file: 'core/world/device-outcomes.ts',
    find: 'devEuis.has(devEui) ? [place] : []',
    replace: '[place]',
    test: COLUMNS,
    title: 'have every member that is there',
  },
  {
    what: 'What would have helped is computed with the frames of before a session.',
    file: 'reports/stories/answer/campaign-answer.ts',
    find: "if (character !== '.') all++;",
    replace: 'all++;',
    test: ANSWER,
    title: 'neither heard nor lost',
  },
  {
    what: 'Columns of another run are shown.',
    file: 'api/host/files/columns-file.ts',
    find: 'if (columns.digest === digest) return { columns, bytes };',
    replace: 'return { columns, bytes };',
    test: REPORT,
    title: 'of another run',
  },
  {
    what: 'The data of a page has the time at which it was compressed.',
    file: 'reports/packing/packed.ts',
    find: 'mtime: 0, level: 4',
    replace: 'level: 4',
    test: REPORT,
    title: 'has the bytes that the run wrote',
  },
  {
    what: 'A device without a value is the first of a column.',
    file: 'reports/interactive/filters.ts',
    find: 'return Number(isNone) - Number(isOtherNone);',
    replace: 'return Number(isOtherNone) - Number(isNone);',
    test: 'test/browser/devices.test.ts',
    title: 'last of all',
  },
  {
    what: 'A page lets any script run.',
    file: 'reports/pages/interactive-parts.ts',
    find: "script-src 'sha256-",
    replace: "script-src 'unsafe-inline' 'sha256-",
    test: REPORT,
    title: 'allows its one script by its hash',
  },
  {
    what: 'An outline is drawn about the usual origin, wherever the scenario is.',
    file: 'scenarios/places/outline.ts',
    find: 'placeAt({ latitude, longitude }, origin)',
    replace: 'placeAt({ latitude, longitude }, { latitude: 48, longitude: 11 })',
    test: 'test/scenarios/outline.test.ts',
    title: 'about the origin of the scenario',
  },
  {
    what: 'The energy of updates is that of listening to sessions alone.',
    file: 'reports/interactive/fields.ts',
    find: '(heard ?? 0) + (written ?? 0)',
    replace: '(heard ?? 0)',
    test: 'test/browser/devices.test.ts',
    title: 'of the energy of updates',
  },
];
