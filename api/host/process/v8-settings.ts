/** Settings of the JavaScript engine: how soon it optimises what runs often. */

/** Bytecode that a function runs between two looks at whether it is worth optimising. */
const BUDGET = { short: 1_000_000, long: 300_000 } as const;

/** The engine that runs this process, but for tests. */
export interface Engine {
  readonly version: string;
  readonly setFlags: (flags: string) => void;
}

/** The module is loaded only where it is used: that takes 2 ms. */
const OWN: Engine = {
  version: process.versions.v8,
  setFlags: (flags) => process.getBuiltinModule('node:v8').setFlagsFromString(flags),
};

/**
 * V8 11 (Node.js 20) looks every 67 584 bytes. That is so often that a short run spends a third of
 * its time on optimising what is then thrown away. A run of many seconds loses more by code that
 * stays slow. Later engines have a compiler in between.
 */
function lookEvery(bytes: number, { version, setFlags }: Engine): void {
  if (version.startsWith('11.')) setFlags(`--interrupt-budget=${bytes}`);
}

/** CPU seconds of the forecast before a run, calibrated with W1 and 1 750 devices. */
const LONG_RUN_S = 0.6;

/** From the start of a process on that may be over soon. */
export const expectShortRun = (engine = OWN): void => lookEvery(BUDGET.short, engine);

/** From here on: a server, a study, a run that will take its time. */
export const expectLongRun = (engine = OWN): void => lookEvery(BUDGET.long, engine);

/** Of a run that was begun as a short one, now that its cost is known. */
export function expectRunOf(cpuSeconds: number, engine = OWN): void {
  if (cpuSeconds > LONG_RUN_S) expectLongRun(engine);
}
