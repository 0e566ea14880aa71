/** A device that follows TS003…TS006 version 1, with faults where a test scripts them. */
import { toHex } from '../../sim/base/bytes.ts';
import { FragmentDecoder } from '../../sim/lorawan/fragmentation-code.ts';
import { deriveMulticastKeys } from '../../sim/lorawan/keys.ts';
import { type CommandOf, readCommands } from '../../sim/lorawan/message.ts';
import { AppTimeReq, clockSync } from '../../sim/lorawan/packages/ts003-clock-sync.ts';
import {
  FragSessionSetupAnsV1,
  FragSessionStatusAnsV1,
  fragmentation,
} from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import {
  McClassCSessionAnsV1,
  McGroupSetupAns,
  multicastSetup,
} from '../../sim/lorawan/packages/ts005-multicast-setup.ts';
import { DevVersionAns, firmwareManagement } from '../../sim/lorawan/packages/ts006-firmware.ts';

export const DOWNLINK_COMMANDS = {
  200: multicastSetup[1].downlink,
  201: fragmentation[1].downlink,
  202: clockSync[1].downlink,
  203: firmwareManagement[1].downlink,
} as const;
export type PackagePort = keyof typeof DOWNLINK_COMMANDS;
export type Request = { [P in PackagePort]: CommandOf<(typeof DOWNLINK_COMMANDS)[P]> }[PackagePort];

export function readRequests(fPort: number, payload: Uint8Array): readonly Request[] {
  const run = readCommands(DOWNLINK_COMMANDS[fPort as PackagePort], payload);
  if (run.unreadBytes > 0) throw new Error(`unread bytes on port ${fPort}: ${toHex(payload)}`);
  return run.commands as readonly Request[];
}

export interface Script {
  deviceClass: 'A' | 'C';
  /** dBm by gateway EUI. */
  levels: Record<string, number>;
  dataRate: number;
  /** Whether the server knows the root of its multicast keys. */
  rootKeyKnown: boolean;
  uplinkEveryS: number;
  firstUplinkS: number;
  /** Device clock − true time. */
  clockErrorS: number;
  /** A clock that corrections do not move. */
  clockIsStuck: boolean;
  /** Corrections that are not taken, as if none had come. */
  ignoresCorrections: boolean;
  ansRequired: boolean;
  fwVersion: number;
  newFwVersion: number;
  /** Requests that it does not answer. */
  mute: readonly string[];
  setupStatus: Partial<
    Record<
      'encodingUnsupported' | 'notEnoughMemory' | 'indexNotSupported' | 'wrongDescriptor',
      boolean
    >
  >;
  sessionStatus: Partial<Record<'drError' | 'freqError' | 'mcGroupUndefined', boolean>>;
  idError: boolean;
  notEnoughMatrixMemory: boolean;
  /** Whether a fragment sent to the group is lost on the way here. */
  losesFragment: (fragmentNumber: number, gatewayEui: string) => boolean;
  /** Whether this uplink, counted from 0, is lost. */
  losesUplink: (ordinal: number) => boolean;
  /** Whether this downlink, counted from 0, is lost. */
  losesDownlink: (ordinal: number) => boolean;
}

export const ORDINARY: Script = {
  deviceClass: 'A',
  levels: { AA00000000000001: -100 },
  dataRate: 5,
  rootKeyKnown: true,
  uplinkEveryS: 600,
  firstUplinkS: 30,
  clockErrorS: 0,
  clockIsStuck: false,
  ignoresCorrections: false,
  ansRequired: false,
  fwVersion: 0x01000000,
  newFwVersion: 0x01020300,
  mute: [],
  setupStatus: {},
  sessionStatus: {},
  idError: false,
  notEnoughMatrixMemory: false,
  losesFragment: () => false,
  losesUplink: () => false,
  losesDownlink: () => false,
};

export interface Answer {
  readonly fPort: number;
  readonly payload: Uint8Array;
}

export class ScriptedDevice {
  readonly devEui: string;
  readonly script: Script;
  readonly rootKey: Uint8Array;
  name: string;
  xMeters = 0;
  yMeters = 0;
  type = 0;
  activation: 'otaa' | 'abp' = 'abp';
  createdAtUs = 0;
  lastUplinkAtUs = -1;
  uplinks = 0;
  downlinks = 0;
  group: { mcAddr: number; mcKey: string; minMcFCount: number } | null = null;
  session: { sessionTime: number; timeOut: number } | null = null;
  decoder: FragmentDecoder | null = null;
  padding = 0;
  descriptor = '';
  image: string | null = null;
  readonly heard: string[] = [];
  #token = 0;
  #lastFCnt = -1;

  constructor(devEui: string, script: Script) {
    this.devEui = devEui;
    this.name = devEui;
    // A test may change what one device hears.
    this.script = { ...script, levels: { ...script.levels } };
    this.rootKey = Uint8Array.from(
      { length: 16 },
      (_, i) => Number.parseInt(devEui.slice(-2), 16) + i,
    );
  }

  clock(gpsSeconds: number): number {
    return gpsSeconds + this.script.clockErrorS;
  }

