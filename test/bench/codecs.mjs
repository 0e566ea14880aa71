/** Decodes a second, of CPU time: `npx tsc -b && node test/bench/codecs.mjs`. */
import { codecEngine } from '../../dist/api/host/codecs/codec-engine.js';
import { NATIVE_CODECS } from '../../dist/core/codecs/native.js';
import { codecOf, METER_CODEC, usualUplink } from '../../dist/test/support/codecs.js';

function perSecond(decode, count) {
  for (let i = 0; i < count; i++) decode();
  const began = process.cpuUsage();
  for (let i = 0; i < count; i++) decode();
  const { user, system } = process.cpuUsage(began);
  return Math.round((1e6 * count) / (user + system)).toLocaleString('en');
}

const lpp = usualUplink({ hex: '03670110056700FF0668630773279C018806765FF2960A0003E8' });
const cayenne = perSecond(() => NATIVE_CODECS.CAYENNE_LPP.decode(lpp), 300_000);
const megabytes = () => Math.round(process.memoryUsage.rss() / 1e6);
const before = megabytes();
const codec = codecOf(METER_CODEC);
const uplink = usualUplink();
const script = perSecond(() => codec.decode(uplink), 30_000);
const one = megabytes();
for (let i = 0; i < 20; i++) codecEngine().open(`${METER_CODEC}//${i}`);
process.stdout.write(`Cayenne LPP ${cayenne}/s, JavaScript ${script}/s of CPU time\n`);
process.stdout.write(
  `RSS ${before} MB, with one codec ${one} MB, with 20 more ${megabytes()} MB\n`,
);
