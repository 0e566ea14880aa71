/**
 * Who may knock: subscribers, each with one application, the client, and one user. They live in
 * memory, in the host (docs/decisions/0045).
 *
 * Ids are functions of the world's seed and of how many subscribers came before, so two runs that
 * are asked the same have the same ids. Secrets are random, told once, and kept as verifiers.
 */

import { namedId } from '../../core/base/ids.ts';
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import { PERMISSIONS, type Permission } from '../../core/kit/permissions.ts';
import { expandSeed, type Seed } from '../../sim/base/random.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { type DrawBytes, drawSecret, type Secret, Verifiers } from './secrets.ts';

/** A subscriber with its application and its user, without what is secret. */
export interface Account {
  readonly subscriber: string;
  readonly name: string;
  /** UUID form, lower case. */
  readonly clientId: string;
  readonly username: string;
  /** What application and user may do; absent: all. */
  readonly permissions: readonly Permission[] | undefined;
}

/** What is told once, when the secrets are drawn. */
export interface Issued extends Account {
  readonly clientSecret: Secret;
  readonly password: Secret;
}

export interface NewSubscriber {
  /** Text of 1 to 250 characters; an id of the emulator's choice when absent. */
  readonly id?: string | undefined;
  /** The id when absent. */
  readonly name?: string | undefined;
  /** All when absent; without those of `Simulator` for all subscribers but the first. */
  readonly permissions?: readonly Permission[] | undefined;
}

/** Whom a token stands for. */
export interface Identity {
  readonly subscriber: string;
  /** Absent: all. */
  readonly permissions: readonly Permission[] | undefined;
  readonly clientId: string;
  /** Id of the user or application in the world; absent: the first user. */
  readonly as?: string;
  /** Name of the user; absent: the application itself. */
  readonly user?: string;
}

/** So many subscribers one emulator keeps. */
export const MOST_SUBSCRIBERS = 10_000;

/** What subscribers but the first may do, unless it is told otherwise. */
export const USUAL_PERMISSIONS = PERMISSIONS.filter((each) => !each.startsWith('Simulator.'));

/** Bytes of what tells one drawing of an account's secrets from the next. */
const GENERATION_BYTES = 12;

interface Kept {
  readonly account: Account;
  secret: Uint8Array;
  password: Uint8Array;
  /** Another one after each new secret, in this process or the next. */
  generation: string;
}

export interface AccountsOptions {
  /** Of the world. */
  readonly seed: string;
  /** 32 bytes that the verifiers are made with. */
  readonly key: Uint8Array;
  readonly draw: DrawBytes;
}

export class Accounts {
  readonly #seed: Seed;
  readonly #draw: DrawBytes;
  readonly #verifiers: Verifiers;
  readonly #bySubscriber = new Map<string, Kept>();
  readonly #byClient = new Map<string, Kept>();
  readonly #byUser = new Map<string, Kept>();

  constructor({ seed, key, draw }: AccountsOptions) {
    this.#seed = expandSeed(seed);
    this.#draw = draw;
    this.#verifiers = new Verifiers(key, draw);
  }

  /** In the order in which they came. */
  list(): readonly Account[] {
    return [...this.#bySubscriber.values()].map(({ account }) => account);
  }

  ofSubscriber(id: string): Account | undefined {
    return this.#bySubscriber.get(id)?.account;
  }

  ofClient(clientId: string): Account | undefined {
    return this.#byClient.get(clientId)?.account;
  }

  ofUser(username: string): Account | undefined {
    return this.#byUser.get(username)?.account;
  }

  /** Changes when secret or password do: what was given out before is void then. */
  generationOf(clientId: string): string | undefined {
    return this.#byClient.get(clientId)?.generation;
  }

  /** The client's account if the secret is right. */
  authenticateClient(clientId: string, secret: string): Account | undefined {
    const kept = this.#byClient.get(clientId);
    return this.#verifiers.isRight(secret, kept?.secret) ? kept?.account : undefined;
  }

  /** The user's account if the password is right. */
  authenticateUser(username: string, password: string): Account | undefined {
    const kept = this.#byUser.get(username);
    return this.#verifiers.isRight(password, kept?.password) ? kept?.account : undefined;
  }

  /** Failures: `subscriber.exists`, `subscriber.full`. */
  addSubscriber(given: NewSubscriber): Result<Issued> {
    const ordinal = this.#bySubscriber.size;
    if (ordinal >= MOST_SUBSCRIBERS) {
      return fail('subscriber.full', `There are ${MOST_SUBSCRIBERS} subscribers, the most.`);
    }
    const isFirst = ordinal === 0;
    const subscriber =
      given.id ?? (isFirst ? DEFAULT_SUBSCRIBER : this.#id('subscriber', this.#bySubscriber));
    if (this.#bySubscriber.has(subscriber)) {
      return fail('subscriber.exists', 'There is a subscriber with this id.');
    }
    return this.#add({
      subscriber,
      name: given.name ?? subscriber,
      clientId: this.#id('application', this.#byClient),
      username: `user-${ordinal + 1}`,
      permissions: given.permissions ?? (isFirst ? undefined : USUAL_PERMISSIONS),
    });
  }

  /** A new secret for the client; the old one is wrong from now on, and its tokens are void. */
  renewSecret(clientId: string): Result<Secret> {
    const kept = this.#byClient.get(clientId);
    if (kept === undefined) return fail('application.unknown', 'No application has this id.');
    const secret = drawSecret(this.#draw);
    kept.secret = this.#verifiers.of(secret.reveal());
    kept.generation = this.#newGeneration();
    return ok(secret);
  }

  #add(account: Account): Result<Issued> {
    const [clientSecret, password] = [drawSecret(this.#draw), drawSecret(this.#draw)];
    const kept: Kept = {
      account,
      secret: this.#verifiers.of(clientSecret.reveal()),
      password: this.#verifiers.of(password.reveal()),
      generation: this.#newGeneration(),
    };
    this.#bySubscriber.set(account.subscriber, kept);
    this.#byClient.set(account.clientId, kept);
    this.#byUser.set(account.username, kept);
    return ok({ ...account, clientSecret, password });
  }

  /** A function of the seed, of what it is for, and of how many there are. */
  #id(of: string, taken: ReadonlyMap<string, Kept>): string {
    return namedId('uuid', this.#seed, of, String(taken.size), (id) => taken.has(id));
  }

  #newGeneration(): string {
    return Buffer.from(this.#draw(GENERATION_BYTES)).toString('base64url');
  }
}
