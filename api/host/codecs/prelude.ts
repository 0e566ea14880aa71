/**
 * What runs in the sandbox before a codec and around it. It keeps what it uses of the language
 * itself, so a codec may change prototypes as it likes: each call begins with them as they were
 * when its source had been evaluated. No text but that of values that a codec gives is made by
 * `stringify`, which asks prototypes for a `toJSON`.
 */
import { CODEC_FUNCTIONS } from '../../../core/codecs/engine.ts';

/** Name of a codec's source in error messages. */
export const SOURCE_NAME = 'codec.js';

/**
 * Numbers and dates in the words of en-US, the locale that codecs are published and tested with;
 * the engine has none of its own. Locales and options that are asked for are ignored, but for the
 * digits of a fraction and hour12.
 */
const LOCALE = `  function digits(value) {
    var parts = /^(\\d+)(?:\\.(\\d+))?(?:e([-+]\\d+))?$/.exec(String(value));
    var whole = parts[1], rest = parts[2] || '', shift = Number(parts[3] || 0);
    if (shift > 0) {
      rest = rest.padEnd(shift, '0');
      return [whole + rest.slice(0, shift), rest.slice(shift)];
    }
    if (shift < 0) return ['0', whole.padStart(-shift, '0') + rest];
    return [whole, rest];
  }
  function increased(text) {
    for (var i = text.length - 1; i >= 0; i--) {
      if (text[i] === '9') continue;
      var digit = Number(text[i]) + 1;
      return text.slice(0, i) + digit + '0'.repeat(text.length - 1 - i);
    }
    return '1' + '0'.repeat(text.length);
  }
  /* Half away from zero, at the digits that are shown. */
  function inEnglish(value, options) {
    if (value !== value) return 'NaN';
    var sign = value < 0 || Object.is(value, -0) ? '-' : '';
    var size = Math.abs(value);
    if (size === Infinity) return sign + '\\u221e';
    var asked = typeof options === 'object' && options !== null ? options : {};
    var least = asked.minimumFractionDigits, most = asked.maximumFractionDigits;
    if (least === undefined) least = most === undefined ? 0 : Math.min(0, most);
    if (most === undefined) most = Math.max(3, least);
    if (!(least >= 0 && least <= most && most <= 20)) {
      throw new RangeError('maximumFractionDigits value is out of range.');
    }
    var parts = digits(size), whole = parts[0], rest = parts[1];
    if (rest.length > most) {
      var all = whole + rest.slice(0, most);
      if (rest[most] >= '5') all = increased(all);
      whole = all.slice(0, all.length - most);
      rest = all.slice(all.length - most);
    }
    while (rest.length > least && rest[rest.length - 1] === '0') rest = rest.slice(0, -1);
    rest = rest.padEnd(least, '0');
    return sign + (asked.useGrouping === false ? whole : grouped(whole)) +
      (rest === '' ? '' : '.' + rest);
  }
  function grouped(whole) {
    var out = '';
    for (var i = 0; i < whole.length; i++) {
      if (i > 0 && (whole.length - i) % 3 === 0) out += ',';
      out += whole[i];
    }
    return out;
  }
  function two(value) { return value < 10 ? '0' + value : String(value); }
  function day(date) {
    return date.getUTCMonth() + 1 + '/' + date.getUTCDate() + '/' + date.getUTCFullYear();
  }
  function time(date, options) {
    var hours = date.getUTCHours();
    var rest = ':' + two(date.getUTCMinutes()) + ':' + two(date.getUTCSeconds());
    var asked = typeof options === 'object' && options !== null ? options : {};
    if (asked.hour12 === false) return two(hours === 0 ? 24 : hours) + rest;
    if (asked.hourCycle === 'h23') return two(hours) + rest;
    return (hours % 12 === 0 ? 12 : hours % 12) + rest + (hours < 12 ? ' AM' : ' PM');
  }
  function localMethod(proto, name, words) {
    var value = { [name]: function (locales, options) { return words(this, options); } }[name];
    Object.defineProperty(proto, name, { value: value, writable: true, configurable: true });
  }
  function ofDate(words) {
    return function (date, options) {
      return date.getTime() !== date.getTime() ? 'Invalid Date' : words(date, options);
    };
  }
  localMethod(Number.prototype, 'toLocaleString', function (value, options) {
    return inEnglish(Number(value), options);
  });
  localMethod(BigInt.prototype, 'toLocaleString', function (value) {
    return value < 0n ? '-' + grouped(String(-value)) : grouped(String(value));
  });
  localMethod(Date.prototype, 'toLocaleString', ofDate(function (date, options) {
    return day(date) + ', ' + time(date, options);
  }));
  localMethod(Date.prototype, 'toLocaleDateString', ofDate(day));
  localMethod(Date.prototype, 'toLocaleTimeString', ofDate(time));
`;

