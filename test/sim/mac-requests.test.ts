/** The MAC commands that a server asks a device by, until they are answered (LoRaWAN 1.0.4 §5). */
import { expect, it } from 'vitest';
import { MacRequests } from '../../sim/network-server/mac-commands/requests.ts';

const DEV_STATUS = 0x06;

it('are not answered by what comes before they were sent', () => {
  const requests = new MacRequests();
  requests.addRow();
  requests.ask(0, Uint8Array.of(DEV_STATUS));
  expect(requests.takeAnswered(0, DEV_STATUS)).toBeUndefined();
  expect(requests.write(0, new Uint8Array(15), 15)).toBe(1);
  expect(requests.takeAnswered(0, DEV_STATUS)).toEqual(Uint8Array.of(DEV_STATUS));
  expect(requests.isWaiting(0, DEV_STATUS)).toBe(false);
});
