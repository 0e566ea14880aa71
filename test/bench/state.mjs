/**
 * What the state of a service costs: records by the ten thousand, contents, commands and queries,
 * owners, campaigns that are over.
 *
 * Run: `npx tsc -b && node test/bench/state.mjs [root …] [--only words]`
 *
 * Each root is a built checkout, this one when none is given; they are measured in turns, row by
 * row, each row in a process of its own. Times are CPU times, the median of some attempts; heaps
 * are what is there after a collection, less what was there before. `--only` takes the rows whose
 * name has the words.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Table from 'cli-table3';

const HERE = fileURLToPath(new URL('../..', import.meta.url));
const S = 1_000_000;
const MANY = 100_000;
const MIB = 1024 * 1024;

const hex = (number, digits) => number.toString(16).toUpperCase().padStart(digits, '0');
const euiOf = (number) => `02${hex(number, 14)}`;

// ── measuring ────────────────────────────────────────────────────────────────────────────────────

const cpuMs = (work) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const median = (attempts, work) => {
  const all = Array.from({ length: attempts }, (_, i) => work(i)).sort((a, b) => a - b);
  return all[attempts >> 1];
};

/** Median of the µs that one of `times` takes, after two rounds to warm up. */
const usEach = (times, work) => {
  const round = (attempt) =>
    (cpuMs(() => {
      for (let i = 0; i < times; i++) work(attempt * times + i);
    }) *
      1000) /
    times;
  for (const warmUp of [0, 1]) round(warmUp);
  return median(5, (attempt) => round(attempt + 2));
};

const heapBytes = () => {
  for (let i = 0; i < 4; i++) globalThis.gc();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
};

// ── worlds ───────────────────────────────────────────────────────────────────────────────────────

const load = async (root) => {
  const built = (path) => import(pathToFileURL(`${root}/dist/${path}`).href);
  const { World } = await built('core/world/world.js');
  const { Owners } = await built('core/base/subscribers.js');
  const { networkOf } = await built('test/support/small-network.js');
  /** Devices that never speak, unless the plan says so. */
  const planOf = (devices, more = {}) => {
    const network = networkOf({ devices, gatewaysAt: [100, 200], traffic: { meanUs: 1e15 } });
    const startUnixMs = 1_767_225_600_000;
    return {
      name: 'x',
      description: '',
      timeline: [],
      network: { ...network, startUnixMs },
      ...more,
    };
  };
  const create = (devices = 2, more = {}, options = {}) =>
    new Served(World.create(planOf(devices, more), 'seed', options));
  return { World, Owners, built, planOf, create };
};

/** Commands and queries of subscribers, which have to be carried out. */
class Served {
  constructor(world) {
    this.world = world;
  }

  do(command, by = 'default') {
    return answerOf(this.world.submit({ ...command, by }));
  }

  ask(query, by = 'default') {
    return answerOf(this.world.ask({ ...query, by }));
  }

  group(i, devices, by) {
    return this.do({ kind: 'deviceGroup.create', group: { name: `g${i}`, devices } }, by)
      .device_group_id;
  }

  groups(count, membersOf = () => [euiOf(1)]) {
    return Array.from({ length: count }, (_, i) => this.group(i, membersOf(i)));
  }

  image(name, bytes = Uint8Array.of(1)) {
    return this.do({ kind: 'image.create', name, bytes, tags: ['a', 'b'] });
  }

  delegation(to) {
    const expires_at = '2090-01-01T00:00:00Z';
    const delegation = { delegate_to: to, expires_at, include_devices: [euiOf(1)] };
    return this.do({ kind: 'delegation.create', delegation }).delegation_id;
  }
}

const answerOf = (answer) => {
  if (!answer.ok) throw new Error(`${answer.failure.code}: ${answer.failure.message}`);
  return answer.value;
};

