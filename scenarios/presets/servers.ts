/** Servers: what the network server does with frames, and how each campaign is run. */
import { INFERRED, type Presets, row } from './preset.ts';

const CHIRPSTACK = 'ChirpStack 4.20';
const FLOW = `${CHIRPSTACK}, applayer/fuota/flow.rs`;
const FUOTAA = 'klementc/fuotaa-reprod: chirpstack-fuota-server with FUOTAutomation';
const THINGPARK = 'Actility, Fuota-doc';
const TTS = 'The Things Stack 3.32';

/** Both ways in which ChirpStack sends to a group of class C. */
const CHIRPSTACK_SERVER = [
  row('deduplication', '200 ms', `${CHIRPSTACK}, deduplication_delay`),
  row('adrAlgorithm', 'semtech', `${CHIRPSTACK}, adr/default.rs`),
  row('adrMargin', '10 dB', `${CHIRPSTACK}, installation_margin`),
];
const CHIRPSTACK_CAMPAIGN = [
  row('skip_clock_sync', true, `${FLOW}: no step of TS003`),
  row('set_up_in_turn', true, `${FLOW}: a step is for the whole deployment`),
  row('set_up_waits', true, `${FLOW}: looks again after uplink_interval`),
  row('set_up_interval', '3600 s', `${CHIRPSTACK}, device profile: uplink_interval`, INFERRED),
  row('set_up_tries', 1, `${CHIRPSTACK}, unicast_max_retry_count + 1, with 0 retries`, INFERRED),
  row('acceptable_time_drift', '0 s', `${FLOW}: fragments are queued at the session’s start`),
  row('frag_send_grid', '1 s', `${CHIRPSTACK}, scheduler_interval`),
  row('session_fragment_time', '5 s', `${CHIRPSTACK}, api/fuota.rs: margin × (n + 1)`),
  row('sleep_after_frag_sent', '0 s', `${FLOW}: status follows the fragments`),
  row('status_tries', 1, `${FLOW}: FragStatus is tried once`),
  row('status_time', '3600 s', `${FLOW}: FragStatus waits one uplink_interval`, INFERRED),
  row('verify_by_status', true, `${FLOW}: no step of TS006`),
  row('individual_fragment_retransmit', 0, `${FLOW}: no repairs`),
];
const CHIRPSTACK_FAULTS = [
  'The planned session counts 5 s a fragment, however many gateways there are: devices leave it ' +
    'before the last fragments.',
  'There are no repairs, and a device that misses its one status request counts as failed.',
  'No duty cycle is planned: gateways that keep one refuse fragments.',
];
const CHIRPSTACK_MISSING = [
  'With AFTER_FRAGMENT_ENQUEUE the group is deleted one uplink_interval after the session’s ' +
    'start: session_closes_after shows what that costs.',
  'A command that gets no TX_ACK within 2 s is sent again with the same counter there.',
  'Its class B leaves out the beacon’s delay of 1.5 ms.',
];

