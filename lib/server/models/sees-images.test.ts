import { describe, expect, it } from 'vitest'
import { defaultModels } from '@/lib/shared/models/provider-config'
import { createModelRegistry } from './registry'
import { createVendorProvider, ollamaSees, seesByName } from './vendor-provider'
import { vendorKinds } from '@/lib/shared/models/vendors'

describe('which models take pictures', () => {
  it.each([
    [
      'openai',
      ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1-nano', 'gpt-5.6', 'o3', 'o1', 'gpt-4-turbo'],
      ['gpt-3.5-turbo', 'gpt-4', 'o1-mini', 'o3-mini', 'gpt-4o-audio-preview'],
    ],
    [
      'anthropic',
      ['claude-3-haiku-20240307', 'claude-sonnet-5-5', 'claude-opus-4-1'],
      ['claude-2.1', 'claude-instant-1'],
    ],
    ['google', ['gemini-2.5-flash', 'gemma-3-27b-it'], ['text-bison', 'gemma-2-9b']],
    [
      'ollama',
      ['llava:13b', 'gemma3:4b', 'qwen2.5vl:7b', 'qwen3-vl', 'llama3.2-vision', 'me/moondream:latest'],
      ['qwen3:8b', 'gemma3:1b', 'llama3.2', 'mistral-small'],
    ],
  ] as const)('is known by name for %s', (kind, seeing, blind) => {
    expect(seeing.filter((name) => !seesByName(kind, name))).toEqual([])
    expect(blind.filter((name) => seesByName(kind, name))).toEqual([])
  })

  it('is known by the family that Ollama names', () => {
    expect(ollamaSees('my-own', ['llama', 'clip'])).toBe(true)
    expect(ollamaSees('my-own', ['llama'])).toBe(false)
  })

  it('is true of all models that a key alone offers', () => {
    for (const kind of vendorKinds) {
      expect(defaultModels(kind).filter(({ name }) => !seesByName(kind, name))).toEqual([])
    }
  })

  it('follows the operator first, and asks only the model’s own server, which may be away', async () => {
    const base = { kind: 'openai', id: 'openai', label: 'OpenAI', apiKey: 'k', baseUrl: null } as const
    const models = [
      { name: 'gpt-5', label: null, contextTokens: null, vision: false },
      { name: 'gpt-5-mini', label: null, contextTokens: null },
    ]
    const vendor = createVendorProvider({ ...base, models }, () => Promise.reject(new Error('never loaded')))
    const away = { ...vendor, id: 'away', list: () => Promise.reject(new Error('away')) }
    const registry = createModelRegistry({ monotonic: () => 0, providers: [away, vendor], defaultModel: null })
    expect(await registry.seesImages('openai/gpt-5')).toBe(false)
    expect(await registry.seesImages('openai/gpt-5-mini')).toBe(true)
    expect(await registry.seesImages('away/gpt-5')).toBe(false)
    expect(await registry.seesImages('nobody/gpt-5')).toBe(false)
  })
})
