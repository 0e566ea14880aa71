/**
 * Who may knock. Subscribers, users and applications are records of the world
 * (docs/decisions/0052); what is secret of them is here: the secrets that they begin with, which
 * are drawn at each start and shown once; verifiers of all others.
 */
import { createHash, createHmac } from 'node:crypto';
import { ofAllowedShape } from '../../../core/management/accounts/passwords.ts';
import type { Principal } from '../../../core/management/accounts/principal.ts';
import type { Permission } from '../../../core/rows/permissions.ts';
import { assert } from '../../../sim/base/assert.ts';
import { type Claim, idOf } from '../requests/response-store.ts';
import type { ServedWorld } from '../world/served-world.ts';
import { chosenVerifier, SALT_BYTES, shapeOf, toHex, VERIFIER_BYTES } from './passwords.ts';
import { type DrawBytes, drawSecret, Secret, Verifiers } from './secrets.ts';

/** Secrets of a subscriber, shown once when they are drawn. */
export interface Issued {
  readonly subscriber: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly username: string;
  readonly password: Secret;
  /** Applications that a plan has besides the first. */
  readonly applications: readonly IssuedApplication[];
}

export interface IssuedApplication {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** Principal of a token. */
export interface Identity {
  readonly subscriber: string;
  readonly permissions: readonly Permission[];
  /** The client that got the token; the user's name where none did. */
  readonly clientId: string;
  /** Id of the application in the world; absent: the subscriber's user. */
  readonly as?: string;
  /** Name of the user; absent: the application itself. */
  readonly user?: string;
}

/** What the world is asked for. */
export type AccountsWorld = Pick<ServedWorld, 'facts'>;

export interface AccountsOptions {
  readonly world: AccountsWorld;
  /** 32 bytes that the verifiers are made with. */
  readonly key: Uint8Array;
  readonly draw: DrawBytes;
  /** Bytes of the secret that somebody begins with, by name; drawn when absent. */
  readonly first?: ((name: string) => Uint8Array) | undefined;
}

export class Accounts {
  readonly #world: AccountsWorld;
  readonly #draw: DrawBytes;
  readonly #verifiers: Verifiers;
  readonly #firstBytes: ((name: string) => Uint8Array) | undefined;
  /** Verifiers of the secrets that principals begin with, by their names. */
  readonly #first = new Map<string, Uint8Array>();
  readonly #key: Uint8Array;
  readonly #generations = new WeakMap<Principal, string>();

  constructor({ world, key, draw, first }: AccountsOptions) {
    this.#firstBytes = first;
    this.#world = world;
    this.#draw = draw;
    this.#key = key;
    this.#verifiers = new Verifiers(key, draw);
  }

  get #known() {
    return this.#world.facts.accounts;
  }

  ofClient(clientId: string): Principal | undefined {
    return this.#known.application.client(clientId);
  }

  ofUser(username: string): Principal | undefined {
    return this.#known.account.user(username);
  }

  /** Another one after each new secret: what was given out before is void then. */
  generationOf(principal: Principal): string {
    const known = this.#generations.get(principal);
    if (known !== undefined) return known;
    const verifier = principal.verifiers.at(-1)?.verifier ?? toHex(this.#firstOf(principal));
    const generation = createHash('sha256').update(verifier).digest('base64url').slice(0, 16);
    this.#generations.set(principal, generation);
    return generation;
  }

  // ── secrets that are shown ─────────────────────────────────────────────────────────────────────

  /** The client if the secret is right. */
  authenticateClient(clientId: string, secret: string): Principal | undefined {
    const client = this.ofClient(clientId);
    return this.#isRight(secret, client) ? client : undefined;
  }

  /**
   * The user if the password is right. Once somebody has chosen a password, every try takes as long
   * as one of those: time does not tell whose is chosen, and who is known.
   */
  async authenticateUser(username: string, password: string): Promise<Principal | undefined> {
    const user = this.ofUser(username);
    const latest = user?.verifiers.at(-1);
    if (!this.#known.account.hasChosenPasswords) {
      return this.#isRight(password, user) ? user : undefined;
    }
    const isChosen = latest !== undefined && latest.salt !== '';
    const verifier = await chosenVerifier(password, isChosen ? latest.salt : NO_SALT);
    const isRight = isChosen ? verifier === latest.verifier : this.#isRight(password, user);
    // Meanwhile it may have become another one.
    return isRight && this.ofUser(username) === user ? user : undefined;
  }

  #isRight(secret: string, principal: Principal | undefined): boolean {
    const latest = principal?.verifiers.at(-1);
    const first = principal && latest === undefined ? this.#first.get(principal.name) : undefined;
    const stored = latest === undefined ? first : Buffer.from(latest.verifier, 'hex');
    return this.#verifiers.isRight(secret, stored);
  }

