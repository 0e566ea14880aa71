/** What a device has to say by MAC commands, and what the server has to ask (LoRaWAN 1.0.4 §5). */
import { describe, expect, it } from 'vitest';
import { DeviceTable } from '../../sim/device/device-table.ts';
import {
  callsForFrame,
  commandsWithin,
  confirmIndication,
  dropSentCommands,
  isCommandQueued,
  onClassADownlink,
  queueCommand,
} from '../../sim/device/mac-commands/queue.ts';
import {
  Cid,
  DevStatusAns,
  LinkADRAns,
  RekeyInd,
  RXTimingSetupAns,
} from '../../sim/lorawan/mac-commands.ts';
import { blocksOf } from '../../sim/network-server/mac-commands/blocks.ts';
import { MacRequests, REQUEST_TRIES } from '../../sim/network-server/mac-commands/requests.ts';

const ALL_DONE = LinkADRAns.encode({ powerAck: true, dataRateAck: true, channelMaskAck: true });

function aDevice(): DeviceTable {
  const devices = new DeviceTable();
  const identity = { name: 'd', devEui: '0200000000000001', xMeters: 0, yMeters: 0 };
  devices.add(identity, { key0: 1, key1: 2 });
  return devices;
}

/** A message carries what fits in `most` bytes, and is finished. */
function send(devices: DeviceTable, most = 15): string {
  const { macInHand, macQueue } = devices.column;
  macInHand[0] = commandsWithin(devices, 0, most);
  const run = Buffer.from(macQueue.slice(0, macInHand[0])).toString('hex');
  dropSentCommands(devices, 0);
  return run;
}

describe('the queue of a device', () => {
  it('is said in order, whole commands only', () => {
    const devices = aDevice();
    queueCommand(devices, 0, DevStatusAns.encode({ battery: 255, margin: 5 }));
    queueCommand(devices, 0, ALL_DONE);
    expect(send(devices, 4)).toBe('06ff05');
    expect(send(devices, 4)).toBe('0307');
    expect(send(devices, 4)).toBe('');
  });

  it('repeats sticky answers until a class A downlink comes', () => {
    const devices = aDevice();
    queueCommand(devices, 0, RXTimingSetupAns.encode({}));
    queueCommand(devices, 0, DevStatusAns.encode({ battery: 255, margin: 5 }));
    expect([send(devices), send(devices), send(devices)]).toEqual(['0806ff05', '08', '08']);
    onClassADownlink(devices, 0);
    expect(send(devices)).toBe('');
  });

  it('keeps a sticky answer that was not sent before the downlink', () => {
    const devices = aDevice();
    queueCommand(devices, 0, RXTimingSetupAns.encode({}));
    onClassADownlink(devices, 0);
    expect(send(devices)).toBe('08');
  });

  it('keeps what a message in hand carries until it is finished, downlink or not', () => {
    const devices = aDevice();
    queueCommand(devices, 0, RXTimingSetupAns.encode({}));
    devices.column.macInHand[0] = 1;
    onClassADownlink(devices, 0);
    expect(devices.column.macLength[0]).toBe(1);
    dropSentCommands(devices, 0);
    expect(devices.column.macLength[0]).toBe(0);
  });

  it('repeats indications until they are confirmed, whatever comes down', () => {
    const devices = aDevice();
    queueCommand(devices, 0, RekeyInd.encode({ minor: 1 }));
    expect(send(devices)).toBe('0b01');
    onClassADownlink(devices, 0);
    expect(send(devices)).toBe('0b01');
    confirmIndication(devices, 0, Cid.rekey);
    expect(isCommandQueued(devices, 0, Cid.rekey)).toBe(false);
    expect(send(devices)).toBe('');
  });

  it('calls for a frame of its own only for what no frame has carried', () => {
    const devices = aDevice();
    queueCommand(devices, 0, RXTimingSetupAns.encode({}));
    expect(callsForFrame(devices, 0, 0)).toBe(true);
    expect(callsForFrame(devices, 0, 1)).toBe(false);
    send(devices);
    expect(callsForFrame(devices, 0, 0)).toBe(false);
  });

  it('holds 64 bytes; what comes beyond is left out', () => {
    const devices = aDevice();
    for (let i = 0; i < 30; i++)
      queueCommand(devices, 0, DevStatusAns.encode({ battery: 255, margin: i }));
    expect(devices.column.macLength[0]).toBe(63);
  });
});

describe('the requests of the server', () => {
  const written = (requests: MacRequests, most = 15): string => {
    const out = new Uint8Array(64);
    return Buffer.from(out.subarray(0, requests.write(0, out, most))).toString('hex');
  };
  const fresh = (): MacRequests => {
    const requests = new MacRequests();
    requests.addRow();
    return requests;
  };

  it('are written in every downlink until answered, answers to the device first and once', () => {
    const requests = fresh();
    requests.ask(0, Uint8Array.of(6));
    requests.send(0, Uint8Array.of(2, 9, 1));
    expect([written(requests), written(requests)]).toEqual(['02090106', '06']);
    expect(requests.takeAnswered(0, 6)).toEqual(Uint8Array.of(6));
    expect(written(requests)).toBe('');
  });

  it('are given up after eight downlinks', () => {
    const requests = fresh();
    requests.ask(0, Uint8Array.of(6));
    for (let i = 0; i < REQUEST_TRIES; i++) expect(written(requests)).toBe('06');
    expect(requests.bytesDue(0)).toBe(0);
    expect(written(requests)).toBe('');
  });

  it('are answered in the order in which they were sent', () => {
    const requests = fresh();
    requests.ask(0, Uint8Array.of(8, 1));
    requests.ask(0, Uint8Array.of(8, 2));
    expect(requests.takeAnswered(0, 8)).toBeUndefined();
    written(requests);
    expect(requests.takeAnswered(0, 8)).toEqual(Uint8Array.of(8, 1));
    expect(requests.takeAnswered(0, 8)).toEqual(Uint8Array.of(8, 2));
  });

  it('of one kind are replaced by the newest request', () => {
    const requests = fresh();
    requests.askInstead(0, Uint8Array.of(8, 1));
    requests.askInstead(0, Uint8Array.of(8, 2));
    expect(written(requests)).toBe('0802');
  });

  it('keep blocks whole: consecutive LinkADRReqs are one', () => {
    const block = Buffer.from('0350070001'.repeat(2) + '06', 'hex');
    expect(blocksOf(block).map(({ length }) => length)).toEqual([10, 1]);
    expect(blocksOf(Buffer.from('03', 'hex'))).toEqual([]);
    const requests = fresh();
    for (const one of blocksOf(block)) requests.ask(0, one);
    expect(written(requests, 9)).toBe('');
    expect(written(requests, 10)).toHaveLength(20);
  });

  it('stay as they are when saved and loaded', () => {
    const requests = fresh();
    requests.ask(0, Uint8Array.of(6));
    const other = fresh();
    other.load(requests.save());
    expect(written(other)).toBe('06');
  });
});
