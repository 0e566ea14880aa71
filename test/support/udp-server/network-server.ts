/**
 * A small network server behind Semtech UDP, for tests of the bridge: joins of LoRaWAN 1.0.x,
 * acknowledged uplinks, class A answers in RX1, and one update over class C multicast as TS005 and
 * TS004 have it. It knows nothing of worlds: datagrams, keys and a clock are all it has.
 */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { fromHex, toHex } from '../../../sim/base/bytes.ts';
import {
  type DatagramJson,
  readDatagram,
  writeDatagram,
} from '../../../sim/gateway/forwarder-datagram.ts';
import { encodeFragments, fragmentCount } from '../../../sim/lorawan/fragmentation-code.ts';
import {
  DOWNLINK,
  dataMic10,
  FCtrl,
  fullFCnt,
  MIC_BYTES,
  MType,
  ParsedFrame,
  parseDataFrame,
  payloadCrypt,
  putMic,
  UPLINK,
  writeDataFrame,
} from '../../../sim/lorawan/frame.ts';
import {
  encodeJoinAccept,
  ParsedJoinRequest,
  parseJoinRequest,
} from '../../../sim/lorawan/join.ts';
import {
  deriveMcKEKey,
  deriveMcSessionKeys,
  deriveSessionKeys,
  encryptMcKey,
  keySchedule,
} from '../../../sim/lorawan/keys.ts';
import {
  AppTimeAns,
  AppTimeReq,
  ForceDeviceResyncReq,
} from '../../../sim/lorawan/packages/ts003-clock-sync.ts';
import {
  DataFragment,
  FragSessionSetupReqV1,
  FragSessionStatusAnsV1,
  FragSessionStatusReq,
} from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McClassCSessionReq,
  McGroupSetupReq,
} from '../../../sim/lorawan/packages/ts005-multicast-setup.ts';

/** As `fleetwave bridge export --format json` has it. */
export interface KnownDevice {
  readonly devEui: string;
  readonly appKey: string;
  readonly genAppKey: string;
}

export interface ServerSetting {
  readonly devices: readonly KnownDevice[];
  /** Virtual seconds a second. */
  readonly speed: number;
  /** An update that begins once all devices have a session; absent: none. */
  readonly update?: {
    readonly image: string;
    readonly fragSize: number;
    readonly redundancy: number;
    readonly sessionTimeOut: number;
    /** From the set-up of the last device to the session, s. */
    readonly leadS: number;
    readonly gapS: number;
  };
}

/** What it has to say when asked. */
export interface ServerReport {
  readonly joined: readonly string[];
  readonly uplinks: number;
  readonly badMics: number;
  readonly stats: number;
  readonly txAcks: Readonly<Record<string, number>>;
  readonly stage: string;
  /** Missing fragments by device, of those that answered the status request. */
  readonly missing: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

interface Device extends KnownDevice {
  devAddr: number;
  nwkSKey: Uint8Array;
  appSKey: Uint8Array;
  fCntUp: number;
  fCntDown: number;
  step: number;
  missing: number | undefined;
}

interface Reception {
  readonly gateway: string;
  readonly tmst: number;
  readonly freq: number;
  readonly datr: string;
}

const MULTICAST_PORT = 200;
const FRAGMENTATION_PORT = 201;
const CLOCK_PORT = 202;
const MC_ADDR = 0x01ffff01;
const MC_KEY = fromHex('000102030405060708090a0b0c0d0e0f');
const CHANNEL_HZ = 869_525_000;
const DATA_RATE = 3;
/** The delay of RX1 that joins give: a machine under load answers in time. */
const RX1_S = 5;
const RX1_US = RX1_S * 1_000_000;
const JOIN_US = 5_000_000;
const NET_ID = 0x13;
/** By how much a device's clock may be wrong, s. */
const CLOCK_TOLERANCE_S = 5;
const STEPS = ['resync', 'group', 'fragments', 'session', 'ready', 'status', 'done'] as const;

export class NetworkServer {
  readonly #setting: ServerSetting;
  readonly #socket = createSocket('udp4');
  readonly #byEui = new Map<string, Device>();
  readonly #byAddr = new Map<number, Device>();
  /** Where downlinks of a gateway go. */
  readonly #gateways = new Map<string, RemoteInfo>();
  readonly #seen = new Set<string>();
  readonly #txAcks: Record<string, number> = {};
  readonly #wrong: string[] = [];
  #token = 0;
  #addresses = 0x26000001;
  #uplinks = 0;
  #badMics = 0;
  #stats = 0;
  /** GPS time of a reception, ms, and when that was, ms of `performance.now`. */
  #gps: readonly [gpsMs: number, atMs: number] | undefined;
  #sessionS = 0;
  #sent = 0;
  #fragments: Uint8Array[] = [];
  #stage = 'joining';