/** µs of a query about one of many records, whichever. */
const lookUp = (served, names, query, by) =>
  usEach(30_000, (i) => served.ask(query(names[(i * 7919) % names.length]), by));

const thirtyImages = (create) => {
  const served = create();
  for (let i = 0; i < 30; i++) served.image(`${i}.bin`, new Uint8Array(4 * MIB).fill(i + 1));
  return served;
};

/** ms that something takes beside 30 images of 4 MiB, more than beside none. */
const moreWithImages = (create, work) => {
  const [without, beside] = [create(), thirtyImages(create)].map(({ world }) => {
    for (let i = 0; i < 20; i++) work(world);
    return median(15, () => cpuMs(() => work(world)));
  });
  return beside - without;
};

/** A world with an image and groups of three devices. */
const small = (create, options) => {
  const served = create(3, {}, options);
  served.image('a.bin');
  return [served, served.group(0, [1, 2, 3].map(euiOf))];
};

const replaceTags = (i) => ({ kind: 'image.replaceTags', name: 'a.bin', tags: [`t${i % 9}`, 'x'] });
const renameGroup = (id) => (i) => ({
  kind: 'deviceGroup.update',
  device_group_id: id,
  group: { name: `h${i % 9}` },
});

// ── campaigns that are over ──────────────────────────────────────────────────────────────────────

const CAMPAIGNS = 100;
const MEMBERS = 1_000;

/** Each is halted when its set-up has begun, so all its members have failed. */
const halted = ({ create }) => {
  const served = create(CAMPAIGNS * MEMBERS, { durationUs: 1e12 });
  const { world } = served;
  served.image('fw-1.2.3.bin', new Uint8Array(1000).fill(7));
  const groups = served.groups(CAMPAIGNS, (i) =>
    Array.from({ length: MEMBERS }, (_, j) => euiOf(1 + i * MEMBERS + j)),
  );
  world.runUntil(S);
  const ask = () => world.result().warnings.length + world.digest().full.length;
  const before = { heap: heapBytes(), ms: median(3, () => cpuMs(ask)) };
  for (const device_group_id of groups) {
    const campaign = { name: 'c', image_name: 'fw-1.2.3.bin', device_group_id };
    const { campaign_id } = served.do({ kind: 'campaign.create', campaign });
    world.runUntil(world.nowUs + 5 * S);
    served.do({ kind: 'campaign.halt', campaign_id });
    world.runUntil(world.nowUs + 10 * S);
  }
  return { before, ask };
};

/** Members report that they run the image already, so all of them are updated. */
const succeeded = async ({ built }) => {
  const { service } = await built('test/core/resources/service.js');
  const { ScriptedDevice, ORDINARY } = await built('test/core/scripted-device.js');
  const { Digest } = await built('sim/kernel/digest.js');
  const ann = service();
  const { bench } = ann;
  ann.upload('fw-1.2.3.bin');
  const ask = () => {
    const digest = new Digest();
    bench.platform.fold(digest);
    return bench.platform.resources.campaign.results().length + digest.hex().length;
  };
  const groups = Array.from({ length: CAMPAIGNS }, (_, i) => {
    const devices = Array.from({ length: MEMBERS }, (_, j) => euiOf(1 + i * MEMBERS + j));
    for (const eui of devices) bench.devices.set(eui, new ScriptedDevice(eui, { ...ORDINARY }));
    return bench.group({ name: `g${i}`, devices });
  });
  /** Of the platform alone: the bench remembers more of its devices than they are. */
  const heapOf = () => {
    const before = heapBytes();
    const copy = bench.newPlatform();
    copy.contents?.load(bench.platform.contents.all());
    copy.load(bench.platform.save());
    const bytes = heapBytes() - before;
    return copy === bench.platform ? 0 : bytes;
  };
  const report = (member) => ann.report(euiOf(1 + member), '0102030000000000');
  // Reported versions are records of their own.
  for (let member = 0; member < CAMPAIGNS * MEMBERS; member++) report(member);
  const before = { heap: heapOf(), ms: median(3, () => cpuMs(ask)) };
  groups.forEach((device_group_id, i) => {
    const image_name = 'fw-1.2.3.bin';
    bench.campaign({ image_name, device_group_id, force_initial_version_check: true });
    bench.runUntil(bench.nowUs + 60 * S);
    for (let j = 0; j < MEMBERS; j++) report(i * MEMBERS + j);
    bench.runUntil(bench.nowUs + 60 * S);
    bench.log.length = 0;
  });
  const updated = bench.platform.resources.campaign.results().map(({ success }) => success);
  if (updated.some((count) => count !== MEMBERS)) throw new Error(`updated: ${updated}`);
  return { before, ask, heapOf };
};

