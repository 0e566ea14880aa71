/** Codecs of scenario files: where they stand, what is wrong with them, and which engine runs. */
import { describe, expect, it } from 'vitest';
import { codecEngine } from '../../api/host/codecs/codec-engine.ts';
import { CODEC_LIMITS } from '../../core/codecs/engine.ts';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { format } from '../../scenarios/language/problem.ts';
import { load } from '../../scenarios/load.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import type { Json } from '../../sim/base/json.ts';
import { decoding } from '../support/codecs.ts';
import { bundleOf } from './scenario.ts';

const CODEC = decoding('return { data: { bytes: input.bytes.length, now: Date.now() } };');

const fileOf = (...entries: readonly string[]) =>
  [
    'scenario: a',
    'devices: [{ name: meter, count: 2, decoderType: own }]',
    'gateways: [{ name: roof }]',
    'decoderTypes:',
    ...entries,
  ].join('\n');

const OWN_FILE = fileOf('  - { name: own, file: codecs/own.js }');
const OWN_SCRIPT = fileOf(`  - { name: own, script: '${CODEC}' }`);

function loaded(text: string, files: Readonly<Record<string, string>> = {}, codecs = true) {
  const bundle = bundleOf({ 'file.yaml': text, ...files });
  return load('file.yaml', bundle, [], codecs ? codecEngine() : undefined);
}

function faults(text: string, files: Readonly<Record<string, string>> = {}): readonly string[] {
  const read = loaded(text, files);
  return read.outcome === 'problems' ? read.problems.map(format) : [];
}

describe('the codec of a decoder type', () => {
  it('is asked for where it stands in a file, and is that of the file', () => {
    expect(loaded(OWN_FILE)).toEqual({ outcome: 'needs', paths: ['codecs/own.js'] });
    const byFile = loaded(OWN_FILE, { 'codecs/own.js': CODEC });
    expect(byFile).toMatchObject({
      scenario: { decoderTypes: [{ name: 'own', codec: { by: 'script', text: CODEC } }] },
    });
  });

  it.each([
    ['/etc/passwd', '"/etc/passwd" is not right here; allowed: a path below the scenario file’s'],
    ['../own.js', '"../own.js" is not right here; allowed: a path below the scenario file’s'],
    ['own.txt', '"own.txt" is not right here; allowed: a path below the scenario file’s'],
  ])('does not stand in %s', (path, why) => {
    expect(faults(fileOf(`  - { name: own, file: ${path} }`))).toEqual([
      expect.stringContaining(`file.yaml:5:24  /decoderTypes/0/file  ${why}`),
    ]);
  });

  it.each([
    [
      'has a wrong line',
      'var x;\nfunction (\n',
      'is no codec. The codec is not right: line 2: Syn',
    ],
    ['throws', 'var x;\n\nx.y;\n', 'is no codec. The codec is not right: line 3: TypeError'],
    ['does not end', 'for (;;);', 'is no codec. The codec is not right: exceeded its steps.'],
    ['decodes nothing', 'var x;', 'is no codec. The codec is not right: it has no function deco'],
    ['is empty', '', 'has 0 characters; allowed: 1 to 262144 characters of JavaScript'],
    ['is too long', 'x'.repeat(CODEC_LIMITS.source + 1), 'has 262145 characters; allowed: 1 to 2'],
  ])('is reported by its place in the file, and its own line, where it %s', (_, source, why) => {
    expect(faults(OWN_FILE, { 'codecs/own.js': source })).toEqual([
      expect.stringContaining(`file.yaml:5:24  /decoderTypes/0/file  codecs/own.js ${why}`),
    ]);
  });

  it('is reported by its file where that has too many bytes', () => {
    expect(faults(OWN_FILE, { 'codecs/own.js': '/'.repeat(1_048_577) })).toEqual([
      'file.yaml:5:24  /decoderTypes/0/file  ' +
        'codecs/own.js has 1048577 bytes; allowed: at most 1048576 bytes (1 MiB)',
    ]);
  });

  it('is reported by its place and its own line where it stands in the scenario', () => {
    const text = fileOf('  - name: own', '    script: |', '      var x;', '      function (');
    expect(faults(text)).toEqual([
      expect.stringContaining(
        'file.yaml:6:13  /decoderTypes/0/script  is no codec. ' +
          'The codec is not right: line 2: SyntaxError',
      ),
    ]);
  });

  it('is reported of each decoder type that has a wrong one', () => {
    const text = fileOf(
      '  - { name: own, file: codecs/own.js }',
      '  - { name: right, decoder: ELSYS }',
      '  - { name: other, script: "x(" }',
    );
    const lines = faults(text, { 'codecs/own.js': 'y(' });
    expect(lines.map((each) => each.split('  ')[1])).toEqual([
      '/decoderTypes/0/file',
      '/decoderTypes/2/script',
    ]);
  });

  it.each([
    ['  - { name: own }', '/decoderTypes/0  says nothing of its codec; allowed: exactly one of'],
    ['  - { name: own, decoder: ELSYS, script: x }', '/decoderTypes/0  has several codecs; allow'],
    ['  - { name: own, script: 7 }', '/decoderTypes/0/script  7 is not text'],
    ['  - { name: own, script: "" }', '/decoderTypes/0/script  "" is not right here'],
    ['  - { name: own, decoder: JAVASCRIPT }', '"JAVASCRIPT" is not known; allowed: RAW_HEX'],
    ['  - { name: own, decoder: ELSIS }', 'did you mean "ELSYS"?'],
    [
      '  - { name: own, decoder: ELSYS }\n  - { name: own, decoder: ELSYS }',
      '/decoderTypes/1/name  the name "own" is taken by /decoderTypes/0',
    ],
  ])('is not said by %j', (entries, why) => {
    expect(faults(fileOf(entries))).toEqual([expect.stringContaining(why)]);
  });
});

