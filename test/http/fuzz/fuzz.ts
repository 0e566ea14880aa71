/** Sends cases one after the other to a served world, and holds each answer to the laws. */
import fc from 'fast-check';
import { type Case, casesOf, type Request, requestOf } from './cases.ts';
import type { Operation } from './document.ts';
import { type Answer, type Fleet, makeFleet } from './fleet.ts';
import { answersOf, faultOf, firstDifference, traceFault, traceOf } from './laws.ts';
import { type Pools, restock } from './pools.ts';

/** How many cases come between two looks at all GETs, and between two restockings. */
const LOOK_EVERY = 50;
const RESTOCK_EVERY = 100;
/** Of one world; then there is a new one. */
const CASES_A_WORLD = 4_000;

/** Cases by operation and status. */
export type Totals = Map<string, Map<number, number>>;

export class Fuzz {
  readonly totals: Totals = new Map();
  cases = 0;
  #fleet: Fleet | undefined;
  #pools!: Pools;
  #sent = 0;

  /** What to do where a law does not hold; throws when absent. */
  readonly #report: (words: string) => void;

  constructor(
    report: (words: string) => void = (words) => {
      throw new Error(words);
    },
  ) {
    this.#report = report;
  }

  /** The number of cases of an operation. */
  async run(operationId: string, count: number, seed: number): Promise<void> {
    const fleet = await this.fleet();
    const operation = fleet.operations.find(({ id }) => id === operationId)!;
    const cases = fc.sample(casesOf(operation), { numRuns: count, seed });
    for (const [i, given] of cases.entries()) await this.#try(given, `${operationId} ${i}`);
  }

  async operations(): Promise<readonly Operation[]> {
    return (await this.fleet()).operations;
  }

  async fleet(): Promise<Fleet> {
    if (this.#sent >= CASES_A_WORLD) await this.close();
    if (this.#fleet !== undefined) return this.#fleet;
    this.#sent = 0;
    this.#fleet = await makeFleet();
    await this.#fleet.advance(3_600);
    this.#pools = await restock(this.#fleet, 0);
    return this.#fleet;
  }

  async close(): Promise<void> {
    await this.#fleet?.close();
    this.#fleet = undefined;
  }

  async #try(given: Case, name: string): Promise<void> {
    const fleet = await this.fleet();
    if (this.#sent % RESTOCK_EVERY === 0) {
      this.#pools = await restock(fleet, this.#sent);
      await fleet.advance(600);
    }
    const looks = this.#sent % LOOK_EVERY === 0;
    this.#sent++;
    this.cases++;
    const request = requestOf(given, this.#pools, fleet.parts.tokens[given.as]);
    const answers = looks ? await answersOf(fleet, this.#pools) : undefined;
    const before = traceOf(fleet);
    const answer = await fleet.ask(request);
    this.#count(given.operation.id, answer.statusCode);
    const fault =
      faultOf(fleet, given, request, answer) ??
      (answer.statusCode >= 400 ? this.#traceFault(before, answer) : undefined) ??
      (fleet.parts.broken.length > 0 ? `the world broke: ${fleet.parts.broken[0]}` : undefined);
    if (fault !== undefined) this.#report(words(name, given, request, answer, fault));
    fleet.settle();
    if (given.operation.id === 'apiFault.create') await fleet.endFaults();
    if (answers === undefined || answer.statusCode < 400 || isAdvance(given)) return;
    const difference = firstDifference(answers, await answersOf(fleet, this.#pools));
    if (difference === undefined) return;
    this.#report(words(name, given, request, answer, `a refusal changed a GET: ${difference}`));
  }

  #traceFault(before: ReturnType<typeof traceOf>, { body }: Answer): string | undefined {
    // What an advance that was cancelled has come to stays.
    if (body.includes('advance.cancelled')) return undefined;
    return traceFault(before, traceOf(this.#fleet!));
  }

  #count(id: string, status: number): void {
    const own = this.totals.get(id) ?? new Map<number, number>();
    this.totals.set(id, own.set(status, (own.get(status) ?? 0) + 1));
  }
}

const isAdvance = ({ operation }: Case): boolean => operation.id === 'clock.advance';

const SHOWN = 800;

function words(name: string, given: Case, request: Request, answer: Answer, fault: string): string {
  const { method, url, headers, payload } = request;
  const { authorization: _, 'x-unknown': __, ...response } = headers;
  return [
    `${name} (${given.style}, ${given.twist}, as ${given.as}): ${fault}`,
    `${method} ${url.slice(0, SHOWN)}`,
    JSON.stringify(response).slice(0, SHOWN),
    payload?.toString('latin1').slice(0, SHOWN),
    `→ ${answer.statusCode} ${answer.body.slice(0, SHOWN)}`,
  ].join('\n');
}
