/**
 * Faults of the API by rule: which requests a rule is about, and whether it strikes one of them.
 * http/watching/faults.ts applies a fault to a request.
 *
 * Draws are hashes of the world's seed, the rule and how many requests it was about: the same
 * requests meet the same faults.
 */
import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { AskedFault } from './api-fault-fields.ts';

/** Rules at a time: each request looks at all of them. */
export const MOST_FAULTS = 100;

/** A request, as rules look at it. */
export interface FaultRequest {
  readonly method: string;
  /** As it was asked for, without its query. */
  readonly path: string;
  /** The same as documented, with `{name}`; a family may have two prefixes. */
  readonly documented: readonly string[];
  /** Kind of its operation; undefined: the path has none. */
  readonly operation: string | undefined;
  /** Virtual time, µs. */
  readonly nowUs: number;
}

/** Facts of an HTTP server: operations that rules may name, and whether a path is a service's. */
export interface Places {
  readonly paths: ReadonlySet<string>;
  readonly operations: ReadonlySet<string>;
  readonly isOfService: (path: string) => boolean;
}

/** The window of a rule, virtual time, µs; `toUs` is outside. */
export interface Window {
  readonly fromUs: number;
  readonly toUs: number;
}

/** What becomes of one request; waits in ms of the wall's clock. */
export interface Strikes {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** The first that is no wait; undefined: there is none. */
  readonly rule: FaultRule | undefined;
}

export class FaultRule {
  /** Counted from 1. */
  readonly id: string;
  readonly asked: AskedFault;
  readonly #window: Window;
  readonly #seed: string;
  #matched = 0;
  #struck = 0;

  constructor(id: string, asked: AskedFault, window: Window, seed: string) {
    this.id = id;
    this.asked = asked;
    this.#window = window;
    this.#seed = seed;
  }

  /** Requests that it was about. */
  get matched(): number {
    return this.#matched;
  }

  get struck(): number {
    return this.#struck;
  }

  /** Looks at a request that it may be about: whether it strikes. */
  strikes(request: FaultRequest): boolean {
    const { probability = 1, count = Number.POSITIVE_INFINITY } = this.asked;
    if (this.#struck >= count || !this.#isAbout(request)) return false;
    this.#matched++;
    const isStruck = this.#draw() < probability;
    if (isStruck) this.#struck++;
    return isStruck;
  }

  #isAbout({ method, path, documented, operation, nowUs }: FaultRequest): boolean {
    const { asked } = this;
    const { fromUs, toUs } = this.#window;
    return (
      (asked.method === undefined || asked.method === method) &&
      (asked.operation === undefined || asked.operation === operation) &&
      (asked.path === undefined || isPath(asked.path, path, documented)) &&
      nowUs >= fromUs &&
      nowUs < toUs
    );
  }

  /** 0 to 1, without 1. */
  #draw(): number {
    const stream = JSON.stringify([this.#seed, this.id, this.#matched]);
    return createHash('sha256').update(stream).digest().readUInt32BE(0) / 2 ** 32;
  }
}

const isPath = (wanted: string, path: string, documented: readonly string[]): boolean =>
  wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : documented.includes(wanted);

/** What is struck only by rules whose path begins so: the simulator's own, and tokens. */
const OWN_PATHS = ['/sim/v1/', '/oauth/', '/oauth2/'];
/** How faults are ended. */
const NEVER = '/sim/v1/faults';

export class ApiFaults {
  readonly #seed: string;
  readonly #places: Places;
  /** By id, in the order in which they came. */
  readonly #rules = new Map<string, FaultRule>();
  #count = 0;

  constructor(seed: string, places: Places) {
    this.#seed = seed;
    this.#places = places;
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  get rules(): readonly FaultRule[] {
    return [...this.#rules.values()];
  }

  add(asked: AskedFault, window: Window): Result<FaultRule> {
    const { path, operation } = asked;
    if (path !== undefined && !path.endsWith('*') && !this.#places.paths.has(path)) {
      const message = `No path is documented as ${path}; a beginning of paths ends with *.`;
      return fail('apiFault.unknown-path', message, '/path');
    }
    if (operation !== undefined && !this.#places.operations.has(operation)) {
      return fail('apiFault.unknown-operation', `No operation is ${operation}.`, '/operation');
    }
    if (this.#rules.size >= MOST_FAULTS) {
      return fail('apiFault.too-many', `There are ${MOST_FAULTS} faults at the most.`);
    }
    const rule = new FaultRule(`${++this.#count}`, asked, window, this.#seed);
    this.#rules.set(rule.id, rule);
    return ok(rule);
  }

  /** Whether there was one. */
  end(id: string): boolean {
    return this.#rules.delete(id);
  }

  endAll(): void {
    this.#rules.clear();
  }

  /**
   * What strikes a request: waits add up; of all else the first counts, and the rules after it do
   * not look at the request. Undefined: nothing does.
   */
  strike(request: FaultRequest): Strikes | undefined {
    let [beforeMs, afterMs] = [0, 0];
    let first: FaultRule | undefined;
    for (const rule of this.#rules.values()) {
      const { latency_ms, when } = rule.asked;
      if (latency_ms === undefined && first !== undefined) continue;
      if (!this.#reaches(rule, request.path) || !rule.strikes(request)) continue;
      if (latency_ms === undefined) first = rule;
      else if (when === 'after') afterMs += latency_ms;
      else beforeMs += latency_ms;
    }
    const isStruck = first !== undefined || beforeMs > 0 || afterMs > 0;
    return isStruck ? { beforeMs, afterMs, rule: first } : undefined;
  }

  #reaches({ asked }: FaultRule, path: string): boolean {
    if (path.startsWith(NEVER)) return false;
    const own = OWN_PATHS.find((each) => path.startsWith(each));
    return own === undefined
      ? this.#places.isOfService(path)
      : asked.path?.startsWith(own) === true;
  }
}
