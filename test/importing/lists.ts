/**
 * Lists of devices and gateways as spreadsheets, maps, network servers and repositories of device
 * profiles write them, and what an import makes of each.
 */

/** What the imported scenario has. */
export interface Wanted {
  readonly devices: number;
  /** Names of gateways; one without a name stands for those that no list has. */
  readonly gateways: readonly string[];
  readonly populations: readonly string[];
  /** Some devices by name with their DevEUI; '' where the list has none. */
  readonly named: Readonly<Record<string, string>>;
  readonly region?: string;
  /** Latitude and longitude of the middle, to a tenth of a degree. */
  readonly middle?: readonly [number, number];
  readonly server?: object;
  /** What stderr has. */
  readonly warning?: string;
  /** Of the first population. */
  readonly knobs?: object;
}

export interface List {
  readonly title: string;
  /** Texts, or bytes in another encoding. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Options beside the files. */
  readonly words?: readonly string[];
  readonly wanted: Wanted;
}

/** Every character is one byte; those of the euro and dashes are not used here. */
const latin1 = (text: string): Uint8Array =>
  Uint8Array.from([...text].map((character) => character.charCodeAt(0)));

const utf16 = (text: string): Uint8Array =>
  Uint8Array.from(
    [...`\ufeff${text}`].flatMap((character) => {
      const unit = character.charCodeAt(0);
      return [unit & 255, unit >> 8];
    }),
  );

/** CSV of records, with the fields of the first one as headers. */
function table(separator: string, records: readonly Readonly<Record<string, string>>[]): string {
  const lines = [Object.keys(records[0] ?? {}), ...records.map((each) => Object.values(each))];
  return lines.map((cells) => `${cells.join(separator)}\n`).join('');
}

/** JSON objects one after another. */
const stream = (records: readonly object[]): string =>
  records.map((each) => `${JSON.stringify(each)}\n`).join('');

const NO_GATEWAY = ['gateway'];

