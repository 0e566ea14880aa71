/**
 * Interface of the platform's resources, and how a module declares one (`declareResource`).
 *
 * Problem: an operation once stood in many places: its schema, its name, its type in a union, its
 * switch case, its failures and its generator. A new operation missed some of them, and the
 * compiler noticed only a few (docs/decisions/0035).
 *
 * Approach: a resource is one declaration. Rows describe each operation: verb, input fields,
 * response, failure codes and description. A handler belongs to each row, and its types derive from
 * the row. The compiler refuses a handler that returns more than its row, or fails with another
 * code. `core/resources.ts` lists the declarations. Platform, commands, queries, permissions and
 * pages derive from that list.
 *
 * A resource may also listen to events, own timers, save its records and answer `isIdle`. It names
 * the kinds of events that it listens to. A world pays only for kinds that have a listener
 * (docs/decisions/0040).
 *
 * Rejected: subclasses with methods per operation. Schemas and documents cannot be derived from a
 * method. Also rejected: a generic switch in the platform, since it would know every resource.
 */

import type { JsonObject } from '../../sim/base/json.ts';
import { type Failure, ok, type Result } from '../../sim/base/result.ts';
import type { Fields, Given, Kind, Of } from '../../sim/base/rows/fields.ts';
import type { HeardPackage, News } from '../../sim/contract/news.ts';
import type { Contents } from '../base/contents.ts';
import type { Copies } from '../base/copies.ts';
import type { Downlinks } from '../base/downlinks.ts';
import type { Fold } from '../base/fold.ts';
import type { Draws, Ids } from '../base/ids.ts';
import type { InSteps, ResultOf } from '../base/in-steps.ts';
import type { Outbox } from '../base/outbox.ts';
import type { Asking, OwnView } from '../base/subscribers.ts';
import type { Timers } from '../base/timers.ts';
import type { Watching } from '../base/watching.ts';
import type { WholeWorld } from '../base/whole-world.ts';
import type { CodecEngine } from '../codecs/engine.ts';
import type { PermissionObject, Verb } from '../rows/permissions.ts';
import type { FailureClasses } from './failures.ts';

/** An operation: its verb, what it takes beside the caller, and what it does, for people. */
export interface Operation {
  readonly verb: Verb;
  /** Any known caller may use it: it needs no permission. */
  readonly open?: true;
  readonly takes: Fields;
  /** What it answers; null: nothing. */
  readonly answers: Kind | null;
  /** What it answers instead while what is asked for is still being made (`meanwhile`). */
  readonly meanwhile?: Kind;
  /** Its answer is a list of very many: a handler gives it in steps (core/base/in-steps.ts). */
  readonly inSteps?: true;
  /** The verb of scenario files' timelines that is this command, for one thing or many. */
  readonly timeline?: TimelineVerb;
  /** Codes of its refusals, beyond those of admission, which those of the rows are among. */
  readonly fails: readonly string[];
  readonly is: string;
}

/** A verb of the timeline; its knobs are the fields of its operation. */
export interface TimelineVerb {
  readonly verb: string;
  /** What it does to devices or gateways, a sentence. */
  readonly is: string;
  /** Fields that files call by other names. */
  readonly knobs?: Readonly<Record<string, { readonly name: string; readonly is: string }>>;
}

/** By kind, `noun.verb`. */
export type Operations = { readonly [kind: string]: Operation };

/** An answer in the form of `meanwhile`: who reads it need not guess by its fields. */
export const meanwhile = <Value>(value: Value) => ({ ...ok(value), meanwhile: true as const });

/** The answer of what answers nothing, once its work is done. */
export const done = (_work?: unknown) => ok(undefined);

/** What the row of an operation has it answer; undefined: nothing. */
export type AnswerOf<O extends Operation> = O['answers'] extends null
  ? undefined
  : Of<O['answers']>;
