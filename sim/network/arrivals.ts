/** What it takes for gateways and devices to come into the network: rows, links, keys, sessions. */
import { assert } from '../base/assert.ts';
import { fromHex, toHex } from '../base/bytes.ts';
import { DrawPurpose, draw, type EntityKey, toUnit } from '../base/random.ts';
import { drawAgeingPpb, drawDriftPpb } from '../device/clock.ts';
import { JOIN_EUI } from '../device/join.ts';
import { powerOn } from '../device/power.ts';
import { noteSettled } from '../device/settling-progress.ts';
import { NONE } from '../kernel/columns.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { euiBytes } from '../lorawan/keys.ts';
import { versionNumber, versionRules } from '../lorawan/versions.ts';
import { notePersonalised, resetRegion } from '../network-server/channels.ts';
import type { Credentials, DevicePlan, DeviceTypePlan, GatewayPlan } from '../plan/network-plan.ts';
import { packagesOf } from '../plan/packages-plan.ts';
import { DrawnKey, type RootKeys } from '../plan/root-keys.ts';
import { settingsOf } from '../plan/settings-plan.ts';
import { buildingLossDb } from '../radio/building.ts';
import { planBeacon } from './beacon-passage.ts';
import type { Sides } from './sides.ts';

/** A gateway goes into service; `key` is that of its name's incarnation. */
export function installGateway(
  sides: Sides,
  gateway: GatewayPlan,
  key: EntityKey,
  label: string,
): void {
  const { gateways, dutyCycle, plan, tally, agenda, witness } = sides.server;
  assertPlaced(gateway.eui, gateway);
  const station = gateways.add(gateway, key, label, agenda.nowUs);
  const { downlinkAir } = sides.device;
  downlinkAir.addGateway(station.row);
  assert(downlinkAir.flights.rows === station.row + 1, 'a gateway has one row in all tables');
  dutyCycle.open((station.row + 1) * plan.bands.length);
  tally.addGateway();
  const { name, eui } = gateway;
  witness?.trace({ kind: 'gatewayStarts', atUs: agenda.nowUs, gateway: name, eui });
  if (gateway.gps) planBeacon(sides, station.row, agenda.nowUs);
}

/** A device is registered and powered on at an instant of its own within its type's spread. */
export function bringUpDevice(
  sides: Sides,
  device: DevicePlan,
  type: DeviceTypePlan,
  key: EntityKey,
  nowUs: number,
): void {
  const { devices, observer, stories } = sides.device;
  const { name, devEui } = device;
  assertPlaced(devEui, device);
  const row = devices.add(device, key);
  const c = devices.column;
  c.type[row] = device.type;
  c.frameSlot[row] = NONE;
  c.driftPpb[row] = drawDriftPpb(key, type.driftPpb);
  const { credentials } = device;
  const activation = credentials?.activation ?? type.activation;
  c.personalised[row] = activation === 'abp' ? 1 : 0;
  if (activation === 'otaa' || versionRules(type.lorawan).minor === 1) {
    devices.table.need('joins');
    devices.joinEui(row).set(euiBytes(joinEuiOf(credentials)));
  }
  openRows(sides, row, type);
  const registration = register(sides, device, type, row, nowUs);
  if (activation === 'abp') personalise(sides, type, row, registration, sessionOf(credentials));
  const unit = toUnit(draw(key.key0, key.key1, DrawPurpose.startInstant, 0));
  const startsAtUs = nowUs + 1 + Math.floor(unit * type.startSpreadUs);
  const isPersonalised = activation === 'abp';
  stories?.starts(row, device, { atUs: startsAtUs, driftPpb: c.driftPpb[row], isPersonalised });
  observer?.trace({
    kind: 'deviceStarts',
    atUs: sides.device.agenda.nowUs,
    device: name,
    devEui,
    powerOnAtUs: startsAtUs,
    driftPpb: c.driftPpb[row],
    ...(type.clock && { ageingPpb: drawAgeingPpb(key.key0, key.key1, type.clock.ageingPpb) }),
    activation,
    appKey: toHex(devices.rootKeys.app.copyOf(row)),
    ...(versionRules(type.lorawan).minor === 1 && {
      nwkKey: toHex(devices.rootKeys.nwk.copyOf(row)),
    }),
  });
  noteSettled(sides.device, row, nowUs);
  powerOn(sides.device, row, startsAtUs);
}

const EUI = /^[0-9A-F]{16}$/;

/** What a plan must have of each device and gateway; that EUIs are unique, their tables assert. */
function assertPlaced(
  eui: string,
  { xMeters, yMeters }: { readonly xMeters: number; readonly yMeters: number },
): void {
  assert(EUI.test(eui), 'an EUI has 16 upper-case hexadecimal digits');
  assert(Number.isFinite(xMeters) && Number.isFinite(yMeters), 'a place is two finite numbers');
}

