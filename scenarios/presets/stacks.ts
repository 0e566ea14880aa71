/** Stacks of devices: windows, versions, limits of decoders and the times of answers. */
import { INFERRED, type Presets, row } from './preset.ts';

const NODE = 'LoRaMac-node 4.7';
const LBM = 'LoRa Basics Modem 4.8 (SWL2001)';
const ZEPHYR = 'Zephyr, subsys/lorawan/services';
const CUBE = 'STM32CubeWL 1.3, LoRaWAN_FUOTA, in klementc/fuotaa-reprod';

const NODE_WINDOWS = row(
  'windows.stack',
  'LoRaMac-node',
  `${NODE}, RegionCommonComputeRxWindowParameters`,
);

export const STACKS = {
  'LoRaMac-node': {
    is: 'Semtech’s reference stack with the packages of its examples of updates',
    rows: [
      NODE_WINDOWS,
      row('windows.rxError', '10 ms', `${NODE}, LoRaMac.c: SystemMaxRxError`),
      row('lorawan', '1.0.4', `${NODE}, its release notes: 1.0.4 and 1.1`),
      row('packages', 'v1', `${NODE}, LmhpFragmentation.c: FRAGMENTATION_VERSION 1`),
      row('packagesLike', 'LoRaMac-node', `${NODE}, LmhpRemoteMcastSetup.c, LmhpFragmentation.c`),
      row('decoder', 'LoRaMac-node', `${NODE}, FragDecoder.h: FRAG_MAX_NB, FRAG_MAX_SIZE`),
      row('fragSlots', 4, `${NODE}, LmhpFragmentation.c: FRAGMENTATION_MAX_SESSIONS`),
      row('groupSlots', 4, `${NODE}, LoRaMac.h: LORAMAC_MAX_MC_CTX`),
    ],
    missing: [
      'The limits of the decoder are those of the example: products set their own.',
      'It draws BlockAckDelay for status answers to multicast; campaigns ask by unicast.',
    ],
  },
  'LoRa Basics Modem': {
    is: 'Semtech’s modem stack, in its version with the packages',
    rows: [
      row('windows.stack', 'LBM', `${LBM}, smtc_modem_core/lr1mac: window by crystal error`),
      row('lorawan', '1.0.4', `${LBM}, its README: 1.0.4`),
      row(
        'packages',
        'v1',
        `${LBM}, lorawan_packages: v1.0.0 and v2.0.0, by build option`,
        INFERRED,
      ),
      row('decoder', 'LBM', `${LBM}, fragmentation_helper_v1.0.0.h: FRAG_MAX_NB, FRAG_MAX_SIZE`),
      row('answerDelay', '3 s', `${LBM}, lorawan_fragmentation_package_v1.0.0.c`, INFERRED),
      row('groupSlots', 4, `${LBM}, smtc_multicast: four groups`, INFERRED),
      row('fragSlots', 4, `${LBM}, fragmentation service: four sessions, one decoder`, INFERRED),
    ],
    missing: [
      'The crystal error is the board’s: 10 ppm where nobody says.',
      'The limits of the decoder are those of its example: products set their own.',
    ],
  },
  Zephyr: {
    is: 'the LoRaWAN subsystem of Zephyr, on LoRaMac-node, with its services',
    rows: [
      { ...NODE_WINDOWS, source: 'Zephyr, subsys/lorawan/lorawan.c: LoRaMac-node below' },
      row(
        'windows.rxError',
        '20 ms',
        'Zephyr, subsys/lorawan/Kconfig: LORAWAN_SYSTEM_MAX_RX_ERROR',
        INFERRED,
      ),
      row('lorawan', '1.0.4', 'Zephyr, module loramac-node 4.6', INFERRED),
      row('packages.clockSync', 2, `${ZEPHYR}/clock_sync.c: TS003-2.0.0 alone`),
      row('packages.multicastSetup', 1, `${ZEPHYR}/multicast.c: TS005-1.0.0`),
      row('packages.fragmentation', 1, `${ZEPHYR}/frag_transport.c: TS004-1.0.0`),
      row('decoder', 'Zephyr', `${ZEPHYR}/Kconfig: fragments of 48 to 232 B, 20 % redundancy`),
      row('fragSlots', 4, `${ZEPHYR}/frag_transport.c: any FragIndex, one session at a time`),
      row('groupSlots', 4, `${ZEPHYR}/multicast.c: LORAMAC_MAX_MC_CTX`),
      row(
        'answerAfter.multicastSetup',
        '2 s',
        `${ZEPHYR}/multicast.c: 1, 2 or 3 s, drawn; here their mean`,
        INFERRED,
      ),
      row('periodicTime', true, `${ZEPHYR}/clock_sync.c: DeviceAppTimePeriodicityReq`),
    ],
    faults: [
      'Fragments above 232 B are refused: a campaign at DR4 and DR5 of EU868 needs frag_size.',
    ],
    missing: [
      'McClassBSessionReq and McGroupStatusReq are not implemented there, and are answered here.',
      'It asks for the time by itself at the start and every 24 h ± 30 s.',
      'The size of the image is that of nucleo_wl55jc; other boards have their own partition.',
    ],
  },
  LMIC: {
    is: 'MCCI’s LMIC for Arduino, versions 5 and 6',
    rows: [
      row('windows.stack', 'LMIC', 'arduino-lmic, lmic.c: LMICcore_adjustForDrift'),
      row('windows.crystalError', 0, 'arduino-lmic, LMIC_setClockError: 0 unless it is called'),
      row('lorawan', '1.0.3', 'mcci-catena/arduino-lmic, README: V1.0.3 by default'),
      row('confirmedTries', 8, 'arduino-lmic, lorabase.h: TXCONF_ATTEMPTS'),
      row(
        'dutyCycleBy',
        'frame',
        'arduino-lmic, lmic_eu_like.c: a band is closed after each frame',
      ),
      row('multicastKeys', 'none', 'arduino-lmic, README: no packages of TS003 to TS006', INFERRED),
    ],
    missing: [
      'It has no packages, so campaigns do not reach it: its keys count as unknown.',
      'Class C is a build option from version 6 on; ping slots open as others’ do here.',
    ],
  },
  RadioLib: {
    is: 'RadioLib 7’s LoRaWANNode',
    rows: [
      row('windows.stack', 'RadioLib', 'RadioLib 7.7, LoRaWANNode::receiveClassA'),
      row('windows.rxError', '10 ms', 'RadioLib 7.7, LoRaWAN.h: scanGuard 10 ms'),
      row('lorawan', '1.1', 'RadioLib, LoRaWAN.cpp: 1.1 with both root keys, else 1.0.4'),
      row('groupSlots', 4, 'RadioLib, LoRaWAN.h: RADIOLIB_LORAWAN_MAX_NUM_MC_GROUPS'),
    ],
    missing: [
      'The packages TS003 to TS006 are the application’s: their versions and limits are unknown.',
      'Its multicast groups are of class C alone.',
    ],
  },
  STM32CubeWL: {
    is: 'STMicroelectronics’ LoRaMac-node for STM32WL with its example of updates',
    rows: [
      { ...NODE_WINDOWS, source: `${CUBE}: LoRaMac-node 2.5 of ST` },
      row('windows.rxError', '20 ms', `${CUBE}, measured windows`),
      row('lorawan', '1.0.4', `${CUBE}, L2_SPEC_VERSION V1.0.4`),
      row('packages', 'v1', `${CUBE}, logs`),
      row('packagesLike', 'LoRaMac-node', `${CUBE}, LmhpRemoteMcastSetup.c`),
      row('answerAfter.fragmentation', '3.89 s', `${CUBE}, measured: flash memory is erased`),
      row('timeSync.every', '1 d', `${CUBE}, logs: DeviceTimeReq in the first uplink`, INFERRED),
      row('traffic.inSessions', 'stop', `${CUBE}, logs: silent from the session request on`),
    ],
    missing: ['After an update it boots, and waits for its user: it joins, and sends nothing.'],
  },
  'ns-3': {
    is: 'the class A device of ns-3’s lorawan module',
    rows: [
      row('lorawan', '1.0.4', 'signetlabdei/lorawan, base-end-device-lorawan-mac.cc', INFERRED),
      row('nbTrans', 8, 'signetlabdei/lorawan, MaxNumberOfTransmissions of confirmed traffic'),
      row('adr', false, 'signetlabdei/lorawan: ADR is off unless the script asks for it'),
      row('drift', '0 ppm', 'ns-3: clocks are exact'),
      row(
        'dutyCycleBy',
        'frame',
        'signetlabdei/lorawan, logical-lora-channel-helper.cc: a band is closed after each frame',
      ),
      row(
        'traffic.whenBusy',
        'replace',
        'signetlabdei/lorawan, end-device-lorawan-mac.cc: a new packet stops the tries of the last',
      ),
    ],
    missing: [
      'It takes one time on air off the hundred for which a sub-band of 1 % is closed.',
      'A device that waits for its window may lock on another one’s uplink there.',
    ],
  },
} as const satisfies Presets;