  constructor(setting: ServerSetting) {
    this.#setting = setting;
    const session = { devAddr: 0, nwkSKey: NO_KEY, appSKey: NO_KEY };
    for (const device of setting.devices) {
      const fresh = { ...session, fCntUp: -1, fCntDown: 0, step: 0, missing: undefined };
      this.#byEui.set(device.devEui.toLowerCase(), { ...device, ...fresh });
    }
    this.#socket.on('message', (bytes, from) => this.#onDatagram(bytes, from));
  }

  /** Resolves to its port on loopback. */
  listen(port = 0): Promise<number> {
    return new Promise((resolve) => {
      this.#socket.bind(port, '127.0.0.1', () => resolve(this.#socket.address().port));
    });
  }

  close(): void {
    this.#socket.close();
  }

  report(): ServerReport {
    const devices = [...this.#byEui.values()];
    const missing = devices.flatMap(({ devEui, missing: count }) =>
      count === undefined ? [] : [[devEui, count] as const],
    );
    return {
      joined: devices.filter(({ devAddr }) => devAddr !== 0).map(({ devEui }) => devEui),
      uplinks: this.#uplinks,
      badMics: this.#badMics,
      stats: this.#stats,
      txAcks: this.#txAcks,
      stage: this.#stage,
      missing: Object.fromEntries(missing),
      wrong: this.#wrong,
    };
  }

  // ── datagrams ──────────────────────────────────────────────────────────────────────────────────

  #onDatagram(bytes: Uint8Array, from: RemoteInfo): void {
    const read = readDatagram(new Uint8Array(bytes));
    if (!read.ok) return void this.#wrong.push(read.failure.message);
    const { name, token, gatewayEui = '', json } = read.value;
    const answer = (each: 'PUSH_ACK' | 'PULL_ACK') =>
      this.#socket.send(writeDatagram({ name: each, token }), from.port, from.address);
    if (name === 'PUSH_DATA') {
      answer('PUSH_ACK');
      if (json?.stat !== undefined) this.#stats++;
      const frames = (json?.rxpk ?? []) as DatagramJson[];
      for (const frame of frames) this.#onRxpk(gatewayEui, frame);
    } else if (name === 'PULL_DATA') {
      this.#gateways.set(gatewayEui, from);
      answer('PULL_ACK');
    } else if (name === 'TX_ACK') {
      const { error = 'NONE' } = (json?.txpk_ack ?? {}) as { error?: string };
      this.#txAcks[error] = (this.#txAcks[error] ?? 0) + 1;
    } else this.#wrong.push(`a forwarder does not send ${name}`);
  }

  #onRxpk(gateway: string, rxpk: DatagramJson): void {
    const { data, tmst, tmms, freq, datr, rssi, size } = rxpk;
    if (!Number.isInteger(rssi)) this.#wrong.push(`rssi ${rssi} is no whole number`);
    if (typeof tmms === 'number') this.#gps = [tmms, performance.now()];
    const bytes = new Uint8Array(Buffer.from(data as string, 'base64'));
    if (bytes.length !== size) this.#wrong.push(`size ${size} of ${bytes.length} bytes`);
    const hex = toHex(bytes);
    // The first copy is answered, as it came; a repetition is too, by its counter.
    const seen = `${hex} ${Math.floor(Number(tmms) / 500)}`;
    if (this.#seen.has(seen)) return;
    this.#seen.add(seen);
    const reception = { gateway, tmst: tmst as number, freq: freq as number, datr: datr as string };
    if (bytes[0]! >> 5 === MType.joinRequest) this.#onJoin(bytes, reception);
    else this.#onData(bytes, reception);
    this.#advance();
  }

