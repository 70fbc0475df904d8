/*
 * What llama.cpp's build needs of a browser. Asked by ourselves: the library asks a part of it, after it has said yes. The two
 * modules are those of wasm-feature-detect (Apache-2.0): one function with a vector in it, one with a `try`.
 */
const simd = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]
const exceptions = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11]

/** The part of the browser that is asked; tests stand in for it. */
export interface WasmPort {
  readonly WebAssembly?: Partial<Pick<typeof WebAssembly, 'validate' | 'Memory'>> & { readonly Suspending?: unknown }
}

/** What a browser may lack; the messages `wllama.…` say each. */
export type Lacking = `wllama.no-${'webassembly' | 'simd' | 'exceptions' | 'jspi'}`

/** Why this browser can't run a model; null: it can. */
export function whyItCantRun({ WebAssembly: wasm }: WasmPort): Lacking | null {
  if (wasm?.validate === undefined) return 'wllama.no-webassembly'
  if (!wasm.validate(new Uint8Array(simd))) return 'wllama.no-simd'
  if (!wasm.validate(new Uint8Array(exceptions))) return 'wllama.no-exceptions'
  if (wasm.Suspending === undefined || !hasMemory64(wasm)) return 'wllama.no-jspi'
  return null
}

function hasMemory64({ Memory }: NonNullable<WasmPort['WebAssembly']>): boolean {
  if (Memory === undefined) return false
  try {
    void new Memory({ address: 'i64', initial: 1n } as unknown as WebAssembly.MemoryDescriptor)
    return true
  } catch {
    return false
  }
}
