/** What devices that are set over the air are set to. It stands in flash: no reboot changes it. */
import type { DeviceSettings } from '../base/device-settings.ts';
import { f64, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';

const settingsColumns = {
  /** s. */
  uplinkPeriod: u32,
  payloadBytes: u8,
  confirmedUplinks: u8,
  uplinkPort: u8,
  /** Downlinks on the settings' port that it took, and those that it ignored. */
  taken: u32,
  ignored: u32,
  /** Since when the present pause before its next own message lasts, µs. */
  pausedFromUs: f64,
  /** When the next report is due, whatever comes before, µs. */
  reportDueAtUs: f64,
  /** FPort and length of the own message in hand, once it was sent: a repetition keeps them. */
  portInHand: u8,
  bytesInHand: u8,
};

export class SettingsTable {
  readonly table = new Table(settingsColumns);
  readonly column = this.table.column;

  /** Adds rows up to that of a device, which is set so. Rows of others stay empty. */
  addDevice(device: number, settings: DeviceSettings): void {
    while (this.table.rows <= device) this.table.add();
    this.set(device, settings);
  }

  of(device: number): DeviceSettings {
    const { uplinkPeriod, payloadBytes, confirmedUplinks, uplinkPort } = this.column;
    return {
      uplinkPeriod: uplinkPeriod[device],
      payloadBytes: payloadBytes[device],
      confirmedUplinks: confirmedUplinks[device] === 1,
      uplinkPort: uplinkPort[device],
    };
  }

  set(device: number, settings: DeviceSettings): void {
    const c = this.column;
    c.uplinkPeriod[device] = settings.uplinkPeriod;
    c.payloadBytes[device] = settings.payloadBytes;
    c.confirmedUplinks[device] = settings.confirmedUplinks ? 1 : 0;
    c.uplinkPort[device] = settings.uplinkPort;
  }

  save(): SavedTable {
    return this.table.save();
  }

  load(saved: SavedTable): void {
    this.table.load(saved);
  }
}
