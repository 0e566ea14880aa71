/** EUI, address and key of a campaign's group, drawn by the world where nobody gave them. */
import { fromHex, toHex } from '../../../sim/base/bytes.ts';
import { type Campaign, drawBytes, EUI_WORDS, KEY_WORDS } from './context.ts';

/** First of the multicast addresses: those at the end of NetID 0's (LoRaWAN 1.0.4 §6.1.1). */
const MC_ADDR_PREFIX = 0x01fe_0000;
const MC_ADDR_MASK = 0x0001_ffff;

/** The group's EUI on the server: 16 upper-case hexadecimal digits. */
export function groupEui({ state, draws }: Campaign): string {
  const { eui } = state.settings.multicastGroup;
  return eui === '' ? toHex(drawBytes(draws, state.number, EUI_WORDS, 8)).toUpperCase() : eui;
}

/** One after the other from a place drawn by the world, leaving out those in use. */
export function groupAddress({ state, draws, neighbours }: Campaign): number {
  const { mcAddr } = state.settings.multicastGroup;
  if (mcAddr !== '') return Number.parseInt(mcAddr, 16);
  let place = draws(0) + state.number;
  while (neighbours.isTaken(MC_ADDR_PREFIX + (place & MC_ADDR_MASK), state.number)) place++;
  return MC_ADDR_PREFIX + (place & MC_ADDR_MASK);
}

export function groupKey({ state, draws }: Campaign): Uint8Array {
  const { mcKey } = state.settings.multicastGroup;
  return mcKey === '' ? drawBytes(draws, state.number, KEY_WORDS, 16) : fromHex(mcKey);
}