export type MeanwhileOf<O extends Operation> = O extends { meanwhile: infer Form }
  ? Of<Form>
  : never;

/** What comes of an operation, as its row has it. */
export type Outcome<Answer, Meanwhile, Code extends string> =
  | { readonly ok: true; readonly value: Answer; readonly meanwhile?: never }
  | ([Meanwhile] extends [never]
      ? never
      : { readonly ok: true; readonly value: Meanwhile; readonly meanwhile: true })
  | { readonly ok: false; readonly failure: Failure<Code> };

/**
 * One function for each operation. It receives what was asked, read by the rows of `takes`. It does
 * not throw; a refusal changes nothing, and a query changes nothing at all.
 */
export type Handlers<All extends Operations> = {
  readonly [Kind in keyof All]: (
    asked: Given<All[Kind]['takes']>,
    asking: Asking,
  ) => Outcome<GivenFor<All[Kind]>, MeanwhileOf<All[Kind]>, All[Kind]['fails'][number]>;
};

/** What its handler gives for the answer of an operation. */
type GivenFor<O extends Operation> = InSteps<O, AnswerOf<O>>;

/** What a handler answers, and the codes of its refusals. */
type ValueIn<Given> = Given extends { readonly value: infer Value } ? ResultOf<Value> : never;
type CodeIn<Given> = Given extends { readonly failure: { readonly code: infer Code } }
  ? Code
  : never;
type GivenBy<Handler> = Handler extends (...given: never) => infer Given ? Given : never;

/** Names of fields that a value has and its rows do not. */
type Untold<Value, Response> = Value extends readonly (infer Each)[]
  ? Response extends readonly (infer Row)[]
    ? Untold<Each, NonNullable<Row>>
    : never
  : Value extends object
    ? JsonObject extends Response
      ? never
      : {
          [K in keyof Value]-?: K extends keyof Response
            ? Untold<Value[K], NonNullable<Response[K]>>
            : K;
        }[keyof Value]
    : never;

type IfAny<Names, What extends string> = [Names] extends [never]
  ? unknown
  : { readonly [W in What]: Names };

/** What `Handlers` alone would let pass: that one answers more than its row, or fails less. */
type Exactly<All extends Operations, Handled> = {
  readonly [Kind in keyof All & keyof Handled]: IfAny<
    Untold<ValueIn<GivenBy<Handled[Kind]>>, AllAnswers<All[Kind]>>,
    'answers what its row does not have'
  > &
    IfAny<Exclude<All[Kind]['fails'][number], CodeIn<GivenBy<Handled[Kind]>>>, 'never fails with'>;
};

/** All that may stand in what an operation answers. */
type AllAnswers<O extends Operation> = O['answers'] extends null
  ? MeanwhileOrAny<O>
  : AnswerOf<O> & MeanwhileOrAny<O>;

type MeanwhileOrAny<O extends Operation> = O extends { meanwhile: infer Form } ? Of<Form> : unknown;

/** Checks handlers and keeps the types of their answers. */
export const handlers = <All extends Operations, Handled extends Handlers<All>>(
  _operations: All,
  created: Handled & Exactly<All, Handled>,
): Handled => created;

/** Owner and time of events. */
export interface NewsAbout {
  /** Whose the device or gateway is that they are about; '': they are about neither. */
  readonly owner: string;
  /** Virtual time, µs. */
  readonly nowUs: number;
}

/** What a resource listens to, by the kind of the news. */
export type Listeners = {
  readonly [Kind in News['kind']]?: (
    news: Extract<News, { readonly kind: Kind }>,
    about: NewsAbout,
  ) => void;
};