/** The device's row in every table that keeps one for each device, and its links. */
function openRows({ device: side, server }: Sides, row: number, type: DeviceTypePlan): void {
  const { devices, plan, links } = side;
  const station = devices.station(row);
  if (type.dutyCycle) side.dutyCycle.open((row + 1) * plan.bands.length);
  side.uplinkAir.addDevice(row);
  side.downlinkAir.addDevice(row);
  if (type.energy !== undefined) side.energy.addDevice(row);
  if (type.settings !== undefined) side.settings.addDevice(row, settingsOf(type));
  const rows = Math.max(side.uplinkAir.flights.rows, side.downlinkAir.listeners.rows);
  assert(rows === row + 1, 'a device has one row in all tables');
  server.collector.addTransmitter(row);
  links.equip(row, {
    wallLossCentiDb: Math.round(100 * buildingLossDb(station, type.indoorPpm)),
    antennaGainCentiDb: type.antennaGainCentiDb,
  });
  links.connect(row, station, server.gateways.inService());
}

const joinEuiOf = (credentials: Credentials | undefined): string =>
  credentials?.activation === 'otaa' ? credentials.joinEui : JOIN_EUI;

/** The session that a device was given; undefined: it is drawn. */
const sessionOf = (credentials: Credentials | undefined) =>
  credentials?.activation === 'abp' ? credentials : undefined;

/** Makes the device known to the server by its root keys; returns the server's row. */
function register(
  sides: Sides,
  device: DevicePlan,
  type: DeviceTypePlan,
  row: number,
  nowUs: number,
): number {
  const { registrations, requests } = sides.server;
  const registration = registrations.add(device, nowUs);
  assert(registration === row, 'a device has one row on both sides');
  requests.addRow();
  const r = registrations.column;
  r.version[registration] = versionNumber(type.lorawan);
  r.classC[registration] = type.deviceClass === 'C' ? 1 : 0;
  const heard = sides.server.listener.packages;
  const { firmwareManagement, fragmentation } = packagesOf(type);
  if (heard.has('firmwareManagement')) r.firmwarePort[registration] = firmwareManagement.fPort;
  if (heard.has('fragmentation') && fragmentation.version === 2) {
    r.fragmentationPort[registration] = fragmentation.fPort;
  }
  setRootKeys(registrations.rootKeys, device, type, row);
  registrations.learnRootKey(registration, type.rootKeyKnown !== false);
  r.presetRegion[registration] = type.channels === 'region' ? 1 : 0;
  resetRegion(sides.server, registration);
  return registration;
}

/** The root keys of a new device: given, or drawn. */
function setRootKeys(
  rootKeys: RootKeys,
  { appKey, genAppKey, credentials }: DevicePlan,
  { lorawan }: DeviceTypePlan,
  row: number,
): void {
  if (appKey === undefined) rootKeys.app.setDerived(row);
  else rootKeys.app.set(row, fromHex(appKey));
  const given = credentials?.activation === 'otaa' ? credentials.nwkKey : undefined;
  if (versionRules(lorawan).minor === 0) rootKeys.nwk.setDerived(row);
  else
    rootKeys.nwk.set(row, given === undefined ? rootKeys.drawn(row, DrawnKey.nwk) : fromHex(given));
  if (genAppKey === undefined) rootKeys.genApp.setDerived(row);
  else rootKeys.genApp.set(row, fromHex(genAppKey));
}

type GivenSession = Extract<Credentials, { readonly activation: 'abp' }>;

/** Activation by personalisation: both sides have the session from the start. */
function personalise(
  sides: Sides,
  type: DeviceTypePlan,
  row: number,
  registration: number,
  given: GivenSession | undefined,
): void {
  const { registrations, plan, settings } = sides.server;
  const { devices } = sides.device;
  const c = devices.column;
  const r = registrations.column;
  registrations.openSession(registration, given?.devAddr);
  devices.setDevAddr(row, r.devAddr[registration]);
  r.rx1DelayS[registration] = 1;
  notePersonalised(sides.server, registration);
  r.rx2DataRate[registration] = plan.rx2DataRate;
  r.rx1DrOffset[registration] = 0;
  r.dataRate[registration] = settings.rx2DataRate;
  for (const { nwkSKeys, appSKeys } of [devices, registrations]) {
    if (given === undefined) {
      nwkSKeys.setDerived(row);
      appSKeys.setDerived(row);
    } else {
      nwkSKeys.set(row, fromHex(given.nwkSKey));
      appSKeys.set(row, fromHex(given.appSKey));
    }
  }
  if (versionRules(type.lorawan).minor === 0 || settings.lorawan === '1.0') return;
  devices.table.need('keys11');
  registrations.table.need('keys11');
  c.minor[row] = 1;
  r.minor[registration] = 1;
  r.classC[registration] = 0;
  const keyOf = (hex: string | undefined, which: number) =>
    hex === undefined ? devices.rootKeys.drawn(row, which) : fromHex(hex);
  for (const { sNwkSIntKey, nwkSEncKey } of [c, r]) {
    sNwkSIntKey.set(keyOf(given?.nwkSKey, DrawnKey.sNwkSInt), row * KEY_BYTES);
    nwkSEncKey.set(keyOf(given?.nwkSKey, DrawnKey.nwkSEnc), row * KEY_BYTES);
  }
}
