/** RXTimingSetupReq: the delay of RX1 becomes the server's (LoRaWAN 1.0.4 §5.7). */
import { Cid, RXTimingSetupReq } from '../../lorawan/mac-commands.ts';
import type { ServerSide } from '../server-side.ts';
import type { UplinkCommand } from './handler.ts';

/** Asks a device whose session has another delay than the server wants. */
export function wishRxTiming({ settings, registrations, requests }: ServerSide, row: number): void {
  const { rx1DelayS } = settings;
  if (registrations.column.rx1DelayS[row] === rx1DelayS) return;
  if (requests.isAsking(row, Cid.rxTimingSetup)) return;
  requests.ask(row, RXTimingSetupReq.encode({ delay: rx1DelayS }));
}

/** From the uplink that answers on, the device's windows open with the new delay. */
export function takeRxTimingSetupAns(
  { registrations }: ServerSide,
  row: number,
  { request }: UplinkCommand,
): void {
  if (request === undefined) return;
  registrations.column.rx1DelayS[row] = Math.max(1, RXTimingSetupReq.value.delay(request, 0));
}
