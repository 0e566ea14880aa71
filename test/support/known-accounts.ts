/** Accounts of a small world that is served, and who is added to them. */
import { Accounts, type Issued } from '../../api/host/accounts/accounts.ts';
import { drawBytes, type Secret } from '../../api/host/accounts/secrets.ts';
import { ServedWorld } from '../../api/host/world/served-world.ts';
import type { PlannedSubscriber } from '../../core/base/subscribers.ts';
import type { Answers, PlatformCommand } from '../../core/operations.ts';
import type { Permission } from '../../core/rows/permissions.ts';
import type { Result } from '../../sim/base/result.ts';
import { planOf } from '../core/resources/things.ts';

export interface KnownOptions {
  readonly seed?: string;
  readonly key?: Uint8Array;
  /** The default one alone when absent. */
  readonly subscribers?: readonly PlannedSubscriber[];
}

/** A subscriber, and what its user and its first application may do. */
export interface Added extends Issued {
  readonly permissions: readonly Permission[];
}

export class KnownAccounts {
  readonly key: Uint8Array;
  readonly served: ServedWorld;
  readonly accounts: Accounts;
  /** Those of the plan, in its order. */
  readonly planned: readonly Issued[];

  constructor({ seed = 'a', key = drawBytes(32), subscribers }: KnownOptions = {}) {
    this.key = key;
    const plan = { ...planOf(), ...(subscribers && { subscribers }) };
    this.served = ServedWorld.create(plan, seed, {
      pace: { isPaused: true },
      onBroken: (error) => {
        throw error;
      },
    });
    this.accounts = new Accounts({ world: this.served, key, draw: drawBytes });
    this.planned = this.accounts.issueFirst();
  }

  get first(): Issued {
    return this.planned[0]!;
  }

  /** By the first subscriber. */
  do<Given extends PlatformCommand>(
    command: Given,
    by = this.first.subscriber,
  ): Answers[Given['kind']] {
    const done = this.served.submit({ ...command, by }) as Result<Answers[Given['kind']]>;
    if (!done.ok) throw new Error(`${done.failure.code}: ${done.failure.message}`);
    return done.value;
  }

  add(given: { readonly name?: string; readonly permissions?: readonly Permission[] } = {}): Added {
    const [client, user] = [this.accounts.drawSecret(), this.accounts.drawSecret()];
    const created = this.do({
      kind: 'subscriber.create',
      subscriber: given,
      secretVerifier: client.verifier,
      passwordVerifier: user.verifier,
    });
    return {
      subscriber: created.id,
      clientId: created.client_id,
      clientSecret: client.secret,
      username: created.username,
      password: user.secret,
      permissions: created.permissions,
      applications: [],
    };
  }

  /** Another secret for the first application of a subscriber. */
  renewSecret({ clientId, subscriber }: Issued): Secret {
    const { secret, verifier } = this.accounts.drawSecret();
    const Id = this.accounts.ofClient(clientId)?.id ?? '';
    this.do({ kind: 'application.refreshToken', Id, verifier }, subscriber);
    return secret;
  }

  /** Another password for the user of a subscriber. */
  async changePassword(who: Issued, current: string, next: string): Promise<void> {
    const change = await this.accounts.changeOf(this.accounts.ofUser(who.username)!, current, next);
    this.do({ kind: 'account.changePassword', ...change }, who.subscriber);
  }
}
