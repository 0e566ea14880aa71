/**
 * What records of end-devices cost, in a world of that many: bytes of heap for each, and CPU time.
 *
 * Run: `npx tsc -b && node --expose-gc test/bench/end-devices.mjs [devices]`
 *
 * A device that nobody has changed costs nothing but its place in the index of names, once somebody
 * registers a device; one that was changed costs its record.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = fileURLToPath(new URL('../..', import.meta.url));
const built = (path) => import(pathToFileURL(`${HERE}dist/${path}`).href);
const { World } = await built('core/world/world.js');
const { networkOf } = await built('test/support/small-network.js');
const COUNT = Number(process.argv[2] ?? 100_000);

const cpuMs = (work) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const heapBytes = () => {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
};

const network = networkOf({ devices: COUNT, traffic: { process: 'none' } });
const plan = { name: 'x', description: '', durationUs: 1e12, network, timeline: [] };
const world = World.create(plan, 'seed');
const by = 'default';
const given = (answer) => {
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer.value;
};
const ask = (query) => given(world.ask({ by, ...query }));
const submit = (command) => given(world.submit({ by, ...command }));
const [{ Id: ServiceProfile }] = ask({ kind: 'serviceProfile.list' }).ServiceProfiles;
const [{ Id: DeviceProfile }] = ask({ kind: 'deviceProfile.list' }).DeviceProfiles;
const register = (number) =>
  submit({
    kind: 'endDevice.create',
    device: {
      Name: `own ${number}`,
      DevEUI: `EE${number.toString(16).toUpperCase().padStart(14, '0')}`,
      ActivationType: 'OTAA',
      ServiceProfile,
      DeviceProfile,
      ApplicationEUI: '70B3D50000000001',
      ApplicationKey: '00'.repeat(16),
    },
  });
// The network's tables grow by this one, once for as many again.
submit({ kind: 'device.create', device: { devEui: '0000000000000001' } });
const devEuis = network.devices.map(({ devEui }) => devEui);
const untouched = heapBytes();
const firstMs = cpuMs(() => register(0));
register(1);
const indexed = heapBytes();
const each = devEuis.slice(0, Math.min(COUNT, 10_000));
const some = devEuis.slice(0, 2_000);
const patchMs = cpuMs(() => {
  for (const DevEUI of each) {
    submit({ kind: 'endDevice.update', DevEUI, device: { PrivateData: true } });
  }
});
const changed = heapBytes();
const assign = () =>
  cpuMs(() => {
    submit({ kind: 'deviceProfile.assign', Id: DeviceProfile, Devices: some });
  });
const assignMs = Array.from({ length: 5 }, assign);
const registerMs = cpuMs(() => {
  for (let i = 2; i < 1_002; i++) register(i);
});
const saved = world.snapshot();
const result = {
  devices: COUNT,
  firstRegisterMs: firstMs,
  bytesBeforeChange: (indexed - untouched) / COUNT,
  bytesChanged: (changed - indexed) / each.length,
  updateUs: (patchMs * 1000) / each.length,
  assignMs,
  registerUs: registerMs,
  recordsSaved: saved.platform.resources.endDevice.length,
};
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