const spreadsheets: readonly List[] = [
  {
    title: 'a German spreadsheet: semicolons, decimal commas, columns that nobody needs',
    files: {
      'Zählerliste.csv': `Gerätename;Device EUI;Breite;Länge;Gerätetyp;Kunde;Bemerkung
Wasserzähler Köln-Nord;70-B3-D5-7E-D0-00-00-01;50,9612;6,9570;Wasserzähler;Stadtwerke;Keller
Müller & Söhne GmbH;70-B3-D5-7E-D0-00-00-02;50,9375;6,9603;Wasserzähler;Müller;
Straßenlaterne 17;70-B3-D5-7E-D0-00-00-03;50,9413;6,9583;Laterne;Stadt Köln;"defekt; gemeldet"
`,
    },
    wanted: {
      devices: 3,
      gateways: NO_GATEWAY,
      populations: ['wasserzaehler', 'laterne'],
      named: {
        'Müller & Söhne GmbH': '70B3D57ED0000002',
        'Straßenlaterne 17': '70B3D57ED0000003',
      },
      middle: [50.9, 7],
    },
  },
  {
    title: 'an export of Excel in Windows-1252, with a title above the headers',
    files: {
      'export.csv': latin1(`Geräteübersicht vom 03.05.2026;;;
;;;
Bezeichnung;DevEUI;Breitengrad;Längengrad
Zähler Süd;70b3d57ed0000011;48,137;11,575
Zähler Fürstenried;70b3d57ed0000012;48,09;11,49
`),
    },
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Zähler Süd': '70B3D57ED0000011', 'Zähler Fürstenried': '70B3D57ED0000012' },
      middle: [48.1, 11.5],
    },
  },
  {
    title: 'Unicode text of Excel: UTF-16 and tabs',
    files: {
      'unicode.txt': utf16(
        'Name\tEUI\tLat\tLon\nČistička №1\t70:B3:D5:7E:D0:00:00:21\t50,08\t14,43\n',
      ),
    },
    wanted: {
      devices: 1,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Čistička №1': '70B3D57ED0000021' },
      middle: [50.1, 14.4],
    },
  },
  {
    title: 'a file with a byte order mark and the line sep=; of Excel',
    files: {
      'sep.csv': '\ufeffsep=;\r\nname;devEui;lat;lon\r\nBouée 1;70B3D57ED0000031;43,29;5,36\r\n',
    },
    wanted: {
      devices: 1,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Bouée 1': '70B3D57ED0000031' },
      middle: [43.3, 5.4],
    },
  },
  {
    title: 'a spreadsheet with commas, quotes, and a line feed in a cell',
    files: {
      'sensors.csv': `"Device Name","DevEUI","Latitude","Longitude","Model","Notes"
"Pump, east","0x70B3D57ED0000041","40.7128","-74.0060","LHT65N","replaced
in May"
"Pump ""B""","{0x70,0xB3,0xD5,0x7E,0xD0,0x00,0x00,0x42}","40.7200","-74.0010","LHT65N",""
`,
    },
    words: ['--region', 'US915'],
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['lht65n'],
      named: { 'Pump, east': '70B3D57ED0000041', 'Pump "B"': '70B3D57ED0000042' },
      region: 'US915',
      middle: [40.7, -74],
    },
  },
  {
    title: 'a French list with classes, activations and intervals',
    files: {
      'capteurs.csv': `nom;DEV_EUI;latitude;longitude;classe;Activation;interval
Capteur Évry;70B3D57ED0000051;48,6238;2,4296;A;OTAA;15 min
Capteur Corbeil;70B3D57ED0000052;48,6139;2,4820;C;ABP;3600
`,
    },
    words: ['--map', 'class=classe'],
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Capteur Évry': '70B3D57ED0000051' },
      middle: [48.6, 2.4],
    },
  },
  {
    title: 'a list without headers, whose columns are mapped by number',
    files: {
      'raw.csv': `70B3D57ED0000061,51.5072,-0.1276,roof
70B3D57ED0000062,51.5090,-0.1337,cellar
`,
    },
    words: ['--map', 'latitude=column 2', '--map', 'longitude=column 3', '--map', 'name=column 4'],
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { roof: '70B3D57ED0000061', cellar: '70B3D57ED0000062' },
      middle: [51.5, -0.1],
    },
  },
  {
    title: 'a list with headers of its own, mapped by the user',
    files: {
      'own.csv': 'Wer,Wo (N),Wo (O),Funkkennung\nTor 4,47.3769,8.5417,70B3D57ED0000071\n',
    },
    words: ['--map', 'name=Wer', '--map', 'latitude=Wo (N)', '--map', 'longitude=wo (o)'],
    wanted: {
      devices: 1,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Tor 4': '70B3D57ED0000071' },
      middle: [47.4, 8.5],
    },
  },
  {
    title: 'devices and gateways in one list, with a column for which is which',
    files: {
      'assets.csv': `type;name;eui;lat;lon
Gateway;Rathaus;AABBCCFFFEDDEE01;52.5186;13.4083
Sensor;Brücke 1;70B3D57ED0000081;52.5200;13.4050
Sensor;Brücke 2;70B3D57ED0000082;52.5210;13.4060
`,
    },
    wanted: {
      devices: 2,
      gateways: ['Rathaus'],
      populations: ['device'],
      named: { 'Brücke 2': '70B3D57ED0000082' },
      middle: [52.5, 13.4],
    },
  },
  {
    title: 'gateways known by their MAC address beside devices in a second list',
    files: {
      'gateways.csv': 'Standort,MAC,lat,lng\n"Kirchturm, Süd",aa:bb:cc:dd:ee:ff,48.2,16.37\n',
      'devices.csv': 'name,dev_eui,lat,lng\nParkplatz 1,70b3d57ed0000091,48.21,16.38\n',
    },
    words: ['--map', 'name=Standort', '--map', 'name=name'],
    wanted: {
      devices: 1,
      gateways: ['Kirchturm, Süd'],
      populations: ['device'],
      named: { 'Parkplatz 1': '70B3D57ED0000091' },
      middle: [48.2, 16.4],
    },
  },
];

