/**
 * A network without a platform: a test sends what it wants when it wants, and reads what devices
 * sent.
 */

import { expandSeed } from '../../sim/base/random.ts';
import type { DownlinkNews, Sender } from '../../sim/contract/downlinks.ts';
import type { MulticastTxStatus, ReceivedUplink } from '../../sim/contract/news.ts';
import type { NetworkRequest, NewDownlink } from '../../sim/contract/requests.ts';
import type { NetworkEvent } from '../../sim/events.ts';
import { Agenda, type SavedAgenda } from '../../sim/kernel/agenda.ts';
import { digestNetwork } from '../../sim/network/digest.ts';
import { Network, type SavedNetwork } from '../../sim/network/network.ts';
import { carryOut } from '../../sim/network/requests.ts';
import { LiveView } from '../../sim/network/view.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { Trace } from './small-network.ts';

/** 2026-01-01, whole GPS seconds. */
export const BENCH_START_UNIX_MS = 1_767_225_600_000;

export const APPLICATION: Sender = { kind: 'application', id: '' };

/** What a device sent to one of its packages' ports. */
export interface Heard {
  readonly devEui: string;
  /** End of the transmission, µs. */
  readonly endedAtUs: number;
  readonly fPort: number;
  readonly hex: string;
}

export interface Saved {
  readonly network: SavedNetwork;
  readonly agenda: SavedAgenda;
}

export class Bench {
  readonly network: Network;
  readonly agenda = new Agenda();
  readonly trace = new Trace();
  readonly heard: Heard[] = [];
  readonly joins: string[] = [];
  readonly multicast: MulticastTxStatus[] = [];
  readonly downlinks: DownlinkNews[] = [];
  #latestDownlink = 0;
  readonly blocks: { readonly devEui: string; readonly block: Uint8Array }[] = [];
  readonly view: LiveView;

  constructor(plan: NetworkPlan, seed = 'bench', saved?: Saved) {
    const listener = {
      ports: new Set<number>(),
      packages: new Set<never>(),
      onUplink: ({ devEui, endedAtUs, fPort, payload }: ReceivedUplink) =>
        this.heard.push({ devEui, endedAtUs, fPort, hex: Buffer.from(payload).toString('hex') }),
      onJoin: (devEui: string) => this.joins.push(devEui),
      onDownlink: (news: DownlinkNews) => this.downlinks.push(news),
      onMulticast: (status: MulticastTxStatus) => this.multicast.push(status),
      onBlock: (rebuilt: { devEui: string; block: Uint8Array }) => this.blocks.push(rebuilt),
    };
    const options = {
      slicing: { firstUs: 1_000_000_000, most: 1e6 },
      observer: this.trace,
      listener,
    };
    this.network = new Network(plan, expandSeed(seed), this.agenda, options);
    this.view = new LiveView(this.network);
    if (saved === undefined) this.network.populate();
    else {
      this.network.load(saved.network);
      this.agenda.load(saved.agenda);
    }
    for (const { devEui } of plan.devices) this.request({ kind: 'watch', devEui, on: true });
  }

  get nowUs(): number {
    return this.agenda.nowUs;
  }

  runUntil(untilUs: number): void {
    while (this.agenda.next(untilUs)) this.dispatch();
    this.agenda.advance(untilUs);
  }

  /** Carries out the event that the agenda has taken. */
  dispatch(): void {
    const { kind, target, nowUs } = this.agenda;
    this.network.dispatch(kind as NetworkEvent, target, nowUs);
  }

  /** Queues one downlink with these commands for a device's next window. */
  sendCommands(devEui: string, fPort: number, ...commands: readonly Uint8Array[]): void {
    const payload = new Uint8Array(Buffer.concat(commands));
    this.downlink({ devEui, fPort, payload });
  }

  /** Requests a downlink, of the application where nothing else is said; returns its id. */
  downlink({ sender = APPLICATION, ...downlink }: NewDownlink & { sender?: Sender }): number {
    const id = ++this.#latestDownlink;
    this.request({ kind: 'downlink', id, sender, ...downlink });
    return id;
  }

  /** Carries out what a platform would request, now. */
  request(request: NetworkRequest): void {
    carryOut(this.network, request, this.nowUs);
  }

  /** Payloads that a device sent to a port, hexadecimal. */
  from(devEui: string, fPort: number): string[] {
    return this.heard.filter((one) => one.devEui === devEui && one.fPort === fPort).map(hexOf);
  }

  save(): Saved {
    return { network: this.network.save(), agenda: this.agenda.save() };
  }

  /** The outcome digest of the network. */
  outcome(): string {
    this.network.settle(this.nowUs);
    const digest = this.agenda.digest.copy();
    digestNetwork(this.network, this.agenda, digest, 'outcome');
    return digest.hex();
  }
}

const hexOf = ({ hex }: Heard): string => hex;
