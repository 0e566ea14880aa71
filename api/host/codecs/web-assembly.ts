/** What is used of WebAssembly, whose types the language alone does not have. */

export interface Memory {
  readonly buffer: ArrayBuffer;
}

export interface Meter {
  value: number;
}

export interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum: number }) => Memory;
  readonly Instance: new (module: object, imports: object) => Instance;
}

export const { WebAssembly: webAssembly } = globalThis as unknown as {
  readonly WebAssembly: WebAssemblyApi;
};
