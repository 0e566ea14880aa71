/**
 * What the report says of an outside server: each check of an update finds what it is for, and
 * finds nothing where the server did right.
 */
import { describe, expect, it } from 'vitest';
import { ServerRecord } from '../../api/bridge/server-record.ts';
import type { OutsideCheckName, OutsideUpdate } from '../../core/result/outside-server.ts';
import type { RunResult } from '../../core/result/result.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { htmlOf } from '../../reports/document/html.ts';
import { markdownOf } from '../../reports/document/markdown.ts';
import { html } from '../../reports/markup/markup.ts';
import { outsideServerBlocks } from '../../reports/stories/outside-server/outside-server-blocks.ts';
import type { OpenedFrame, TransmissionAnswer } from '../../sim/contract/forwarding.ts';
import {
  DataFragment,
  FragSessionSetupAnsV1,
  FragSessionSetupReqV1,
  FragSessionStatusAnsV1,
  FragSessionStatusReq,
} from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McClassCSessionAnsV1,
  McClassCSessionReq,
  McGroupSetupAns,
  McGroupSetupReq,
} from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { eui, networkOf, SECOND_US } from '../support/small-network.ts';

const DEVICES = 3;
const MC_ADDR = 0xff000001;
const SESSION_S = 600;
const TIME_OUT = 7;
const NB_FRAG = 20;
const PLAN: RunPlan = {
  name: 'record',
  description: '',
  // It begins with GPS time: seconds of the world are GPS seconds.
  network: networkOf({ devices: DEVICES }),
  timeline: [],
  durationUs: 3_600 * SECOND_US,
};
const NAMES = PLAN.network.devices.map(({ name }) => name);
const EUIS = PLAN.network.devices.map(({ devEui }) => devEui);
const GATEWAY = eui('06', 1);

/** What differs from a server that does all right. */
interface Otherwise {
  readonly unanswered?: boolean;
  readonly withoutBlock?: boolean;
  readonly firstS?: number;
  readonly gapS?: number;
  readonly fragments?: number;
  readonly refused?: TransmissionAnswer['refusal'];
  readonly late?: boolean;
  readonly pauseS?: number;
  readonly airtimeS?: number;
  readonly withoutStatus?: boolean;
  readonly silentStatus?: boolean;
  readonly reported?: number;
  readonly incomplete?: boolean;
}

function updateOf(otherwise: Otherwise = {}): OutsideUpdate {
  return recorded(otherwise).updates[0]!;
}

function recorded(otherwise: Otherwise) {
  const record = new ServerRecord(PLAN);
  let id = 0;
  const down = (device: number, fPort: number, payload: Uint8Array, atS: number) => {
    const to = { id: ++id, gatewayEui: GATEWAY, purpose: 'data', departure: 'counter' } as const;
    const channel = { frequencyHz: 869_525_000, dataRate: 3, airtimeUs: 100_000 };
    const rest = { devEui: EUIS[device]!, devAddr: 1, fCnt: id, fPort, payload };
    record.opened({ direction: 'down', atUs: atS * SECOND_US, ...to, ...channel, ...rest });
  };
  const up = (device: number, fPort: number, payload: Uint8Array, atS: number) => {
    const frame = { direction: 'up', devEui: EUIS[device]!, devAddr: 1, fCnt: ++id } as const;
    record.opened({ ...frame, fPort, payload, atUs: atS * SECOND_US });
  };
  for (let device = 0; device < DEVICES; device++) setUp(device, otherwise, down, up);
  sendFragments(record, otherwise);
  for (const [device, name] of NAMES.entries()) {
    hear(record, name, otherwise);
    if (otherwise.withoutStatus) continue;
    const request = FragSessionStatusReq.encode({ fragIndex: 0, participants: true });
    down(device, 201, request, 800);
    if (otherwise.silentStatus) continue;
    const counts = { fragIndex: 0, nbFragReceived: NB_FRAG, missingFrag: otherwise.reported ?? 0 };
    up(
      device,
      201,
      FragSessionStatusAnsV1.encode({ ...counts, notEnoughMatrixMemory: false }),
      801,
    );
  }
  return record.result();
}

type Send = (device: number, fPort: number, payload: Uint8Array, atS: number) => void;

