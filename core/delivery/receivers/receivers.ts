/**
 * Receivers of the world: what deliveries go to inside it. One of them answers at the addresses
 * that its pattern fits, of its subscriber's targets alone; what it has had is the truth that the
 * sender only believes to know.
 */
import { andThen, fail, found, ok } from '../../../sim/base/result.ts';
import { type Effective, effective } from '../../../sim/base/rows/fields.ts';
import type { Fold } from '../../base/fold.ts';
import { type Owned, Store } from '../../base/store.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import { declareResource, done, handlers } from '../../kit/resource.ts';
import type { ReceiverResult } from '../../result/delivery.ts';
import type { Reception } from '../deliveries/attempts.ts';
import type { Request } from '../deliveries/deliveries.ts';
import { Addresses } from './addresses.ts';
import { receptionOf } from './behaviour.ts';
import { type GivenReceiver, MOST_RECEIVERS, OPERATIONS, RECEIVER } from './rows.ts';

/** A receiver as it is stored. */
export interface Receiver extends Effective<typeof RECEIVER>, Owned {
  readonly name: string;
}

/** What a receiver has had. */
interface Had extends Owned {
  readonly name: string;
  readonly requests: number;
  readonly received: number;
  readonly distinct: number;
}

const NOTHING = { requests: 0, received: 0, distinct: 0 };

export class Receivers {
  readonly #all = new Store<Receiver>('receivers', ({ name }) => name);
  readonly #had = new Store<Had>('receiversHad', ({ name }) => name);
  readonly #addresses = new Addresses((owner) => this.#all.list(owner));

  readonly handle = handlers(OPERATIONS, {
    'receiver.put': ({ name, receiver }, { by }) => this.#put(name, receiver, by),
    'receiver.list': (_, { by }) =>
      ok({ receivers: this.#all.list(by).map((each) => this.#reported(each)) }),
    'receiver.delete': ({ name }, { by }) =>
      andThen(
        found(this.#all.get(by, name), 'receiver.unknown', `There is no receiver ${name}.`),
        () => {
          this.#all.remove(by, name);
          this.#had.remove(by, name);
          return done(this.#addresses.changed(by));
        },
      ),
  });

  fold(fold: Fold): void {
    this.#all.saving.fold(fold);
    this.#had.saving.fold(fold);
  }

  save() {
    return { all: this.#all.saving.save(), had: this.#had.saving.save() };
  }

  load({ all, had }: ReturnType<Receivers['save']>): void {
    this.#all.saving.load(all);
    this.#had.saving.load(had);
    this.#addresses.forget();
  }

  /** What the receiver at an address makes of a request; undefined: there is none. */
  receive(owner: string, request: Request, nowUs: number): Reception | undefined {
    const name = this.#addresses.find(owner, request.address);
    const receiver = name === undefined ? undefined : this.#all.get(owner, name);
    if (receiver === undefined) return undefined;
    const reception = receptionOf(receiver, request, nowUs);
    this.#note(receiver, request, reception);
    return reception;
  }

  /** What each has had, whosever targets it answers. */
  results(): readonly ReceiverResult[] {
    return this.#all.all().map((receiver) => {
      const { owner, name, at } = receiver;
      const { requests, received, distinct, duplicates } = this.#reported(receiver);
      const subscriber = owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: owner };
      return { name, ...subscriber, at, requests, received, distinct, duplicates };
    });
  }

  #note({ owner, name }: Receiver, { keptBy }: Request, { answer, keeps }: Reception): void {
    if (answer === 'connection refused') return;
    const had = this.#had.get(owner, name) ?? { owner, name, ...NOTHING };
    this.#had.put({
      owner,
      name,
      requests: had.requests + 1,
      received: had.received + (keeps ? 1 : 0),
      distinct: had.distinct + (keeps && !keptBy.includes(name) ? 1 : 0),
    });
  }

  #put(name: string, given: GivenReceiver, owner: string) {
    const wrong = (given.phases ?? []).findIndex(({ from, until }) => until <= from);
    if (wrong >= 0) {
      const message = 'A phase ends after it begins: until has to be later than from.';
      return fail('receiver.phase', message, `/phases/${wrong}/until`);
    }
    if (this.#all.get(owner, name) === undefined && this.#all.count(owner) >= MOST_RECEIVERS) {
      return fail('receiver.full', `There are ${MOST_RECEIVERS} receivers, which is the most.`);
    }
    this.#all.put({ ...effective(RECEIVER, given), owner, name });
    return done(this.#addresses.changed(owner));
  }

  #reported({ owner, phases, ...receiver }: Receiver) {
    const { requests, received, distinct } = this.#had.get(owner, receiver.name) ?? NOTHING;
    const duplicates = received - distinct;
    return { ...receiver, phases, requests, received, distinct, duplicates };
  }
}

export const receiverResource = declareResource({
  name: 'receiver',
  is: 'Receivers of deliveries inside the emulator.',
  permission: 'Simulator',
  failures: {
    'receiver.phase': 'malformed',
    'receiver.full': 'full',
    'receiver.unknown': 'unknown',
  },
  operations: OPERATIONS,
  make: () => new Receivers(),
});
