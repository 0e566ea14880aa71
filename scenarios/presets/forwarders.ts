/** Gateways: the concentrator, its packet forwarder, and the rules that this keeps itself. */
import { INFERRED, type Presets, row } from './preset.ts';

const HAL = 'Lora-net/sx1302_hal, packet_forwarder';
const OLD = 'Lora-net/packet_forwarder, jitqueue.c';
const STATION = 'LoRa Basics Station 2.0.6';

export const FORWARDERS = {
  'packet-forwarder-sx1301': {
    is: 'Semtech’s UDP packet forwarder on an SX1301',
    rows: [
      row('chip', 'SX1301', `${OLD}: 32.5 ms ahead`),
      row('forwarder', 'semtech', `${OLD}: no duty cycle of its own`),
      row('transmitQueue', 'packetForwarder', `${OLD}: 32 frames; answers of a full queue`),
    ],
    faults: ['A start in the past is answered with TOO_EARLY, a full queue with COLLISION_PACKET.'],
    missing: ['Malformed requests get no answer: there are none in a simulation.'],
  },
  'packet-forwarder-sx1302': {
    is: 'Semtech’s UDP packet forwarder on an SX1302 or SX1303',
    rows: [
      row('chip', 'SX1302', `${HAL}: 42.5 ms ahead`),
      row('forwarder', 'semtech', `${HAL}: no duty cycle of its own`),
      row('transmitQueue', 'packetForwarder', `${HAL}: 32 frames; answers of a full queue`),
    ],
    faults: ['A start in the past is answered with TOO_EARLY, a full queue with COLLISION_PACKET.'],
    missing: ['Malformed requests get no answer: there are none in a simulation.'],
  },
  'basics-station': {
    is: 'LoRa Basics Station, which keeps a duty cycle of its own',
    rows: [
      row('chip', 'SX1302', `${STATION}, on a corecell reference design`, INFERRED),
      row('forwarder', 'basicsStation', `${STATION}, s2e.c: bands close for 10 to 1000 air times`),
      row('transmitQueue', 'station', `${STATION}, s2e.c: dntxed alone; 128 transmit jobs`),
    ],
    faults: [
      'Frames that a server planned by a sliding hour are refused while their band is closed.',
      'It drops what it cannot send without a word: the server takes it for sent.',
      'It does not know IN865, RU864 and CN470, and keeps no duty cycle there.',
    ],
    missing: [],
  },
  'ns-3': {
    is: 'the gateway of ns-3’s lorawan module',
    rows: [
      row('receptionPaths', 8, 'signetlabdei/lorawan, complete-network-example.cc'),
      row(
        'forwarder',
        'basicsStation',
        'signetlabdei/lorawan, logical-lora-channel-helper.cc: a band is closed after each frame',
        INFERRED,
      ),
      row(
        'transmitQueue',
        'none',
        'signetlabdei/lorawan, network-scheduler.cc: whether it may send shows when a window opens',
      ),
      row('antennaGain', '0 dB', 'signetlabdei/lorawan: no antenna gain'),
      row(
        'backhaul',
        { latency: '0 s', jitter: '0 s' },
        'signetlabdei/lorawan: no latency',
        INFERRED,
      ),
    ],
    missing: [
      'Its acknowledgements are 9 bytes with a CRC, ours 12 without, which is longer at SF10 and ' +
        'SF11: of 100 and 200 devices’ messages 3 and 2 in 100 fewer are acknowledged here.',
    ],
  },
} as const satisfies Presets;
