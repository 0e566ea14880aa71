/**
 * The network as a subscriber sees it who may update devices of others: its own, and the devices
 * that it was given. Each is seen as its owner sees it, so receptions are those of its owner's
 * gateways. It is made of the subscribers' own views, and reaches nothing that none of them shows.
 */

import { columnsWhere, joinColumns } from './device-columns.ts';
import { type Handles, viewWith } from './own-view.ts';
import type { OwnView } from './subscribers.ts';

/** The devices of others that are to be seen. */
export interface Given {
  /** Whose they are, each once. */
  readonly owners: readonly string[];
  /** Whose a device is that was given; undefined: it was not. */
  ownerOf(devEui: string): string | undefined;
}

/** Gateways are those of the subscriber and of all who gave something. No state of its own. */
export function jointView(
  viewOf: (subscriber: string) => OwnView,
  subscriber: string,
  given: Given,
): OwnView {
  const everybody = [subscriber, ...given.owners];
  const ownerOf = (devEui: string): string => given.ownerOf(devEui) ?? subscriber;
  const own = viewOf(subscriber);
  const handles: Handles = {
    device: (devEui) => viewOf(ownerOf(devEui)).device(devEui),
    gateway(eui) {
      for (const one of everybody) {
        const gateway = viewOf(one).gateway(eui);
        if (gateway !== undefined) return gateway;
      }
      return undefined;
    },
    devicesNamed: (name) =>
      everybody.flatMap((one) =>
        viewOf(one)
          .devicesNamed(name)
          .filter(({ devEui }) => ownerOf(devEui) === one),
      ),
    devices: () =>
      everybody.flatMap((one) =>
        viewOf(one)
          .devices()
          .filter(({ devEui }) => ownerOf(devEui) === one),
      ),
    deviceType: own.deviceType,
    deviceColumns: (devEuis) =>
      joinColumns(
        everybody.map((one) =>
          columnsWhere(viewOf(one).deviceColumns(devEuis), (devEui) => ownerOf(devEui) === one),
        ),
      ),
    deviceGroundTruths: (devEuis) =>
      devEuis.flatMap((devEui) => viewOf(ownerOf(devEui)).deviceGroundTruths([devEui])),
    gateways: () => everybody.flatMap((one) => viewOf(one).gateways()),
  };
  return viewWith(own, handles);
}
