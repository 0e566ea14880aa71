/**
 * Codecs in the forms in which vendors publish them: that of TS013, those of The Things Network v2
 * and of ChirpStack v3, and bundles with a global. They use parts of Node.js and of browsers.
 */
import type { JsonObject } from '../../sim/base/json.ts';

export interface VendorCodec {
  readonly form: string;
  readonly source: string;
  readonly hex: string;
  readonly fPort?: number;
  readonly data: JsonObject;
  /** Of a codec that encodes: what, on which port it is asked for, and the bytes. */
  readonly encodes?: { readonly data: JsonObject; readonly fPort: number; readonly hex: string };
}

const webpack = (body: string): string =>
  `var driver;(()=>{"use strict";var e={d:(t,n)=>{for(var r in n)e.o(n,r)&&!e.o(t,r)&&` +
  'Object.defineProperty(t,r,{enumerable:!0,get:n[r]})},o:(e,t)=>' +
  `Object.prototype.hasOwnProperty.call(e,t)},t={};${body};driver=t})();`;

const esbuild = (body: string): string => `"use strict";
var driver = (() => {
  var __defProp = Object.defineProperty;
  var __export = (target, all) => {
    for (var name in all) __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __toCommonJS = (mod) => {
    var made = __defProp({}, "__esModule", { value: true });
    for (const key of Object.getOwnPropertyNames(mod)) {
      __defProp(made, key, { get: () => mod[key], enumerable: true });
    }
    return made;
  };
  var src_exports = {};
  ${body}
  return __toCommonJS(src_exports);
})();`;

const umd = (name: string, factory: string): string =>
  "(function (root, factory) { if (typeof exports === 'object' && typeof module === 'object') " +
  "module.exports = factory(); else if (typeof define === 'function' && define.amd) " +
  `define([], factory); else if (typeof exports === 'object') exports['${name}'] = factory(); ` +
  `else root['${name}'] = factory(); })(this, function () { ${factory} });`;

