/**
 * Warm-ups that a study keeps as files of its folder, one a seed: worlds as they stood where its
 * points branch off (docs/decisions/0088). They are caches: what is not there, or is of another
 * world or build, or was damaged, is simulated again. A failed write is ignored.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Content } from '../../../core/base/contents.ts';
import type { WorldOptions } from '../../../core/world/options.ts';
import type { RunPlan } from '../../../core/world/plan.ts';
import { originOf } from '../../../core/world/snapshot.ts';
import { type Run, World } from '../../../core/world/world.ts';
import { makeFolder } from '../process/make-folder.ts';
import { buildId } from './build.ts';

const FOLDER = 'warm-ups';

export class WarmUps {
  readonly #folder: string;

  /** `owner`: the folder of the study or run; `name`: that of the worlds in it. */
  constructor(owner: string, name: string = FOLDER) {
    this.#folder = join(owner, name);
  }

  /** Stored world of this plan and seed at this instant; undefined: none. */
  worldOf(plan: RunPlan, seed: string, atUs: number, options: WorldOptions): Run | undefined {
    const bytes = this.#read(nameOf(plan, seed, atUs));
    if (bytes === undefined) return undefined;
    const contents = (sha256: string) => this.#read(contentNamed(sha256));
    const world = World.fromBytes(plan, seed, bytes, { ...options, contents });
    return world.ok ? world.value : undefined;
  }

  keep(world: Run): void {
    try {
      this.write(world);
    } catch {
      // A full disk stores no warm-up; the failure to write study rows is reported elsewhere.
    }
  }

  /** Writes the world as it stands; the paths of its files. Throws where it cannot be written. */
  write(world: Run): readonly string[] {
    makeFolder(this.#folder);
    const contents = world.contents();
    for (const content of contents) this.#keepContent(content);
    const name = nameOf(world.plan, world.seed, world.nowUs);
    this.#write(name, world.toBytes());
    const names = [name, ...contents.map(({ sha256 }) => contentNamed(sha256))];
    return names.map((each) => join(this.#folder, each));
  }

  #keepContent({ sha256, bytes }: Content): void {
    const name = contentNamed(sha256);
    if (!existsSync(join(this.#folder, name))) this.#write(name, bytes);
  }

  #read(name: string): Uint8Array | undefined {
    try {
      return new Uint8Array(readFileSync(join(this.#folder, name)));
    } catch {
      return undefined;
    }
  }

  /** Beside first: another thread or machine may read what is there, or keep the same. */
  #write(name: string, bytes: Uint8Array): void {
    const file = join(this.#folder, name);
    const own = `${file}.${randomUUID()}.tmp`;
    try {
      writeFileSync(own, bytes);
      renameSync(own, file);
    } catch (error) {
      rmSync(own, { force: true });
      throw error;
    }
  }
}

const contentNamed = (sha256: string): string => `${sha256}.content`;

function nameOf(plan: RunPlan, seed: string, atUs: number): string {
  const origin = originOf(plan, seed);
  const world = [buildId(), origin.plan, origin.seed, atUs].join('\n');
  return `${createHash('sha256').update(world).digest('hex').slice(0, 24)}.world`;
}
