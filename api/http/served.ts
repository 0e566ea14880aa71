/** What the door asks of its host: a world that is served, operations, and who may knock. */
import type { FastifyBaseLogger, FastifyRequest, FastifyServerFactory } from 'fastify';
import type { Command } from '../../core/command.ts';
import type { Permission } from '../../core/kit/permissions.ts';
import type { Query } from '../../core/query.ts';
import type { Result } from '../../sim/base/result.ts';
import type { HostOperations } from './offered.ts';

/** `meanwhile`: the thing is still being made, and this is what there is of it. */
export type Answer = Result<unknown> & { readonly meanwhile?: true };

export interface Served {
  /** Brings the world to where its clock is, as far as one slice of time allows. */
  catchUp(): void;
  ask(query: Query): Answer;
  submit(command: Command): Answer;
  /** RFC 3339 with microseconds. */
  readonly simTime: string;
  /** Virtual time, ms since 1970. */
  readonly unixMs: number;
}

/** Who a token stands for. */
export interface Identity {
  readonly subscriber: string;
  /** All when absent. */
  readonly permissions: readonly Permission[] | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Where a token is needed. */
    identity: Identity;
  }
}

export interface DoorOptions {
  readonly served: Served;
  /** The host's own operations, by kind. */
  readonly host: HostOperations;
  /** Throws a `Refusal` where a request carries no token that holds. */
  readonly authenticate: (request: FastifyRequest) => Promise<Identity>;
  /** Whether each answer is held to its own schema; a fault is an answer of 500. */
  readonly checkAnswers?: boolean;
  readonly logger?: FastifyBaseLogger;
  readonly serverFactory?: FastifyServerFactory;
}
