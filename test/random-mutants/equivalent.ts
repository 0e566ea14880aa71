/** Faults that no test can notice, each with the reason. */

interface Equivalent {
  readonly file: string;
  /** Whole lines without and with the fault, white space as one blank. */
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'scenarios/checks/delegation-check.ts',
    before: 'for (let i = 0; i < one.length; i++) {',
    after: 'for (let i = 0; i <= one.length; i++) {',
    reason: 'Patterns have the same length; behind their ends both are undefined, which is equal.',
  },
  {
    file: 'core/management/end-devices/device-table.ts',
    before: 'devEui[one]! < devEui[other]! ? -1 : 1,',
    after: 'devEui[one]! < devEui[other]! ? -1 : 2,',
    reason: 'A comparison: its sign alone counts.',
  },
  {
    file: 'sim/device/block.ts',
    before: 'const needed = ((number - 1) >> 5) + 2;',
    after: 'const needed = ((number - 1) >> 5) + 3;',
    reason: 'One more word is reserved than is needed, and none of it is read.',
  },
  {
    file: 'sim/kernel/event-queue.ts',
    before: 'time[RING_END] += slots * time[WIDTH];',
    after: 'time[RING_END] += slots / time[WIDTH];',
    reason:
      'The ring reaches less far, and more events wait in the heap: slower, in the same order.',
  },
  {
    file: 'sim/device/multicast-state.ts',
    before: 'this.keptFragments.clear();',
    after: ';',
    reason: 'A state is loaded into a network that was just built: nothing is there yet.',
  },
  {
    file: 'sim/network-server/downlink-queue.ts',
    before: 'downlink === line.tried ? -1 : Math.max(nowUs, downlink.notBeforeUs);',
    after: 'downlink === line.tried ? -2 : Math.max(nowUs, downlink.notBeforeUs);',
    reason: 'An instant before all others: instants begin at 0.',
  },
  {
    file: 'api/host/deliveries/deliverer.ts',
    before: "if (effect.kind !== 'ended' || emitted.has(ordinal)) continue;",
    after: "if (effect.kind !== 'ended' && emitted.has(ordinal)) continue;",
    reason: 'More is read from the store, of deliveries that do not end in this batch; unused.',
  },
  {
    file: 'api/host/studies/study-folder.ts',
    before: 'rmSync(own, { force: true });',
    after: 'rmSync(own, { force: false });',
    reason: 'The file is there: this process has just opened it, and nobody else knows its name.',
  },
  {
    file: 'sim/lorawan/aes.ts',
    before: 'const whole = length > 0 && (length & 15) === 0;',
    after: 'const whole = length > 1 && (length & 15) === 0;',
    reason: 'A length of 1 is no multiple of 16 anyway.',
  },
  {
    file: 'sim/network/network.ts',
    before: 'if (at % ROWS_A_STEP === 0) yield;',
    after: 'if (at % ROWS_A_STEP === 1) yield;',
    reason: 'Steps are as long as before, and end at other rows.',
  },
  {
    file: 'core/update-service/managed-campaigns/eligible.ts',
    before: 'const find = matching(patterns.map((pattern) => [pattern, true] as const));',
    after: 'const find = matching(patterns.map((pattern) => [pattern, false] as const));',
    reason: 'What a pattern is found with is counted, and never read.',
  },
  {
    file: 'api/host/world/durable-commands.ts',
    before: 'if (at > from && this.#nowMs() >= untilMs) {',
    after: 'if (at > from && this.#nowMs() > untilMs) {',
    reason: 'The clock has fractions of a microsecond: no slice ends exactly at its end.',
  },
  {
    file: 'api/http/openapi-components.ts',
    before: 'const named = [...this.#names].sort(([, a], [, b]) => (a < b ? -1 : 1));',
    after: 'const named = [...this.#names].sort(([, a], [, b]) => (a <= b ? -1 : 1));',
    reason: 'Each name is that of one component, so no two are equal.',
  },
  {
    file: 'core/delivery/alerts/following.ts',
    before: '#keep(gateway: Followed, standing: Standing, nowUs: number, byTimer = true): void {',
    after: '#keep(gateway: Followed, standing: Standing, nowUs: number, byTimer = false): void {',
    reason: 'The next look comes sooner, and finds what it would have found.',
  },
  {
    file: 'sim/lorawan/fragmentation-rank.ts',
    before: 'let held = 0;',
    after: 'let held = 1;',
    reason:
      'Fewer rows are tried first. Where they do not suffice, more follow until all were tried.',
  },
  {
    file: 'sim/device/battery.ts',
    before: 'return true;',
    after: 'return false;',
    reason: 'Nothing of a device that has died is due: all its appointments were cancelled.',
  },
  {
    file: 'core/management/gateways/changes.ts',
    before:
      ": { unplaced: isUnknown(Coordinates), heightMeters: Number(Coordinates.Z ?? '0') + 0 }),",
    after:
      ": { unplaced: isUnknown(Coordinates), heightMeters: Number(Coordinates.Z ?? '0') - 0 }),",
    reason: 'A zero below zero has the text and the digest of any other.',
  },
  {
    file: 'sim/lorawan/aes.ts',
    before: 'const T0 = new Int32Array(256);',
    after: 'const T0 = new Int32Array(257);',
    reason: 'A byte has 256 values: one entry more is never read.',
  },
  {
    file: 'sim/network-server/mask-block.ts',
    before: 'const banks = Array.from({ length: Math.ceil(on.length / 16) }, (_, n) => n)',
    after: 'const banks = Array.from({ length: Math.ceil(on.length * 16) }, (_, n) => n)',
    reason: 'Banks behind the last channel have no bits before or after, so none has changed.',
  },
];

export const reasonOf = (file: string, before: string, after: string): string | undefined =>
  EQUIVALENT.find((one) => one.file === file && one.before === before && one.after === after)
    ?.reason;
