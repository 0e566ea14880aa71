/** Rows of log entries, as they are documented (device and gateway management, Log entry). */

import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import { INSTANT, listOf, record, responseField } from '../../rows/answers.ts';
import { CONTENTS } from './entries.ts';

const source = 'device and gateway management, log entry';

/** Hexadecimal digits of the longest PHYPayload, 255 bytes. */
const MOST_DIGITS = 510;

/** A text of this form, or nothing. */
const textOf = (pattern: RegExp, allowed: string, is: string) =>
  responseField({
    type: 'text',
    least: 0,
    most: MOST_DIGITS,
    pattern: new RegExp(`^(${pattern.source})?$`),
    allowed: `${allowed}, or nothing`,
    is,
    source,
  });
const figure = (is: string) => textOf(/-?\d+\.\d{6}/, 'a number with six decimals', is);
const whole = (is: string) => textOf(/\d+/, 'a whole number', is);
const digits = (count: number, is: string) =>
  textOf(new RegExp(`[0-9A-F]{${count}}`), `${count} hexadecimal digits`, is);
const bytes = (is: string) => textOf(/([0-9A-F]{2})+/, 'bytes in hexadecimal', is);
const flag = (is: string) => responseField({ type: 'choice', words: ['0', '1'], is, source });
const text = (is: string) => responseField({ type: 'text', least: 0, is, source });
const nothing = (is: string) => textOf(/(?!)/, 'nothing', is);

/** Reported where it holds, and left out otherwise. */
const whereTrue = (is: string) => ({ type: 'flag', is, source }) as const;

export const MESSAGE_TYPES = [
  'JoinRequest',
  'JoinAccept',
  'UnconfirmedDataUp',
  'UnconfirmedDataDown',
  'ConfirmedDataUp',
  'ConfirmedDataDown',
  'RejoinRequest',
] as const;

/** In the place of a foreign gateway's EUI. */
export const NOT_OWNED = 'Not Owned';
const NODE_ID = {
  type: 'text',
  least: 0,
  pattern: /^([0-9A-F]{16}|Not Owned)?$/,
  allowed: `16 hexadecimal digits, ${NOT_OWNED}, or nothing`,
} as const;

const RECEPTION = record({
  Gateway: text('Id of the gateway; nothing of a foreign one.'),
  RSSI: figure('Signal and noise together, dBm; nothing of a downlink.'),
  SNR: figure('dB; 10 at most, as receivers tell it; nothing of a downlink.'),
  ESP: figure('The signal itself, dBm; nothing of a downlink.'),
  Time: responseField({
    ...INSTANT,
    is: 'When its copy reached the network server; of a downlink, when it sends it.',
    source,
  }),
  Unowned: whereTrue('Reported where the gateway is another subscriber’s.'),
  SubscriberID: text('Whose it is; nothing of a foreign one.'),
  GatewayNodeID: responseField({
    ...NODE_ID,
    is: `Its EUI; “${NOT_OWNED}” of a foreign one.`,
    source,
  }),
});

