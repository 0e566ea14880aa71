/** Broken files and misuses of the command line, as they happen to people. */

export interface Case {
  readonly title: string;
  /** What is typed after `fleetwave`. */
  readonly line: string;
  /** Lines after those of `TOWN`, or in the place of one that begins alike. */
  readonly town?: readonly string[];
  /** Files beside town.yaml. */
  readonly files?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The scenario that is broken in most cases. */
export const TOWN: readonly string[] = [
  'scenario: town',
  'duration: 2 h',
  'area: { radius: 1 km }',
  'gateways: [{ name: roof }]',
  'devices: [{ name: meter, count: 5, joinWithin: 1 min }]',
];

const UPDATE = [
  'images: [{ name: meter-1.2.0.bin, bytes: 6 kB }]',
  'groups: [{ name: meters, devices: all }]',
];

const town = (title: string, ...lines: readonly string[]): Case => {
  return { title, line: 'validate town.yaml', town: lines };
};

const words = (title: string, line: string): Case => ({ title, line });

const YAML: readonly Case[] = [
  town('A bracket that is never closed', 'devices: [{ name: meter, count: 5'),
  town('A tab in the indentation', 'devices:', '\t- name: meter'),
  town('A key that stands twice', 'area: { radius: 1 km }', 'seed: a', 'seed: b'),
  town('A value that YAML takes for a map', 'description: fast: and small'),
  town('A quotation mark that is never closed', 'description: "a town'),
  town('Two scenarios in one file', '---', 'scenario: other'),
  { title: 'An empty file', line: 'validate empty.yaml', files: { 'empty.yaml': '' } },
  {
    title: 'A list where a scenario belongs',
    line: 'validate l.yaml',
    files: { 'l.yaml': '- a\n' },
  },
];

const KNOBS: readonly Case[] = [
  town('A knob with a slip of the pen', 'devices: [{ name: meter, cuont: 5 }]'),
  town('A section that does not exist', 'weather: rain'),
  town('A unit that is missing', 'duration: 2'),
  town('A unit that measures something else', 'area: { radius: 1 h }'),
  town('A number outside of its range', 'devices: [{ name: meter, count: 2000000 }]'),
  town('A word where a number belongs', 'devices: [{ name: meter, count: many }]'),
  town('A region that is none', 'region: EU869'),
  town(
    'A repetition that ends before it begins',
    'timeline: [{ at: 1 h, every: 10 min, until: 30 min, reboot: { device: meter-1 } }]',
  ),
  town('A class that is none', 'devices: [{ name: meter, class: D }]'),
  town('A value that is missing', 'devices: [{ count: 5 }]'),
  town('Two populations of one name', 'devices: [{ name: meter }, { name: meter }]'),
  town('A share above everything', 'devices: [{ name: meter, frameLoss: 120 % }]'),
  town('Several faults at once', 'duration: 2 hours', 'region: EU', 'devices: [{ nam: a }]'),
];

const REFERENCES: readonly Case[] = [
  town('A group of a population that is unknown', 'groups: [{ name: all, devices: [metre] }]'),
  town(
    'A campaign of an image that is unknown',
    ...UPDATE,
    'campaigns: [{ name: spring, image: meter-1.3.0.bin, group: meters, at: 1 h }]',
  ),
  town('A verb of the timeline that is unknown', 'timeline: [{ at: 1 h, reboots: meter-1 }]'),
  town('A time after the end', 'timeline: [{ at: 3 h, reboot: meter-1 }]'),
  town('A device that is not there', 'timeline: [{ at: 1 h, reboot: meter-9 }]'),
  town('A time without a verb', 'timeline: [{ at: 1 h }]'),
  town(
    'A knob of a fault that belongs to another',
    'timeline: [{ at: 1 h, gatewayFault: { gateway: roof, fault: radio, channel: 868.3 MHz } }]',
  ),
  town(
    'Noise where the network has no channel',
    'timeline: [{ at: 1 h, gatewayFault: { gateway: roof, fault: noise, channel: 868.35 MHz } }]',
  ),
  town('An expectation of an unknown figure', 'expectations: [joind >= 99 %]'),
  town('An expectation without a bound', 'expectations: [joined]'),
  town('An expectation in another unit', 'expectations: [joined >= 3 h]'),
  town('An expectation of seeds by a count', 'expectations: [joined >= 99 % in 19 of seeds]'),
  town('An expectation of an unknown campaign', 'expectations: [spring.updated >= 98 %]'),
];

const FILES: readonly Case[] = [
  words('A scenario that is not there', 'run twon.yaml'),
  words('A folder in the place of a scenario', 'run .'),
  town('Points that are not there', 'devices: [{ name: meter, placement: { file: sites.csv } }]'),
  {
    ...town('One point that is invalid', 'devices: [{ name: a, placement: { file: p.csv } }]'),
    files: { 'p.csv': 'x,y\n0,0\n12\n' },
  },
  {
    ...town(
      'Fewer points than devices',
      'devices: [{ name: a, count: 3, placement: { file: p.csv } }]',
    ),
    files: { 'p.csv': 'x,y\n0,0\n' },
  },
  town('An image that is not there', 'images: [{ name: a-1.0.0.bin, file: a.bin }]'),
  {
    ...town('A codec with a fault', 'decoderTypes: [{ name: own, file: own.js }]'),
    files: { 'own.js': 'var x;\nfunction (\n' },
  },
  town('A file outside of the folder', 'images: [{ name: a-1.0.0.bin, file: ../a.bin }]'),
  {
    title: 'A fault on standard input',
    line: 'validate -',
    input: 'scenario: town\nduraton: 1 h\n',
  },
  { title: 'Nothing on standard input', line: 'run -' },
];

const OVERRIDES: readonly Case[] = [
  words('An override without a value', 'validate town.yaml --set duration'),
  words('An override of an unknown knob', 'validate town.yaml --set devices.meter.cuont=5'),
  words('An override of an unknown population', 'validate town.yaml --set devices.metre.count=5'),
  words('A stack that is unknown', 'validate town.yaml --set devices.meter.stack=Zefyr'),
  words('A server that is unknown', 'validate town.yaml --set server=chirpstck'),
  words('An override in another unit', 'validate town.yaml --set duration=5km'),
  words('An override that is no YAML', 'validate town.yaml --set duration=[1'),
];

const OPTIONS: readonly Case[] = [
  words('No command', ''),
  words('A command with a slip of the pen', 'vaildate town.yaml'),
  words('Seeds that are none', 'run town.yaml --seeds 0'),
  words('Two results that do not exist', 'diff before after'),
  words('No file', 'run'),
  words('A file too many', 'run town.yaml village.yaml'),
  words('An option without its value', 'run town.yaml --seed'),
  words('An option with a slip of the pen', 'run town.yaml --verify-image'),
  words('An option that nobody knows', 'airtime --sf 7 --bytes 12 --power 14'),
  words('An option twice', 'run town.yaml --seed a --seed b'),
  words('A word that is none of a few', 'run town.yaml --frames rael'),
  words('A value for a flag', 'run town.yaml --quiet=3'),
  words('Options that exclude each other', 'run town.yaml --pcap c --frames counted'),
  words('One file for two things', 'run town.yaml --logs a --deliveries a'),
  words('Results where nobody can write', 'run town.yaml --out town.yaml/results'),
  words('A path that is empty', 'run town.yaml --out='),
  words('A number out of range', 'airtime --sf 13 --bytes 300'),
  words('Options that are missing', 'airtime'),
  words('A source that nobody knows', 'fidelity alhoa'),
  words('A spreading factor for fragments', 'fragments --bytes 1000 --dr SF9'),
  words('A part of a journal', 'journal verfy'),
  words('A journal where none is', 'journal verify nowhere'),
  words('A template that is unknown', 'init quikstart'),
  words('A shell that is unknown', 'completion bsh'),
  words('A setting that is wrong', 'serve --port 70000 --speed fast'),
  words('A command that is missing', 'exec --seed a'),
];

const result = (title: string, text: string): Case => {
  return { title, line: 'replay result.json', files: { 'result.json': text } };
};

const RESULTS: readonly Case[] = [
  words('A result that is not there', 'replay out/town/result.json'),
  result('A result that is cut off', '{ "version": "0.1.0", "digest": '),
  result('A file that is no result', '{ "name": "fleetwave" }'),
  words('A scenario in the place of a result', 'replay town.yaml'),
  result(
    'A result whose scenario is broken',
    JSON.stringify({
      version: '0.1.0',
      digest: '0123456789abcdef',
      complete: true,
      events: 10,
      manifest: { scenario: 'scenario: town\nduraton: 1 h\n', files: [], set: [], seed: 'town' },
    }),
  ),
];

const LIST = `name;devEui;latitude;longitude
lamp 1;70B3D57ED0000001;48,101;11,5
lamp 2;70B3D57ED0000002;48,102;11,5
lamp 3;70B3D57ED0000003;48,103;11,5
lamp 4;70B3D57ED0000004;48,104;11,5
`;

const list = (title: string, line: string, text: string, name = 'list.csv'): Case => ({
  title,
  line: `import ${name}${line}`,
  files: { [name]: text },
});

const LISTS: readonly Case[] = [
  list('A map that fits no column', ' --map devEui=DevEUIs', LIST),
  list('A field that is none', ' --map devEuis=devEui', LIST),
  list('An EUI twice', '', `${LIST}lamp 5;70-b3-d5-7e-d0-00-00-02;48,105;11,5\n`),
  list('Latitude and longitude swapped', '', `${LIST}lamp 5;70B3D57ED0000005;11,5;48,105\n`),
  list('A point far from the rest', '', `${LIST}lamp 5;70B3D57ED0000005;52,5;13,4\n`),
  list('An EUI that a spreadsheet rounded', '', `${LIST}lamp 5;7,0B3D57E+15;48,105;11,5\n`),
  list('A list without devices', '', 'gateway_eui,lat,lon\nAABBCCFFFEDDEE01,48.1,11.5\n'),
  list('A profile with a wrong value', '', "macVersion: '1.0.3'\nrx1Delay: 99\n", 'p.yaml'),
  list('A file for the scenario that is none', ' --out fleet.csv', LIST),
];

/** By chapter. */
export const CASES: Readonly<Record<string, readonly Case[]>> = {
  'What is no YAML': YAML,
  'Knobs and their values': KNOBS,
  'References, timeline and expectations': REFERENCES,
  Files: FILES,
  Overrides: OVERRIDES,
  'Words of the command line': OPTIONS,
  'Lists to import': LISTS,
  'Results to replay': RESULTS,
};
