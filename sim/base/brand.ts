/** A branded value is one that only its parser makes. */

declare const brand: unique symbol;

export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