  /**
   * Takes a unicast FRMPayload; one answer per package, as its port asks, else what it is reported.
   */
  take(fPort: number, payload: Uint8Array, gpsSeconds: number): Answer[] {
    if (!(fPort in DOWNLINK_COMMANDS))
      return this.script.mute.includes('echo') ? [] : [{ fPort, payload }];
    const answers: Uint8Array[] = [];
    for (const request of readRequests(fPort, payload)) {
      this.heard.push(request.name);
      const answer = this.#answer(request, gpsSeconds);
      if (answer !== undefined && !this.script.mute.includes(request.name)) answers.push(answer);
    }
    if (answers.length === 0) return [];
    return [{ fPort, payload: Uint8Array.from(answers.flatMap((each) => [...each])) }];
  }

  /** Takes a frame of its group while its session is open by its own clock. */
  takeMulticast(fCnt: number, payload: Uint8Array, gatewayEui: string, gpsSeconds: number): void {
    const now = this.clock(gpsSeconds);
    if (this.session === null || this.group === null) return;
    const { sessionTime, timeOut } = this.session;
    if (now < sessionTime || now >= sessionTime + 2 ** timeOut) return;
    for (const request of readRequests(201, payload)) {
      if (request.name !== 'DataFragment') continue;
      const { fragmentNumber, fragment } = request.payload;
      if (this.script.losesFragment(fragmentNumber, gatewayEui)) continue;
      if (fCnt < this.group.minMcFCount || fCnt <= this.#lastFCnt) continue;
      this.#lastFCnt = fCnt;
      this.#takeFragment(fragmentNumber, fragment);
    }
  }

  #answer(request: Request, gpsSeconds: number): Uint8Array | undefined {
    const { script } = this;
    switch (request.name) {
      case 'ForceDeviceResyncReq':
        return AppTimeReq.encode({
          deviceTime: this.clock(gpsSeconds) >>> 0,
          tokenReq: this.#token,
          ansRequired: script.ansRequired,
        });
      case 'AppTimeAns':
        if (request.payload.tokenAns !== this.#token || script.ignoresCorrections) return undefined;
        this.#token = (this.#token + 1) % 16;
        if (!script.clockIsStuck) script.clockErrorS += request.payload.timeCorrection;
        return undefined;
      case 'McGroupSetupReq': {
        const { mcAddr, mcKeyEncrypted, minMcFCount } = request.payload;
        const root = { version: '1.0', rootKey: this.rootKey, mcKeyEncrypted, mcAddr } as const;
        this.group = { mcAddr, mcKey: toHex(deriveMulticastKeys(root).mcKey), minMcFCount };
        this.#lastFCnt = -1;
        return McGroupSetupAns.encode({ mcGroupId: 0, idError: script.idError });
      }
      case 'FragSessionSetupReq': {
        const { nbFrag, fragSize, padding, descriptor } = request.payload;
        this.decoder = new FragmentDecoder(1, nbFrag, fragSize);
        this.padding = padding;
        this.descriptor = toHex(descriptor);
        return FragSessionSetupAnsV1.encode({
          fragIndex: 0,
          encodingUnsupported: false,
          notEnoughMemory: false,
          indexNotSupported: false,
          wrongDescriptor: false,
          ...script.setupStatus,
        });
      }
      case 'McClassCSessionReq':
        return this.#openSession(request.payload, gpsSeconds);
      case 'FragSessionStatusReq':
        if (this.decoder === null) return undefined;
        return FragSessionStatusAnsV1.encode({
          fragIndex: 0,
          nbFragReceived: this.decoder.received,
          missingFrag: Math.min(255, this.decoder.missing),
          notEnoughMatrixMemory: script.notEnoughMatrixMemory,
        });
      case 'DataFragment':
        this.#takeFragment(request.payload.fragmentNumber, request.payload.fragment);
        return undefined;
      case 'DevVersionReq':
        return DevVersionAns.encode({ fwVersion: script.fwVersion, hwVersion: 7 });
      default:
        throw new Error(`an unexpected ${request.name}`);
    }
  }

  #openSession(
    { sessionTime, timeOut }: { sessionTime: number; timeOut: number },
    gpsSeconds: number,
  ): Uint8Array {
    const status = { drError: false, freqError: false, mcGroupUndefined: false };
    const flags = { mcGroupId: 0, ...status, ...this.script.sessionStatus };
    if (flags.drError || flags.freqError || flags.mcGroupUndefined) {
      return McClassCSessionAnsV1.encode(flags);
    }
    this.session = { sessionTime, timeOut };
    const timeToStart = Math.max(0, Math.min(0xffffff, sessionTime - this.clock(gpsSeconds)));
    return McClassCSessionAnsV1.encode({ ...flags, timeToStart });
  }

  #takeFragment(fragmentNumber: number, fragment: Uint8Array): void {
    const { decoder } = this;
    if (decoder === null || decoder.complete || !decoder.add(fragmentNumber, fragment)) return;
    const { nbFrag, fragSize } = decoder;
    this.image = toHex(decoder.block()!.subarray(0, nbFrag * fragSize - this.padding));
    this.script.fwVersion = this.script.newFwVersion;
  }
}
