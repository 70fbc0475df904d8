import { describe, expect, it } from 'vitest'
import type { GgufHead } from '../gguf/read-head'
import { PAGE_MEMORY_BYTES, planMemory } from './memory'

const head: GgufHead = {
  architecture: 'llama',
  name: '',
  trainedTokens: 40_960,
  bytesPerToken: 114_688,
  parts: 1,
  hasTemplate: true,
  tensors: 1,
  bytes: 0,
}

describe('the memory of a model', () => {
  it('gives a chat the window that suits the model and the page', () => {
    // 28 layers of 8 heads of 128: 8192 tokens are 940 MB, 4096 are 470.
    expect(planMemory(head, 400e6, null).windowTokens).toBe(4096)
    expect(planMemory({ ...head, bytesPerToken: 23_040, trainedTokens: 8192 }, 145e6, null).windowTokens).toBe(8192)
    expect(planMemory({ ...head, bytesPerToken: 256, trainedTokens: 3000 }, 5e5, null).windowTokens).toBe(3000)
    expect(planMemory({ ...head, trainedTokens: null, bytesPerToken: null }, 1e6, null).windowTokens).toBe(4096)
  })

  it('uses the chosen window, up to what the model was trained for', () => {
    expect(planMemory(head, 400e6, 8192).windowTokens).toBe(8192)
    expect(planMemory(head, 400e6, 100_000).windowTokens).toBe(40_960)
  })

  it('is known to be too much before anything is loaded', () => {
    expect(planMemory(head, 5e9, null).bytes).toBeGreaterThan(PAGE_MEMORY_BYTES)
    expect(planMemory(head, 400e6, 32_768).bytes).toBeGreaterThan(PAGE_MEMORY_BYTES)
    expect(planMemory(head, 400e6, null).bytes).toBeLessThan(PAGE_MEMORY_BYTES)
  })
})