  // ── secrets that are made ──────────────────────────────────────────────────────────────────────

  /** Draws the secrets that all who are known begin with; to be shown once. */
  issueFirst(): readonly Issued[] {
    const { subscriber, application, account } = this.#known;
    return subscriber.all.map(({ id }) => {
      const { client_id: clientId } = subscriber.answerOf(subscriber.of(id));
      // A secret that was renewed since has been shown at that time.
      const others = application
        .list(id)
        .filter(({ uuid }) => uuid !== clientId && this.#hasFirst(application.client(uuid)));
      const { name: username } = account.userOf(id);
      return {
        subscriber: id,
        clientId,
        clientSecret: this.#issueFirst(application.client(clientId)),
        username,
        password: this.#issueFirst(account.userOf(id)),
        applications: others.map(({ name, uuid }) => {
          return { name, clientId: uuid, clientSecret: this.#drawFirst(uuid) };
        }),
      };
    });
  }

  /**
   * A secret, and what a command carries of it. That of a request with an idempotency key derives
   * from its claim: after a crash the same claim has the same answer.
   */
  drawSecret(claim?: Claim, use = ''): { readonly secret: Secret; readonly verifier: string } {
    const secret = drawSecret(claim === undefined ? this.#draw : () => this.#derived(claim, use));
    return { secret, verifier: this.#drawnVerifier(secret.reveal()) };
  }

  /** 32 bytes that nobody can tell without the server's key. */
  #derived({ request, beganAtMs }: Claim, use: string): Uint8Array {
    const words = JSON.stringify(['secret of a claim', idOf(request), beganAtMs, use]);
    return new Uint8Array(createHmac('sha256', this.#key).update(words).digest());
  }

  /**
   * What a command carries of a password that its user changes. The world looks at the shape of the
   * new one first, then at the present one: what is refused by then costs no more derivations.
   */
  async changeOf(user: Principal, current: string, next: string) {
    const begun = user.verifiers.length > 0 ? undefined : toHex(this.#firstOf(user));
    const stored = begun === undefined ? user.verifiers : [{ salt: '', verifier: begun }];
    const latest = stored.at(-1)!;
    const change = { ...changeOfNobody(next), ...(begun === undefined ? {} : { first: begun }) };
    if (!ofAllowedShape(change).ok) return change;
    change.current = await this.#verifierBy(latest.salt, current);
    if (change.current !== latest.verifier) return change;
    for (const { salt } of stored) change.earlier.push(await this.#verifierBy(salt, next));
    change.salt = toHex(this.#draw(SALT_BYTES));
    change.verifier = await chosenVerifier(next, change.salt);
    return change;
  }

  async #verifierBy(salt: string, secret: string): Promise<string> {
    return salt === '' ? this.#drawnVerifier(secret) : await chosenVerifier(secret, salt);
  }

  #drawnVerifier(secret: string): string {
    return toHex(this.#verifiers.of(secret));
  }

  #hasFirst(principal: Principal | undefined): boolean {
    return principal?.verifiers.length === 0;
  }

  /** Empty where it is not that of the beginning any more. */
  #issueFirst(principal: Principal | undefined): Secret {
    return this.#hasFirst(principal) ? this.#drawFirst(principal!.name) : new Secret('');
  }

  #drawFirst(name: string): Secret {
    const bytes = this.#firstBytes;
    const secret = drawSecret(bytes === undefined ? this.#draw : () => bytes(name));
    this.#first.set(name, this.#verifiers.of(secret.reveal()));
    return secret;
  }

  #firstOf({ name }: Principal): Uint8Array {
    const first = this.#first.get(name) ?? this.#draw(NOBODYS_BYTES);
    assert(first.length === NOBODYS_BYTES, 'a verifier has 32 bytes');
    // A secret that was never shown is unusable, but stays valid.
    this.#first.set(name, first);
    return first;
  }
}

/** Of what nothing chosen is compared with. */
const NO_SALT = '00'.repeat(SALT_BYTES);
const NO_VERIFIER = '00'.repeat(VERIFIER_BYTES);

const NOBODYS_BYTES = 32;

/** What a command carries that is refused before anything is compared. */
export const changeOfNobody = (next: string) => ({
  ...shapeOf(next),
  current: NO_VERIFIER,
  earlier: [] as string[],
  salt: NO_SALT,
  verifier: NO_VERIFIER,
});
