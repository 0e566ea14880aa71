/**
 * A subscriber's devices as a table, a place for each: their data is copied at once, so that it
 * stays as it was while a list is filtered, put in order and written (docs/decisions/0055). What
 * does not change (records, names, texts) is shared and not copied; figures are columns of numbers.
 */

import type { DeviceColumns, NetworkFacts } from '../../../sim/contract/view.ts';
import type { Copy } from '../../base/copies.ts';
import { Slices, type Steps } from '../../base/in-steps.ts';
import { sorting } from '../../listing/order.ts';
import type { PayloadDecoder } from '../decoders/decoder-types.ts';
import { type StatisticsColumns, statisticsAt } from '../statistics/reader.ts';
import { fullDevice } from './full-device.ts';
import type { Registration } from './registrations.ts';
import type { FullDevice } from './rows.ts';

/** Devices per slice of a response. */
const PER_SLICE = 128;

export interface DeviceTable {
  /** What the network knows of them. */
  readonly network: DeviceColumns;
  /** Whole once the copy is. */
  readonly statistics: StatisticsColumns;
  readonly copy: Copy;
  readonly registrationAt: (place: number) => Registration;
  /** Decoder types do not change. */
  readonly decoderOf: (decoderType: string) => PayloadDecoder | '';
  readonly facts: Pick<NetworkFacts, 'unixMs'>;
}

/** A device with all its fields (v1). */
export function fullAt(table: DeviceTable, place: number): FullDevice {
  const { network, statistics, copy, decoderOf, facts } = table;
  copy.finish();
  const registration = table.registrationAt(place);
  const device = {
    devEui: network.devEui[place]!,
    name: network.name[place]!,
    lastUplinkAtUs: network.lastUplinkAtUs[place]!,
  };
  const decoder = decoderOf(registration.decoderType);
  return fullDevice(device, registration, decoder, statisticsAt(statistics, place), facts);
}

/** Devices at these places with all their fields, in this order. */
const fullSlices = (
  table: DeviceTable,
  placesInOrder: () => Steps<Uint32Array>,
): Slices<FullDevice> =>
  new Slices(function* () {
    for (const _ of table.copy.ready()) yield [];
    const steps = placesInOrder();
    let created = steps.next();
    while (created.done !== true) {
      yield [];
      created = steps.next();
    }
    const places = created.value;
    for (let from = 0; from < places.length; from += PER_SLICE) {
      yield Array.from(places.subarray(from, from + PER_SLICE), (place) => fullAt(table, place));
    }
  });

/** Every device with all its fields, or those that fit, in the order of their DevEUIs. */
export function fullByDevEui(
  table: DeviceTable,
  fits: (place: number) => boolean = () => true,
): Slices<FullDevice> {
  const { devEui } = table.network;
  return fullSlices(table, () =>
    sorting(Uint32Array.from(devEui.keys()).filter(fits), (one, other) =>
      devEui[one]! < devEui[other]! ? -1 : 1,
    ),
  );
}
