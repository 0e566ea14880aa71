/**
 * How fast frames and fragments are coded: `node test/bench/codec.mjs` after a build.
 *
 * The functions are those of the simulator's loop with real frames: a data frame of 50 bytes of
 * FRMPayload is written, encrypted and signed, or parsed, checked and decrypted, with both keys
 * expanded for every frame; a coded fragment is drawn and combined for a block of 400 × 50 bytes.
 * CPU time of the best of nine rounds, beside that of OpenSSL's AES-128 on a buffer of 64 bytes as
 * a yardstick of the machine.
 */
import { createCipheriv } from 'node:crypto';

const built = (path) => import(new URL(`../../dist/sim/${path}`, import.meta.url).href);
const { MType, ParsedFrame, parseDataFrame, putMic, UPLINK, writeDataFrame, MIC_BYTES } =
  await built('lorawan/frame.js');
const { realFrames } = await built('lorawan/frame-security.js');
const { encodeFragments, FragmentDecoder } = await built('lorawan/fragmentation-code.js');
const library = await built('library.js');

const ROUNDS = 9;
const FRAMES = 20_000;
const DEV_ADDR = 0x26011bda;
const FRM_PAYLOAD_BYTES = 50;

/** NwkSKey and AppSKey, one behind the other as in a table of devices. */
const keys = Uint8Array.from({ length: 32 }, (_, i) => 37 * i + 11);
const NWK_S_KEY = 0;
const APP_S_KEY = 16;

const payload = Uint8Array.from({ length: FRM_PAYLOAD_BYTES }, (_, i) => 5 * i);
const fields = {
  mType: MType.unconfirmedDataUp,
  devAddr: DEV_ADDR,
  fCtrl: 0x80,
  fCnt: 0,
  fOpts: new Uint8Array(15),
  fOptsLength: 0,
  fPort: 10,
  payload,
  payloadLength: FRM_PAYLOAD_BYTES,
};

function encodeInto(out, fCnt) {
  fields.fCnt = fCnt;
  const length = writeDataFrame(out, fields);
  const offset = length - FRM_PAYLOAD_BYTES;
  realFrames.crypt(keys, APP_S_KEY, UPLINK, DEV_ADDR, fCnt, out, offset, FRM_PAYLOAD_BYTES);
  return putMic(
    out,
    length,
    realFrames.dataMic(keys, NWK_S_KEY, UPLINK, DEV_ADDR, fCnt, out, length),
  );
}

const parsed = new ParsedFrame();

function decodeInPlace(bytes, length) {
  if (!parseDataFrame(bytes, length, parsed)) throw new Error('a frame is one');
  const { direction, devAddr, fCnt } = parsed;
  const signed = length - MIC_BYTES;
  const mic = realFrames.dataMic(keys, NWK_S_KEY, direction, devAddr, fCnt, bytes, signed);
  if (mic !== parsed.mic) throw new Error('the MIC is right');
  const { payloadOffset, payloadLength } = parsed;
  realFrames.crypt(keys, APP_S_KEY, direction, devAddr, fCnt, bytes, payloadOffset, payloadLength);
}

function encodeFrames() {
  const out = new Uint8Array(255);
  for (let i = 0; i < FRAMES; i++) encodeInto(out, i);
  return FRAMES;
}

const frameBytes = encodeInto(new Uint8Array(255), 0);
const air = new Uint8Array(FRAMES * frameBytes);
for (let i = 0; i < FRAMES; i++) encodeInto(air.subarray(i * frameBytes), i);

function decodeFrames() {
  const bytes = new Uint8Array(255);
  for (let i = 0; i < FRAMES; i++) {
    for (let b = 0; b < frameBytes; b++) bytes[b] = air[i * frameBytes + b];
    decodeInPlace(bytes, frameBytes);
  }
  if (bytes[parsed.payloadOffset + 3] !== payload[3]) throw new Error('the payload is back');
  return FRAMES;
}

const NB_FRAG = 400;
const FRAG_SIZE = 50;
const REDUNDANCY = 2_000;
const block = Uint8Array.from({ length: NB_FRAG * FRAG_SIZE }, (_, i) => i * i);

function codeFragments(version) {
  const fragments = encodeFragments(version, block, FRAG_SIZE, REDUNDANCY);
  return fragments.length - NB_FRAG;
}

const coded = encodeFragments(1, block, FRAG_SIZE, REDUNDANCY);

/** Rebuilds the block from coded fragments alone: the most that a decoder has to do. */
function decodeFragments() {
  const decoder = new FragmentDecoder(1, NB_FRAG, FRAG_SIZE);
  let number = NB_FRAG;
  do number++;
  while (!decoder.add(number, coded[number - 1]));
  if (decoder.block()[777] !== block[777]) throw new Error('the block is back');
  return number - NB_FRAG;
}

const hexKeys = { nwkSKey: '2b7e151628aed2a6abf7158809cf4f3c', appSKey: '0'.repeat(32) };
const whole = { mType: 'UnconfirmedDataUp', devAddr: DEV_ADDR, fPort: 10, frmPayload: payload };

function encodeByLibrary() {
  for (let i = 0; i < FRAMES; i++) library.encodeFrame({ ...whole, fCnt: i }, hexKeys);
  return FRAMES;
}

function yardstick() {
  const cipher = createCipheriv('aes-128-ecb', keys.subarray(0, 16), null);
  const bytes = new Uint8Array(64);
  for (let i = 0; i < FRAMES; i++) cipher.update(bytes);
  return FRAMES;
}

const ROWS = [
  ['data frames encoded, encrypted, signed', 300_000, encodeFrames],
  ['data frames parsed, checked, decrypted', 300_000, decodeFrames],
  ['coded fragments, version 1', 50_000, () => codeFragments(1)],
  ['coded fragments, version 2', 50_000, () => codeFragments(2)],
  ['coded fragments decoded', undefined, decodeFragments],
  ['data frames by the public encodeFrame', undefined, encodeByLibrary],
  ['yardstick: 64 bytes of OpenSSL AES', undefined, yardstick],
];

/** The most per second of CPU, over some rounds. */
function perSecond(work) {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    const count = work();
    const { user, system } = process.cpuUsage(start);
    best = Math.max(best, (1e6 * count) / (user + system));
  }
  return best;
}

const grouped = (count) => Math.round(count).toLocaleString('en').replaceAll(',', ' ');

process.stdout.write(`${''.padEnd(42)}${'per second'.padStart(12)}${'goal'.padStart(12)}\n`);
for (const [name, goal, work] of ROWS) {
  const rate = perSecond(work);
  const verdict = goal === undefined ? '' : rate >= goal ? '  met' : '  missed';
  const aim = goal === undefined ? '' : grouped(goal);
  process.stdout.write(
    `${name.padEnd(42)}${grouped(rate).padStart(12)}${aim.padStart(12)}${verdict}\n`,
  );
}