function worldOf(text: string) {
  const read = loaded(text);
  if (read.outcome !== 'scenario') throw new Error(`the text ${read.outcome}`);
  return { plan: populate(read.scenario, 'seed'), codecs: codecEngine() };
}

const HALF_HOUR_US = 1_800_000_000;

function payloadsOf(world: World): readonly Json[] {
  const response = world.ask({ kind: 'log.list', by: 'default' });
  if (!response.ok) throw new Error(response.failure.message);
  return response.value.Logs.map(({ PayloadDecoded }) => PayloadDecoded as Json);
}

describe('a scenario whose codecs need an engine', () => {
  it.each([
    ['by a world', () => World.create(worldOf(OWN_SCRIPT).plan, 'seed')],
    ['by the library', () => runScenario(OWN_SCRIPT)],
    [
      'by the library, from a file',
      () => runScenario(OWN_FILE, { files: { 'codecs/own.js': CODEC } }),
    ],
  ])('is not run without it %s', (_, run) => {
    expect(run).toThrow(
      'A codec in JavaScript needs an engine, and this world has none (WorldOptions.codecs).',
    );
  });

  it('is read without it: what is wrong with a codec is reported by who runs it', () => {
    expect(loaded(fileOf('  - { name: own, script: "x(" }'), {}, false).outcome).toBe('scenario');
  });

  it('is run by the library with it', () => {
    const { trace } = runScenario(`${OWN_SCRIPT}\nduration: 1 h\n`, { codecs: codecEngine() });
    expect(trace.rows.length).toBeGreaterThan(0);
  });

  it('reports the same where it is saved, forked, and read or not in between', () => {
    const { plan, codecs } = worldOf(OWN_SCRIPT);
    const world = World.create(plan, 'seed', { codecs });
    world.runUntil(HALF_HOUR_US);
    const restored = World.restore(plan, 'seed', world.snapshot(), { codecs });
    const fork = world.fork();
    const early = payloadsOf(fork);
    expect(early.length).toBeGreaterThan(0);
    for (const each of [world, restored, fork]) each.runUntil(2 * HALF_HOUR_US);
    const [response, ...others] = [world, restored, fork].map((each) => ({
      payloads: payloadsOf(each),
      digest: each.digest(),
    }));
    expect(response!.payloads.length).toBeGreaterThan(early.length);
    expect(response!.payloads).toContainEqual({
      data: { bytes: expect.any(Number), now: expect.any(Number) },
    });
    for (const other of others) expect(other).toEqual(response);
  });
});