function setUp(device: number, otherwise: Otherwise, down: Send, up: Send): void {
  const key = { mcKeyEncrypted: new Uint8Array(16), minMcFCount: 0, maxMcFCount: 65_535 };
  down(device, 200, McGroupSetupReq.encode({ mcGroupId: 0, mcAddr: MC_ADDR, ...key }), 10 + device);
  up(device, 200, McGroupSetupAns.encode({ mcGroupId: 0, idError: false }), 11 + device);
  if (otherwise.withoutBlock !== true) {
    const block = { fragIndex: 0, mcGroupBitMask: 1, nbFrag: NB_FRAG, fragSize: 40, fragAlgo: 0 };
    const rest = { blockAckDelay: 0, padding: 0, descriptor: new Uint8Array(4) };
    down(device, 201, FragSessionSetupReqV1.encode({ ...block, ...rest }), 100 + device);
    const fine = { wrongDescriptor: false, indexNotSupported: false, notEnoughMemory: false };
    const status = { fragIndex: 0, ...fine, encodingUnsupported: false };
    up(device, 201, FragSessionSetupAnsV1.encode(status), 101 + device);
  }
  const session = { mcGroupId: 0, sessionTime: SESSION_S, timeOut: TIME_OUT, dr: 3 };
  const channel = { dlFrequencyHz: 869_525_000 };
  down(device, 200, McClassCSessionReq.encode({ ...session, ...channel }), 200 + device);
  if (otherwise.unanswered) return;
  const good = { mcGroupUndefined: false, freqError: false, drError: false, mcGroupId: 0 };
  up(device, 200, McClassCSessionAnsV1.encode({ ...good, timeToStart: 390 }), 202 + device);
}

function sendFragments(record: ServerRecord, otherwise: Otherwise): void {
  const { firstS = SESSION_S + 1, gapS = 2, fragments = NB_FRAG, airtimeS = 0.3 } = otherwise;
  for (let fCnt = 0; fCnt < fragments; fCnt++) {
    const id = 10_000 + fCnt;
    const pauseS = fCnt > fragments / 2 ? (otherwise.pauseS ?? 0) : 0;
    const startsAtUs = (firstS + gapS * fCnt + pauseS) * SECOND_US;
    const numbered = { fragIndex: 0, fragmentNumber: fCnt + 1, fragment: new Uint8Array(40) };
    const frame: OpenedFrame = {
      direction: 'down',
      atUs: startsAtUs - SECOND_US,
      id,
      gatewayEui: GATEWAY,
      purpose: 'multicast',
      departure: 'now',
      devEui: null,
      devAddr: MC_ADDR,
      fCnt,
      fPort: 201,
      payload: DataFragment.encode(numbered),
      frequencyHz: 869_525_000,
      dataRate: 3,
      airtimeUs: airtimeS * SECOND_US,
    };
    record.opened(frame);
    const isOdd = fCnt === 4;
    record.answered({
      id,
      gatewayEui: GATEWAY,
      atUs: startsAtUs - SECOND_US,
      arrivesAtUs: startsAtUs,
      startsAtUs,
      shortOfUs: isOdd && otherwise.late ? 500_000 : -SECOND_US,
      sendsAtCentiDbm: 2_700,
      ...(isOdd && otherwise.refused && { refusal: otherwise.refused }),
    });
  }
}

/** A device listens, and has all fragments but the third. */
function hear(record: ServerRecord, device: string, { incomplete, withoutBlock }: Otherwise): void {
  const at = { atUs: 700 * SECOND_US, device };
  const channel = { frequencyHz: 869_525_000, spreadingFactor: 9, bandwidthHz: 125_000 };
  const opens = { mcAddr: MC_ADDR, mcGroupId: 0, opensAtUs: 0, closesAtUs: 1, ...channel };
  record.trace({ kind: 'multicastSessionOpens', ...at, ...opens });
  if (withoutBlock) return;
  const block = { fragIndex: 0, mcGroupBitMask: 1, nbFrag: NB_FRAG, fragSize: 40 };
  record.trace({ kind: 'fragmentationSessionBegins', ...at, ...block });
  for (let fragmentNumber = 1; fragmentNumber <= NB_FRAG; fragmentNumber++) {
    if (fragmentNumber === 3) {
      const decided = { mcAddr: MC_ADDR, fCnt: 2, endedAtUs: 1, fate: 'ownUplink' } as const;
      record.trace({ kind: 'multicastDecided', ...at, ...decided });
      continue;
    }
    const completes = fragmentNumber === NB_FRAG && incomplete !== true;
    const taken = { fragIndex: 0, fragmentNumber, receivedAtUs: 650 * SECOND_US, completes };
    record.trace({ kind: 'fragmentTaken', ...at, ...taken });
  }
}

