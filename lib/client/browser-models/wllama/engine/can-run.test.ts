import { describe, expect, it } from 'vitest'
import { whyItCantRun, type WasmPort } from '../weights/memory'

const whole: NonNullable<WasmPort['WebAssembly']> = {
  validate: WebAssembly.validate,
  Memory: Object as unknown as typeof WebAssembly.Memory,
  Suspending: Map,
}

describe('checks whether a browser can run models', () => {
  it('accepts one that has everything that llama.cpp needs', () => {
    expect(whyItCantRun({ WebAssembly: whole })).toBeNull()
  })

  it('says what is missing', () => {
    expect(whyItCantRun({})).toBe('wllama.no-webassembly')
    const lacking = (bytes: number) => (given: BufferSource) => given.byteLength !== bytes
    expect(whyItCantRun({ WebAssembly: { ...whole, validate: lacking(31) } })).toBe('wllama.no-simd')
    expect(whyItCantRun({ WebAssembly: { ...whole, validate: lacking(28) } })).toBe('wllama.no-exceptions')
    const { Suspending: _, ...noJspi } = whole
    expect(whyItCantRun({ WebAssembly: noJspi })).toBe('wllama.no-jspi')
    // As a browser without it refuses: a list of pages is not a number.
    const Memory = Promise as unknown as typeof WebAssembly.Memory
    expect(whyItCantRun({ WebAssembly: { ...whole, Memory } })).toBe('wllama.no-jspi')
  })
})
