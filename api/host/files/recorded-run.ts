/**
 * A `result.json` or `study.json` of `fleetwave run`: what it says of its run, or of each seed, or
 * what is wrong with it.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Manifest } from '../../../core/result/manifest.ts';
import type { SeedRow } from '../../../core/result/study.ts';
import type { FailedDevice } from '../../../scenarios/branching/repeated-run.ts';
import { faultsOf, format, type Problem } from '../../../scenarios/language/problem.ts';
import { pointerTo } from '../../../sim/base/json-pointer.ts';
import { describeSystemError } from '../process/system-error.ts';

const RESULT = 'a result.json of fleetwave run';

export interface RecordedRun {
  /** Of Fleetwave. */
  readonly version: string;
  /** 16 hex digits. */
  readonly digest: string;
  /** Whether the run finished; false: it was stopped after an event limit. */
  readonly complete: boolean;
  readonly events: number;
  readonly virtualSeconds?: number | undefined;
  readonly manifest: Manifest;
  /** Its campaigns; absent where they are not as a result has them. */
  readonly campaigns?: readonly RecordedCampaign[] | undefined;
}

export interface RecordedCampaign {
  readonly failed: number;
  /** The first of those. */
  readonly failedDevices: readonly FailedDevice[];
}

const text = (allowed: string) => z.string({ error: complaint(allowed) });
const list = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(entry, { error: complaint('a list') });
const map = <Shape extends z.ZodRawShape>(shape: Shape, allowed = 'a map') =>
  z.object(shape, { error: complaint(allowed) });

function complaint(allowed: string) {
  return ({ input }: { readonly input?: unknown }) =>
    `${input === undefined ? 'is missing' : 'is not right'}; allowed: ${allowed}`;
}

const FILE = z.union(
  [
    map({ path: text('a path'), text: text('a text') }),
    map({ path: text('a path'), base64: z.base64({ error: complaint('base64') }) }),
  ],
  { error: complaint('a path with a text or with base64') },
);

const BRANCH = map({
  atSeconds: z.number({ error: complaint('a number') }),
  set: list(text('path=value')),
});

const DIGEST = '16 hexadecimal digits';
const MANIFEST = map(
  {
    scenario: text('the text of a scenario'),
    files: list(FILE),
    variant: text('a name').optional(),
    set: list(text('path=value')),
    seed: text('a text').min(1, { error: complaint('a text') }),
    branch: BRANCH.optional(),
    laterBranches: list(BRANCH).optional(),
  },
  'what fleetwave run writes of its scenario, overrides and seed',
);

const RECORDED = map({
  version: text('a version of Fleetwave'),
  digest: text(DIGEST).regex(/^[0-9a-f]{16}$/, { error: complaint(DIGEST) }),
  complete: z.boolean({ error: complaint('true, false') }),
  events: z.int({ error: complaint('a whole number') }).min(0, { error: complaint('0 or more') }),
  virtualSeconds: z.number({ error: complaint('a number') }).optional(),
  manifest: MANIFEST,
  // They only save a run: what is not right here is looked for there.
  campaigns: z
    .array(
      z.object({
        failed: z.int(),
        failedDevices: z.array(z.object({ devEui: z.string(), cause: z.string() })),
      }),
    )
    .optional()
    .catch(undefined),
});

/** Sentences with their places. */
export interface Faults {
  readonly faults: string[];
}

/** Sentences with their places where the file is none that a run could be repeated from. */
export function readRecordedRun(path: string): RecordedRun | Faults {
  const read = readJson(path, RESULT);
  return 'faults' in read ? read : recordedIn(path, read.document);
}

/** The same of what is in the file. */
export function recordedIn(path: string, document: unknown): RecordedRun | Faults {
  if (isBridged(document)) return problem(path, OF_A_BRIDGE);
  return checked(path, RECORDED, document);
}

/** Its plan and seed are not all: a real server had its part, which stands beside. */
const isBridged = (document: unknown): boolean =>
  typeof document === 'object' && document !== null && 'outsideServer' in document;

const OF_A_BRIDGE =
  'is of fleetwave bridge; allowed: a result.json of fleetwave run ' +
  '(fleetwave bridge replay FOLDER repeats this one)';

/** What is in a file of JSON; `allowed` is what the file is to be. */
export function readJson(path: string, allowed: string): { readonly document: unknown } | Faults {
  let json: string;
  try {
    json = readFileSync(path, 'utf8');
  } catch (error) {
    return problem(path, `cannot be read: ${describeSystemError(error)}`);
  }
  try {
    return { document: JSON.parse(json) };
  } catch (error) {
    const { message } = error as Error;
    const at = `${path}${placeOf(json, message)}`;
    return problem(at, `is not JSON: ${message}; allowed: ${allowed}`);
  }
}

export function problem(where: string, message: string): Faults {
  const one: Problem = { where, line: 0, pointer: '', message };
  return { faults: [format(one)] };
}

function checked<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
  document: unknown,
): z.infer<Shape> | Faults {
  const read = shape.safeParse(document);
  if (read.success) return read.data;
  return {
    faults: faultsOf(read.error.issues).map(({ path: at, complaint: what }) =>
      format({ where: path, line: 0, pointer: pointerTo(at), message: String(what) }),
    ),
  };
}

/** Of a `study.json`, as far as two of them are compared. */
export interface RecordedStudy {
  readonly version: string;
  readonly scenario: string;
  readonly digest: string;
  readonly rows: readonly SeedRow[];
  readonly manifest: Manifest;
}

const SEED_ROW = z.union(
  [
    map({
      seed: text('a seed'),
      digest: text(DIGEST),
      figures: z.record(z.string(), z.number().nullable()),
      expectations: list(z.any()),
      unfinished: list(text('a name')),
    }),
    map({ seed: text('a seed'), error: text('what broke') }),
  ],
  { error: complaint('a seed with its digest and figures, or with what broke') },
);

const STUDY = map({
  version: text('a version of Fleetwave'),
  scenario: text('a name'),
  digest: text(DIGEST),
  rows: list(SEED_ROW),
  manifest: MANIFEST,
});

export const studyIn = (path: string, document: unknown): RecordedStudy | Faults =>
  checked(path, STUDY, document);

/** `:line:column` where the parser says how far it came; else its message quotes the place. */
function placeOf(json: string, message: string): string {
  const at = /position (\d+)/.exec(message)?.[1];
  if (at === undefined && !message.includes('end of JSON')) return '';
  const before = json.slice(0, at === undefined ? json.length : Number(at)).split('\n');
  return `:${before.length}:${before.at(-1)!.length + 1}`;
}
