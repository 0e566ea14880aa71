/** Decoder types that subscribers bring, and what becomes of them. */
import { andThen, fail, ok } from '../../../sim/base/result.ts';
import type { NativeWord } from '../../codecs/native.ts';
import { done, type Surroundings } from '../../kit/resource.ts';
import type { Catalogue, Entry } from '../catalogue.ts';
import type { DecoderScripts } from './decoder-scripts.ts';

export interface DecoderType extends Entry {
  readonly PayloadDecoder: NativeWord | 'JAVASCRIPT';
  /** SHA-256 of its source, where somebody wrote it. */
  readonly script?: string;
}

/** One that is about to come. */
type Brought = Pick<DecoderType, 'Name' | 'PayloadDecoder'> & { readonly Script?: string };

/** One whose codec somebody wrote. */
export type Scripted = DecoderType & { readonly script: string };

interface Refers {
  refersTo(owner: string, field: 'DecoderType', id: string): boolean;
}

export interface UserDecoderNeeds extends Pick<Surroundings, 'ids'> {
  readonly endDevice: Refers;
  readonly deviceProfile: Refers;
}

export class UserDecoders {
  readonly #all: Catalogue<DecoderType>;
  readonly #scripts: DecoderScripts;
  readonly #needs: UserDecoderNeeds;

  constructor(all: Catalogue<DecoderType>, scripts: DecoderScripts, needs: UserDecoderNeeds) {
    this.#all = all;
    this.#scripts = scripts;
    this.#needs = needs;
  }

  /** Adds one; its id. */
  add(by: string, given: Brought, id?: string) {
    const { Script, ...decoderType } = given;
    if ((decoderType.PayloadDecoder === 'JAVASCRIPT') !== (Script !== undefined)) {
      const why = 'A decoder type has a Script if it is JAVASCRIPT, and no other has.';
      return fail('decoder.invalid', why, '/Script');
    }
    if (id !== undefined && this.#all.isTaken(id)) {
      return fail('decoderType.exists', `There is a decoder type ${id}.`, '/id');
    }
    const stored = Script === undefined ? undefined : this.#scripts.keep(Script);
    if (stored?.ok === false) return stored;
    const Id = id ?? this.#all.freeId(this.#needs.ids);
    this.#all.add(by, { Id, ...decoderType, ...(stored && { script: stored.value }) });
    return ok({ Id });
  }

  /** Those of a subscriber, in the order of their ids. */
  of(by: string): readonly Scripted[] {
    return this.#all
      .list(by)
      .flatMap((each) => (each.script === undefined ? [] : [each as Scripted]));
  }

  find(by: string, id: string): Scripted | undefined {
    const found = this.#all.get(id, by);
    return found?.script === undefined ? undefined : (found as Scripted);
  }

  sourceOf({ script }: Scripted): string {
    return this.#scripts.sourceOf(script);
  }

  /** Gives one another source; its name may be another, too. */
  replace(by: string, { Id, Name, script: old }: Scripted, source: string) {
    return andThen(this.#scripts.keep(source), (script) => {
      this.#all.add(by, { Id, Name, PayloadDecoder: 'JAVASCRIPT', script });
      if (script !== old) this.#scripts.drop(old);
      return done();
    });
  }

  /** Whether a device or a type of a subscriber's refers to it. */
  isUsed(by: string, id: string): boolean {
    const { endDevice, deviceProfile } = this.#needs;
    return (
      endDevice.refersTo(by, 'DecoderType', id) || deviceProfile.refersTo(by, 'DecoderType', id)
    );
  }

  remove(by: string, { Id, script }: Scripted): void {
    this.#all.remove(by, Id);
    this.#scripts.drop(script);
  }
}
