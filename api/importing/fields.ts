/**
 * What a column of a list may mean: the fields of devices and gateways, with the headers that
 * people and systems use for them.
 */
import { findColumns, type KnownColumns } from '../../scenarios/places/columns.ts';
import { DEVICE_KNOBS } from '../../scenarios/places/place-rows.ts';

export type Kind = 'devices' | 'gateways';

interface Field {
  /** What it is, for the page and for messages. */
  readonly is: string;
  readonly of: 'both' | Kind;
  /** Other headers, in small letters and digits alone. */
  readonly headers: string;
}

const field = (of: Field['of'], is: string, headers: string): Field => ({ of, is, headers });

/** In the order in which columns are given away: a header belongs to the first that takes it. */
export const FIELDS = {
  devEui: field(
    'devices',
    'DevEUI',
    'deveui deviceeui enddeviceeui idsdeveui eui eui64 deveui64 lorawandeveui geraeteeui euidev ' +
      'sensoreui lorawaneui',
  ),
  eui: field(
    'gateways',
    'EUI of a gateway',
    'eui gatewayeui gweui idseui eui64 stationeui gatewaymac mac macaddress macadresse ' +
      'gatewayid gatewayidentifier idsgatewayid',
  ),
  name: field(
    'both',
    'Name, of any characters',
    'name devicename gatewayname displayname anzeigename label title bezeichnung geraetename ' +
      'nom nombre nome naam sensorname stationname standortname propertiesname endedevicename',
  ),
  id: field(
    'both',
    'Name where there is no other',
    'id deviceid idsdeviceid gatewayid idsgatewayid devid uid uuid serial serialnumber ' +
      'seriennummer serialno sn inventarnummer assetid zaehlernummer device geraet station ' +
      'gateway sensorid nr nummer number numero',
  ),
  appKey: field(
    'devices',
    'AppKey; written with --with-keys alone',
    'appkey applicationkey rootkeysappkeykey otaaappkey otaakey nwkkey',
  ),
  latitude: field(
    'both',
    'Degrees north',
    'latitude lat latitudedeg gpslat gpslatitude geolat latwgs84 wgs84lat breite breitengrad ' +
      'geobreite latitud latitudine breedtegraad locationlatitude locationlat poslat ' +
      'positionlatitude locationsuserlatitude antennas0locationlatitude coordinateslatitude',
  ),
  longitude: field(
    'both',
    'Degrees east',
    'longitude lon lng long longitudedeg gpslon gpslng gpslongitude geolon geolng lonwgs84 ' +
      'wgs84lon laenge laengengrad geolaenge longitud longitudine lengtegraad locationlongitude ' +
      'locationlon locationlng poslon positionlongitude locationsuserlongitude ' +
      'antennas0locationlongitude coordinateslongitude',
  ),
  position: field(
    'both',
    'Latitude and longitude in one',
    'position location coordinates coordinate coords koordinaten latlon latlng latlong gps ' +
      'gpscoordinates gpskoordinaten geo geom geometry wkt geopoint geokoordinaten point standort',
  ),
  x: field('both', 'Metres east, on any grid', 'x easting east rechtswert ostwert hochachsex'),
  y: field('both', 'Metres north, on any grid', 'y northing north hochwert nordwert'),
  kind: field(
    'both',
    'Whether it is a device or a gateway, where a list has both',
    'kind objecttype objekttyp entity entitytype thing art featuretype type typ devicetype',
  ),
  brand: field('devices', 'Who makes it', 'brand brandid versionidsbrandid hersteller vendor'),
  type: field(
    'devices',
    'What devices of one population have in common: a model, a profile',
    'type devicetype model modelid versionidsmodelid devicemodel deviceprofile ' +
      'deviceprofilename profile profil geraetetyp typ modell product produkt sensortype ' +
      'sensortyp kategorie category profilename',
  ),
  region: field(
    'both',
    'Region or frequency plan',
    'region frequencyplan frequencyplanid frequencyplanids0 frequenzplan regionid bandid',
  ),
  class: field(
    'devices',
    'Class: A, B or C',
    'class deviceclass lorawanclass klasse geraeteklasse',
  ),
  supportsClassC: field('devices', 'Whether it is class C', 'supportsclassc classc klassec'),
  supportsClassB: field('devices', 'Whether it is class B', 'supportsclassb classb klasseb'),
  lorawan: field(
    'devices',
    'LoRaWAN version',
    'lorawan lorawanversion macversion lorawanmacversion lorawanspecification',
  ),
  activation: field(
    'devices',
    'otaa or abp',
    'activation activationmode activationtype jointype joinmode joinmethod aktivierung',
  ),
  supportsJoin: field('devices', 'Whether it joins', 'supportsjoin supportsotaa otaa'),
  devAddr: field('devices', 'DevAddr: a device that has one is activated', 'devaddr deviceaddress'),
  firmware: field(
    'devices',
    'Firmware version',
    'firmware firmwareversion versionidsfirmwareversion fwversion fw softwareversion',
  ),
  hardware: field(
    'devices',
    'Hardware version',
    'hardware hardwareversion versionidshardwareversion hwversion hw',
  ),
  rx1Delay: field(
    'devices',
    'RX1 delay of the network',
    'rx1delay rxdelay1 receivedelay1 macsettingsrx1delay macsettingsrx1delayvalue ' +
      'macsettingsdesiredrx1delayvalue',
  ),
  every: field(
    'devices',
    'Pause between uplinks: seconds, or a duration',
    'interval uplinkinterval sendinterval reportinginterval transmissioninterval intervall ' +
      'sendeintervall meldeintervall txinterval',
  ),
  payload: field(
    'devices',
    'Bytes of an uplink',
    'payloadsize payloadbytes payloadlength nutzlast payloadlaenge',
  ),
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof FIELDS;

/** Names that `--map` takes: fields, and knobs of places files. */
export const mappable = (kind: Kind): readonly string[] => {
  const fields = Object.entries(FIELDS).flatMap(([name, { of }]) =>
    of === 'both' || of === kind ? [name] : [],
  );
  if (kind === 'gateways') return fields;
  return [...fields, ...DEVICE_KNOBS.filter((knob) => !fields.includes(knob))];
};

export const KNOWN: Readonly<Record<Kind, KnownColumns>> = {
  devices: knownOf('devices'),
  gateways: knownOf('gateways'),
};

function knownOf(kind: Kind): KnownColumns {
  const names = mappable(kind);
  const also = Object.entries(FIELDS).map(([name, { headers }]) => [name, headers.split(' ')]);
  return { names, also: Object.fromEntries(also) };
}

/** How many of the headers are known as those of devices or gateways. */
export const knownHeaders = (headers: readonly string[]): number =>
  Math.max(
    findColumns(headers, KNOWN.devices).columnOf.size,
    findColumns(headers, KNOWN.gateways).columnOf.size,
  );