export const SERVERS = {
  chirpstack: {
    is: 'ChirpStack 4.20 with its own updates, class C by DELAY',
    rows: CHIRPSTACK_SERVER,
    campaign: [
      ...CHIRPSTACK_CAMPAIGN,
      row('frag_send_delay', '5 s', `${CHIRPSTACK}, multicast_class_c_margin: 5 s a gateway`),
      row('frag_send_per_gateway', true, `${CHIRPSTACK}, downlink/multicast.rs`),
    ],
    faults: CHIRPSTACK_FAULTS,
    missing: CHIRPSTACK_MISSING,
  },
  'chirpstack-gps-time': {
    is: 'the same, class C by GPS_TIME: all gateways at once',
    rows: CHIRPSTACK_SERVER,
    campaign: [
      ...CHIRPSTACK_CAMPAIGN,
      row('frag_send_delay', '10 s', `${CHIRPSTACK}, downlink/multicast.rs: the margin twice`),
      row('gateway_timing', 'simultaneous', `${CHIRPSTACK}, downlink/multicast.rs`),
    ],
    faults: [
      'Fragments go out every 10 s while the session counts 5 s for each: half of them come ' +
        'after its end, unless the power of two above leaves room.',
      ...CHIRPSTACK_FAULTS.slice(1),
    ],
    missing: CHIRPSTACK_MISSING,
  },
  fuotaa: {
    is: 'chirpstack-fuota-server with FUOTAutomation, as it was measured',
    rows: [
      row('deduplication', '200 ms', 'ChirpStack 4, deduplication_delay'),
      row('adr', false, `${FUOTAA}: devices have ADR off`, INFERRED),
    ],
    campaign: [
      row('skip_clock_sync', true, `${FUOTAA}, logs`),
      row('set_up_in_turn', true, 'chirpstack-fuota-server, fuota.go: a step for all devices'),
      row('set_up_interval', '300 s', `${FUOTAA}: unicast_timeout_seconds`),
      row('set_up_tries', 2, `${FUOTAA}: unicast_attempt_count`),
      row('session_delay', '300 s', 'chirpstack-fuota-server, fuota.go: now + unicast time-out', {
        unless: ['multicast_setup_time'],
      }),
      row('mcast_session_timeout', '4096 s', `${FUOTAA}: multicast_timeout 12`),
      row('acceptable_time_drift', '1 s', `${FUOTAA}, logs: first fragment 2 s later`, INFERRED),
      row('min_downlink_delay', '0 s', `${FUOTAA}, logs: the next command in the next window`),
      row('redundancy', 0, `${FUOTAA}: redundancy 0`),
      row('frag_sizes', [39, 39, 39, 110, 219, 230], `${FUOTAA}, logs`, { unless: ['frag_size'] }),
      row('frag_send_airtimes', 9, `${FUOTAA}, logs: start to start`, {
        isInferred: true,
        unless: ['frag_send_delay'],
      }),
      row('frag_airtime_rough', true, `${FUOTAA}, logs`, INFERRED),
      row('frag_send_grid', '1 s', `${FUOTAA}, logs: whole seconds between fragments`),
      row('sleep_after_frag_sent', '0 s', `${FUOTAA}, logs`, INFERRED),
      row(
        'status_time',
        '510 s',
        `${FUOTAA}, logs: next group 509 to 514 s after a last fragment`,
        {
          isInferred: true,
        },
      ),
      row('verify_by_status', true, `${FUOTAA}: no step of TS006`),
    ],
    faults: [
      'Fragments go out at up to 11.9 % of the time: its air times count low data rate ' +
        'optimization at every data rate, and the pause as nine of them.',
      'Without redundancy one lost fragment fails the device.',
    ],
    missing: [
      'The policies that choose who is updated together: groups of the file stand for them.',
    ],
  },
  thingpark: {
    is: 'ThingPark’s reliable multicast server',
    rows: [row('adr', true, THINGPARK, INFERRED)],
    campaign: [
      row('set_up_in_turn', true, `${THINGPARK}, campaign phases`, INFERRED),
      row('set_up_tries', 3, `${THINGPARK}, server protocol: 2 retries`),
      row('acceptable_time_drift', '2 s', `${THINGPARK}: first fragment 3 s after the start`),
      row('frag_size_multiple', 4, `${THINGPARK}: FragSize is a multiple of 4`),
      row('frag_send_least', '2 s', `${THINGPARK}: mcast_msg_delay 2000 ms`),
      row('frag_send_after_report', true, `${THINGPARK}: waits for the summary report`),
      row('gateway_timing', 'simultaneous', `${THINGPARK}: one request for all`, INFERRED),
      row('frag_send_passes', 2, `${THINGPARK}: datafrag_loops_max 2, without redundancy`),
      row('redundancy_most', 340, `${THINGPARK}: frag_redundancy_max 340`),
      row('sleep_after_frag_sent', '0 s', `${THINGPARK}: status follows the fragments`, INFERRED),
      row('status_by_group_above', 5, `${THINGPARK}: fsession_status_threshold 5`),
      row('status_time', '10 s', `${THINGPARK}: complete_delay 10 s after the spread`, {
        isInferred: true,
      }),
      row('verify_by_status', true, `${THINGPARK}, campaign phases`, INFERRED),
      row('individual_fragment_retransmit', 0, `${THINGPARK}: repairs are passes`, INFERRED),
    ],
    faults: [
      'With redundancy there is one pass: who misses too much fails, and a new campaign follows.',
      'A set-up or a pass that reaches its threshold leaves the slower devices out.',
    ],
    missing: [
      'The success threshold of set-up and passes is the operator’s: set_up_threshold.',
      'Devices have to stay in their session to hear a group’s request: sessionEnd: timeOut.',
      'How long it waits for unicast answers: by the slowest uplink period that it has seen.',
      'Below the threshold it counts a campaign as failed; here each device has its own fate.',
    ],
  },
  aws: {
    is: 'AWS IoT Core for LoRaWAN',
    rows: [],
    campaign: [row('frag_index', 1, 'AWS IoT Core, FragIndex 1 for multicast')],
    faults: ['Devices whose stack has one fragmentation session refuse FragIndex 1.'],
    missing: [
      'Pace, set-up and retries are not published.',
      'FragIndex 0 of its updates by unicast: campaigns send to a group, of one device if need be.',
    ],
  },
  'things-stack': {
    is: 'The Things Stack, whose updates come from other programs',
    rows: [
      row('deduplication', '200 ms', `${TTS}, ns.deduplication-window`),
      row('adrAlgorithm', 'tts', `${TTS}, networkserver/mac/adr.go`),
      row('adrMargin', '15 dB', `${TTS}, networkserver/mac/adr.go`),
      row('rx1Delay', '5 s', `${TTS}, frequency plans of The Things Network`, INFERRED),
    ],
    missing: ['It has no TS004 and TS005 of its own: campaigns are those of this simulator.'],
  },
  basic: {
    is: 'a server that does what the standard asks for and no more',
    rows: [row('adr', false, 'LoRaWAN 1.0.4 §4.3.1.1: ADR is the network’s choice')],
    campaign: [
      row('ignore_clock_rates', true, 'TR002: clocks are set once'),
      row('individual_fragment_retransmit', 0, 'TS004: there are no repairs by unicast'),
      row('automatic_retry_count', 0, 'TR002: a campaign is one round'),
    ],
    missing: [],
  },
  'ns-3': {
    is: 'the network server of ns-3’s lorawan module',
    rows: [
      row('deduplication', '0 s', 'signetlabdei/lorawan, network-scheduler.cc', INFERRED),
      row('adr', false, 'signetlabdei/lorawan: a component of its own'),
    ],
    missing: [],
  },
} as const satisfies Presets;
