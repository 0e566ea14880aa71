/** What rows allow, in words. */
import { MOST_JSON } from '../json.ts';
import { ANY_NUMBER, type Kind, type Limits } from './fields.ts';
import { charactersIn } from './range.ts';

const fromTo = ({ least, most }: Limits): string =>
  most === ANY_NUMBER ? `from ${least} on` : `from ${least} to ${most}`;

const upTo = ({ least, most }: Limits): string =>
  most === ANY_NUMBER ? `${least} or more` : least === most ? `${least}` : `${least} to ${most}`;

/** What a kind allows, in words. */
export function allowedOf(kind: Kind): string {
  if (kind.allowed !== undefined) return kind.allowed;
  switch (kind.type) {
    case 'flag':
      return 'true or false';
    case 'number':
    case 'whole':
      return `a ${kind.type === 'whole' ? 'whole ' : ''}number ${fromTo(kind)}`;
    case 'choice':
      return `one of ${kind.words.map((word) => word || 'nothing').join(', ')}`;
    case 'hex':
      return `${kind.digits} hexadecimal digits`;
    case 'hexBytes':
      return `${kind.least} to ${kind.most} bytes in hexadecimal`;
    case 'instant':
      return 'an instant such as 2026-01-31T12:00:00Z';
    case 'bytes':
      return `${kind.least} to ${kind.most} bytes`;
    case 'text':
      return `text of ${upTo(charactersIn(kind))} characters`;
    case 'list': {
      const each = kind.unique ? 'none twice, each' : 'each';
      return `a list of ${upTo({ least: 0, ...kind })}, ${each} ${allowedOf(kind.of)}`;
    }
    case 'either':
      return kind.kinds.map(allowedOf).join(', or ');
    case 'map': {
      const most = kind.most === ANY_NUMBER ? 'any number' : `at most ${kind.most}`;
      return `a map of ${most}, ${allowedOf(kind.of)} by ${allowedOf(kind.keys)}`;
    }
    case 'json':
      return `a map of plain data, of ${MOST_JSON.values} values at most, ${MOST_JSON.depth} deep`;
    case 'record':
      return 'a map of keys and values';
    case 'any':
      return 'any value';
    case 'function':
      return 'a function';
    case 'object':
      return `an object with ${kind.methods.join(', ')}`;
  }
}
