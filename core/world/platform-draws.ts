/** Random streams of a world's platform: disjoint streams of its seed. */
import { DrawPurpose, draw, entityKey, type Seed } from '../../sim/base/random.ts';
import type { PlatformDraws } from '../base/whole-world.ts';

export function platformDraws(seed: Seed): PlatformDraws {
  const drawsOf = (purpose: DrawPurpose) => (entity: string) => {
    const { key0, key1 } = entityKey(seed, entity);
    return (counter: number) => draw(key0, key1, purpose, counter);
  };
  return {
    stream: drawsOf(DrawPurpose.group)('platform'),
    ids: drawsOf(DrawPurpose.id)('platform'),
    placeOf: drawsOf(DrawPurpose.placement),
    nameOf: drawsOf(DrawPurpose.id),
  };
}
