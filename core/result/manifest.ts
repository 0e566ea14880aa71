/** What a run was made of: enough to run it again without its files (docs/decisions/0069). */

export interface Manifest {
  /** Text of the scenario file, as it was read. */
  readonly scenario: string;
  /** Files that the scenario names, in the order in which they were read. */
  readonly files: readonly ManifestFile[];
  /** Which variant of it was run, if one was. */
  readonly variant?: string | undefined;
  /** Overrides `path=value`, in their order; those too that other options stand for. */
  readonly set: readonly string[];
  readonly seed: string;
  /** Of a branch: from when on it has further overrides, virtual seconds. */
  readonly branch?: ManifestBranch | undefined;
  /** Where that branch was left in turn, in the order of time; absent: nowhere. */
  readonly laterBranches?: readonly ManifestBranch[] | undefined;
}

export interface ManifestBranch {
  readonly atSeconds: number;
  readonly set: readonly string[];
}

/** A run's branch, that of the branch, and so on; empty where it is none. */
export const branchesOf = ({ branch, laterBranches = [] }: Manifest): readonly ManifestBranch[] =>
  branch === undefined ? [] : [branch, ...laterBranches];

/** The manifest of a branch that leaves the run of another one. */
export const leftBy = (manifest: Manifest, branch: ManifestBranch): Manifest =>
  manifest.branch === undefined
    ? { ...manifest, branch }
    : { ...manifest, laterBranches: [...(manifest.laterBranches ?? []), branch] };

/** A file as text where it is UTF-8, else as base64. */
export type ManifestFile = { readonly path: string } & (
  | { readonly text: string }
  | { readonly base64: string }
);
