/** How long an FRMPayload may be, and where that is so. */
export interface Most {
  readonly bytes: number;
  readonly at: string;
}

/** The longest FRMPayload that a device ever sends; `atFirst` where it begins with less. */
export interface Longest extends Most {
  readonly atFirst?: Most & { readonly until: 'until ADR lifts it' | 'for ever without ADR' };
}