/**
 * Its value is a function of a word and a value: `bind` makes the function that calls a codec,
 * `declared` returns what a codec has (names of functions, and what it declares as JSON text on a
 * second line), `describe` puts an error into words. The two first take what a module exports, too.
 */
export const PRELUDE = `(function () {
  'use strict';
${LOCALE}
  var parse = JSON.parse, stringify = JSON.stringify, Instant = Date, text = String;
  var search = RegExp.prototype.exec, apply = Reflect.apply, Bytes = Uint8Array;
  var isList = Array.isArray, Promised = Promise;
  var a = 0, b = 0, c = 0, d = 0, seed = null;

  function word() {
    var t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  }
  function sow() {
    a = seed[1] | 0; b = seed[2] | 0; c = seed[3] | 0; d = seed[4] | 0;
    seed = null;
    for (var i = 0; i < 8; i++) word();
  }
  Math.random = function random() {
    if (seed !== null) sow();
    return ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992;
  };

  function nothing() {}
  globalThis.console = { log: nothing, info: nothing, warn: nothing, error: nothing,
    debug: nothing, trace: nothing };
  globalThis.exports = {};
  globalThis.module = { exports: globalThis.exports };
  delete globalThis.performance;

  var Internal = InternalError;
  function tell(error) {
    try {
      return inWords(error);
    } catch (another) {
      if (another instanceof Internal) throw another;
      return ['it threw what has no words', ''];
    }
  }
  function inWords(error) {
    var line = '';
    var isError = typeof error === 'object' && error !== null && 'message' in error;
    if (!isError) return [text(error), line];
    var found = apply(search, /${SOURCE_NAME.replace('.', '\\.')}:(\\d+)/, [text(error.stack)]);
    if (found !== null) line = found[1];
    return [text(error.name) + ': ' + text(error.message), line];
  }

  /* A bundle may have its functions under default or driver. */
  function hostsOf(found, module) {
    var hosts = [found.own], given = [module, found.exported, found.driver], count = 1;
    for (var i = 0; i < given.length; i++) {
      if (!isMap(given[i])) continue;
      var all = [given[i], given[i].default, given[i].driver];
      for (var j = 0; j < all.length; j++) if (isMap(all[j])) hosts[count++] = all[j];
    }
    return hosts;
  }
  function isMap(value) {
    return (typeof value === 'object' || typeof value === 'function') && value !== null;
  }
  /* A function of the codec with the object that it is a method of. */
  function find(hosts, name) {
    for (var i = 0; i < hosts.length; i++) {
      var value = hosts[i][name];
      if (typeof value === 'function') return bound(value, i === 0 ? undefined : hosts[i]);
      /* module.exports = decodeUplink; export default function decodeUplink */
      if (typeof hosts[i] === 'function' && hosts[i].name === name) return hosts[i];
    }
    return undefined;
  }
  function bound(value, host) {
    return function () { return apply(value, host, arguments); };
  }
  /* Decoder(bytes, port) is that of The Things Network v2, Decode(fPort, bytes, variables) that of
     ChirpStack v3; both answer the data alone. */
  function decodes(hosts) {
    var decode = find(hosts, 'decodeUplink');
    if (decode !== undefined) return decode;
    var decoder = find(hosts, 'Decoder'), third = find(hosts, 'Decode');
    if (decoder !== undefined) {
      return function (input) { return data(decoder(input.bytes, input.fPort)); };
    }
    if (third === undefined) return undefined;
    return function (input) { return data(third(input.fPort, input.bytes, input.variables)); };
  }
  function data(value) {
    return value === undefined || value === null ? undefined : { data: value };
  }
  function encodes(hosts) {
    var encode = find(hosts, 'encodeDownlink');
    if (encode !== undefined) return encode;
    var encoder = find(hosts, 'Encoder'), third = find(hosts, 'Encode');
    if (encoder !== undefined) {
      return function (input) { return frame(encoder(input.data, input.fPort), input.fPort); };
    }
    if (third === undefined) return undefined;
    return function (input) {
      return frame(third(input.fPort, input.data, input.variables), input.fPort);
    };
  }
  function frame(bytes, fPort) { return { bytes: bytes, fPort: fPort }; }

  function chosen(found, module) {
    if (module instanceof Promised) {
      throw new TypeError('it awaits at its top level, and such a promise never resolves');
    }
    var hosts = hostsOf(found, module), table = {};
    table.decodeUplink = decodes(hosts);
    table.encodeDownlink = encodes(hosts);
    var others = ['encodeConfiguration', 'decodeConfiguration', 'isEcho'];
    for (var i = 0; i < others.length; i++) table[others[i]] = find(hosts, others[i]);
    for (i = 0; i < hosts.length && table.configuration === undefined; i++) {
      table.configuration = hosts[i].configuration;
    }
    return table;
  }

  /* Typed bytes of a downlink are as good as a list. */
  function listed(bytes) {
    var list = [];
    for (var i = 0; i < bytes.length; i++) list[i] = bytes[i];
    return list;
  }
  function withLists(answer) {
    if (!isMap(answer)) return answer;
    if (answer.bytes instanceof Bytes) answer.bytes = listed(answer.bytes);
    if (isList(answer.fragments)) {
      for (var i = 0; i < answer.fragments.length; i++) withLists(answer.fragments[i]);
    }
    return answer;
  }

  function bind(found, module) {
    var table = chosen(found, module);
    return function (called) {
      var call = parse(called);
      seed = call;
      var input = call[5];
      if (call[0] === 'decodeUplink' || call[0] === 'encodeDownlink') input.variables = {};
      if (call[6]) input.recvTime = new Instant(input.recvTime);
      if (call[6] && input.uplink) input.uplink.recvTime = new Instant(input.uplink.recvTime);
      try {
        var answer = table[call[0]](input);
        if (call[0] === 'encodeDownlink' || call[0] === 'encodeConfiguration') withLists(answer);
        answer = stringify(answer);
        return answer === undefined ? 'u' : 'v' + answer;
      } catch (error) {
        var reported = tell(error);
        return 'e' + reported[0] + (reported[1] === '' ? '' : ' (line ' + reported[1] + ')');
      }
    };
  }

  function declared(found, module) {
    var table = chosen(found, module), names = '';
    for (var name in table) if (typeof table[name] === 'function') names += name + ' ';
    var configuration = stringify(table.configuration);
    return configuration === undefined ? names : names + '\\n' + configuration;
  }
  function describe(error) {
    var reported = tell(error);
    return reported[1] + '\\n' + reported[0];
  }
  return function (what, value, module) {
    return what === 'bind' ? bind(value, module)
      : what === 'declared' ? declared(value, module) : describe(value);
  };
})()`;

/** Functions of codecs by the names that they have in other forms. */
const FUNCTIONS = [...CODEC_FUNCTIONS, 'Decoder', 'Decode', 'Encoder', 'Encode'];

/** What a codec declares by itself, what it exports, and the global that a bundle assigns. */
export const TABLE = `({
  own: {
${[...FUNCTIONS, 'configuration']
  .map((name) => `    ${name}: typeof ${name} !== 'undefined' ? ${name} : undefined,`)
  .join('\n')}
  },
  exported: module.exports,
  driver: typeof driver !== 'undefined' ? driver : undefined,
})`;