const places: readonly List[] = [
  {
    title: 'degrees, minutes and seconds',
    files: {
      'survey.csv': `name;devEui;latitude;longitude
Leuchtturm;70B3D57ED0000101;54° 10' 55" N;7° 53' 24" E
Mole;70B3D57ED0000102;N 54° 10,8';E 7° 53,9'
`,
    },
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { Leuchtturm: '70B3D57ED0000101' },
      middle: [54.2, 7.9],
    },
  },
  {
    title: 'latitude and longitude in one column',
    files: {
      'points.csv': `Device;DevEUI;Koordinaten
Boje A;70B3D57ED0000111;-33,8568; 151,2153
Boje B;70B3D57ED0000112;-33.8600, 151.2100
`.replace('-33,8568; 151,2153', '"-33,8568; 151,2153"'),
    },
    words: ['--region=AU915'],
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Boje A': '70B3D57ED0000111', 'Boje B': '70B3D57ED0000112' },
      region: 'AU915',
      middle: [-33.9, 151.2],
    },
  },
  {
    title: 'well-known text of a map server',
    files: {
      'layer.csv': `fid,geom,label,dev_eui
1,POINT (4.8952 52.3702),Gracht 1,70B3D57ED0000121
2,"POINT Z (4.9000 52.3700 3)",Gracht 2,70B3D57ED0000122
`,
    },
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Gracht 1': '70B3D57ED0000121' },
      middle: [52.4, 4.9],
    },
  },
  {
    title: 'degrees in columns X and Y, as geographic information systems export them',
    files: { 'qgis.csv': 'X,Y,name\n9.993682,53.551086,Hafen\n9.994,53.552,Speicher\n' },
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { Hafen: '' },
      middle: [53.6, 10],
    },
  },
  {
    title: 'metres of a national grid',
    files: {
      'grid.csv': `name;devEui;Rechtswert;Hochwert
Schacht 1;70B3D57ED0000131;691 600,5;5 334 800
Schacht 2;70B3D57ED0000132;692600,5;5335800
Schacht 3;70B3D57ED0000133;693600,5;5336800
`,
    },
    wanted: {
      devices: 3,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Schacht 2': '70B3D57ED0000132' },
    },
  },
  {
    title: 'GeoJSON of devices and of gateways',
    files: {
      'lamps.geojson': JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [2.1734, 41.3851] },
            properties: { name: 'Farola 1', deviceEui: '70b3d57ed0000141', height: 8 },
          },
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [2.18, 41.39] },
            properties: { name: 'Farola 2', deviceEui: '70b3d57ed0000142' },
          },
        ],
      }),
      'sites.json': JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [2.17, 41.4] },
            properties: { title: 'Montjuïc', gateway_eui: 'AABBCCFFFEDDEE41' },
          },
        ],
      }),
    },
    wanted: {
      devices: 2,
      gateways: ['Montjuïc'],
      populations: ['device'],
      named: { 'Farola 1': '70B3D57ED0000141' },
      middle: [41.4, 2.2],
    },
  },
];

/** Behind `places`: features one after another. */
const sequence: List = {
  title: 'GeoJSON features one after another',
  files: {
    'seq.geojson': stream(
      [7.1, 7.2].map((longitude, i) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, 50.7] },
        properties: { name: `Bonn ${i}`, devEui: `70B3D57ED000015${i}` },
      })),
    ),
  },
  wanted: {
    devices: 2,
    gateways: NO_GATEWAY,
    populations: ['device'],
    named: { 'Bonn 1': '70B3D57ED0000151' },
    middle: [50.7, 7.1],
  },
};

