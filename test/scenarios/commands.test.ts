/** The verb `command` of the timeline: any command of the platform, in its own fields. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../core/operations.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { COMMAND_KINDS } from '../../scenarios/schema/command-schema.ts';
import { scenarioJsonSchema } from '../../scenarios/schema/schema.ts';
import { faultsOf, SHORTEST, scenarioOf, shortestWith } from './scenario.ts';

const EUI = '00000000000000AA';
const ALLOWED = COMMAND_KINDS.join(', ');

const timeline = (...entries: readonly string[]): string =>
  shortestWith(`timeline:\n${entries.map((entry) => `  - ${entry}`).join('\n')}`);
const entry = (command: string, at = '1 s') => `{ at: ${at}, command: ${command} }`;
const commandsOf = (text: string) => populate(scenarioOf(text)).timeline;

describe('a command in a file', () => {
  it('is what the same command is that somebody submits, in normal form', () => {
    const given = `{ kind: device.create, device: { devEui: "${EUI.toLowerCase()}", type: 0 } }`;
    expect(commandsOf(timeline(entry(given, '12.345678 s')))).toEqual([
      {
        atUs: 12_345_678,
        command: { kind: 'device.create', by: 'default', device: { devEui: EUI, type: 0 } },
      },
    ]);
  });

  it('has bytes as base64, in lines, too', () => {
    const upload = (bytes: string) => entry(`{ kind: image.create, name: a.bin, bytes: ${bytes} }`);
    for (const bytes of ['AAEC/w==', '"AAE\\n C/w=="']) {
      expect(commandsOf(timeline(upload(bytes)))).toMatchObject([
        { command: { name: 'a.bin', bytes: Uint8Array.of(0, 1, 2, 255) } },
      ]);
    }
  });

  it('may be every command, and no query', () => {
    const commands = Object.entries(OPERATIONS).filter(([, { verb }]) => !/list|get/.test(verb));
    expect(COMMAND_KINDS).toEqual(commands.map(([kind]) => kind));
    expect(COMMAND_KINDS.length).toBeGreaterThan(25);
  });

  it('says who asks, and what the caller may do', () => {
    const of = (more: string) =>
      commandsOf(
        `${timeline(entry(`{ kind: image.delete, name: a.bin${more} }`))}subscribers: [ann, bob]\n`,
      ).map(({ command }) => command);
    const deletion = { kind: 'image.delete', name: 'a.bin' };
    expect(of('')).toEqual([{ ...deletion, by: 'ann' }]);
    expect(of(', by: bob')).toEqual([{ ...deletion, by: 'bob' }]);
  });

  it('that the world refuses is a warning of the result', () => {
    const plan = populate(scenarioOf(timeline(entry('{ kind: image.delete, name: a.bin }'))));
    const world = World.create(plan, 'a');
    world.runUntil(world.endUs);
    expect(world.result().warnings).toEqual([
      'image.delete at 1 s was refused: There is no image a.bin.',
    ]);
  });

  it('has its fields in the JSON Schema, for editors', () => {
    const schema = JSON.parse(JSON.stringify(scenarioJsonSchema()));
    const { command } = schema.properties.timeline.items.properties;
    expect(command).toMatchObject({ required: ['kind'], unevaluatedProperties: false });
    expect(command).not.toHaveProperty('additionalProperties');
    expect(command.properties.kind.enum).toEqual(COMMAND_KINDS);
    const forms: { if: { properties: { kind: { const: string } } }; then: object }[] =
      command.allOf;
    expect(forms.map((form) => form.if.properties.kind.const)).toEqual(COMMAND_KINDS);
    for (const { if: condition, then } of forms) {
      const { takes } = OPERATIONS[condition.properties.kind.const as keyof typeof OPERATIONS];
      const { properties } = then as { properties: object };
      expect(Object.keys(properties)).toEqual(Object.keys(takes));
    }
  });
});

describe('a fault of a command', () => {
  it.each([
    [
      'a kind that nearly is one',
      '{ kind: campagin.create }',
      `file.yaml:4:33  /timeline/0/command/kind  "campagin.create" is not a command; ` +
        `allowed: ${ALLOWED}; did you mean "campaign.create"?`,
    ],
    [
      'a query',
      '{ kind: campaign.list }',
      'file.yaml:4:33  /timeline/0/command/kind  "campaign.list" is a query, which does nothing; ' +
        `allowed: ${ALLOWED}`,
    ],
    [
      'no kind',
      '{ name: a.bin }',
      `file.yaml:4:25  /timeline/0/command/kind  is missing; allowed: ${ALLOWED}`,
    ],
    [
      'no map',
      'image.delete',
      'file.yaml:4:25  /timeline/0/command  "image.delete" is not a map of keys and values; ' +
        'allowed: a map with kind, and with the fields of that command',
    ],
    [
      'a field that is missing',
      '{ kind: image.delete }',
      'file.yaml:4:25  /timeline/0/command/name  name is missing; ' +
        'it has to be text of 0 to 250 characters.',
    ],
    [
      'a value in what a request would carry',
      '{ kind: deviceGroup.create, group: { name: a, devices: [12] } }',
      'file.yaml:4:81  /timeline/0/command/group/devices/0  devices is 12; ' +
        'it has to be 16 hexadecimal digits.',
    ],
    [
      'a key that is misspelt, and nothing of what then lacks',
      `{ kind: device.create, device: { deveui: "${EUI}" } }`,
      'file.yaml:4:58  /timeline/0/command/device/deveui  "deveui" is not a known key here; ' +
        'allowed: devEui, name, xMeters, yMeters, type, appKey, genAppKey, keygenType; ' +
        'did you mean "devEui"?',
    ],
    [
      'a field of another command',
      '{ kind: image.delete, name: a.bin, tags: [a] }',
      'file.yaml:4:60  /timeline/0/command/tags  "tags" is not a known key here; ' +
        'allowed: kind, by, as, name; did you mean "as"?',
    ],
    [
      'what is no base64',
      '{ kind: image.create, name: a.bin, bytes: "AAE" }',
      'file.yaml:4:67  /timeline/0/command/bytes  "AAE" is not base64; ' +
        'allowed: base64 of 0 to 4194304 bytes',
    ],
  ])('%s', (_, command, fault) => {
    expect(faultsOf(timeline(entry(command)))).toEqual([fault]);
  });

  it('repeats no key that stands in a wrong place', () => {
    const key = '00112233445566778899AABBCCDDEEFF';
    const [fault] = faultsOf(timeline(entry(`{ kind: key.upload, keys: { "${key}": "${EUI}" } }`)));
    expect(fault).toContain('/timeline/0/command/keys');
    expect(fault).not.toContain(key.slice(0, 8));
  });

  it.each(['__proto__', 'constructor', 'toString'])('reads no such word as a kind: %s', (word) => {
    expect(faultsOf(timeline(entry(`{ kind: ${word} }`)))).toHaveLength(1);
  });

  it('reads nothing of a prototype', () => {
    const given = '{ kind: image.delete, name: a.bin, __proto__: { by: bob } }';
    expect(commandsOf(timeline(entry(given)))).toEqual([
      { atUs: 1_000_000, command: { kind: 'image.delete', name: 'a.bin', by: 'default' } },
    ]);
  });
});

describe('what a command brings', () => {
  const brings = entry(`{ kind: device.create, device: { devEui: "${EUI}", name: late } }`, '2 s');
  const later = (word: string, at = '3 s') => `{ at: ${at}, downlink: { to: "${word}" } }`;

  it('is named by its EUI from then on, in any case, and not before', () => {
    expect(faultsOf(timeline(brings, later(EUI), later(EUI.toLowerCase())))).toEqual([]);
    expect(faultsOf(timeline(brings, later(EUI, '1 s')))).toHaveLength(1);
    expect(faultsOf(timeline(brings, later('late')))).toHaveLength(1);
  });

  it('may be gone again: that is for the world to say', () => {
    const goes = entry(`{ kind: device.remove, devEui: "${EUI}" }`, '3 s');
    const text = timeline(brings, goes, later(EUI, '4 s'), `{ at: 5 s, removeDevice: "${EUI}" }`);
    expect(faultsOf(text)).toEqual([]);
  });

  it('may be a gateway', () => {
    const gateway = entry(`{ kind: gateway.create, gateway: { eui: "${EUI}" } }`, '2 s');
    expect(faultsOf(timeline(gateway, `{ at: 3 s, removeGateway: "${EUI}" }`))).toEqual([]);
    expect(faultsOf(timeline(gateway, later(EUI)))).toHaveLength(1);
  });

  it('is its subscriber’s, who then asks for what is done to it', () => {
    const by = (text: string) => commandsOf(text).map(({ command }) => command.by);
    const asks = `{ kind: device.create, by: bob, device: { devEui: "${EUI}" } }`;
    const text = `${timeline(entry(asks), later(EUI))}subscribers: [ann, bob]\n`;
    expect(by(text)).toEqual(['bob', 'bob']);
  });

  it('changes neither what names of the file mean nor who asks for what is theirs', () => {
    const meter = populate(scenarioOf(SHORTEST)).network.devices[0]!.devEui;
    const other = `{ kind: device.create, by: bob, device: { devEui: "${EUI}", name: meter-1 } }`;
    const same = `{ kind: device.create, by: bob, device: { devEui: "${meter}" } }`;
    const text = timeline(entry(other), entry(same), later('meter-1'), later(meter));
    const [, , ...downlinks] = commandsOf(`${text}subscribers: [ann, bob]\n`);
    expect(downlinks.map(({ command }) => command)).toMatchObject([
      { by: 'ann', devEui: meter },
      { by: 'ann', devEui: meter },
    ]);
  });
});