export const VENDOR_CODECS: readonly VendorCodec[] = [
  {
    form: 'Decoder(bytes, port)',
    source: `function Decoder(bytes, port) {
  var decoded = {};
  if (port === 2) {
    decoded.temperature = ((bytes[0] << 24 >> 16) | bytes[1]) / 100;
    decoded.humidity = bytes[2] / 2;
  }
  return decoded;
}`,
    hex: 'FF9C55',
    data: { temperature: -1, humidity: 42.5 },
  },
  {
    form: 'Decoder and Encoder',
    source: `function Decoder(bytes, port) { return { open: (bytes[0] & 1) === 1, port: port }; }
function Encoder(object, port) {
  var bytes = [];
  if (port === 5) { bytes.push(0x01); bytes.push(object.interval >> 8, object.interval & 255); }
  return bytes;
}`,
    hex: '01',
    data: { open: true, port: 2 },
    encodes: { data: { interval: 600 }, fPort: 5, hex: '010258' },
  },
  {
    form: 'Decoder with a polyfill and a loop over channels',
    source: `if (!String.prototype.pad) String.prototype.pad = function () {
  return ('00' + this).slice(-2);
};
var decodeChannels = function (bytes) {
  var out = {}, i = 0;
  while (i < bytes.length) {
    var channel = bytes[i++], type = bytes[i++];
    if (channel === 0x01 && type === 0x75) out.battery = bytes[i++];
    else if (channel === 0x03 && type === 0x67) {
      out.t = (bytes[i] | bytes[i + 1] << 8) / 10; i += 2;
    }
    else break;
  }
  out.id = bytes[0].toString(16).pad();
  return out;
};
function Decoder(bytes, port, uplink_info) { return decodeChannels(bytes); }`,
    hex: '017564036710010A',
    data: { battery: 100, t: 27.2, id: '01' },
  },
  {
    form: 'Decode(fPort, bytes, variables)',
    source: `function Decode(fPort, bytes, variables) {
  var scale = variables.scale ? Number(variables.scale) : 10;
  return { port: fPort, level: ((bytes[0] << 8) + bytes[1]) / scale };
}`,
    hex: '00FA',
    data: { port: 2, level: 25 },
  },
  {
    form: 'Decode and Encode',
    source: `function Decode(fPort, bytes) { return bytes.length ? { first: bytes[0] } : null; }
function Encode(fPort, obj, variables) { return [fPort, obj.on ? 1 : 0]; }`,
    hex: '07',
    data: { first: 7 },
    encodes: { data: { on: true }, fPort: 9, hex: '0901' },
  },
  {
    form: 'a bundle of webpack in a global driver',
    source: webpack(
      'e.d(t,{decodeUplink:()=>r,encodeDownlink:()=>o});function n(e){return e.bytes[0]<<8|' +
        'e.bytes[1]}function r(e){return{data:{count:n(e)}}}function o(e){return{bytes:[3,' +
        'e.data.mode],fPort:6}}',
    ),
    hex: '0102',
    data: { count: 258 },
    encodes: { data: { mode: 2 }, fPort: 6, hex: '0302' },
  },
  {
    form: 'a bundle of esbuild in a global driver',
    source: esbuild(`__export(src_exports, { decodeUplink: () => decodeUplink });
  class Reader { constructor(b) { this.b = b; this.at = 0; } u8() { return this.b[this.at++]; } }
  function decodeUplink({ bytes, fPort }) {
    const reader = new Reader(bytes);
    return { data: { kind: reader.u8(), value: reader.u8(), fPort }, warnings: [] };
  }`),
    hex: '0A14',
    data: { kind: 10, value: 20, fPort: 2 },
  },
  {
    form: 'a bundle with a default export',
    source: esbuild(`__export(src_exports, { default: () => api });
  const api = { decodeUplink: (input) => ({ data: { n: input.bytes.length } }) };`),
    hex: '010203',
    data: { n: 3 },
  },
  {
    form: 'a universal module',
    source: umd(
      'driver',
      'return { decodeUplink: function (i) { return { data: { n: i.bytes[0] } }; } };',
    ),
    hex: '2A',
    data: { n: 42 },
  },
  {
    form: 'a universal module named in exports',
    source:
      'exports["driver"] = (function () { var own = {}; own.Decoder = function (bytes) { ' +
      'return { n: bytes[0] }; }; return own; })();',
    hex: '2B',
    data: { n: 43 },
  },
  {
    form: 'methods of an object in driver',
    source: `class Driver {
  constructor() { this.factor = 0.5; }
  scaled(value) { return value * this.factor; }
  decodeUplink(input) { return { data: { value: this.scaled(input.bytes[0]) } }; }
}
const driver = new Driver();`,
    hex: '03',
    data: { value: 1.5 },
  },
  {
    form: 'Decoder that is exported',
    source: 'module.exports = { Decoder: function (bytes, port) { return { p: port }; } };',
    hex: '00',
    fPort: 77,
    data: { p: 77 },
  },
  {
    form: 'Buffer.from and numbers of a Buffer',
    source: `function decodeUplink(input) {
  const buffer = Buffer.from(input.bytes);
  return { data: {
    temperature: buffer.readInt16BE(0) / 100, pressure: buffer.readUInt32LE(2),
    level: Number(buffer.readFloatBE(6).toFixed(2)), serial: buffer.toString('hex', 10),
  } };
}`,
    hex: 'F8300102000042280000CAFE',
    data: { temperature: -20, pressure: 513, level: 42, serial: 'cafe' },
  },
  {
    form: 'Buffer of a hexadecimal text',
    source: `function hexOf(bytes) {
  return bytes.map(function (b) { return ('0' + b.toString(16)).slice(-2); }).join('');
}
function Decoder(bytes, port) {
  var buf = new Buffer(hexOf(bytes), 'hex'), head = buf.slice(0, 2);
  return { head: head.readUInt16BE(), name: buf.slice(2).toString('ascii').replace(/\\0+$/, '') };
}`,
    hex: '00014162630000',
    data: { head: 1, name: 'Abc' },
  },
  {
    form: 'a reader of TLV on a Buffer',
    source: `const decodeUplink = (input) => {
  const b = Buffer.from(input.bytes); const data = {}; let i = 0;
  try {
    while (i < b.length) {
      const tag = b.readUInt8(i); const size = b.readUInt8(i + 1);
      data['t' + tag] = b.readUIntBE(i + 2, size); i += 2 + size;
    }
  } catch (error) { data.error = error.message; }
  return { data };
};`,
    hex: '0102010003030000FF0905',
    data: {
      t1: 256,
      t3: 255,
      error: 'The value of "offset" is out of range. It must be >= 0 and <= 6. Received 11',
    },
  },
  {
    form: 'Buffer of a module',
    source: `const { Buffer } = require('buffer');
module.exports.decodeUplink = function (input) {
  return { data: { text: Buffer.concat([Buffer.from('<'), Buffer.from(input.bytes)]).toString() } };
};`,
    hex: 'C3BC',
    data: { text: '<ü' },
  },
  {
    form: 'a Buffer as an encoded downlink',
    source: `function decodeUplink(input) { return { data: {} }; }
function encodeDownlink(input) {
  const out = Buffer.alloc(4); out.writeUInt16BE(input.data.seconds, 0); out.writeInt8(-1, 2);
  out.fill(0xee, 3);
  return { bytes: out, fPort: 12 };
}`,
    hex: '',
    data: {},
    encodes: { data: { seconds: 3600 }, fPort: 12, hex: '0E10FFEE' },
  },
  {
    form: 'TextDecoder',
    source: `function decodeUplink(input) {
  return { data: { name: new TextDecoder().decode(new Uint8Array(input.bytes.slice(1))) } };
}`,
    hex: '00E282AC',
    data: { name: '€' },
  },
  {
    form: 'btoa and atob',
    source: `function Decode(fPort, bytes) {
  var raw = btoa(String.fromCharCode.apply(null, bytes));
  return { raw: raw, again: atob(raw).length };
}`,
    hex: 'FFFE00',
    data: { raw: '//4A', again: 3 },
  },
  {
    form: 'dates and numbers in words',
    source: `function decodeUplink(input) {
  var at = new Date(Date.UTC(2023, 6, 9, 0, 5, 7));
  return { data: {
    at: at.toLocaleString('en-US', { timeZone: 'UTC' }), day: at.toLocaleDateString(),
    time: at.toLocaleTimeString(), litres: (input.bytes[0] * 100000.5).toLocaleString(),
  } };
}`,
    hex: '0C',
    data: {
      at: '7/9/2023, 12:05:07 AM',
      day: '7/9/2023',
      time: '12:05:07 AM',
      litres: '1,200,006',
    },
  },
  {
    form: 'decodeUplink with variables',
    source: `function decodeUplink(input) {
  var offset = input.variables.offset || 0;
  return { data: { value: input.bytes[0] + offset } };
}`,
    hex: '05',
    data: { value: 5 },
  },
  {
    form: 'decodeUplink as TS013 has it',
    source: `function decodeUplink(input) {
  switch (input.fPort) {
    case 2: return { data: { distance: (input.bytes[0] << 8) + input.bytes[1] } };
    default: return { errors: ['unknown FPort'] };
  }
}`,
    hex: '03E8',
    data: { distance: 1000 },
  },
  {
    form: 'an ES module that exports functions',
    source: `const scale = (value) => value / 10;
export function decodeUplink({ bytes }) {
  return { data: { level: scale((bytes[0] << 8) | bytes[1]) } };
}
export const encodeDownlink = ({ data }) => ({ bytes: [data.minutes & 0xff], fPort: 7 });`,
    hex: '04D2',
    data: { level: 123.4 },
    encodes: { data: { minutes: 30 }, fPort: 7, hex: '1E' },
  },
  {
    form: 'an ES module whose default has the functions',
    source: `export default {
  offset: 40,
  decodeUplink(input) { return { data: { temperature: input.bytes[0] - this.offset } }; },
};`,
    hex: '0A',
    data: { temperature: -30 },
  },
  {
    form: 'an ES module whose default is the function',
    source: `// export is a word of the language
export default function decodeUplink(input) { return { data: { state: input.bytes[0] === 1 } }; }`,
    hex: '01',
    data: { state: true },
  },
  {
    form: 'an ES module that exports by another name, in an older form',
    source: `function read(bytes, port) { return { port, first: bytes[0] }; }
export { read as Decoder };`,
    hex: '2A',
    fPort: 9,
    data: { port: 9, first: 42 },
  },
  {
    form: 'an ES module that imports Buffer',
    source: `import { Buffer } from 'node:buffer';
import * as all from "buffer";
export function decodeUplink(input) {
  const bytes = Buffer.from(input.bytes);
  return { data: { serial: bytes.readUInt32LE(0), same: all.default.Buffer === Buffer } };
}`,
    hex: '78563412',
    data: { serial: 305419896, same: true },
  },
  {
    form: 'a CommonJS module that is the function',
    source: `module.exports = function decodeUplink(input) {
  return { data: { length: input.bytes.length } };
};`,
    hex: '0000',
    data: { length: 2 },
  },
  {
    form: 'decodeUplink that answers the data alone, as drivers of ThingPark do',
    source: `function decodeUplink(input) {
  return { level: (input.bytes[0] << 8) | input.bytes[1], unit: 'mm' };
}
exports.decodeUplink = decodeUplink;`,
    hex: '00D6',
    data: { level: 214, unit: 'mm' },
  },
];
