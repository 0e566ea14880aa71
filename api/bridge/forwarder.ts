/**
 * The packet forwarder of one simulated gateway: tokens, acknowledgements, keep-alives and counters
 * of the Semtech UDP protocol. It knows no sockets and reads no clock: bytes and ms are arguments.
 */
import type { TransmissionAnswer } from '../../sim/contract/forwarding.ts';
import {
  type DatagramJson,
  type DatagramName,
  type ForwarderDatagram,
  readDatagram,
  writeDatagram,
} from '../../sim/gateway/forwarder-datagram.ts';
import { type StatCounts, txpkAck } from './packets.ts';

/** Datagrams that await an acknowledgement, and PULL_RESP without an answer yet, at most. */
const MOST_OPEN = 256;
/** Frames of one PUSH_DATA, as the reference forwarder has them. */
export const MOST_FRAMES = 8;
/** PULL_DATA without an answer after which the server counts as lost. */
const LOST_AFTER = 3;

const TOKENS = 0x1_0000;

/** What a forwarder has counted since its start. */
export interface ForwarderCounts {
  pushed: number;
  pushAcked: number;
  pulled: number;
  pullAcked: number;
  /** Frames that were forwarded, and those that a full queue dropped. */
  frames: number;
  framesDropped: number;
  transmissions: number;
  /** PULL_RESP beyond those that may be open at once. */
  flooded: number;
  /** Datagrams that are none, and those that a server does not send. */
  malformed: number;
  unexpected: number;
  /** Times that the server came back after it had been lost. */
  reconnects: number;
}

interface OpenRequest {
  readonly token: number;
  readonly eirpCentiDbm: number;
  readonly sinceMs: number;
}

/** Answers that have not come after so long were lost on the scenario's backhaul. */
const FORGOTTEN_AFTER_MS = 130_000;

export class Forwarder {
  readonly eui: string;
  readonly counts: ForwarderCounts = {
    pushed: 0,
    pushAcked: 0,
    pulled: 0,
    pullAcked: 0,
    frames: 0,
    framesDropped: 0,
    transmissions: 0,
    flooded: 0,
    malformed: 0,
    unexpected: 0,
    reconnects: 0,
  };
  readonly #stat: StatCounts = { rxnb: 0, rxfw: 0, dwnb: 0, txnb: 0 };
  readonly #send: (bytes: Uint8Array) => void;
  #token: number;
  /** Tokens of PUSH_DATA and PULL_DATA that are not acknowledged, the oldest first. */
  readonly #pushes = new Set<number>();
  readonly #pulls = new Set<number>();
  /** By the id of the transmission. */
  readonly #open = new Map<number, OpenRequest>();
  #pullsUnanswered = 0;
  /** PUSH_DATA and acknowledgements at the latest `stat`. */
  #pushedBefore = 0;
  #ackedBefore = 0;

  /** `firstToken`: forwarders of one process need not share tokens. */
  constructor(eui: string, firstToken: number, send: (bytes: Uint8Array) => void) {
    this.eui = eui.toLowerCase();
    this.#token = firstToken % TOKENS;
    this.#send = send;
  }

  /** Whether the server has answered PULL_DATA, and not fallen silent since. */
  get isConnected(): boolean {
    return this.counts.pullAcked > 0 && this.#pullsUnanswered < LOST_AFTER;
  }

  // ── to the server ──────────────────────────────────────────────────────────────────────────────

  /** Frames of one datagram, at most `MOST_FRAMES`. */
  push(frames: readonly DatagramJson[]): void {
    this.counts.frames += frames.length;
    this.#stat.rxnb += frames.length;
    this.#stat.rxfw += frames.length;
    this.#pushJson({ rxpk: frames });
  }

  /** Frames that are never sent, since too many wait. */
  drop(frames: number): void {
    this.counts.framesDropped += frames;
    this.#stat.rxnb += frames;
  }

  /** `make` writes a stat of what was counted since the latest one. */
  pushStat(make: (counts: Readonly<StatCounts>, ackedShare: number) => DatagramJson): void {
    const { pushed, pushAcked } = this.counts;
    const sent = pushed - this.#pushedBefore;
    const share = sent === 0 ? 0 : Math.min(1, (pushAcked - this.#ackedBefore) / sent);
    [this.#pushedBefore, this.#ackedBefore] = [pushed, pushAcked];
    this.#pushJson({ stat: make(this.#stat, share) });
    Object.assign(this.#stat, { rxnb: 0, rxfw: 0, dwnb: 0, txnb: 0 });
  }

  /** Keeps the way for downlinks open. */
  pull(): void {
    this.counts.pulled++;
    this.#pullsUnanswered++;
    this.#write('PULL_DATA', awaited(this.#pulls, this.#nextToken()));
  }

  /** Answers the PULL_RESP that a transmission came with. */
  answer(answer: TransmissionAnswer): void {
    const open = this.#open.get(answer.id);
    if (open === undefined) return;
    this.#open.delete(answer.id);
    if (answer.refusal === undefined) this.#stat.txnb++;
    this.#write('TX_ACK', open.token, txpkAck(answer, open.eirpCentiDbm));
  }

  #pushJson(json: DatagramJson): void {
    this.counts.pushed++;
    this.#write('PUSH_DATA', awaited(this.#pushes, this.#nextToken()), json);
  }

  #nextToken(): number {
    const token = this.#token;
    this.#token = (token + 1) % TOKENS;
    return token;
  }

  #write(name: DatagramName, token: number, json?: DatagramJson): void {
    const datagram = { name, token, gatewayEui: this.eui };
    this.#send(writeDatagram(json === undefined ? datagram : { ...datagram, json }));
  }

  // ── from the server ────────────────────────────────────────────────────────────────────────────

  /** A datagram has come; returns the PULL_RESP that it is. */
  receive(bytes: Uint8Array): ForwarderDatagram | undefined {
    const read = readDatagram(bytes);
    if (!read.ok) return void this.counts.malformed++;
    const { name, token } = read.value;
    switch (name) {
      case 'PUSH_ACK':
        if (this.#pushes.delete(token)) this.counts.pushAcked++;
        else this.counts.unexpected++;
        return undefined;
      case 'PULL_ACK':
        return void this.#onPullAck(token);
      case 'PULL_RESP':
        this.#stat.dwnb++;
        return read.value;
      default:
        return void this.counts.unexpected++;
    }
  }

  #onPullAck(token: number): void {
    if (!this.#pulls.delete(token)) return void this.counts.unexpected++;
    if (this.counts.pullAcked > 0 && !this.isConnected) this.counts.reconnects++;
    this.counts.pullAcked++;
    this.#pullsUnanswered = 0;
  }

  /** A transmission is open until it is answered; false: too many are. */
  opens(id: number, token: number, eirpCentiDbm: number, nowMs: number): boolean {
    for (const [old, { sinceMs }] of this.#open) {
      if (nowMs - sinceMs < FORGOTTEN_AFTER_MS) break;
      this.#open.delete(old);
    }
    if (this.#open.size >= MOST_OPEN) {
      this.counts.flooded++;
      this.#write('TX_ACK', token, { txpk_ack: { error: 'COLLISION_PACKET' } });
      return false;
    }
    this.counts.transmissions++;
    this.#open.set(id, { token, eirpCentiDbm, sinceMs: nowMs });
    return true;
  }
}

/** Adds a token to those that are awaited, and gives the oldest up beyond the most. */
function awaited(tokens: Set<number>, token: number): number {
  tokens.add(token);
  if (tokens.size > MOST_OPEN) tokens.delete(tokens.values().next().value!);
  return token;
}
