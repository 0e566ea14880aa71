/** The packet forwarder's datagrams at the public face. */
import {
  datagramFault,
  type ForwarderDatagram,
  readDatagram,
  writeDatagram,
} from '../gateway/forwarder-datagram.ts';
import { bytesOf, refuse } from '../lorawan/argument.ts';

const MOST_BYTES = 65_507;

/**
 * Reads a datagram (docs/standard.md, Semtech UDP protocol): its name, token, gateway and the
 * object that it carries, as it was sent. What is none is a RangeError that says why.
 */
export function decodeDatagram(bytes: Uint8Array): ForwarderDatagram {
  const read = readDatagram(bytesOf('a datagram', bytes, 0, MOST_BYTES));
  if (!read.ok) throw new RangeError(read.failure.message);
  return read.value;
}

/**
 * Writes a datagram; names are PUSH_DATA, PUSH_ACK, PULL_DATA, PULL_RESP, PULL_ACK and TX_ACK. A
 * field that does not belong to the datagram, or that it lacks, is a RangeError.
 */
export function encodeDatagram(datagram: ForwarderDatagram): Uint8Array {
  refuse(datagramFault(datagram));
  return writeDatagram(datagram);
}
