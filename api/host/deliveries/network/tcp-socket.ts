/** TCP and TLS connections, whose addresses are checked where they are connected to. */
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, rootCertificates, type TLSSocket } from 'node:tls';
import type { HostTime } from '../../clock/host-time.ts';
import { AddressRefused, type Egress } from './egress.ts';
import { CONNECT_S, NoWay, TimedOut } from './request-errors.ts';

export interface SocketPlace {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Absent: no TLS. */
  readonly tls?: {
    /** PEM of the certificate that this side is known by, and its key. */
    readonly cert?: string;
    readonly key?: string;
  };
}

export interface SocketNeeds {
  readonly egress: Egress;
  readonly time: HostTime;
  /** PEMs of authorities that are trusted beside those of Node.js. */
  readonly ca: readonly string[];
  /** What is being opened is cut off. */
  readonly signal: AbortSignal;
}

/** Throws `NoWay`: nothing was sent. */
export async function openSocket(place: SocketPlace, needs: SocketNeeds): Promise<Socket> {
  const { host, port } = place;
  const refusal = needs.egress.refusalOf(host, port);
  if (refusal !== undefined) throw new NoWay(new AddressRefused(refusal));
  const socket = begun(place, needs);
  try {
    const event = place.tls === undefined ? 'connect' : 'secureConnect';
    await isConnected(socket, event, needs);
  } catch (error) {
    socket.destroy();
    throw new NoWay(error as Error);
  }
  return socket;
}

function begun({ host, port, tls }: SocketPlace, { egress, ca }: SocketNeeds): Socket | TLSSocket {
  const to = { host, port, lookup: egress.lookupFor(port), noDelay: true };
  if (tls === undefined) return connectPlain(to);
  return connectTls({
    ...to,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca.length > 0 && { ca: [...rootCertificates, ...ca] }),
    ...tls,
    minVersion: 'TLSv1.2',
  });
}

function isConnected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { time, signal }: Pick<SocketNeeds, 'time' | 'signal'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      late.cancel();
      signal.removeEventListener('abort', aborts);
      socket.off('error', fails).off('close', closes).off(event, comes);
      settle();
    };
    const fails = (error: Error) => end(() => reject(error));
    const closes = () => end(() => reject(Object.assign(new Error(), { code: 'ECONNRESET' })));
    const comes = () => end(resolve);
    const aborts = () => fails(signal.reason as Error);
    const late = time.later(() => fails(new TimedOut(CONNECT_S * 1_000)), CONNECT_S * 1_000);
    socket.on('error', fails).on('close', closes).on(event, comes);
    signal.addEventListener('abort', aborts);
    if (signal.aborted) aborts();
  });
}
