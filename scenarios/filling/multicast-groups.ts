/** A scenario's multicast groups of management to the platform's commands of the start. */
import type { Command } from '../../core/command.ts';
import { DrawPurpose, draw, entityKey, type Seed } from '../../sim/base/random.ts';
import { region } from '../../sim/lorawan/region.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { dataRateIndex } from '../language/readers.ts';
import { ownerOf } from '../language/subscriber-knob.ts';
import type { Scenario } from '../schema/schema.ts';
import { multicastAddressPlace, multicastGroupEui } from './identity.ts';
import { devicesIn, gatewaysIn } from './named-things.ts';

/** Below those that campaigns draw, among the addresses of NetID 0. */
const FIRST_ADDRESS = 0x01fc_0000;
const ADDRESSES = 0x1_0000;

/** The loader has seen that every name is known. */
export function multicastGroupCommands(
  scenario: Scenario,
  network: NetworkPlan,
  random: Seed,
): Command[] {
  const { multicastGroups } = scenario;
  if (multicastGroups.length === 0) return [];
  const devicesOf = devicesIn(scenario, network);
  const gatewaysOf = gatewaysIn(scenario, network);
  const { server } = network;
  const rx2Hz = server.rx2FrequencyHz ?? region(network.region).rx2.frequencyHz;
  const taken = new Set(
    multicastGroups.flatMap(({ address }) => (address === undefined ? [] : address.toUpperCase())),
  );
  return multicastGroups.map((entry) => {
    const { name, eui = multicastGroupEui(name), devices = [], gateways = [] } = entry;
    const by = ownerOf(scenario, entry);
    const { dataRate, frequency = rx2Hz, pingSlotPeriod } = entry;
    const group = {
      Name: name,
      MulticastDevEUI: eui,
      MulticastDevAddr: entry.address ?? freeAddress(name, taken),
      GroupType: entry.class,
      MulticastNwkSKey: entry.nwkSKey ?? drawnKey(name, random, 0),
      MulticastAppSKey: entry.appSKey ?? drawnKey(name, random, 1),
      DataRate: dataRate === undefined ? server.rx2DataRate : dataRateIndex(dataRate),
      Frequency: frequency,
      ...(entry.class === 'B' ? { PingSlotPeriod: Number.parseInt(pingSlotPeriod, 10) } : {}),
    };
    const members = { Devices: devicesOf(devices, by), Gateways: gatewaysOf(gateways, by) };
    return { kind: 'multicastGroup.create', by, group, ...members };
  });
}

/** One that no group has, from a place on that derives from the name. */
function freeAddress(name: string, taken: Set<string>): string {
  for (let place = multicastAddressPlace(name); ; place++) {
    const address = hex8(FIRST_ADDRESS + (place % ADDRESSES));
    if (taken.has(address)) continue;
    taken.add(address);
    return address;
  }
}

const WORDS = 4;

/** No device is called like a group, so no device's luck is used up. */
function drawnKey(name: string, random: Seed, which: 0 | 1): string {
  const { key0, key1 } = entityKey(random, `multicast group ${name}`);
  const word = (i: number) => draw(key0, key1, DrawPurpose.genAppKey, which * WORDS + i);
  return Array.from({ length: WORDS }, (_, i) => hex8(word(i) >>> 0)).join('');
}

const hex8 = (word: number): string => word.toString(16).toUpperCase().padStart(8, '0');
