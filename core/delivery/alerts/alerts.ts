/**
 * Alerts: which gateways are monitored, and where it goes when one of them has come online or gone
 * offline for good. START HERE; what of a gateway is followed stands in following.ts, when a change
 * is notified: debounce.ts (docs/decisions/0062).
 */

import type { Json } from '../../../sim/base/json.ts';
import { andThen, fail, found, ok, type Result } from '../../../sim/base/result.ts';
import type { Of } from '../../../sim/base/rows/fields.ts';
import type { Fold } from '../../base/fold.ts';
import { formatInstant } from '../../base/instant.ts';
import { Pages } from '../../base/pages.ts';
import { type Owned, Store } from '../../base/store.ts';
import type { OwnView } from '../../base/subscribers.ts';
import { type Asking, DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import { declareResource, done, handlers, type Surroundings } from '../../kit/resource.ts';
import { type GroupRecord, GroupRecords } from '../../management/group-records.ts';
import type { AlertsResult } from '../../result/delivery.ts';
import type { Matter, Target } from '../deliveries/target.ts';
import { MOST_OF_EACH, PAGE_SIZES } from '../page-sizes.ts';
import { type Followed, Following, type FollowingNeeds, type SavedFollowing } from './following.ts';
import { type ALERT, type AlertAnswer, FAILURES, OPERATIONS } from './rows.ts';

/** An alert but for its gateways, which stand under its id. */
interface Heading extends Owned {
  readonly id: string;
  readonly name: string;
  readonly type: 'gateway_connectivity';
  /** Ids; none once all are deleted. */
  readonly destinations: readonly string[];
}

/** Plain data. */
export interface SavedAlerts {
  readonly alerts: readonly Heading[];
  readonly gateways: readonly GroupRecord[];
  readonly following: SavedFollowing;
}

/** What alerts use of the platform and of other resources. */
export interface AlertNeeds extends FollowingNeeds, Pick<Surroundings, 'ids' | 'world'> {
  readonly destination: {
    has(owner: string, id: string): boolean;
    targetOf(owner: string, id: string): Target;
  };
  readonly delivery: {
    emit(target: Target, what: Matter, body: () => Json, nowUs: number): void;
  };
}

type Given = Of<{ readonly type: 'record'; readonly fields: typeof ALERT }>;

export class Alerts {
  readonly #needs: AlertNeeds;
  readonly #pages: Pages;
  readonly #alerts = new Store('alerts', ({ id }: Heading) => id, {
    destination: ({ destinations }: Heading) => destinations,
  });
  readonly #gateways = new GroupRecords('alertGateways');
  readonly #following: Following;

  readonly handle = handlers(OPERATIONS, {
    'alert.list': (asked, { by }) => {
      const sizeOf = ({ id, destinations }: Heading) =>
        destinations.length + this.#gatewaysOf(by, id).length;
      const list = { by, name: 'alerts', entries: this.#alerts.list(by), keyOf: idOf, sizeOf };
      return andThen(this.#pages.page(list, asked, PAGE_SIZES, 'alert.page'), ({ data, meta }) =>
        ok({ data: data.map((each) => this.#answerOf(each)), meta }),
      );
    },
    'alert.create': ({ alert, id }, asking) =>
      andThen(this.#newId(id, asking.by), (newId) => this.#put(newId, alert, asking)),
    'alert.get': ({ alert_id }, { by }) =>
      andThen(this.#known(by, alert_id), (alert) => ok(this.#answerOf(alert))),
    'alert.replace': ({ alert_id, alert }, asking) =>
      andThen(this.#known(asking.by, alert_id), ({ id }) => this.#put(() => id, alert, asking)),
    'alert.delete': ({ alert_id }, { by, nowUs }) =>
      andThen(this.#known(by, alert_id), ({ id }) => {
        const left = this.#gatewaysOf(by, id);
        this.#alerts.remove(by, id);
        this.#gateways.remove(by, id);
        return done(this.#follow(by, left, nowUs));
      }),
    'alert.addGateway': ({ alert_id, node_id }, asking) =>
      this.#add(alert_id, [node_id], () => '/node_id', asking),
    'alert.removeGateway': ({ alert_id, node_id }, asking) =>
      this.#remove(alert_id, [node_id], () => '/node_id', asking),
    'alert.addGateways': ({ alert_id, node_ids }, asking) =>
      this.#add(alert_id, node_ids, (at) => `/node_ids/${at}`, asking),
    'alert.removeGateways': ({ alert_id, node_ids }, asking) =>
      this.#remove(alert_id, node_ids, (at) => `/node_ids/${at}`, asking),
  });

  readonly hears = {
    gatewayState: ({ eui }: OfGateway, { nowUs }: At) => this.#following.onNews(eui, nowUs),
    gatewayChanged: ({ eui }: OfGateway, { nowUs }: At) => this.#following.onNews(eui, nowUs),
    gatewayRemoved: ({ eui }: OfGateway, { owner, nowUs }: At & Owned) => {
      this.#gateways.leave(eui);
      this.#follow(owner, [eui], nowUs);
    },
  };

  constructor(needs: AlertNeeds) {
    this.#needs = needs;
    this.#pages = new Pages(needs.world);
    this.#following = new Following(needs, (gateway, nowUs) => this.#report(gateway, nowUs));
  }

  /** `timer` is a followed gateway's. */
  onTimer(timer: number, nowUs: number): void {
    this.#following.onTimer(timer, nowUs);
  }

  // ── what others ask ────────────────────────────────────────────────────────────────────────────

  forgetDestination(owner: string, id: string): void {
    for (const alert of this.#alerts.by('destination', id)) {
      if (alert.owner !== owner) continue;
      this.#alerts.put({
        ...alert,
        destinations: alert.destinations.filter((each) => each !== id),
      });
    }
  }

  // ── what results tell ──────────────────────────────────────────────────────────────────────────

  /** Alerts that there are, and what became of changes; undefined: nothing was ever monitored. */
  results(nameOf: (eui: string) => string): AlertsResult | undefined {
    const followed = this.#following.results(nameOf);
    const alerts = this.#alerts.all().map(({ owner, id, name, destinations }) => ({
      name,
      ...(owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: owner }),
      gateways: this.#gatewaysOf(owner, id).length,
      destinations: destinations.length,
    }));
    if (alerts.length === 0 && followed.gateways.length === 0) return undefined;
    return { ...followed, alerts };
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  fold(fold: Fold): void {
    this.#alerts.saving.fold(fold);
    this.#gateways.fold(fold);
    this.#following.fold(fold);
  }

  save(): SavedAlerts {
    return {
      alerts: this.#alerts.saving.save(),
      gateways: this.#gateways.save(),
      following: this.#following.save(),
    };
  }

  load({ alerts, gateways, following }: SavedAlerts): void {
    this.#alerts.saving.load(alerts);
    this.#gateways.load(gateways);
    this.#following.load(following);
  }

  // ── making and changing ────────────────────────────────────────────────────────────────────────

  #known(by: string, id: string) {
    return found(this.#alerts.get(by, id), 'alert.unknown', `There is no alert ${id}.`);
  }

  /** What makes the id of a new alert, once all else is right. */
  #newId(given: string | undefined, by: string) {
    const isTaken = (id: string) => this.#alerts.ofAnybody(id) !== undefined;
    if (given !== undefined && isTaken(given)) {
      return fail('alert.exists', `There is an alert ${given}.`, '/id');
    }
    if (this.#alerts.count(by) < MOST_OF_EACH)
      return ok(() => given ?? this.#needs.ids.uuid(isTaken));
    const message = `There are ${MOST_OF_EACH} alerts, the most that there may be.`;
    return fail('alert.too-many', message);
  }

  /** Puts what is given in the place of the alert with an id, which may be a new one. */
  #put(idFor: () => string, given: Given, { by, nowUs, view }: Asking) {
    const { name, type, data, destination_ids: destinations } = given;
    const euis = data.node_ids;
    return andThen(
      allKnown(euis, (at) => `/data/node_ids/${at}`, view),
      () =>
        andThen(this.#allDestinations(by, destinations), () => {
          const id = idFor();
          const alert = { owner: by, id, name, type, destinations };
          const left = this.#gatewaysOf(by, id);
          this.#alerts.put(alert);
          this.#gateways.put({ owner: by, id, name, members: euis });
          this.#follow(by, left, nowUs);
          this.#follow(by, euis, nowUs);
          return ok(this.#answerOf(alert));
        }),
    );
  }

  #allDestinations(by: string, ids: readonly string[]) {
    const at = ids.findIndex((id) => !this.#needs.destination.has(by, id));
    if (at < 0) return ok(undefined);
    const message = `There is no destination ${ids[at]}.`;
    return fail('alert.unknown-destination', message, `/destination_ids/${at}`);
  }

  /** All of them or none. */
  #add(alertId: string, euis: readonly string[], pointer: Pointer, { by, nowUs, view }: Asking) {
    return andThen(this.#known(by, alertId), (alert) =>
      andThen(allKnown(euis, pointer, view), () => {
        const { id } = alert;
        const at = euis.findIndex((eui) => this.#gateways.isMember(id, eui));
        if (at >= 0) {
          const message = `The gateway ${euis[at]} is on the alert already.`;
          return fail('alert.has-gateway', message, pointer(at));
        }
        this.#gateways.join(alert, euis);
        this.#follow(by, euis, nowUs);
        return ok(this.#answerOf(alert));
      }),
    );
  }

  /** All of them or none; who is not known is not on it. */
  #remove(alertId: string, euis: readonly string[], pointer: Pointer, { by, nowUs }: Asking) {
    return andThen(this.#known(by, alertId), (alert) => {
      const at = euis.findIndex((eui) => !this.#gateways.isMember(alert.id, eui));
      if (at >= 0) {
        const message = `The gateway ${euis[at]} is not on the alert.`;
        return fail('alert.no-gateway', message, pointer(at));
      }
      this.#gateways.part(alert, euis);
      this.#follow(by, euis, nowUs);
      return ok(this.#answerOf(alert));
    });
  }

  /** Gateways that some alert monitors are followed from now on, the others no more. */
  #follow(owner: string, euis: readonly string[], nowUs: number): void {
    for (const eui of euis) {
      this.#following.follow(owner, eui, this.#gateways.isInAny(eui), nowUs);
    }
  }

  // ── telling ────────────────────────────────────────────────────────────────────────────────────

  /** An event to each destination of each alert that monitors the gateway. */
  #report(gateway: Followed, nowUs: number): void {
    const { owner, eui } = gateway;
    const { destination, delivery, viewOf } = this.#needs;
    const body = () => eventOf(gateway, nowUs, viewOf(owner));
    for (const { id } of this.#gateways.groupsOf(eui)) {
      for (const each of this.#alerts.get(owner, id)!.destinations) {
        const what = { kind: 'gateway_connectivity', about: eui } as const;
        delivery.emit(destination.targetOf(owner, each), what, body, nowUs);
      }
    }
  }

  #gatewaysOf(owner: string, id: string): readonly string[] {
    return this.#gateways.get(owner, id)?.members ?? [];
  }

  #answerOf({ owner, id, name, type, destinations }: Heading): AlertAnswer {
    return {
      id,
      owner_id: owner,
      name,
      type,
      data: { node_ids: this.#gatewaysOf(owner, id) },
      destination_ids: [...destinations],
    };
  }
}