  #send(gateway: string, when: object, freq: number, datr: string, phyPayload: Uint8Array): void {
    const to = this.#gateways.get(gateway);
    if (to === undefined) return void this.#wrong.push(`${gateway} has sent no PULL_DATA`);
    const txpk = {
      ...when,
      freq,
      rfch: 0,
      powe: freq > 869.4 && freq < 869.65 ? 27 : 14,
      modu: 'LORA',
      datr,
      codr: '4/5',
      ipol: true,
      size: phyPayload.length,
      data: Buffer.from(phyPayload).toString('base64'),
    };
    this.#token = (this.#token + 1) % 65_536;
    const json = { txpk };
    const datagram = writeDatagram({ name: 'PULL_RESP', token: this.#token, json });
    this.#socket.send(datagram, to.port, to.address);
  }

  #sendInRx1(to: Reception, afterUs: number, phyPayload: Uint8Array): void {
    const tmst = (to.tmst + afterUs) % 0x1_0000_0000;
    this.#send(to.gateway, { imme: false, tmst }, to.freq, to.datr, phyPayload);
  }

  // ── devices ────────────────────────────────────────────────────────────────────────────────────

  #onJoin(bytes: Uint8Array, reception: Reception): void {
    const request = new ParsedJoinRequest();
    parseJoinRequest(bytes, bytes.length, request);
    const device = this.#byEui.get(toHex(request.devEui.slice().reverse()));
    if (device === undefined) return void this.#wrong.push('an unknown device joins');
    const appKey = fromHex(device.appKey);
    const joinNonce = this.#addresses & 0xffffff;
    const devAddr = this.#addresses++;
    const context = { netId: NET_ID, joinNonce, devNonce: request.devNonce } as const;
    Object.assign(device, deriveSessionKeys({ version: '1.0', appKey, ...context }));
    Object.assign(device, { devAddr, fCntUp: -1, fCntDown: 0 });
    this.#byAddr.set(devAddr, device);
    const setting = { optNeg: false, rx1DrOffset: 0, rx2DataRate: 0, rxDelay: RX1_S };
    const accept = { joinNonce, netId: NET_ID, devAddr, ...setting, cfList: undefined };
    this.#sendInRx1(reception, JOIN_US, encodeJoinAccept(accept, { version: '1.0', appKey }));
  }