export const LOG_ENTRY = record({
  Timestamp: responseField({
    ...INSTANT,
    is: 'End of an uplink; begin of a downlink, or when it was given up.',
    source,
  }),
  DevEUI: digits(16, 'The device; of a downlink to a group, the group.'),
  DevAddr: digits(8, 'Its address; nothing in activations.'),
  Fport: whole('FPort; nothing where the frame has none.'),
  FCnt: whole('Its counter, all 32 bits; nothing in activations.'),
  MessageType: whole('MType of the frame, 0 to 6.'),
  MessageTypeText: responseField({ type: 'choice', words: MESSAGE_TYPES, is: 'Its name.', source }),
  PayloadHex: bytes('FRMPayload in clear; nothing of a device whose data are private.'),
  MICHex: digits(8, 'MIC in the order in which it is sent.'),
  PrimaryGatewayRSSI: figure('Signal and noise at the gateway that heard it best in time, dBm.'),
  PrimaryGatewaySNR: figure('SNR there, dB.'),
  PrimaryGatewayESP: figure('The signal itself there, dBm.'),
  SpreadingFactor: whole('7 to 12; nothing of FSK.'),
  Airtime: figure('Time on air, s; nothing of what no gateway was found for.'),
  SubBand: textOf(/G\d+/, 'G and a number', 'Row of the region’s sub-bands, from G0 on.'),
  Channel: textOf(
    /LC\d+/,
    'LC and a number',
    'Channel of the network, from LC1 on; LC127 is that of RX2; nothing of other frequencies.',
  ),
  GatewayID: text('Id of the primary gateway; deprecated, GatewayList has it.'),
  GatewayLatitide: figure('Latitude of the primary gateway, degrees; nothing where it is unknown.'),
  GatewayLongitude: figure('Its longitude.'),
  GatewayCount: whole('Gateways that heard it; of a downlink, that send it.'),
  GatewayList: responseField({ ...listOf(RECEPTION), is: 'The same, the best first.', source }),
  DeviceLatitude: nothing('Estimated place of the device; nobody estimates it.'),
  DeviceLongitude: nothing('The same.'),
  DeviceLocationRadius: nothing('The same.'),
  MacCommands: bytes('MAC commands, of FOpts or on FPort 0.'),
  DecodedMacCommands: responseField({
    ...listOf({ type: 'text' }),
    is: 'The same by the standard’s names, with what they hold.',
    source,
  }),
  ADRbit: flag('ADR.'),
  ADRAckReq: flag('ADRACKReq.'),
  AckRequested: flag('Whether it is confirmed.'),
  ACKbit: flag('ACK.'),
  FPending: flag('FPending.'),
  Late: flag(
    'Of an uplink: taken in when its device’s windows were over. Of a downlink: refused, for it ' +
      'was too late.',
  ),
  DevNonce: digits(4, 'Of requests: DevNonce; RJcount of a rejoin.'),
  JoinEUI: digits(16, 'Of requests.'),
  GatewayUnowned: whereTrue('Reported where the primary gateway is another subscriber’s.'),
  GatewaySubscriberID: text('Whose the primary gateway is; nothing of a foreign one.'),
  GatewayNodeID: responseField({ ...NODE_ID, is: 'EUI of the primary gateway.', source }),
  PayloadDecoded: responseField({
    type: 'json',
    is: 'What the device’s decoder makes of the payload; empty without one.',
    source,
  }),
  Multicast: whereTrue('Reported where it was sent to a multicast group.'),
  GatewayTxSuccess: {
    type: 'flag',
    is: 'Of data downlinks: whether the gateway sent it.',
    source,
  },
  GatewayTxDetails: responseField({
    ...listOf({ type: 'text' }),
    is: 'Of downlinks: each window that was tried and what became of it, as “RX1: collision”.',
    source,
  }),
});

export type LogEntry = Of<typeof LOG_ENTRY>;

/** A filter: its words, and which of them means that there is none. */
const filter = <const Words extends readonly string[]>(words: Words, is: string) =>
  ({
    type: 'list',
    of: { type: 'choice', words, failure: 'log.filter' },
    most: 100,
    is,
    source: 'device and gateway management, log filters',
    failure: 'log.filter',
  }) as const;

export const LOG_FILTERS = {
  'LogFrameFilter.Stream': filter(
    ['UPSTREAM', 'DOWNSTREAM', 'NOSTREAMFILTER'],
    'Uplinks, downlinks, or both.',
  ),
  'LogFrameFilter.MessageType': filter(
    [...CONTENTS, 'NOMESSAGETYPEFILTER'] as const,
    'MAC: on FPort 0, or with commands and without payload; DATA: payload; MACDATA: both; NONE: ' +
      'neither.',
  ),
  'LogFrameFilter.Late': filter(['LATEFALSE', 'LATETRUE', 'NOLATEFILTER'], 'By Late.'),
  'LogFrameFilter.Activation': filter(
    ['JOINREQUEST', 'JOINACCEPT', 'NOACTIVATIONFILTER'],
    'Requests, those to rejoin among them, or their answers.',
  ),
  'LogFrameFilter.Ack': filter(['ACKFALSE', 'ACKTRUE', 'NOACKFILTER'], 'By ACKbit.'),
} as const satisfies Fields;
