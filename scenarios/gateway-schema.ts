/** Knobs of a gateway: its hardware, and its way to the network server. */
import { count, flag, hexadecimal, knob, maybe, measure, record } from './knob.ts';

const Backhaul = record({
  latency: knob(measure('duration', '0 s', '60 s'), '50 ms', { is: 'One way.' }),
  jitter: knob(measure('duration', '0 s', '60 s'), '20 ms', {
    is: 'Added to each message, uniform from 0 to this.',
  }),
  loss: knob(measure('share', '0 %', '100 %'), '0 %', { is: 'Share of messages lost, each way.' }),
});

/** Knobs of a gateway entry but for name and number. */
export const gatewayKnobs = {
  receptionPaths: knob(count(1, 65535), 8, {
    is: 'Frames it can demodulate at once.',
    source: 'Semtech SX1301 and SX1302: 8 demodulators at 125 kHz',
  }),
  maxEirp: knob(measure('power', '-20 dBm', '40 dBm'), '29.15 dBm', {
    is: 'Highest radiated power (EIRP); each sub-band’s own limit applies on top.',
    source: 'ETSI EN 300 220-2: 27 dBm ERP in 869.4–869.65 MHz',
  }),
  antennaGain: knob(measure('level', '-20 dB', '30 dB'), '2.15 dB', {
    is: 'Gain of the receiving antenna.',
    source: 'half-wave dipole',
  }),
  dutyCycle: knob(flag(), true, {
    is: 'Whether it keeps the duty cycle of its sub-bands.',
    source: 'ETSI EN 300 220-2',
  }),
  gps: knob(flag(), false, {
    is: 'Whether it has GPS time: then it sends beacons, and class B downlinks go through it.',
    source: 'LoRaWAN 1.0.4 §10',
  }),
  backhaul: knob(Backhaul, {}, { is: 'The way to the network server and back.' }),
  eui: maybe(hexadecimal(16), { is: 'Made from the name when absent; only for a single gateway.' }),
};
