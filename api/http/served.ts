/** Interface of the HTTP layer to its host: a served world, operations, and authentication. */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Steps } from '../../core/base/in-steps.ts';
import type { Command } from '../../core/command.ts';
import type { Query } from '../../core/query.ts';
import type { WorldFacts } from '../../core/world/facts.ts';
import type { Result } from '../../sim/base/result.ts';
import type { Identity } from '../host/accounts/accounts.ts';
import type { Claim } from '../host/requests/response-store.ts';
import type { NewsListener } from '../host/watching/event-streams.ts';
import type { Figures } from '../host/watching/figures.ts';
import type { RequestTally } from '../host/watching/request-tally.ts';
import type { ClientRecords } from '../host/watching/watch.ts';
import type { DurableKeys } from '../host/world/hosted-world.ts';
import type { Auth } from './auth/auth.ts';
import type { HostOperations } from './served-operations.ts';

/** `meanwhile`: the thing is still being made, and this is what there is of it. */
export type Answer = Result<unknown> & { readonly meanwhile?: true };

export interface Served {
  /** Brings the world to where its clock is, as far as one slice of time allows. */
  catchUp(): void;
  ask(query: Query): Answer;
  /** `ask` in steps, whose answer is what is true now, whenever they are done. */
  open(query: Query): Result<Steps<unknown>>;
  /** Outcome; a promise where the command has to be stored first. */
  submit(command: Command, claim?: Claim): Answer | Promise<Answer>;
  /** How long a subscriber waits for the next command, whole s; absent: nobody does. */
  waitS?(subscriber: string): number;
  /** News from now on, until what is returned is called. */
  listen(listener: NewsListener): () => void;
  /** RFC 3339 with microseconds. */
  readonly simTime: string;
  /** Virtual time, ms since 1970. */
  readonly unixMs: number;
  /** Virtual time, µs since the start. */
  readonly nowUs: number;
  /** Of the world. */
  readonly seed: string;
  readonly facts: WorldFacts;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, where a token is needed. */
    identity: Identity;
  }
  interface FastifyInstance {
    /** Before all paths, as clients see it: that of the world (front.ts). */
    worldPath: string;
  }
}

/** Whose turns on the event loop a request takes; '' where no token is needed. */
export const callerOf = ({ identity }: FastifyRequest): string => identity?.subscriber ?? '';

export interface EntryOptions {
  readonly served: Served;
  /** The host's own operations, by kind. */
  readonly host: HostOperations;
  /** Who may knock. */
  readonly auth: Auth;
  /** By which answers are remembered for a day, ms since 1970; the wall's clock when absent. */
  readonly now?: (() => number) | undefined;
  /** Idempotency keys that outlive the process; absent: they end with it. */
  readonly keys?: DurableKeys | undefined;
  /** PEM of the authority that the certificate is from; absent over plain HTTP. */
  readonly ca?: string | undefined;
  /** Bytes that a JSON body has at most, where its operation takes as many. */
  readonly bodyBytes?: number | undefined;
  /** Whether operations of the simulator itself are served. */
  readonly simControl: boolean;
  /** Whether each answer is held to its own schema; a fault is an answer of 500. */
  readonly checkAnswers?: boolean;
  readonly logger?: FastifyBaseLogger;
  /** Whose time answers tell, where another world may have taken the place of this one by then. */
  readonly clock?: (() => Pick<Served, 'simTime' | 'unixMs'>) | undefined;
  /** Client records of the previous server; absent: new ones. */
  readonly records?: ClientRecords | undefined;
  /** Before all paths, as clients see it; '' when absent. */
  readonly path?: string;
  /** Counts what is answered. */
  readonly tally?: RequestTally;
  /** Text of `/metrics`; absent: there is no such path. */
  readonly metrics?: readonly Figures[] | undefined;
}
