/** SHA-256, the name of content (FIPS 180-4 §6.2). */

/** First 32 bits of the fractions of the cube roots of the first 64 primes (§4.2.2). */
const ROUND = Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

/** First 32 bits of the fractions of the square roots of the first 8 primes (§5.3.3). */
const START = Int32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);

const BLOCK_BYTES = 64;

/** The 32 bytes of the digest of a message of fewer than 2^53 bits. */
export function sha256(message: Uint8Array): Uint8Array {
  const state = START.slice();
  const whole = message.length - (message.length % BLOCK_BYTES);
  for (let at = 0; at < whole; at += BLOCK_BYTES) compress(state, message, at);
  const tail = padded(message, whole);
  for (let at = 0; at < tail.length; at += BLOCK_BYTES) compress(state, tail, at);
  return Uint8Array.from({ length: 32 }, (_, i) => state[i >> 2] >>> (24 - 8 * (i & 3)));
}

/** What is left from `whole` on, a one bit, zeros, and the length in bits (§5.1.1). */
function padded(message: Uint8Array, whole: number): Uint8Array {
  const left = message.length - whole;
  const tail = new Uint8Array(left + 9 <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES);
  tail.set(message.subarray(whole));
  tail[left] = 0x80;
  let bits = message.length * 8;
  for (let i = tail.length - 1; bits > 0; i--) {
    tail[i] = bits % 256;
    bits = Math.floor(bits / 256);
  }
  return tail;
}

const rotated = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

/** The message schedule of a block (§6.2.2, step 1); `compress` fills it and uses it up. */
const schedule = new Int32Array(64);

/** Takes the block of 64 bytes at `at` into `state` (§6.2.2). */
function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  for (let t = 0; t < 16; t++) {
    const i = at + 4 * t;
    schedule[t] = (bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3];
  }
  for (let t = 16; t < 64; t++) {
    const a = schedule[t - 15];
    const b = schedule[t - 2];
    const sigma0 = rotated(a, 7) ^ rotated(a, 18) ^ (a >>> 3);
    const sigma1 = rotated(b, 17) ^ rotated(b, 19) ^ (b >>> 10);
    schedule[t] = sigma1 + schedule[t - 7] + sigma0 + schedule[t - 16];
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t++) {
    const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const t1 = (h + sum1 + chosen + ROUND[t] + schedule[t]) | 0;
    const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + sum0 + majority) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