// ── rows ─────────────────────────────────────────────────────────────────────────────────────────

/** Name, unit, target, and what measures it. */
const ROWS = [
  [
    '10 000 deviceGroup.create',
    's',
    '≤ 1',
    ({ create }) => {
      const served = create();
      return cpuMs(() => served.groups(10_000)) / 1000;
    },
  ],
  [
    '10 000 deviceGroup.create, a subscriber each',
    's',
    '≤ 1',
    ({ create }) => {
      const devices = Array.from({ length: 10_000 }, (_, i) => [euiOf(i + 1), `s${i}`]);
      const served = create(10_000, { owners: { devices, gateways: [] } });
      return cpuMs(() => devices.map(([eui, by], i) => served.group(i, [eui], by))) / 1000;
    },
  ],
  [
    'create + remove a device beside 10 000 groups',
    'ms',
    '≤ 0.1',
    ({ create }) => {
      const served = create();
      served.groups(10_000);
      const one = (i) => {
        const devEui = `EE${hex(i, 14)}`;
        served.do({ kind: 'device.create', device: { devEui, xMeters: 0, yMeters: 0 } });
        served.do({ kind: 'device.remove', devEui });
      };
      return usEach(1_000, one) / 1000;
    },
  ],
  [
    'the same without groups: the network’s part',
    'ms',
    '',
    ({ create }) => {
      const served = create();
      const one = (i) => {
        const devEui = `EE${hex(i, 14)}`;
        served.do({ kind: 'device.create', device: { devEui, xMeters: 0, yMeters: 0 } });
        served.do({ kind: 'device.remove', devEui });
      };
      return usEach(1_000, one) / 1000;
    },
  ],
  [
    'image by name, of 10^5',
    'µs',
    '≤ 5',
    ({ create }) => {
      const served = create();
      const names = Array.from({ length: MANY }, (_, i) => `${i}.bin`);
      for (const name of names) served.image(name);
      return lookUp(served, names, (name) => ({ kind: 'image.tags', name }));
    },
  ],
  [
    'group by id, of 10^5',
    'µs',
    '≤ 5',
    ({ create }) => {
      const served = create();
      const ids = served.groups(MANY);
      return lookUp(served, ids, (id) => ({ kind: 'deviceGroup.get', device_group_id: id }));
    },
  ],
  [
    'delegation by id, of 10^5',
    'µs',
    '≤ 5',
    ({ create }) => {
      const served = create();
      const ids = Array.from({ length: MANY }, () => served.delegation('bob'));
      const get = (delegation_id) => ({ kind: 'delegation.get', delegation_id });
      return lookUp(served, ids, get, 'bob');
    },
  ],
  [
    'delegation by party, of 10^5',
    'µs',
    '≤ 5',
    ({ create }) => {
      const served = create();
      for (let i = 0; i < MANY; i++) served.delegation(`s${i}`);
      return usEach(20, (i) => served.ask({ kind: 'delegation.list' }, `s${i}`));
    },
  ],
  [
    'reported version by DevEUI, of 10^5',
    'µs',
    '≤ 5',
    async ({ built }) => {
      const { annAndBob } = await built('test/core/resources/service.js');
      const [ann] = annAndBob();
      const devEuis = Array.from({ length: MANY }, (_, i) => euiOf(i + 1));
      const { ScriptedDevice, ORDINARY } = await built('test/core/scripted-device.js');
      for (const eui of devEuis) ann.bench.devices.set(eui, new ScriptedDevice(eui, ORDINARY));
      ann.bench.platform.onPlanned({ devices: devEuis.map((eui) => [eui, 'ann']), gateways: [] });
      for (const devEui of devEuis) ann.report(devEui, '0102030400000001');
      return lookUp(ann, devEuis, (deveui) => ({ kind: 'deviceVersion.get', deveui }));
    },
  ],
  [
    'device by DevEUI, of 10^5',
    'µs',
    '≤ 5',
    ({ create }) => {
      const names = Array.from({ length: MANY }, (_, i) => euiOf(i + 1));
      return lookUp(create(MANY), names, (devEui) => ({ kind: 'device.get', devEui }));
    },
  ],
  [
    'digest after one change in 10^5 records',
    'ms',
    '≤ 10',
    ({ create }) => {
      const served = create();
      const ids = served.groups(MANY);
      served.world.digest();
      return median(9, (i) => {
        served.do(renameGroup(ids[i * 7])(i));
        return cpuMs(() => served.world.digest());
      });
    },
  ],
  [
    'first digest of 10^5 records',
    'ms',
    '',
    ({ create }) => {
      const served = create();
      served.groups(MANY);
      return cpuMs(() => served.world.digest());
    },
  ],
  [
    'digest beside 30 images of 4 MiB, more than beside none',
    'ms',
    '≤ 1',
    ({ create }) => moreWithImages(create, (world) => world.digest()),
  ],
  [
    'snapshot beside 30 images of 4 MiB, more than beside none',
    'ms',
    '≤ 1',
    ({ create }) => moreWithImages(create, (world) => world.snapshot()),
  ],
  [
    'fork beside 30 images of 4 MiB, more than beside none',
    'ms',
    '≤ 1',
    ({ create }) => moreWithImages(create, (world) => world.fork()),
  ],
  [
    'snapshot as bytes beside 30 images of 4 MiB, more than beside none',
    'ms',
    '≤ 1',
    ({ create }) => moreWithImages(create, (world) => world.toBytes()),
  ],
  [
    'snapshot as bytes, 30 images of 4 MiB',
    'KiB',
    '≤ 64',
    ({ create }) => thirtyImages(create).world.toBytes().length / 1024,
  ],
  [
    'image.replaceTags',
    '1 000/s',
    '≥ 100',
    ({ create }) => {
      const [served] = small(create);
      return 1000 / usEach(50_000, (i) => served.do(replaceTags(i)));
    },
  ],
  [
    'deviceGroup.update of a name',
    '1 000/s',
    '≥ 100',
    ({ create }) => {
      const [served, id] = small(create);
      const rename = renameGroup(id);
      return 1000 / usEach(50_000, (i) => served.do(rename(i)));
    },
  ],
  [
    'image.tags',
    '1 000/s',
    '≥ 1000',
    ({ create }) => {
      const [{ world }] = small(create);
      const query = { kind: 'image.tags', name: 'a.bin', by: 'default' };
      return 1000 / usEach(500_000, () => answerOf(world.ask(query)));
    },
  ],
  [
    'deviceGroup.get of three devices',
    '1 000/s',
    '≥ 1000',
    ({ create }) => {
      const [{ world }, device_group_id] = small(create);
      const query = { kind: 'deviceGroup.get', device_group_id, by: 'default' };
      return 1000 / usEach(500_000, () => answerOf(world.ask(query)));
    },
  ],
  [
    'replay of such commands',
    '1 000/s',
    '≥ 150',
    ({ World, create }) => {
      const log = [];
      const [served, id] = small(create, { log: (entry) => log.push(entry) });
      const rename = renameGroup(id);
      for (let i = 0; i < 100_000; i++) {
        served.do(i % 2 === 0 ? replaceTags(i) : rename(i));
        if (i % 100 === 0) served.world.runUntil(served.world.nowUs + 1000);
      }
      const { plan, seed } = served.world;
      return median(5, () => log.length / cpuMs(() => World.replay(plan, seed, log)));
    },
  ],
  [
    'a device that a scenario made, of 10^6',
    'B',
    '≤ 64',
    ({ Owners, create }) => {
      const flat = (text) => Buffer.from(text).toString();
      const euis = Array.from({ length: 1e6 }, (_, i) => flat(euiOf(i + 1)));
      create();
      const before = heapBytes();
      const owners = new Owners();
      if (owners.plan === undefined) for (const eui of euis) owners.note('ann', 'device', eui);
      else owners.plan({ devices: euis.map((eui) => [eui, 'ann']), gateways: [] });
      const saved = owners.planned ?? owners.save();
      const served = create(2, { owners: saved });
      const bytes = heapBytes() - before;
      answerOf(served.world.ask({ kind: 'image.list', by: `of ${euis.length}` }));
      return bytes / euis.length;
    },
  ],
  [
    '100 halted campaigns of 1 000: heap',
    'MB',
    '≤ 25',
    (api) => {
      const { before, ask } = halted(api);
      const heap = heapBytes() - before.heap;
      ask();
      return heap / 1e6;
    },
  ],
  [
    '100 halted campaigns of 1 000: result + digest',
    'ms',
    '≤ 100',
    (api) => {
      const { before, ask } = halted(api);
      return median(5, () => cpuMs(ask)) - before.ms;
    },
  ],
  [
    '100 campaigns of 1 000 that succeeded: heap',
    'MB',
    '≤ 25',
    async (api) => {
      const { before, heapOf } = await succeeded(api);
      return (heapOf() - before.heap) / 1e6;
    },
  ],
  [
    '100 campaigns of 1 000 that succeeded: results + fold',
    'ms',
    '≤ 100',
    async (api) => {
      const { before, ask } = await succeeded(api);
      return median(5, () => cpuMs(ask)) - before.ms;
    },
  ],
];