const foundIn = ({ checks }: OutsideUpdate) =>
  checks.filter(({ verdict }) => verdict === 'found').map(({ check }) => check);

describe('an update of an outside server', () => {
  it('that does all right passes each check', () => {
    const update = updateOf();
    expect(foundIn(update)).toEqual([]);
    expect(update.checks.every(({ verdict }) => verdict === 'fine')).toBe(true);
    expect(update).toMatchObject({ mcAddr: 'FF000001', deviceClass: 'C', nbFrag: NB_FRAG });
    expect(update.session).toEqual({ fromS: SESSION_S, untilS: SESSION_S + 2 ** TIME_OUT });
    expect(update.fragments).toMatchObject({ sent: NB_FRAG, highest: NB_FRAG, gapS: 2 });
  });

  it('has its steps in their order, with who was asked and who answered', () => {
    const { steps } = updateOf({ silentStatus: true });
    expect(steps.map(({ name }) => name)).toEqual([
      'McGroupSetup',
      'FragSessionSetup',
      'McClassCSession',
      'FragSessionStatus',
    ]);
    for (const { devices } of steps) expect(devices).toBe(DEVICES);
    expect(steps.map(({ answered }) => answered)).toEqual([3, 3, 3, 0]);
    expect(steps[0]).toMatchObject({ firstS: 10, lastS: 12, requests: 3 });
  });

  it.each<[OutsideCheckName, Otherwise, number, number]>([
    ['setupOrder', { withoutBlock: true }, 3, 0],
    ['unansweredSetup', { unanswered: true }, 3, 0],
    ['beforeSession', { firstS: SESSION_S - 5 }, 3, 3],
    ['afterSession', { gapS: 10 }, 7, 7],
    ['stoppedEarly', { fragments: 15 }, 5, 5],
    ['refusedFragments', { refused: 'tooLate' }, 1, 1],
    ['lateCommand', { late: true }, 1, 0],
    ['stalled', { pauseS: 40 }, 42, 0],
    ['dutyCycle', { airtimeS: 20 }, 11, 0],
    ['statusNotAsked', { withoutStatus: true }, 3, 0],
    ['statusUnanswered', { silentStatus: true }, 3, 0],
    ['wrongBelief', { reported: 2 }, 3, 0],
    ['wrongBelief', { incomplete: true }, 3, 0],
  ])('finds %s where it is: %j', (check, otherwise, count, fragments) => {
    const update = updateOf(otherwise);
    expect(foundIn(update)).toContain(check);
    expect(update.checks.find((each) => each.check === check)).toMatchObject({ count, fragments });
  });

  it('has of each device what it has and lacks, why, and what the server must believe', () => {
    const { devices } = updateOf({ incomplete: true, reported: 1 });
    expect(devices).toMatchObject({ total: DEVICES, complete: 0, believedIncomplete: DEVICES });
    expect(devices.missed).toEqual({ ownUplink: DEVICES });
    expect(devices.listed[0]).toMatchObject({ has: 19, lacks: '3', reported: 1 });
    expect(updateOf().devices).toMatchObject({ complete: 3, believedComplete: 3, unknown: 0 });
  });
});

describe('the section on an outside server', () => {
  const result = (otherwise: Otherwise) => ({ outsideServer: recorded(otherwise) }) as RunResult;
  const textOf = (otherwise: Otherwise) =>
    html`${htmlOf(outsideServerBlocks(result(otherwise)))}`.markup;

  it('words each finding with its rule and its cost', () => {
    const text = textOf({ gapS: 10, refused: 'tooLate' });
    expect(text).toContain('7 fragments sent after the session had ended');
    expect(text).toContain('ChirpStack 4 computes it without the number');
    expect(text).toContain('1 fragment refused by each gateway');
    expect(text).toContain('none was sent before the session began');
  });

  it('is not there where the server was the simulator’s own', () => {
    expect(outsideServerBlocks({} as RunResult)).toEqual([]);
  });

  it('has the same figures in Markdown', () => {
    const text = markdownOf(outsideServerBlocks(result({ incomplete: true }))).join('\n');
    expect(text).toContain('0 of 3 devices have the whole block');
    expect(text).toContain('Update of group FF000001');
  });
});
