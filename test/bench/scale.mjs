/**
 * How cost grows with size: `npm run build && npm run bench:scale`. W1's hour with a gateway for
 * every thousand devices, on an area in proportion, from 1 000 devices to `--to` (100 000; a
 * million takes long); a process a size. Prints CPU and peak memory, and their slopes on
 * logarithmic axes, all that a process has before its world taken off; draws both.
 *
 *     --to=1000000   the most devices
 *     --svg=FILE     the picture into this file
 *     --write        picture and table into docs/
 *     --json         points as JSON
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HERE, machine, optionsOf, slope, timed, withFolder, writePart } from './measured.mjs';

const DEVICES_A_GATEWAY = 1_000;
const METERS_OF_ONE = 6_400;
/** Three sizes a decade. */
const SIZES = [1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6];

function scenarioOf(devices) {
  const gateways = devices / DEVICES_A_GATEWAY;
  const meters = Math.round(METERS_OF_ONE * Math.sqrt(gateways));
  const settings = [
    `devices.device.count=${devices}`,
    `devices.device.placement={disc: ${meters} m}`,
    `area={radius: ${meters} m}`,
    `gateways.gateway.count=${gateways}`,
    `gateways.gateway.placement={disc: ${meters} m}`,
  ];
  return settings.flatMap((setting) => ['--set', setting]);
}

function measure(devices, out) {
  const w1 = 'scenarios/library/validation/w1.yaml';
  const words = ['dist/fleetwave.js', 'run', w1, '--quiet', '--no-report', '--out', out];
  const { cpuSeconds, megabytes } = timed(process.execPath, [...words, ...scenarioOf(devices)]);
  return { devices, cpuSeconds, megabytes };
}

/** What every process has before its world: that of one device. */
function measureStart(out) {
  const settings = ['--set', 'devices.device.count=1'];
  const w1 = 'scenarios/library/validation/w1.yaml';
  const words = ['dist/fleetwave.js', 'run', w1, '--quiet', '--no-report', '--out', out];
  return timed(process.execPath, [...words, ...settings]);
}

function slopesOf(points, start) {
  const of = (name) =>
    slope(points.map((point) => [point.devices, Math.max(0.01, point[name] - start[name])]));
  return { cpu: of('cpuSeconds'), memory: of('megabytes') };
}

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 64;
const BOTTOM = 48;

/** CPU seconds and megabytes in one picture, on one logarithmic axis. */
function picture(points, slopes) {
  const decades = { x: [3, Math.max(4, ceil10(points.at(-1).devices))], y: [-1, 4] };
  const place =
    ([from, to], begin, end) =>
    (value) =>
      begin + ((Math.log10(value) - from) / (to - from)) * (end - begin);
  const x = place(decades.x, LEFT, WIDTH - 110);
  const y = place(decades.y, HEIGHT - BOTTOM, 16);
  const path = (name) =>
    points.map((point, i) => `${i ? 'L' : 'M'}${at(x(point.devices))},${at(y(point[name]))}`);
  const curve = (name, colour, told) => {
    const last = points.at(-1);
    const label = `x="${at(x(last.devices) + 8)}" y="${at(y(last[name]) + 4)}"`;
    const dots = points
      .map((point) => `<circle cx="${at(x(point.devices))}" cy="${at(y(point[name]))}" r="3"/>`)
      .join('');
    const line = `<path d="${path(name).join('')}" fill="none" stroke="${colour}"/>`;
    return `${line}<g fill="${colour}">${dots}<text ${label}>${told}</text></g>`;
  };
  const powers = ([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  const rules = powers(decades.y).map(
    (value) =>
      `<path d="M${LEFT},${at(y(value))}H${WIDTH - 110}" stroke="#ddd"/>` +
      `<text x="${LEFT - 8}" y="${at(y(value) + 4)}" text-anchor="end">${value}</text>`,
  );
  const marks = powers(decades.x).map(
    (value) =>
      `<text x="${at(x(value))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${value}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"`,
    ' font-family="sans-serif" font-size="12">',
    '<title>CPU seconds and peak memory of W1 by number of devices, logarithmic</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...rules,
    ...marks,
    `<text x="${(WIDTH - 46) / 2}" y="${HEIGHT - 10}" text-anchor="middle">`,
    'devices, a gateway for every thousand</text>',
    curve('cpuSeconds', '#1f5fa8', `CPU s (${slopes.cpu.toFixed(2)})`),
    curve('megabytes', '#b5541c', `MB (${slopes.memory.toFixed(2)})`),
    '</svg>',
    '',
  ].join('\n');
}

const ceil10 = (value) => Math.ceil(Math.log10(value) - 1e-9);
const at = (value) => Math.round(value * 10) / 10;

function main({ to = '100000', svg, write, json }) {
  const sizes = SIZES.filter((devices) => devices <= Number(to));
  if (sizes.length < 2) throw new Error('--to is at least 2000');
  const { points, start } = withFolder((folder) => {
    const first = measureStart(join(folder, 'out'));
    const all = sizes.map((devices) => {
      process.stderr.write(`${devices} devices\n`);
      return measure(devices, join(folder, 'out'));
    });
    return { points: all, start: first };
  });
  const slopes = slopesOf(points, start);
  const drawn = picture(points, slopes);
  if (typeof svg === 'string') writeFileSync(svg, drawn);
  if (json) return console.log(JSON.stringify({ points, slopes }));
  const text = textOf(points, slopes);
  console.log(text);
  if (!write) return;
  writeFileSync(join(HERE, 'docs/growth.svg'), drawn);
  writePart('growth', text);
}

function textOf(points, slopes) {
  const lines = points.map(({ devices, cpuSeconds, megabytes }) => {
    const each = (1e6 * cpuSeconds) / devices;
    const cells = [devices, cpuSeconds.toFixed(2), each.toFixed(0), megabytes.toFixed(0)];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| devices | CPU, s | µs a device and hour | peak, MB |\n| --- | --- | --- | --- |';
  const grown =
    `CPU grows as devices^${slopes.cpu.toFixed(2)}, ` +
    `peak memory as devices^${slopes.memory.toFixed(2)}.`;
  return `${machine()}.\n\n${head}\n${lines.join('\n')}\n\n${grown}`;
}

process.chdir(HERE);
main(optionsOf(process.argv.slice(2)));
