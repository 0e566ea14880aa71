/** Keys and addresses of devices, as a network server outside the simulator has to know them. */
import { toHex } from '../base/bytes.ts';
import type { LorawanVersion } from '../lorawan/versions.ts';
import type { Network } from './network.ts';

/** Keys are 32 upper-case hexadecimal digits. */
export interface DeviceKeys {
  readonly devEui: string;
  readonly name: string;
  /** Row of its type in the plan. */
  readonly type: number;
  readonly lorawan: LorawanVersion | undefined;
  readonly joinEui: string;
  readonly appKey: string;
  /** Root of the network's keys; of a 1.0 device its AppKey. */
  readonly nwkKey: string;
  /** Root of the multicast keys; its AppKey unless it has one. */
  readonly genAppKey: string;
  /** Absent where it joins. */
  readonly session?: {
    /** 8 upper-case hexadecimal digits. */
    readonly devAddr: string;
    readonly nwkSKey: string;
    readonly appSKey: string;
  };
}

/** Devices in service, in the order in which they came. */
export const deviceKeys = (network: Network): readonly DeviceKeys[] => [...eachDevice(network)];

function* eachDevice({ sides: { device: side } }: Network): Generator<DeviceKeys> {
  const { devices, types } = side;
  const c = devices.column;
  const hex = (bytes: Uint8Array) => toHex(bytes).toUpperCase();
  for (const row of devices.rowsInService()) {
    const { devEui, name } = devices.identities.of(row);
    const { app, nwk, genApp } = devices.rootKeys;
    const isPersonalised = c.personalised[row] === 1;
    yield {
      devEui,
      name,
      type: c.type[row],
      lorawan: types[c.type[row]]!.lorawan,
      joinEui: isPersonalised ? NO_EUI : hex(devices.joinEui(row).slice().reverse()),
      appKey: hex(app.copyOf(row)),
      nwkKey: hex(nwk.copyOf(row)),
      genAppKey: hex(genApp.copyOf(row)),
      ...(isPersonalised && {
        session: {
          devAddr: c.devAddr[row].toString(16).padStart(8, '0').toUpperCase(),
          nwkSKey: hex(devices.nwkSKeys.copyOf(row)),
          appSKey: hex(devices.appSKeys.copyOf(row)),
        },
      }),
    };
  }
}

const NO_EUI = '0000000000000000';
