/**
 * MAC commands on the network's side: the answers that devices give in their uplinks (LoRaWAN 1.0.4
 * §5).
 */
import { Cid, endOfCommand, LinkAdrStatus, UPLINK_COMMAND_BYTES } from '../lorawan/mac-commands.ts';
import type { Registrations } from './registrations.ts';

/** Takes in a run of answers; an unknown identifier or a truncated answer ends it. */
export function takeAnswers(
  registrations: Registrations,
  row: number,
  bytes: Uint8Array,
  from: number,
  length: number,
): void {
  const end = from + length;
  for (let at = from; at < end; ) {
    const next = endOfCommand(UPLINK_COMMAND_BYTES, bytes, at, end);
    if (next < 0) return;
    if (bytes[at] === Cid.linkAdr) takeLinkAdrAns(registrations, row, bytes[at + 1]);
    at = next;
  }
}

/** The device did all of what was asked, or nothing. */
function takeLinkAdrAns(registrations: Registrations, row: number, status: number): void {
  const r = registrations.column;
  if (r.adrPending[row] === 0) return;
  r.adrPending[row] = 0;
  if ((status & LinkAdrStatus.all) !== LinkAdrStatus.all) return;
  r.dataRate[row] = r.adrDataRate[row];
  r.txPowerIndex[row] = r.adrTxPowerIndex[row];
  r.nbTrans[row] = r.adrNbTrans[row];
  r.historyCount[row] = 0;
}
