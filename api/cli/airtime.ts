/** `fleetwave airtime`: the time on air of one LoRa frame and how often it may be sent. */
import { sensitivityDbm } from '../../sim/library/radio.ts';
import { preambleSymbols, symbolUs, timeOnAirUs } from '../../sim/lorawan/airtime.ts';
import { SNR_FLOORS_DB } from '../../sim/radio/packet-error.ts';
import { ExitCode, InputError } from './exit.ts';
import { whole } from './words.ts';

export interface AirtimeOptions {
  readonly sf: string;
  readonly bw: string;
  readonly bytes: string;
  readonly downlink?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export function airtime(options: AirtimeOptions): ExitCode {
  const figures = figuresOf(options);
  process.stdout.write(options.json ? `${JSON.stringify(figures)}\n` : asText(figures));
  return ExitCode.good;
}

type Figures = ReturnType<typeof figuresOf>;

function figuresOf(options: AirtimeOptions) {
  const faults: string[] = [];
  const spreadingFactor = whole('--sf', options.sf, 5, 12, faults);
  const phyPayloadBytes = whole('--bytes', options.bytes, 0, 255, faults);
  const bandwidthHz = bandwidth(options.bw, faults);
  if (faults.length > 0) throw new InputError(faults);
  const crc = options.downlink !== true;
  const airtimeUs = timeOnAirUs({ spreadingFactor, bandwidthHz, phyPayloadBytes, crc });
  const oneSymbolUs = symbolUs(spreadingFactor, bandwidthHz);
  const syncSymbols = spreadingFactor < 7 ? 6.25 : 4.25;
  const preambleUs = (preambleSymbols(spreadingFactor) + syncSymbols) * oneSymbolUs;
  return {
    spreadingFactor,
    bandwidthHz,
    phyPayloadBytes,
    direction: crc ? 'uplink' : 'downlink',
    symbolUs: oneSymbolUs,
    preambleUs,
    payloadSymbols: Math.round((airtimeUs - preambleUs) / oneSymbolUs),
    timeOnAirUs: airtimeUs,
    snrFloorDb: SNR_FLOORS_DB[spreadingFactor - 5]!,
    /** At a noise figure of 6 dB. */
    sensitivityDbm: sensitivityDbm({ spreadingFactor, bandwidthHz }),
    /** From start to start, by the share of time that may be used. */
    minIntervalUs: { '1 %': airtimeUs * 100, '10 %': airtimeUs * 10 },
  };
}

function bandwidth(word: string, faults: string[]): number {
  const kHz = Number(/^(125|250|500)( ?kHz)?$/.exec(word)?.[1] ?? Number.NaN);
  if (Number.isNaN(kHz)) faults.push(`--bw "${word}" is not right; allowed: 125, 250, 500 (kHz)`);
  return kHz * 1000;
}

function asText(figures: Figures): string {
  const crc = figures.direction === 'uplink' ? 'with' : 'without';
  const rows: readonly (readonly [string, string])[] = [
    ['Frame', `SF${figures.spreadingFactor}, ${figures.bandwidthHz / 1000} kHz, 4/5`],
    ['PHYPayload', `${figures.phyPayloadBytes} B, ${figures.direction}, ${crc} payload CRC`],
    ['Symbol', milliseconds(figures.symbolUs)],
    ['Preamble', milliseconds(figures.preambleUs)],
    ['Payload', `${figures.payloadSymbols} symbols`],
    ['Time on air', milliseconds(figures.timeOnAirUs)],
    ['Lowest SNR', `${figures.snrFloorDb} dB`],
    ['Sensitivity', `${figures.sensitivityDbm} dBm at a noise figure of 6 dB`],
    ['At 1 % duty cycle', `every ${seconds(figures.minIntervalUs['1 %'])} at most`],
    ['At 10 % duty cycle', `every ${seconds(figures.minIntervalUs['10 %'])} at most`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(20)}${value}\n`).join('');
}

const milliseconds = (us: number) => `${(us / 1000).toFixed(3)} ms`;
const seconds = (us: number) => `${(us / 1e6).toFixed(3)} s`;