const servers: readonly List[] = [
  {
    title: 'end devices of The Things Stack, CSV with all columns',
    files: {
      'end_devices.csv': table(';', [
        {
          id: 'ers-1',
          dev_eui: '70B3D57ED0000201',
          join_eui: '70B3D57ED0000000',
          name: 'Büro 2.14',
          frequency_plan_id: 'EU_863_870_TTN',
          lorawan_version: 'MAC_V1_0_3',
          lorawan_phy_version: 'PHY_V1_0_3_REV_A',
          brand_id: 'elsys',
          model_id: 'ers',
          hardware_version: '1.0',
          firmware_version: '2.1.7',
          band_id: 'EU_863_870',
          app_key: '00112233445566778899AABBCCDDEEFF',
          rx1_delay: 'RX_DELAY_5',
          supports_32_bit_f_cnt: 'true',
          supports_class_c: 'false',
        },
        {
          id: 'plug-1',
          dev_eui: '70B3D57ED0000202',
          join_eui: '70B3D57ED0000000',
          name: 'Steckdose',
          frequency_plan_id: 'EU_863_870_TTN',
          lorawan_version: 'MAC_V1_0_2',
          lorawan_phy_version: 'PHY_V1_0_2_REV_B',
          brand_id: 'milesight',
          model_id: 'ws52x',
          hardware_version: '2',
          firmware_version: '1.2',
          band_id: 'EU_863_870',
          app_key: '00112233445566778899AABBCCDDEEFE',
          rx1_delay: 'RX_DELAY_5',
          supports_32_bit_f_cnt: 'true',
          supports_class_c: 'true',
        },
      ]),
    },
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['elsys-ers', 'milesight-ws52x'],
      named: { 'Büro 2.14': '70B3D57ED0000201', Steckdose: '70B3D57ED0000202' },
      server: { rx1Delay: '5 s', rx2DataRate: 'DR3' },
      knobs: { class: 'A', lorawan: '1.0.3', firmware: '2.1.7', hardware: '1.0.0' },
    },
  },
  {
    title: 'personalised end devices of The Things Stack, CSV with commas',
    files: {
      'abp.csv': table(',', [
        {
          dev_eui: '70B3D57ED0000211',
          id: 'old-1',
          dev_addr: '2601DA31',
          app_s_key: '00112233445566778899AABBCCDDEEFF',
          f_nwk_s_int_key: '00112233445566778899AABBCCDDEEF0',
          frequency_plan_id: 'US_902_928_FSB_2',
          lorawan_version: 'MAC_V1_0_2',
        },
      ]),
    },
    wanted: {
      devices: 1,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'old-1': '70B3D57ED0000211' },
      region: 'US915',
      knobs: { activation: 'abp', lorawan: '1.0.2' },
    },
  },
  {
    title: 'end devices of The Things Stack, JSON objects one after another',
    files: {
      'end_devices.json': stream([
        {
          ids: { device_id: 'lamp-1', dev_eui: '70B3D57ED0000221', join_eui: '70B3D57ED0000000' },
          name: 'Lampe Ä',
          lorawan_version: 'MAC_V1_0_4',
          lorawan_phy_version: 'RP002_V1_0_3',
          frequency_plan_id: 'EU_863_870_TTN',
          supports_join: true,
          supports_class_c: true,
          locations: { user: { latitude: 59.3293, longitude: 18.0686, source: 'SOURCE_REGISTRY' } },
          root_keys: { app_key: { key: '00112233445566778899AABBCCDDEEFF' } },
        },
        {
          ids: { device_id: 'lamp-2', dev_eui: '70B3D57ED0000222' },
          lorawan_version: 'MAC_V1_0_4',
          frequency_plan_id: 'EU_863_870_TTN',
          supports_join: true,
          supports_class_c: true,
        },
      ]),
    },
    wanted: {
      devices: 2,
      gateways: NO_GATEWAY,
      populations: ['device'],
      named: { 'Lampe Ä': '70B3D57ED0000221', 'lamp-2': '70B3D57ED0000222' },
      middle: [59.3, 18.1],
      knobs: { class: 'C', lorawan: '1.0.4', activation: 'otaa' },
    },
  },
  {
    title: 'gateways of The Things Stack beside its end devices, JSON',
    files: {
      'gateways.json': stream([
        {
          ids: { gateway_id: 'roof-gw', eui: 'AABBCCFFFEDDEE51' },
          name: 'Dach Ö',
          frequency_plan_ids: ['EU_863_870_TTN'],
          antennas: [{ location: { latitude: 55.6761, longitude: 12.5683, altitude: 30 } }],
        },
        {
          ids: { gateway_id: 'hall-gw', eui: 'AABBCCFFFEDDEE52' },
          antennas: [{ location: { latitude: 55.68, longitude: 12.57 } }],
        },
      ]),
      'devices.json': JSON.stringify([
        {
          ids: { device_id: 'a', dev_eui: '70B3D57ED0000231' },
          locations: { user: { latitude: 55.677, longitude: 12.569 } },
        },
      ]),
    },
    wanted: {
      devices: 1,
      gateways: ['Dach Ö', 'hall-gw'],
      populations: ['device'],
      named: { a: '70B3D57ED0000231' },
      middle: [55.7, 12.6],
    },
  },
  {
    title: 'devices and gateways as the API of ChirpStack lists them',
    files: {
      'devices.json': JSON.stringify({
        totalCount: 2,
        result: [
          { devEui: '70b3d57ed0000241', name: 'Silo 1', deviceProfileName: 'EU868 class A' },
          { devEui: '70b3d57ed0000242', name: 'Silo 2', deviceProfileName: 'EU868 class C' },
        ],
      }),
      'gateways.json': JSON.stringify({
        totalCount: 1,
        result: [
          {
            gatewayId: 'aabbccfffeddee61',
            name: 'Hof',
            location: { latitude: 46.948, longitude: 7.4474, altitude: 540 },
          },
        ],
      }),
    },
    wanted: {
      devices: 2,
      gateways: ['Hof'],
      populations: ['eu868-class-a', 'eu868-class-c'],
      named: { 'Silo 1': '70B3D57ED0000241' },
      middle: [46.9, 7.4],
    },
  },
];