async function measure(root, at) {
  const api = await load(root);
  return ROWS[at][3](api);
}

// ── the table ────────────────────────────────────────────────────────────────────────────────────

/** One row of one root, in a process of its own. */
const inProcess = (root, at) => {
  const args = ['--expose-gc', '--max-old-space-size=6000', fileURLToPath(import.meta.url)];
  const options = { encoding: 'utf8', timeout: 600_000, stdio: ['ignore', 'pipe', 'ignore'] };
  try {
    return Number(execFileSync(process.execPath, [...args, '--row', String(at), root], options));
  } catch {
    return Number.NaN;
  }
};

const shown = (value) => {
  if (Number.isNaN(value)) return 'not done';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2).replace(/\.0$/, '');
};

function main() {
  const given = process.argv.slice(2);
  const only = given.includes('--only') ? given.splice(given.indexOf('--only'))[1] : '';
  const roots = given.length === 0 ? [HERE] : given.map((root) => resolve(root));
  const table = new Table({ head: ['what', 'unit', 'target', ...roots] });
  ROWS.forEach(([name, unit, target], at) => {
    if (!name.includes(only)) return;
    const values = roots.map((root) => shown(inProcess(root, at)));
    table.push([name, unit, target, ...values]);
    process.stderr.write(`${name}: ${values.join(' | ')} ${unit}\n`);
  });
  process.stdout.write(`${table}\n`);
}

const row = process.argv.indexOf('--row');
if (row < 0) main();
else
  process.stdout.write(String(await measure(process.argv[row + 2], Number(process.argv[row + 1]))));
