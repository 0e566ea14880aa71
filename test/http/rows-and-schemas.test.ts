/** Requests are read by rows, and documented by schemas made of them: both say the same. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostRuns } from '../support/long.ts';
import { type Fleet, makeFleet } from './fuzz/fleet.ts';
import { type Bodied, bodiedOperations, REASONS, reasonsAt } from './fuzz/rows.ts';
import { boundary, edit, edited, jsonText, type Known, resolved, valid } from './fuzz/values.ts';

const RUNS = 300;

let fleet: Fleet;
let operations: readonly Bodied[] = [];
const seen = new Set<string>();

beforeAll(async () => {
  fleet = await makeFleet();
  operations = bodiedOperations(fleet.parts.current().host);
});
afterAll(async () => await fleet.close());

const schemaOf = (kind: string) => fleet.operations.find(({ id }) => id === kind)!.body!.schema;

/** What the schema refuses is refused; what it takes is taken, but for a reason that is known. */
function compare({ kind, read, row }: Bodied, body: unknown, text: string): void {
  const fault = fleet.judge.fault(schemaOf(kind), body);
  const way = read(body);
  if (fault !== undefined) expect(way, `${kind} takes ${text}: ${fault}`).toBeDefined();
  if (fault !== undefined || way === undefined) return;
  // No schema of a body knows the path, whose Id that of the body has to be.
  if (way.length === 0 && hasId(body)) return;
  const reasons = reasonsAt(row, body, way);
  expect(reasons, `${kind} refuses ${text} at ${JSON.stringify(way)}`).not.toEqual([]);
  for (const reason of reasons) seen.add(reason);
}

const hasId = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).some((name) => /^id$/i.test(name));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const pick = ({ nth }: Known): string => ['00000000000000AA', 'somebody', 'a'][nth % 3]!;

describe('what the schema of a body says of a value, the rows of its operation say', () => {
  it('in every operation; but for reasons that no keyword of JSON Schema has', () => {
    expect(operations.length).toBeGreaterThan(10);
    for (const operation of operations) {
      const schema = schemaOf(operation.kind);
      const right = fc.oneof(valid(schema), boundary(schema));
      fc.assert(
        fc.property(right, fc.array(edit, { maxLength: 2 }), (value, edits) => {
          const text = jsonText(edits.reduce(edited, resolved(value, pick)));
          const body = parsed(text);
          if (body !== undefined) compare(operation, body, text);
        }),
        { numRuns: mostRuns(RUNS) },
      );
    }
  });

  it('each of these reasons is met', () => {
    expect([...seen].sort()).toEqual(Object.keys(REASONS).sort());
  });

  it('JSON’s null is no body, and an absent one is empty', async () => {
    const headers = { ...fleet.headersOf('ann'), 'content-type': 'application/json' };
    const put = async (payload: string) => {
      const asked = { method: 'PUT', url: '/sim/v1/clock', headers };
      return (await fleet.ask({ ...asked, payload: Buffer.from(payload) })).statusCode;
    };
    expect(await put('null')).toBe(400);
    expect(await put('')).toBe(200);
    expect(await put('{}')).toBe(200);
  });
});
