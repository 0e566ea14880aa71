/**
 * What codecs use of Node.js and of browsers beside the language: `Buffer`, `TextEncoder`,
 * `TextDecoder`, `atob` and `btoa` (docs/decisions/0098). It runs in the sandbox before a source
 * that names one of them, so other codecs pay nothing for it. It behaves as Node.js 20 does, in the
 * messages of errors, too, and keeps to the language alone: the same on each machine.
 */

/** A source that names what the library has. */
export const NEEDS_LIBRARY = /\b(Buffer|TextEncoder|TextDecoder|atob|btoa)\b/;

/** A source that imports `Buffer` by name. */
export const IMPORTS_BUFFER = /\brequire\(\s*(['"`])(node:)?buffer\/?\1\s*\)/;

/** The same, in a module. */
export const MODULE_IMPORTS_BUFFER = /\b(from|import)\s*(['"])(node:)?buffer\/?\2/;

/** Texts to bytes and back, by the encodings of Node.js. */
const TEXTS = String.raw`
  var chars = String.fromCharCode, point = String.fromCodePoint, Bytes = Uint8Array;
  var ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  var SIX = {};
  for (var i = 0; i < 64; i++) SIX[ALPHABET[i]] = i;
  SIX['-'] = 62; SIX['_'] = 63;

  function coded(error, code) { error.code = code; return error; }

  function toUtf8(text) {
    var out = [];
    for (var i = 0; i < text.length; i++) {
      var c = text.codePointAt(i);
      if (c > 0xffff) i++;
      if (c >= 0xd800 && c <= 0xdfff) c = 0xfffd;
      if (c < 0x80) out.push(c);
      else if (c < 0x800) out.push(0xc0 | (c >> 6), 0x80 | (c & 63));
      else if (c < 0x10000) out.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
      else out.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63),
        0x80 | (c & 63));
    }
    return out;
  }
  /* WHATWG Encoding, UTF-8 decoder: one replacement for each longest wrong part. */
  function fromUtf8(b, fatal) {
    var out = '', need = 0, c = 0, low = 0x80, high = 0xbf;
    for (var i = 0; i < b.length; i++) {
      var x = b[i];
      if (need > 0) {
        if (x >= low && x <= high) {
          low = 0x80; high = 0xbf;
          c = (c << 6) | (x & 63);
          if (--need === 0) out += point(c);
          continue;
        }
        if (fatal) return null;
        out += '\ufffd'; need = 0; low = 0x80; high = 0xbf;
      }
      if (x < 0x80) out += chars(x);
      else if (x >= 0xc2 && x <= 0xdf) { need = 1; c = x & 31; }
      else if (x >= 0xe0 && x <= 0xef) {
        need = 2; c = x & 15;
        if (x === 0xe0) low = 0xa0;
        if (x === 0xed) high = 0x9f;
      } else if (x >= 0xf0 && x <= 0xf4) {
        need = 3; c = x & 7;
        if (x === 0xf0) low = 0x90;
        if (x === 0xf4) high = 0x8f;
      } else if (fatal) return null;
      else out += '\ufffd';
    }
    if (need > 0) { if (fatal) return null; out += '\ufffd'; }
    return out;
  }
  function fromSixes(text) {
    var out = [], word = 0, bits = 0;
    for (var i = 0; i < text.length && text[i] !== '='; i++) {
      var six = SIX[text[i]];
      if (six === undefined) continue;
      word = ((word << 6) | six) & 0xffff; bits += 6;
      if (bits >= 8) { bits -= 8; out.push((word >> bits) & 255); }
    }
    return out;
  }
  function toSixes(b, url) {
    var out = '', sign = url ? ALPHABET.slice(0, 62) + '-_' : ALPHABET;
    for (var i = 0; i < b.length; i += 3) {
      var left = b.length - i;
      var word = (b[i] << 16) | ((left > 1 ? b[i + 1] : 0) << 8) | (left > 2 ? b[i + 2] : 0);
      out += sign[word >> 18] + sign[(word >> 12) & 63];
      out += left > 1 ? sign[(word >> 6) & 63] : url ? '' : '=';
      out += left > 2 ? sign[word & 63] : url ? '' : '=';
    }
    return out;
  }
  function encodingOf(name) {
    switch (String(name === undefined || name === null || name === '' ? 'utf8' : name)
      .toLowerCase()) {
      case 'utf8': case 'utf-8': return 'utf8';
      case 'hex': return 'hex';
      case 'ascii': return 'ascii';
      case 'latin1': case 'binary': return 'latin1';
      case 'base64': return 'base64';
      case 'base64url': return 'base64url';
      case 'ucs2': case 'ucs-2': case 'utf16le': case 'utf-16le': return 'utf16le';
    }
    return undefined;
  }
  function knownEncoding(name) {
    var known = encodingOf(name);
    if (known !== undefined) return known;
    throw coded(new TypeError('Unknown encoding: ' + name), 'ERR_UNKNOWN_ENCODING');
  }
  function bytesOfText(text, name) {
    var out = [], i;
    switch (knownEncoding(name)) {
      case 'utf8': return toUtf8(text);
      case 'base64': case 'base64url': return fromSixes(text);
      case 'hex':
        for (i = 0; i + 1 < text.length; i += 2) {
          var pair = text.slice(i, i + 2);
          if (!/^[0-9a-fA-F]{2}$/.test(pair)) break;
          out.push(parseInt(pair, 16));
        }
        return out;
      case 'utf16le':
        for (i = 0; i < text.length; i++) {
          out.push(text.charCodeAt(i) & 255, text.charCodeAt(i) >> 8);
        }
        return out;
    }
    for (i = 0; i < text.length; i++) out.push(text.charCodeAt(i) & 255);
    return out;
  }
  function textOfBytes(b, name) {
    var out = '', i;
    switch (knownEncoding(name)) {
      case 'utf8': return fromUtf8(b, false);
      case 'base64': return toSixes(b, false);
      case 'base64url': return toSixes(b, true);
      case 'hex':
        for (i = 0; i < b.length; i++) out += (b[i] < 16 ? '0' : '') + b[i].toString(16);
        return out;
      case 'utf16le':
        for (i = 0; i + 1 < b.length; i += 2) out += chars(b[i] | (b[i + 1] << 8));
        return out;
      case 'ascii':
        for (i = 0; i < b.length; i++) out += chars(b[i] & 127);
        return out;
    }
    for (i = 0; i < b.length; i++) out += chars(b[i]);
    return out;
  }
`;

/** How a Buffer is made, and what it has beside numbers. */
const BUFFER = `
  function typeError(what, value) {
    var got = value === null || value === undefined ? String(value)
      : typeof value === 'function' ? 'function ' + value.name
      : typeof value === 'object' ? 'an instance of ' + (value.constructor || {}).name
      : 'type ' + typeof value + ' (' +
          (typeof value === 'string' ? "'" + value + "'" : String(value)) + ')';
    return coded(new TypeError('The ' + what + '. Received ' + got), 'ERR_INVALID_ARG_TYPE');
  }
  function received(value) {
    var isBig = typeof value === 'bigint', text = String(value);
    var isLong = (isBig || Number.isInteger(value)) && Math.abs(Number(value)) > 4294967296;
    if (isLong) text = text.replace(/(\\d)(?=(\\d{3})+$)/g, '$1_');
    return isBig ? text + 'n' : text;
  }
  function outOfRange(name, range, value) {
    var message = 'The value of "' + name + '" is out of range. It must be ' + range +
      '. Received ' + received(value);
    return coded(new RangeError(message), 'ERR_OUT_OF_RANGE');
  }

  function Buffer(value, encoding, length) {
    if (typeof value === 'number') return alloc(value);
    return from(value, encoding, length);
  }
  var proto = Object.create(Bytes.prototype);
  Object.defineProperty(Buffer, 'prototype', { value: proto });
  Object.setPrototypeOf(Buffer, Bytes);
  function method(name, value) {
    Object.defineProperty(proto, name, { value: value, writable: true, configurable: true });
  }
  method('constructor', Buffer);
  Object.defineProperty(proto, 'parent', { get: function () { return this.buffer; } });
  Object.defineProperty(proto, 'offset', { get: function () { return this.byteOffset; } });

  function own(bytes) { return Object.setPrototypeOf(bytes, proto); }
  function sized(size) {
    if (typeof size !== 'number') throw typeError('"size" argument must be of type number', size);
    if (!(size >= 0 && size <= 4294967296)) {
      throw outOfRange('size', '>= 0 && <= 4294967296', size);
    }
    return own(new Bytes(size));
  }
  function alloc(size, fill, encoding) {
    var made = sized(size);
    return fill === undefined || fill === 0 ? made : made.fill(fill, encoding);
  }
  function from(value, encoding, length) {
    if (typeof value === 'string') return own(new Bytes(bytesOfText(value, encoding)));
    if (typeof value === 'object' && value !== null) {
      if (value instanceof ArrayBuffer) return own(new Bytes(value, encoding, length));
      if (value.type === 'Buffer' && Array.isArray(value.data)) value = value.data;
      var plain = typeof value.valueOf === 'function' ? value.valueOf() : value;
      if (plain !== value && (typeof plain === 'string' || typeof plain === 'object')) {
        return from(plain, encoding, length);
      }
      if (typeof value.length === 'number') {
        var made = own(new Bytes(value.length));
        for (var i = 0; i < value.length; i++) made[i] = value[i];
        return made;
      }
      if (value.buffer instanceof ArrayBuffer) return own(new Bytes(0));
    }
    throw typeError('first argument must be of type string or an instance of Buffer, ' +
      'ArrayBuffer, or Array or an Array-like Object', value);
  }
  Buffer.from = from;
  Buffer.of = function () { return from(arguments); };
  Buffer.alloc = alloc;
  Buffer.allocUnsafe = sized;
  Buffer.allocUnsafeSlow = sized;
  Buffer.poolSize = 8192;
  Buffer.isBuffer = function (value) { return value instanceof Buffer; };
  Buffer.isEncoding = function (name) {
    return typeof name === 'string' && name !== '' && encodingOf(name) !== undefined;
  };
  Buffer.byteLength = function (value, encoding) {
    return typeof value === 'string' ? bytesOfText(value, encodingOf(encoding) || 'utf8').length
      : value.byteLength;
  };
  Buffer.compare = compare;
  Buffer.concat = function (list, length) {
    if (!Array.isArray(list)) throw typeError('"list" argument must be an instance of Array', list);
    var total = 0;
    for (var i = 0; i < list.length; i++) total += list[i].length;
    if (length !== undefined) total = length;
    var made = sized(total), at = 0;
    for (i = 0; i < list.length; i++) {
      for (var j = 0; j < list[i].length && at < total; j++) made[at++] = list[i][j];
    }
    return made;
  };
  function compare(a, b) {
    for (var i = 0; i < a.length && i < b.length; i++) {
      if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
  }
  function within(value, usual, most) {
    if (value === undefined) return usual;
    var whole = Math.trunc(Number(value)) || 0;
    return Math.min(Math.max(whole, 0), most);
  }
  function part(buffer, begin, end) {
    var most = buffer.length;
    function place(value, usual) {
      if (value === undefined) return usual;
      var whole = Math.trunc(Number(value)) || 0;
      return whole < 0 ? Math.max(whole + most, 0) : Math.min(whole, most);
    }
    var first = place(begin, 0), last = place(end, most);
    return own(new Bytes(buffer.buffer, buffer.byteOffset + first, Math.max(last - first, 0)));
  }
  method('slice', function slice(begin, end) { return part(this, begin, end); });
  method('subarray', function subarray(begin, end) { return part(this, begin, end); });
  method('toString', function toString(encoding, begin, end) {
    var first = within(begin, 0, this.length), last = within(end, this.length, this.length);
    return last <= first ? '' : textOfBytes(part(this, first, last), encoding);
  });
  method('toLocaleString', proto.toString);
  method('toJSON', function toJSON() {
    var data = [];
    for (var i = 0; i < this.length; i++) data.push(this[i]);
    return { type: 'Buffer', data: data };
  });
  method('equals', function equals(other) {
    if (!(other instanceof Bytes)) {
      throw typeError('"otherBuffer" argument must be an instance of Buffer or Uint8Array', other);
    }
    return compare(this, other) === 0;
  });
  method('compare', function (other, begin, end, ownBegin, ownEnd) {
    return compare(
      part(this, within(ownBegin, 0, this.length), within(ownEnd, this.length, this.length)),
      part(other, within(begin, 0, other.length), within(end, other.length, other.length)),
    );
  });
  method('copy', function copy(target, at, begin, end) {
    var to = within(at, 0, target.length);
    var bytes = part(this, within(begin, 0, this.length), within(end, this.length, this.length));
    var count = Math.min(bytes.length, target.length - to);
    target.set(bytes.subarray(0, count), to);
    return count;
  });
  method('fill', function fill(value, begin, end, encoding) {
    if (typeof begin === 'string') { encoding = begin; begin = 0; end = this.length; }
    else if (typeof end === 'string') { encoding = end; end = this.length; }
    var first = within(begin, 0, this.length), last = within(end, this.length, this.length);
    var bytes = typeof value === 'string' ? bytesOfText(value, encoding)
      : typeof value === 'object' && value !== null ? value : [Number(value) & 255];
    if (bytes.length === 0) bytes = [0];
    for (var i = first; i < last; i++) this[i] = bytes[(i - first) % bytes.length];
    return this;
  });
  method('write', function write(text, at, length, encoding) {
    if (typeof at === 'string') { encoding = at; at = 0; length = undefined; }
    else if (typeof length === 'string') { encoding = length; length = undefined; }
    if (at !== undefined && !(at >= 0 && at <= this.length)) {
      throw outOfRange('offset', '>= 0 && <= ' + this.length, at);
    }
    var first = within(at, 0, this.length), left = this.length - first;
    var bytes = bytesOfText(text, encoding);
    var count = Math.min(within(length, left, left), bytes.length);
    if (knownEncoding(encoding) === 'utf8') {
      while (count > 0 && count < bytes.length && (bytes[count] & 0xc0) === 0x80) count--;
    }
    for (var i = 0; i < count; i++) this[first + i] = bytes[i];
    return count;
  });
  function search(buffer, value, from, encoding, step) {
    if (typeof from === 'string') { encoding = from; from = undefined; }
    var wanted = typeof value === 'string' ? bytesOfText(value, encoding)
      : typeof value === 'number' ? [value & 255] : value;
    var last = buffer.length - wanted.length;
    var begin = from === undefined ? (step > 0 ? 0 : last) : Math.trunc(Number(from)) || 0;
    if (begin < 0) begin += buffer.length;
    if (step > 0 && begin < 0) begin = 0;
    if (step < 0 && begin > last) begin = last;
    for (var i = begin; i >= 0 && i <= last; i += step) {
      var j = 0;
      while (j < wanted.length && buffer[i + j] === wanted[j]) j++;
      if (j === wanted.length) return i;
    }
    return -1;
  }
  method('indexOf', function (value, from, encoding) {
    return search(this, value, from, encoding, 1);
  });
  method('lastIndexOf', function (value, from, encoding) {
    return search(this, value, from, encoding, -1);
  });
  method('includes', function (value, from, encoding) {
    return search(this, value, from, encoding, 1) >= 0;
  });
  [2, 4, 8].forEach(function (size) {
    method('swap' + 8 * size, function () {
      if (this.length % size !== 0) {
        throw coded(new RangeError('Buffer size must be a multiple of ' + 8 * size + '-bits'),
          'ERR_INVALID_BUFFER_SIZE');
      }
      for (var i = 0; i < this.length; i += size) part(this, i, i + size).reverse();
      return this;
    });
  });
`;

/** Numbers in a Buffer. */
const NUMBERS = `
  function checked(buffer, at, size) {
    var offset = at === undefined ? 0 : at;
    if (typeof offset !== 'number') {
      throw typeError('"offset" argument must be of type number', offset);
    }
    if (Number.isInteger(offset) && offset >= 0 && offset + size <= buffer.length) return offset;
    if (!Number.isInteger(offset)) throw outOfRange('offset', 'an integer', offset);
    if (buffer.length < size) {
      throw coded(new RangeError('Attempt to access memory outside buffer bounds'),
        'ERR_BUFFER_OUT_OF_BOUNDS');
    }
    throw outOfRange('offset', '>= 0 and <= ' + (buffer.length - size), offset);
  }
  function view(buffer) { return new DataView(buffer.buffer, buffer.byteOffset, buffer.length); }
  function fits(value, low, high, range) {
    if (value < low || value > high) throw outOfRange('value', range, value);
  }
  function named(name, value) {
    method(name, value);
    if (name.includes('UInt')) method(name.replace('UInt', 'Uint'), value);
  }
  function numbers(word, get, set, size, low, high, range) {
    var ends = size === 1 ? [''] : ['LE', 'BE'];
    ends.forEach(function (end) {
      named('read' + word + end, function (offset) {
        return view(this)[get](checked(this, offset, size), end === 'LE');
      });
      named('write' + word + end, function (value, offset) {
        if (typeof low === 'bigint') fits(value, low, high, range);
        else if (low !== undefined) fits(Number(value), low, high, range);
        var at = checked(this, offset, size);
        view(this)[set](at, typeof value === 'bigint' ? value : Number(value), end === 'LE');
        return at + size;
      });
    });
  }
  function whole(bits, signed) {
    var high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1, low = signed ? -(2 ** (bits - 1)) : 0;
    var power = ' ** ' + (signed ? bits - 1 : bits);
    var range = bits <= 32 ? '>= ' + low + ' and <= ' + high
      : signed ? '>= -(2' + power + ') and < 2' + power : '>= 0 and < 2' + power;
    return [low, high, range];
  }
  [8, 16, 32].forEach(function (bits) {
    var u = whole(bits, false), s = whole(bits, true);
    numbers('UInt' + bits, 'getUint' + bits, 'setUint' + bits, bits / 8, u[0], u[1], u[2]);
    numbers('Int' + bits, 'getInt' + bits, 'setInt' + bits, bits / 8, s[0], s[1], s[2]);
  });
  numbers('Float', 'getFloat32', 'setFloat32', 4);
  numbers('Double', 'getFloat64', 'setFloat64', 8);
  numbers('BigUInt64', 'getBigUint64', 'setBigUint64', 8, 0n, 2n ** 64n - 1n,
    '>= 0n and < 2n ** 64n');
  numbers('BigInt64', 'getBigInt64', 'setBigInt64', 8, -(2n ** 63n), 2n ** 63n - 1n,
    '>= -(2n ** 63n) and < 2n ** 63n');

  function count(size) {
    if (typeof size !== 'number') {
      throw typeError('"byteLength" argument must be of type number', size);
    }
    if (!(Number.isInteger(size) && size >= 1 && size <= 6)) {
      throw outOfRange('byteLength', Number.isInteger(size) ? '>= 1 and <= 6' : 'an integer', size);
    }
    return size;
  }
  [false, true].forEach(function (little) {
    [false, true].forEach(function (signed) {
      var word = (signed ? 'Int' : 'UInt') + (little ? 'LE' : 'BE');
      named('read' + word, function (offset, byteLength) {
        var size = count(byteLength), at = checked(this, offset, size), value = 0;
        for (var i = 0; i < size; i++) {
          value = value * 256 + this[little ? at + size - 1 - i : at + i];
        }
        return signed && value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
      });
      named('write' + word, function (value, offset, byteLength) {
        var size = count(byteLength), limits = whole(8 * size, signed);
        fits(Number(value), limits[0], limits[1], limits[2]);
        var at = checked(this, offset, size), left = Math.trunc(Number(value));
        if (left < 0) left += 2 ** (8 * size);
        for (var i = 0; i < size; i++) {
          this[little ? at + i : at + size - 1 - i] = left % 256;
          left = Math.floor(left / 256);
        }
        return at + size;
      });
    });
  });
`;

/** What browsers and Node.js have both. */
const WEB = String.raw`
  function bytesIn(value) {
    if (value === undefined) return new Bytes(0);
    if (value instanceof ArrayBuffer) return new Bytes(value);
    if (ArrayBuffer.isView(value)) {
      return new Bytes(value.buffer, value.byteOffset, value.byteLength);
    }
    throw typeError('"list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ' +
      'ArrayBufferView', value);
  }
  class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(text) { return new Bytes(toUtf8(text === undefined ? '' : String(text))); }
  }
  class TextDecoder {
    #name; #fatal; #keepsMark;
    constructor(label, options) {
      var asked = String(label === undefined ? 'utf-8' : label).trim().toLowerCase();
      this.#name = /^(unicode-1-1-)?utf-?8$/.test(asked) ? 'utf-8'
        : /^(utf-16|utf-16le|ucs-2)$/.test(asked) ? 'utf-16le'
        : /^(ascii|us-ascii|latin1|iso-8859-1|windows-1252)$/.test(asked) ? 'windows-1252'
        : undefined;
      if (this.#name === undefined) {
        throw coded(new RangeError('The "' + label + '" encoding is not supported'),
          'ERR_ENCODING_NOT_SUPPORTED');
      }
      this.#fatal = !!(options && options.fatal);
      this.#keepsMark = !!(options && options.ignoreBOM);
    }
    get encoding() { return this.#name; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#keepsMark; }
    decode(input) {
      var bytes = bytesIn(input);
      if (this.#name === 'windows-1252') return textOfBytes(bytes, 'latin1');
      var text = this.#name === 'utf-8' ? fromUtf8(bytes, this.#fatal)
        : textOfBytes(bytes, 'utf16le');
      if (text === null) {
        throw coded(new TypeError('The encoded data was not valid for encoding utf-8'),
          'ERR_ENCODING_INVALID_ENCODED_DATA');
      }
      return !this.#keepsMark && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    }
  }
  function atob(text) {
    var clean = String(text).replace(/[\t\n\f\r ]/g, '');
    if (clean.length % 4 === 0) clean = clean.replace(/==?$/, '');
    if (clean.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(clean)) {
      throw new Error('The string to be decoded is not correctly encoded.');
    }
    return textOfBytes(fromSixes(clean), 'latin1');
  }
  function btoa(text) {
    var plain = String(text);
    if (/[^\u0000-\u00ff]/.test(plain)) throw new Error('Invalid character');
    return toSixes(bytesOfText(plain, 'latin1'), false);
  }
  var has = { Buffer: Buffer, TextEncoder: TextEncoder, TextDecoder: TextDecoder, atob: atob,
    btoa: btoa };
  for (var name in has) {
    Object.defineProperty(globalThis, name,
      { value: has[name], writable: true, configurable: true });
  }
`;

export const BUFFER_LIBRARY = `(function () {'use strict';${TEXTS}${BUFFER}${NUMBERS}${WEB}})();`;

/** The one module that there is. */
export const REQUIRE_BUFFER = `globalThis.require = (function (Buffer) {
  return function require(name) {
    if (/^(node:)?buffer\\/?$/.test(name)) return { Buffer: Buffer };
    throw new Error("Cannot find module '" + name + "'");
  };
})(Buffer);`;

/** The same, for modules. */
export const BUFFER_MODULE = `var own = globalThis.Buffer;
export { own as Buffer };
export default { Buffer: own };`;
