/**
 * Whether much at once costs in proportion: `npm run build && node test/bench/bursts.mjs`. The
 * number of devices, a gateway for every thousand on an area in proportion, do the same within ten
 * seconds: they are switched on and join, as after a power cut, or are answered in their windows.
 * In one process that is warm; prints CPU seconds, and their slope on logarithmic axes.
 *
 *     --devices=1000,3000,10000   how many
 *     --json                      rows as JSON
 */
import { World } from '../../dist/core/world/world.js';
import { populate } from '../../dist/scenarios/filling/populate.js';
import { load } from '../../dist/scenarios/load.js';
import { optionsOf, slope } from './measured.mjs';

const METERS_OF_ONE_GATEWAY = 6_400;

const scenarioOf = (devices, more) => {
  const gateways = Math.max(1, Math.round(devices / 1_000));
  const meters = Math.round(METERS_OF_ONE_GATEWAY * Math.sqrt(gateways));
  return `
scenario: burst
duration: 10 min
area: { radius: ${meters} m }
gateways: [{ name: roof, count: ${gateways} }]
devices: [{ name: meter, count: ${devices}, joinWithin: 10 s, ${more} }]
`;
};

const BURSTS = {
  'mass reboot': 'activation: otaa, traffic: { every: 1 h }',
  answers: 'activation: abp, traffic: { every: 30 min, jitter: 0 %, confirmed: 100 % }',
};

/** CPU seconds of a world from its start to its end. */
function cpuSecondsOf(text) {
  const loaded = load('burst.yaml', new Map([['burst.yaml', Buffer.from(text)]]));
  if (loaded.outcome !== 'scenario') throw new Error(JSON.stringify(loaded.problems));
  const world = World.create(populate(loaded.scenario), 'bench', { records: false });
  const before = process.cpuUsage();
  world.runUntil(world.endUs);
  const { user, system } = process.cpuUsage(before);
  const { sent } = world.result().downlinks;
  return { seconds: (user + system) / 1e6, downlinks: sent };
}

function main({ devices = '1000,3000,10000', json }) {
  const sizes = devices.split(',').map(Number);
  const rows = Object.entries(BURSTS).map(([burst, more]) => {
    // What comes first is slow while the engine has not seen it.
    cpuSecondsOf(scenarioOf(sizes.at(-1), more));
    const points = sizes.map((size) => ({ size, ...cpuSecondsOf(scenarioOf(size, more)) }));
    const exponent = slope(points.map(({ size, seconds }) => [size, seconds]));
    return { burst, points, slope: Math.round(100 * exponent) / 100 };
  });
  if (json) return console.log(JSON.stringify(rows));
  for (const { burst, points, slope } of rows) {
    const report = points.map(
      ({ size, seconds, downlinks }) => `${size}: ${seconds.toFixed(2)} s, ${downlinks} downlinks`,
    );
    console.log(`${burst}: ${report.join('; ')}; as devices^${slope}`);
  }
}

main(optionsOf(process.argv.slice(2)));
