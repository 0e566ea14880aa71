/** Knobs of the network server in a scenario file. */

import * as z from 'zod';
import { choice, count, flag, measure } from '../language/kinds.ts';
import { knob, leaf, maybe, needed, record } from '../language/knob.ts';
import { DATA_RATES, readNetId, readWholeSeconds } from '../language/readers.ts';
import { wordsOf } from '../presets/preset.ts';
import { SERVERS } from '../presets/servers.ts';

const preset = () => choice(...wordsOf(SERVERS));

const Server = record({
  preset: maybe(preset(), {
    is: 'Server whose rules it has, and those of each campaign; what is said here wins over it.',
    source: 'docs/presets.md',
  }),
  deduplication: knob(measure('duration', '0 s', '900 ms'), '200 ms', {
    is: 'Copies of one uplink are gathered for this long after the first.',
    source: 'ChirpStack, deduplication_delay',
  }),
  netId: knob(leaf(readNetId, { type: ['string', 'integer'] }), '000000', {
    is: 'Network identifier, 6 hexadecimal digits.',
    source: 'TS002: 000000 and 000001 are for experiments',
  }),
  rx1Delay: knob(leaf(readWholeSeconds, { type: 'string', unit: 's' }), '1 s', {
    is: 'From the end of an uplink to RX1, whole seconds; RX2 opens one second later.',
    source: 'RP002-1.0.4, RECEIVE_DELAY1',
  }),
  rx1DrOffset: knob(count(0, 7), 0, {
    is: 'RX1 is this many data rates slower than the uplink.',
    source: 'RP002-1.0.4 §2.4.7',
  }),
  rx2DataRate: maybe(choice(...DATA_RATES), {
    is: 'Data rate of RX2; the region’s default when absent.',
    source: 'RP002-1.0.4, such as DR0 in EU868 (§2.4.7)',
  }),
  rx2Frequency: maybe(measure('frequency', '100 MHz', '1 GHz'), {
    is: 'Frequency of RX2, set by RXParamSetupReq; the region’s default when absent.',
    source: 'RP002-1.0.4, such as 869.525 MHz in EU868 (§2.4.7)',
  }),
  uplinkDwell: maybe(flag(), {
    is: 'Limit of 400 ms for uplinks, set by TxParamSetupReq (AU915, AS923).',
    source: 'RP002-1.0.4 §2.8.3 and §2.10.3',
  }),
  downlinkDwell: maybe(flag(), {
    is: 'The same for downlinks.',
    source: 'RP002-1.0.4 §2.8.3 and §2.10.3',
  }),
  maxEirp: maybe(measure('power', '8 dBm', '36 dBm'), {
    is: 'Devices’ highest EIRP, set by TxParamSetupReq (AU915, AS923).',
    source: 'LoRaWAN 1.0.4 §5.8: 8, 10, 12, 13, 14, 16, 18, 20, 21, 24, 26, 27, 29, 30, 33, 36 dBm',
  }),
  maxDutyCycle: knob(count(0, 15), 0, {
    is: 'Devices send at most 1/2^n of the time, set by DutyCycleReq; 0 is no limit.',
    source: 'LoRaWAN 1.0.4 §5.3',
  }),
  adr: knob(flag(), true, { is: 'Whether it answers with LinkADRReq.' }),
  adrMargin: maybe(measure('level', '0 dB', '40 dB'), {
    is: 'Installation margin of the ADR algorithm; 10 dB, or 15 dB of tts, when absent.',
    source: 'ChirpStack and Semtech’s recommended algorithm; The Things Stack',
  }),
  adrAlgorithm: maybe(choice('semtech', 'tts'), {
    is:
      'semtech: steps of 3 dB, as ChirpStack; tts: steps of 2.5 dB, 2.5 dB more margin before 20 ' +
      'uplinks, adrMargin 15 dB when absent; semtech when absent.',
    source: 'The Things Stack, ADR of the network server',
  }),
  lorawan: maybe(choice('1.0', '1.1'), {
    is: 'What it speaks; 1.1 devices fall back on a 1.0 network. 1.1 when absent.',
    source: 'LoRaWAN 1.1 §6.2.3, OptNeg',
  }),
  devStatus: maybe(
    record({ every: needed(measure('duration', '1 s', '365 d'), { is: 'Pause.' }) }),
    {
      is: 'It asks each device for battery and margin this often (DevStatusReq).',
      source: 'LoRaWAN 1.0.4 §5.5',
    },
  ),
});

/** The name of a preset, or a map. */
export const server = z.union([
  preset().transform((word) => Server.parse({ preset: word })),
  Server,
]);
