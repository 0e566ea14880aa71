/** Notation for frames as a platform hears of them: a test names what differs from a usual one. */
import type { FrameUp, UplinkVerdict } from '../../sim/contract/frames.ts';

export interface Heard {
  readonly devEui: string;
  readonly atUs: number;
  readonly fCnt: number;
  readonly devAddr: number;
  readonly verdict: Extract<UplinkVerdict, FrameUp['verdict']>;
  /** Of the signal itself, 1/100 dBm. */
  readonly level: number;
  readonly snr: number;
  readonly spreadingFactor: number;
  readonly fPort: number | null;
  readonly payload: Uint8Array;
}

export const USUAL_FRAME: Heard = {
  devEui: 'D000000000000001',
  atUs: 0,
  fCnt: 0,
  devAddr: 7,
  verdict: 'accepted',
  level: -10_000,
  snr: 500,
  spreadingFactor: 7,
  fPort: 1,
  payload: new Uint8Array(),
};

/** Heard by two gateways, the better one first; and by a third that is late and best of all. */
export function frameOf(heard: Heard): FrameUp {
  const { devEui, atUs, fCnt, devAddr, verdict, level, snr, spreadingFactor } = heard;
  const reception = { gatewayEui: 'AA', arrivesAtUs: atUs, late: false };
  return {
    devEui,
    type: 'unconfirmedDataUp',
    verdict,
    endedAtUs: atUs,
    takenInAtUs: atUs + 200_000,
    tooLate: false,
    mic: 0,
    frequencyHz: 868_100_000,
    dataRate: 5,
    spreadingFactor,
    bandwidthHz: 125_000,
    airtimeUs: 50_000,
    phyBytes: 20,
    join: null,
    data: {
      devAddr,
      fCnt,
      fPort: heard.fPort,
      adr: false,
      ack: false,
      adrAckReq: false,
      classB: false,
      fOpts: new Uint8Array(),
      payload: heard.payload,
      inClear: true,
    },
    receptions: [
      { ...reception, rssiCentiDbm: level + 700, snrCentiDb: snr + 700, late: true },
      { ...reception, rssiCentiDbm: level, snrCentiDb: snr },
      { ...reception, rssiCentiDbm: level - 500, snrCentiDb: snr - 900 },
    ],
  };
}
