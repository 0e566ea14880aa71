/** What is said of a word that names no population and no device. */
import { type Complaint, nearest } from '../language/complaint.ts';
import { nearestMember, type Roll } from '../language/members.ts';

export function unknownMember(word: string, { members: devices }: Roll): Complaint {
  const names = devices.map(({ name }) => name);
  const numbered = /-\d+$/.test(word);
  const meant = (numbered ? undefined : nearest(word, names)) ?? nearestMember(word, devices);
  return {
    what: `"${word}" is neither a population nor a device of the start`,
    allowed: names.slice(0, 40).join(', '),
    ...(meant === undefined ? {} : { meant }),
  };
}
