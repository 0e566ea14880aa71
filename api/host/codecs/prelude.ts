/**
 * What runs in the sandbox before a codec and around it. It keeps what it uses of the language
 * itself, so a codec may change prototypes as it likes: each call begins with them as they were
 * when its source had been evaluated. No text but that of values that a codec gives is made by
 * `stringify`, which asks prototypes for a `toJSON`.
 */
import { CODEC_FUNCTIONS } from '../../../core/codecs/engine.ts';

/** Name of a codec's source in what is told of errors. */
export const SOURCE_NAME = 'codec.js';

/**
 * Its value is a function of a word and a value: `bind` makes the function that calls a codec,
 * `declared` tells what a codec has (names of functions, and what it declares as JSON text on a
 * second line), `describe` puts an error into words.
 */
export const PRELUDE = `(function () {
  'use strict';
  var parse = JSON.parse, stringify = JSON.stringify, Instant = Date, text = String;
  var search = RegExp.prototype.exec, apply = Reflect.apply, imul = Math.imul;
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

  function bind(table) {
    return function (called) {
      var call = parse(called);
      seed = call;
      var input = call[5];
      if (call[6]) input.recvTime = new Instant(input.recvTime);
      if (call[6] && input.uplink) input.uplink.recvTime = new Instant(input.uplink.recvTime);
      try {
        var answer = stringify(table[call[0]](input));
        return answer === undefined ? 'u' : 'v' + answer;
      } catch (error) {
        var told = tell(error);
        return 'e' + told[0] + (told[1] === '' ? '' : ' (line ' + told[1] + ')');
      }
    };
  }

  function declared(table) {
    var names = '';
    for (var name in table) if (typeof table[name] === 'function') names += name + ' ';
    var configuration = stringify(table.configuration);
    return configuration === undefined ? names : names + '\\n' + configuration;
  }
  function describe(error) {
    var told = tell(error);
    return told[1] + '\\n' + told[0];
  }
  return function (what, value) {
    return what === 'bind' ? bind(value) : what === 'declared' ? declared(value) : describe(value);
  };
})()`;

/** What a codec declares, by itself or as what it exports. */
export const TABLE = `({
${[...CODEC_FUNCTIONS, 'configuration']
  .map((name) => `  ${name}: typeof ${name} !== 'undefined' ? ${name} : module.exports.${name},`)
  .join('\n')}
})`;
