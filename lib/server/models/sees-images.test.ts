import { describe, expect, it } from 'vitest'
import { defaultModels } from '@/lib/shared/models/provider-config'
import { createOpenAICompatibleProvider } from '@/lib/shared/models/openai-compatible/index'
import { chosenSight, imagesInEntry, maxImageSettings, seesImages, withSight } from '@/lib/shared/models/sees-images'
import { defaultSettings, settingsSchema } from '@/lib/shared/conversation/settings/settings'
import { createModelRegistry } from './registry'
import { createVendorProvider, ollamaSees, seesByName } from './vendor-provider'
import { vendorKinds } from '@/lib/shared/models/vendors'

describe('which models take pictures', () => {
  it.each([
    [
      'OpenRouter',
      { architecture: { input_modalities: ['text', 'image'] } },
      { architecture: { input_modalities: ['text'] } },
    ],
    [
      'OpenRouter of old',
      { architecture: { modality: 'text+image->text' } },
      { architecture: { modality: 'text->text' } },
    ],
    ['Mistral', { capabilities: { vision: true } }, { capabilities: { completion_chat: true, vision: false } }],
    ['llama.cpp and Ollama', { capabilities: ['completion', 'multimodal'] }, { capabilities: ['completion', 'tools'] }],
    ['GitHub', { supported_input_modalities: ['text', 'image'] }, { supported_input_modalities: ['text'] }],
    ['LiteLLM', { supports_vision: true }, { supports_vision: false }],
  ])('is read from the list of %s', (_, seeing, blind) => {
    expect([imagesInEntry(seeing), imagesInEntry(blind)]).toEqual([true, false])
  })

  it('is unknown if the list does not say', () => {
    const entries = [
      {},
      { type: 'llm' },
      { type: 'vlm' },
      { capabilities: [] },
      { architecture: null },
      { input_modalities: 1 },
    ]
    expect(entries.map(imagesInEntry)).toEqual([null, null, true, null, null, null])
  })

  it('is what a compatible server’s list says, then judged by name, and otherwise unknown', async () => {
    const data = [
      { id: 'plain' },
      { id: 'plain-eyes', capabilities: ['completion', 'multimodal'] },
      { id: 'Qwen/Qwen2.5-VL-7B-Instruct' },
      { id: 'llava', supports_vision: false },
      { id: 'gemma3:12b-vision' },
    ]
    const config = { kind: 'openai-compatible', id: 'own', label: 'Own', baseUrl: 'http://x/v1', apiKey: null } as const
    const answer = () => Promise.resolve(Response.json({ data }))
    const provider = createOpenAICompatibleProvider({ ...config, models: null }, { fetch: answer, monotonic: () => 0 })
    const listed = await provider.list(new AbortController().signal)
    expect(listed.map((one) => one.seesImages ?? null)).toEqual([null, true, true, false, true])
  })

  it('is what the user set for the models of a chat', () => {
    const chat = { model: 'own/a', images: { 'own/a': true, 'own/b': false } }
    expect(seesImages(chat, { seesImages: false })).toBe(true)
    expect(seesImages({ ...chat, model: 'own/b' }, { seesImages: true })).toBe(false)
    expect(seesImages({ ...chat, model: 'own/c' }, { seesImages: true })).toBe(true)
    expect([seesImages({ model: 'own/c' }, undefined), seesImages({ model: 'own/c' }, {})]).toEqual([false, false])
    expect(withSight({ model: 'own/a' }, true)).toEqual({ model: 'own/a', images: { 'own/a': true } })
    let many: Parameters<typeof withSight>[0] = chat
    for (let at = 0; at < 80; at += 1) many = withSight({ ...many, model: `own/${at}` }, at % 2 === 0)
    expect(Object.keys(many.images ?? {})).toHaveLength(maxImageSettings)
    expect(chosenSight(many)).toBe(false)
  })

  it('is kept in stored settings, which refuse too many models', () => {
    const settings = { ...defaultSettings('own/a'), images: { 'own/a': true } }
    expect(settingsSchema.parse(structuredClone(settings))).toEqual(settings)
    const images = Object.fromEntries(Array.from({ length: maxImageSettings + 1 }, (_, at) => [`own/${at}`, true]))
    expect(settingsSchema.safeParse({ ...settings, images }).success).toBe(false)
    expect(settingsSchema.safeParse({ ...settings, images: { a: 'yes' } }).success).toBe(false)
  })

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

  it('is known by the family that Ollama reports', () => {
    expect(ollamaSees('my-own', ['llama', 'clip'])).toBe(true)
    expect(ollamaSees('my-own', ['llama'])).toBe(false)
  })

  it('is true for all default models of a vendor', () => {
    for (const kind of vendorKinds) {
      expect(defaultModels(kind).filter(({ name }) => !seesByName(kind, name))).toEqual([])
    }
  })

  it('follows the operator first, and asks only the model’s own server, which may be down', async () => {
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