const profiles: readonly List[] = [
  {
    title: 'a profile of the LoRaWAN device repository by itself',
    files: {
      'eu868-profile.yaml': `vendorProfileID: 0
macVersion: '1.0.3'
regionalParametersVersion: 'RP001-1.0.3-RevA'
supportsJoin: true
maxEIRP: 14
supports32bitFCnt: true
supportsClassB: true
classBTimeout: 60
pingSlotPeriod: 32
pingSlotDataRateIndex: 3
pingSlotFrequency: 869.525
supportsClassC: false
`,
    },
    wanted: {
      devices: 10,
      gateways: NO_GATEWAY,
      populations: ['eu868-profile'],
      named: {},
      knobs: {
        class: 'B',
        lorawan: '1.0.3',
        activation: 'otaa',
        pingSlotPeriodicity: 5,
        maxEirp: '14 dBm',
      },
    },
  },
  {
    title: 'a device of the LoRaWAN device repository with its profile, and a list',
    files: {
      'ers.yaml': `name: ERS CO₂
description: Indoor climate
hardwareVersions: [{ version: '1.0', numeric: 1 }]
firmwareVersions:
  - version: '2.1.7'
    numeric: 1
    hardwareVersions: ['1.0']
    profiles:
      EU863-870: { id: profile-ers, lorawanCertified: true, codec: ers-codec }
`,
      'profile-ers.yaml': `macVersion: '1.0.2'
regionalParametersVersion: 'RP001-1.0.2-RevB'
supportsJoin: false
rx1Delay: 1
rx1DataRateOffset: 0
rx2DataRateIndex: 0
rx2Frequency: 869.525
factoryPresetFrequencies: [868.1, 868.3, 868.5, 867.1]
maxEIRP: 16
supportsClassB: false
supportsClassC: true
classCTimeout: 60
`,
      'rooms.csv': 'name,dev_eui,brand_id,model_id\nRaum 1,70B3D57ED0000301,elsys,ers\n',
    },
    wanted: {
      devices: 1,
      gateways: NO_GATEWAY,
      populations: ['elsys-ers'],
      named: { 'Raum 1': '70B3D57ED0000301' },
      server: { rx1Delay: '1 s', rx1DrOffset: 0, rx2DataRate: 'DR0', rx2Frequency: '869.525 MHz' },
      knobs: { class: 'C', lorawan: '1.0.2', activation: 'abp', firmware: '2.1.7' },
    },
  },
  {
    title: 'a device of ChirpStack’s device profiles with its profiles for two regions',
    files: {
      'lht65n.toml': `[device]
  id = "8d0a3f5c-0000-4000-8000-000000000001"
  name = "LHT65N"
  description = "Temperature"

  [[device.firmware]]
    version = "1.8"
    profiles = ["LHT65N-EU868.toml", "LHT65N-US915.toml"]
`,
      'LHT65N-EU868.toml': `[profile]
  vendor_profile_id = 12
  region = "EU868"
  mac_version = "1.0.3"
  reg_params_revision = "A"
  supports_otaa = true
  supports_class_b = false
  supports_class_c = false
  max_eirp = 16

  [profile.abp]
    rx1_delay = 0
    rx1_dr_offset = 0
    rx2_dr = 0
    rx2_freq = 0
`,
      'LHT65N-US915.toml': `[profile]
  vendor_profile_id = 13
  region = "US915"
  mac_version = "1.0.3"
  reg_params_revision = "A"
  supports_otaa = true
  supports_class_b = true
  supports_class_c = false
  max_eirp = 20

  [profile.class_b]
    timeout_secs = 30
    ping_slot_nb_k = 2
    ping_slot_dr = 8
    ping_slot_freq = 0
`,
      'vendor.toml': '[vendor]\n  name = "Dragino"\n  vendor_id = 0\n  devices = ["lht65n.toml"]\n',
    },
    words: ['--region', 'us915'],
    wanted: {
      devices: 10,
      gateways: NO_GATEWAY,
      populations: ['lht65n'],
      warning: 'warning: 1 profile is of another region\n',
      named: {},
      region: 'US915',
      knobs: {
        class: 'B',
        lorawan: '1.0.3',
        pingSlotPeriodicity: 5,
        maxEirp: '20 dBm',
        firmware: '1.8.0',
      },
    },
  },
];

export const LISTS: readonly List[] = [
  ...spreadsheets,
  ...places,
  sequence,
  ...servers,
  ...profiles,
];
