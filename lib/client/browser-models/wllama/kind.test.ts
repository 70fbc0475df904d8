import { describe, expect, it } from 'vitest'
import type { BrowserModelPorts } from '../browser-model'
import { configOfWeights, readChoice } from './choice'
import { wllamaKindOn } from './kind'
import type { ModelChoice } from './client'

const kept = { kind: 'kept', id: 'abc', name: 'tiny.gguf' } as const
const picked = { kind: 'picked', name: 'tiny.gguf', bytes: 5 } as const
const ports = {} as BrowserModelPorts

describe('a model that this browser runs, in the list', () => {
  it('is identified by its weights, and read as it was written', () => {
    const config = configOfWeights({ source: kept, contextTokens: 4096, windowTokens: 2048 }, 7)
    expect(config).toMatchObject({
      id: 'browser/wllama:abc',
      label: 'tiny',
      server: null,
      contextTokens: 4096,
      addedAt: 7,
    })
    expect(readChoice(config.options)).toEqual({ source: kept, windowTokens: 2048 })
    const other = configOfWeights({ source: picked, contextTokens: null }, 7)
    expect(other.id).toBe('browser/wllama:tiny.gguf-5')
    expect(readChoice(other.options)).toEqual({ source: picked, windowTokens: null })
    for (const options of [
      {},
      { source: 'x' },
      { source: { kind: 'kept', name: 'x' } },
      { source: { kind: 'new', name: 'x' } },
    ]) {
      expect(readChoice(options)).toBeNull()
    }
  })

  it('is loaded with its weights when it writes, and released', async () => {
    const calls: string[] = []
    let given: ModelChoice | null = null
    const kind = wllamaKindOn(() => ({
      file: (source) => Promise.resolve(new File([], source.name)),
      threads: 2,
      runner: {
        load: () => Promise.reject(new Error('not asked')),
        isLoaded: () => false,
        isLoadedFrom: () => false,
        hasten: () => void calls.push('hasten'),
        unload: (key, { reason }) => void calls.push(key, reason),
        write(choice) {
          given = choice
          return Promise.resolve({ reason: 'stop' as const, read: 1, reused: 0, written: 1 })
        },
      },
    }))
    const model = await kind.open(configOfWeights({ source: kept, contextTokens: null }, 7), ports)
    expect(model.info).toMatchObject({ id: 'browser/wllama:abc', simulated: false })
    await model.languageModel().doGenerate({ prompt: [] })
    const choice = given as ModelChoice | null
    expect((await choice?.file())?.name).toBe('tiny.gguf')
    model.hasten?.()
    model.dispose()
    expect(calls).toEqual(['hasten', choice?.key, 'wllama.removed'])
  })

  it('is refused with a sentence if its entry can’t be read', async () => {
    const config = { ...configOfWeights({ source: kept, contextTokens: null }, 7), options: {} }
    await expect(wllamaKindOn(() => ({}) as never).open(config, ports)).rejects.toMatchObject({
      cause: { reason: 'wllama.gone' },
    })
  })
})