/** What the platform uses of every resource. */
export interface Resource {
  readonly handle: { readonly [kind: string]: (asked: never, asking: Asking) => Result<unknown> };
  readonly hears?: Listeners;
  /**
   * Why this world can decide a command of the resource's under no circumstances; undefined: it
   * can. What is asked may be anything. It is looked at when a command is admitted.
   */
  refuses?(asked: { readonly kind: string }): Failure | undefined;
  /**
   * Whether nothing of it is to come or underway that somebody may wait for; absent: there never
   * is. It is looked at after each event: O(1).
   */
  readonly isIdle?: boolean;
  /** Whether it watches a device (core/base/watching.ts); absent: it watches none. */
  watches?(devEui: string): boolean;
  /** One of the resource's own timers is due. */
  onTimer?(timer: number, nowUs: number): void;
  /** Folds every live record in the order of identity; a resource without records folds nothing. */
  fold(fold: Fold): void;
  /** Plain data that shares nothing with the resource. */
  save(): unknown;
  /** Puts saved data in the place of all records. */
  load(saved: unknown): void;
}

/** What a resource says that keeps no records. */
export const WITHOUT_RECORDS = {
  fold: () => undefined,
  save: () => null,
  load: () => undefined,
};

/**
 * What the platform gives to every resource. Other resources stand beside it, by name, and so do
 * the ports of single features, which their owners declare (`core/resource-instances.ts`).
 */
export interface Surroundings {
  readonly ids: Ids;
  readonly outbox: Outbox;
  readonly downlinks: Downlinks;
  /** The resource's own. */
  readonly timers: Timers;
  readonly watching: Watching;
  readonly draws: Draws;
  /** Bytes that records name by their SHA-256. */
  readonly contents: Contents;
  /** For answers in steps: what they copy of the present instant. */
  readonly copies: Copies;
  /**
   * Whether the resources keep what they count of frames. Nothing of it is folded or decides: in a
   * world that keeps none (`WorldOptions.records`) they do not hear of frames, and load nothing.
   */
  readonly keepsRecords: boolean;
  /** Entries of a log that are stored of each subscriber; undefined: the usual number. */
  readonly logEntries: number | undefined;
  /** What runs codecs in JavaScript; undefined: this world cannot have any. */
  readonly codecs: CodecEngine | undefined;
  /** For those who bring things into the world. */
  readonly world: WholeWorld;
  /** The network as far as it is the subscriber's. */
  viewOf(subscriber: string): OwnView;
}

/** A resource as its module declares it, once. */
export interface ResourceDeclaration<
  Name extends string,
  All extends Operations,
  Codes extends FailureClasses,
  Needs,
  Given2 extends Resource,
> {
  readonly name: Name;
  /** What it is about, in a sentence for the documentation. */
  readonly is: string;
  /**
   * A resource of the simulator itself: the name of its collection, under which its `list`,
   * `create`, `get`, `replace`, `update` and `delete` are offered. Absent: a table of documented
   * routes has its operations, or nobody outside may ask for them.
   */
  readonly collection?: string;
  /** What permissions for it are about. */
  readonly permission: PermissionObject;
  /** Every failure of its own, with its class. */
  readonly failures: Codes;
  readonly operations: All;
  /** FPorts on which `hears.uplink` hears every device, watched or not. */
  readonly ports?: readonly number[];
  /** Packages on whose FPort, as its profile has it, `hears.uplink` hears each device. */
  readonly packages?: readonly HeardPackage[];
  /** Its space of timers, 0 to 15, no other resource's; absent: it has none. */
  readonly timerSpace?: number;
  /**
   * `needs` is what the resource uses of its surroundings and, by name, of other resources. Those
   * may be made later than this one: a constructor keeps `needs` and does not call it.
   */
  readonly make: (needs: Needs) => Given2;
}

/** Checks a declaration and keeps its types. */
export const declareResource = <
  const Name extends string,
  const All extends Operations,
  const Codes extends FailureClasses,
  Needs,
  Handled extends Resource & { readonly handle: Handlers<All> },
>(
  declaration: ResourceDeclaration<Name, All, Codes, Needs, Handled>,
): ResourceDeclaration<Name, All, Codes, Needs, Handled> => declaration;