  #onData(bytes: Uint8Array, reception: Reception): void {
    const frame = new ParsedFrame();
    if (!parseDataFrame(bytes, bytes.length, frame)) return void this.#wrong.push('no data frame');
    const device = this.#byAddr.get(frame.devAddr);
    if (device === undefined) return void this.#wrong.push('a frame of an unknown address');
    const { devAddr } = device;
    const fCnt = fullFCnt(device.fCntUp, frame.fCnt);
    const text = bytes.length - MIC_BYTES;
    const nwk = keySchedule(device.nwkSKey);
    if (dataMic10(nwk, UPLINK, devAddr, fCnt, bytes, text) !== frame.mic) {
      return void this.#badMics++;
    }
    this.#uplinks++;
    device.fCntUp = fCnt;
    const app = keySchedule(device.appSKey);
    payloadCrypt(app, UPLINK, devAddr, fCnt, bytes, frame.payloadOffset, frame.payloadLength);
    const payload = bytes.slice(frame.payloadOffset, text);
    const answer = this.#answerTo(device, frame.fPort, payload);
    const confirmed = frame.mType === MType.confirmedDataUp;
    if (answer === undefined && !confirmed) return;
    this.#sendInRx1(reception, RX1_US, this.#dataDown(device, confirmed, answer));
  }

  #dataDown(device: Device, ack: boolean, answer: readonly [number, Uint8Array] | undefined) {
    const [fPort, payload] = answer ?? [-1, new Uint8Array(0)];
    const { devAddr } = device;
    const fCnt = device.fCntDown++;
    return sealed({ devAddr, fCnt, fCtrl: ack ? FCtrl.ack : 0, fPort, payload }, device);
  }

  // ── the update ─────────────────────────────────────────────────────────────────────────────────

  /** What an uplink is answered with: the time, or the next step of the device's update. */
  #answerTo(device: Device, fPort: number, payload: Uint8Array) {
    if (fPort === CLOCK_PORT && payload[0] === AppTimeReq.cid) {
      const read = AppTimeReq.decode(payload);
      if (!read.ok) return void this.#wrong.push(read.failure.message);
      const { deviceTime, tokenReq: tokenAns } = read.value;
      const timeCorrection = (Math.round(this.#gpsMs() / 1_000) - deviceTime) | 0;
      // An answer may be lost: a device goes on once its clock is right.
      if (Math.abs(timeCorrection) <= CLOCK_TOLERANCE_S) this.#step(device, 'resync');
      return [CLOCK_PORT, AppTimeAns.encode({ timeCorrection, tokenAns })] as const;
    }
    if (fPort === MULTICAST_PORT && payload[0] === McGroupSetupReq.cid) this.#step(device, 'group');
    if (fPort === MULTICAST_PORT && payload[0] === McClassCSessionReq.cid) {
      this.#step(device, 'session');
    }
    if (fPort === FRAGMENTATION_PORT) this.#onFragmentation(device, payload);
    return this.#setting.update === undefined || this.#stage === 'joining'
      ? undefined
      : this.#request(device);
  }

  #onFragmentation(device: Device, payload: Uint8Array): void {
    if (payload[0] === FragSessionSetupReqV1.cid) return this.#step(device, 'fragments');
    const read = FragSessionStatusAnsV1.decode(payload);
    if (!read.ok) return;
    device.missing = read.value.missingFrag;
    this.#step(device, 'status');
  }

  #at = (device: Device, step: (typeof STEPS)[number]): boolean => STEPS[device.step] === step;

  #step(device: Device, step: (typeof STEPS)[number]): void {
    if (this.#at(device, step)) device.step++;
  }

  /** The request of the step that a device is at. */
  #request(device: Device): readonly [number, Uint8Array] | undefined {
    const { fragSize, sessionTimeOut } = this.#setting.update!;
    const image = fromHex(this.#setting.update!.image);
    switch (STEPS[device.step]) {
      case 'resync':
        return [CLOCK_PORT, ForceDeviceResyncReq.encode({ nbTransmissions: 1 })];
      case 'group': {
        const key = encryptMcKey(deriveMcKEKey('1.0', fromHex(device.genAppKey)), MC_KEY);
        const range = { minMcFCount: 0, maxMcFCount: 65_535 };
        const group = { mcGroupId: 0, mcAddr: MC_ADDR, mcKeyEncrypted: key, ...range };
        return [MULTICAST_PORT, McGroupSetupReq.encode(group)];
      }
      case 'fragments': {
        const nbFrag = fragmentCount(image.length, fragSize);
        const padding = nbFrag * fragSize - image.length;
        const session = { fragIndex: 0, mcGroupBitMask: 1, nbFrag, fragSize, fragAlgo: 0 };
        const rest = { blockAckDelay: 0, padding, descriptor: new Uint8Array(4) };
        return [FRAGMENTATION_PORT, FragSessionSetupReqV1.encode({ ...session, ...rest })];
      }
      case 'session': {
        if (this.#sessionS === 0) {
          this.#sessionS = Math.ceil(this.#gpsMs() / 1_000) + this.#setting.update!.leadS;
        }
        const channel = { dlFrequencyHz: CHANNEL_HZ, dr: DATA_RATE };
        const session = { mcGroupId: 0, sessionTime: this.#sessionS >>> 0 };
        const request = { ...session, timeOut: sessionTimeOut, ...channel };
        return [MULTICAST_PORT, McClassCSessionReq.encode(request)];
      }
      case 'status':
        return [
          FRAGMENTATION_PORT,
          FragSessionStatusReq.encode({ fragIndex: 0, participants: true }),
        ];
      default:
        return undefined;
    }
  }

  #gpsMs(): number {
    const [gpsMs, atMs] = this.#gps ?? [0, performance.now()];
    return gpsMs + (performance.now() - atMs) * this.#setting.speed;
  }

  /** The stage of the whole, looked at after each uplink. */
  #advance(): void {
    const devices = [...this.#byEui.values()];
    const { update } = this.#setting;
    if (update === undefined) return;
    if (this.#stage === 'joining' && devices.every(({ fCntUp }) => fCntUp >= 0)) {
      this.#stage = 'set-up';
    }
    if (this.#stage === 'set-up' && devices.every((device) => this.#at(device, 'ready'))) {
      this.#stage = 'sending';
      this.#fragments = encodeFragments(
        1,
        fromHex(update.image),
        update.fragSize,
        update.redundancy,
      );
      const inMs = (this.#sessionS * 1_000 - this.#gpsMs()) / this.#setting.speed;
      setTimeout(() => this.#sendFragment(), Math.max(0, inMs + 3_000 / this.#setting.speed));
    }
    if (this.#stage === 'asking' && devices.every((device) => this.#at(device, 'done'))) {
      this.#stage = 'done';
    }
  }

  /** One fragment by every gateway, and the next one after the gap. */
  #sendFragment(): void {
    const fragment = this.#fragments[this.#sent];
    if (fragment === undefined) {
      for (const device of this.#byEui.values()) this.#step(device, 'ready');
      this.#stage = 'asking';
      return;
    }
    const numbered = { fragIndex: 0, fragmentNumber: this.#sent + 1, fragment: fragment.slice() };
    const payload = DataFragment.encode(numbered);
    const { mcAppSKey, mcNwkSKey } = deriveMcSessionKeys(MC_KEY, MC_ADDR);
    const keys = { nwkSKey: mcNwkSKey, appSKey: mcAppSKey };
    const frame = {
      devAddr: MC_ADDR,
      fCnt: this.#sent,
      fCtrl: 0,
      fPort: FRAGMENTATION_PORT,
      payload,
    };
    const phyPayload = sealed(frame, keys);
    for (const gateway of this.#gateways.keys()) {
      this.#send(gateway, { imme: true }, CHANNEL_HZ / 1e6, 'SF9BW125', phyPayload);
    }
    this.#sent++;
    const { gapS } = this.#setting.update!;
    setTimeout(() => this.#sendFragment(), (gapS * 1_000) / this.#setting.speed);
  }
}

const NO_KEY = new Uint8Array(16);

/** A data frame down, encrypted and with its MIC. */
function sealed(
  frame: {
    readonly devAddr: number;
    readonly fCnt: number;
    readonly fCtrl: number;
    readonly fPort: number;
    readonly payload: Uint8Array;
  },
  { nwkSKey, appSKey }: { readonly nwkSKey: Uint8Array; readonly appSKey: Uint8Array },
): Uint8Array {
  const { devAddr, fCnt, payload } = frame;
  const out = new Uint8Array(256);
  const length = writeDataFrame(out, {
    ...frame,
    mType: MType.unconfirmedDataDown,
    fOpts: new Uint8Array(0),
    fOptsLength: 0,
    payloadLength: payload.length,
  });
  const app = keySchedule(appSKey);
  payloadCrypt(app, DOWNLINK, devAddr, fCnt, out, length - payload.length, payload.length);
  const mic = dataMic10(keySchedule(nwkSKey), DOWNLINK, devAddr, fCnt, out, length);
  return out.slice(0, putMic(out, length, mic));
}
