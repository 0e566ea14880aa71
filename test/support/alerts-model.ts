/**
 * Destinations, credentials and alerts as lists of plain records: what each command answers, and
 * what there is afterwards. It knows nothing of stores, indexes or pages.
 */

export const DESTINATION_TYPES = ['webhook', 'mqtt', 'cloud_b_iot_hub'] as const;
export const CREDENTIAL_TYPES = [
  'basic_auth',
  'client_credentials',
  'cloud_b_shared_access_policy',
] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

/** The table of compatible pairs. */
const PAIRS = [
  'webhook basic_auth',
  'webhook client_credentials',
  'mqtt basic_auth',
  'cloud_b_iot_hub cloud_b_shared_access_policy',
];
export const belong = (type: DestinationType, credentials: CredentialType) =>
  PAIRS.includes(`${type} ${credentials}`);

interface Of<Type> {
  readonly by: string;
  readonly id: string;
  name: string;
  type: Type;
}
export interface Destination extends Of<DestinationType> {
  enabled: boolean;
  credentials: string | null;
}
export interface Alert extends Of<'gateway_connectivity'> {
  nodes: string[];
  destinations: string[];
}

/** '': it is done; else why not. */
export type Outcome = string;

export class AlertsModel {
  credentials: Of<CredentialType>[] = [];
  destinations: Destination[] = [];
  alerts: Alert[] = [];
  /** Gateways that there are, with their owners. */
  readonly gateways: Map<string, string>;

  constructor(gateways: readonly (readonly [eui: string, owner: string])[]) {
    this.gateways = new Map(gateways);
  }

  replaceCredentials(by: string, id: string, name: string, type: CredentialType): Outcome {
    const one = this.#find(this.credentials, by, id);
    if (one === undefined) return 'credentials.unknown';
    const users = this.destinations.filter((each) => each.credentials === id);
    if (type !== one.type && users.some((each) => !belong(each.type, type))) {
      return 'credentials.in-use';
    }
    Object.assign(one, { name, type });
    return '';
  }

  deleteCredentials(by: string, id: string): Outcome {
    if (this.#find(this.credentials, by, id) === undefined) return 'credentials.unknown';
    this.credentials = this.credentials.filter((each) => each.id !== id);
    for (const each of this.destinations) if (each.credentials === id) each.credentials = null;
    return '';
  }

  /** Whether a destination may be so. */
  mayBe(by: string, type: DestinationType, credentials: string | null): Outcome {
    if (credentials === null) return '';
    const one = this.#find(this.credentials, by, credentials);
    return one !== undefined && belong(type, one.type) ? '' : 'destination.credentials';
  }

  replaceDestination(by: string, id: string, next: Omit<Destination, 'by' | 'id'>): Outcome {
    const one = this.#find(this.destinations, by, id);
    if (one === undefined) return 'destination.unknown';
    const wrong = this.mayBe(by, next.type, next.credentials);
    if (wrong === '') Object.assign(one, next);
    return wrong;
  }

  deleteDestination(by: string, id: string): Outcome {
    if (this.#find(this.destinations, by, id) === undefined) return 'destination.unknown';
    this.destinations = this.destinations.filter((each) => each.id !== id);
    for (const each of this.alerts) {
      each.destinations = each.destinations.filter((one) => one !== id);
    }
    return '';
  }

  /** Whether an alert may be so. */
  mayAlert(by: string, nodes: readonly string[], destinations: readonly string[]): Outcome {
    if (destinations.length === 0) return 'alert.destinations';
    if (nodes.some((node) => this.gateways.get(node) !== by)) return 'alert.unknown-gateway';
    const isHis = (id: string) => this.#find(this.destinations, by, id) !== undefined;
    return destinations.every(isHis) ? '' : 'alert.unknown-destination';
  }

  replaceAlert(
    by: string,
    id: string,
    name: string,
    nodes: readonly string[],
    destinations: readonly string[],
  ): Outcome {
    if (destinations.length === 0) return 'alert.destinations';
    const one = this.#find(this.alerts, by, id);
    if (one === undefined) return 'alert.unknown';
    const wrong = this.mayAlert(by, nodes, destinations);
    if (wrong === '') {
      Object.assign(one, { name, nodes: once(nodes), destinations: once(destinations) });
    }
    return wrong;
  }

  deleteAlert(by: string, id: string): Outcome {
    if (this.#find(this.alerts, by, id) === undefined) return 'alert.unknown';
    this.alerts = this.alerts.filter((each) => each.id !== id);
    return '';
  }

  add(by: string, id: string, nodes: readonly string[]): Outcome {
    if (nodes.length === 0) return 'alert.gateways';
    const one = this.#find(this.alerts, by, id);
    if (one === undefined) return 'alert.unknown';
    if (nodes.some((node) => this.gateways.get(node) !== by)) return 'alert.unknown-gateway';
    if (nodes.some((node) => one.nodes.includes(node))) return 'alert.has-gateway';
    one.nodes.push(...once(nodes));
    return '';
  }

  remove(by: string, id: string, nodes: readonly string[]): Outcome {
    if (nodes.length === 0) return 'alert.gateways';
    const one = this.#find(this.alerts, by, id);
    if (one === undefined) return 'alert.unknown';
    if (nodes.some((node) => !one.nodes.includes(node))) return 'alert.no-gateway';
    one.nodes = one.nodes.filter((node) => !nodes.includes(node));
    return '';
  }

  removeGateway(by: string, node: string): Outcome {
    if (this.gateways.get(node) !== by) return 'gateway.unknown';
    this.gateways.delete(node);
    for (const each of this.alerts) each.nodes = each.nodes.filter((one) => one !== node);
    return '';
  }

  createGateway(by: string, node: string): Outcome {
    if (this.gateways.has(node)) return 'gateway.exists';
    this.gateways.set(node, by);
    return '';
  }

  #find<T extends Of<unknown>>(all: readonly T[], by: string, id: string): T | undefined {
    return all.find((each) => each.id === id && each.by === by);
  }
}

const once = (words: readonly string[]): string[] => [...new Set(words)];