interface OfGateway {
  readonly eui: string;
}
interface At {
  readonly nowUs: number;
}

/** Where in a request the gateway in this place stands. */
type Pointer = (at: number) => string;

const idOf = ({ id }: Heading): string => id;

/** Whether all gateways are the caller's. */
function allKnown(
  euis: readonly string[],
  pointer: Pointer,
  view: OwnView,
): Result<undefined, 'alert.unknown-gateway'> {
  const at = euis.findIndex((eui) => view.gateway(eui) === undefined);
  if (at < 0) return ok(undefined);
  return fail('alert.unknown-gateway', `There is no gateway ${euis[at]}.`, pointer(at));
}

/** The gateway connectivity event. */
const eventOf = ({ eui, status, sinceUs }: Followed, nowUs: number, { unixMs }: OwnView): Json => ({
  timestamp: formatInstant(unixMs(nowUs)),
  type: 'gateway_connectivity',
  data: { timestamp: formatInstant(unixMs(sinceUs)), node_id: eui, status },
});

export const alertResource = declareResource({
  name: 'alert',
  is: 'Alerts about gateways.',
  permission: 'Gateway',
  failures: FAILURES,
  operations: OPERATIONS,
  timerSpace: 5,
  make: (needs: AlertNeeds) => new Alerts(needs),
});
