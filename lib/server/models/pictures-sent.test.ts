import { describe, expect, it } from 'vitest'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { decodeModelConfig } from './config'
import { createModelProviders } from './create-model-providers'
import { createModelRegistry } from './registry'

const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const url = `data:image/png;base64,${data}`

/** The picture part that the request to each kind of server must contain. */
const servers: readonly (readonly [model: string, part: object])[] = [
  ['openai/gpt-5.6', { type: 'input_image', image_url: url }],
  ['anthropic/claude-sonnet-5-5', { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
  ['google/gemini-4-argon', { inlineData: { mimeType: 'image/png', data } }],
  ['openai-compatible/qwen3-vl', { type: 'image_url', image_url: { url } }],
  ['ollama/llava', { type: 'image_url', image_url: { url } }],
]

/** Whether an object occurs anywhere in a value, possibly with more members. */
function holds(value: unknown, part: object): boolean {
  if (typeof value !== 'object' || value === null) return false
  try {
    expect(value).toMatchObject(part)
    return true
  } catch {
    return Object.values(value).some((inner) => holds(inner, part))
  }
}

describe.each(servers)('%s', (model, part) => {
  it('is sent the picture of a message', async () => {
    const sent: unknown[] = []
    const refuse: typeof fetch = (_url, init) => {
      sent.push(typeof init?.body === 'string' ? JSON.parse(init.body) : null)
      return Promise.resolve(Response.json({ error: { message: 'enough was seen' } }, { status: 400 }))
    }
    const env = {
      NOD_OPENAI_COMPATIBLE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'k',
      GOOGLE_GENERATIVE_AI_API_KEY: 'k',
    }
    const { providers, defaultModel, problems } = decodeModelConfig(null, env)
    const demo = { strategies: [], formatCalls: () => '', delay: () => Promise.resolve(), stepMs: 0 }
    const registry = createModelRegistry({
      monotonic: () => 0,
      providers: createModelProviders(providers, { fetch: refuse, monotonic: () => 0, demo }),
      defaultModel,
      problems,
    })
    const prompt: LanguageModelV4Prompt = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data } },
        ],
      },
    ]
    await expect(registry.languageModel(model).doStream({ prompt })).rejects.toThrow()
    expect(sent).toHaveLength(1)
    expect(holds(sent[0], part)).toBe(true)
    expect(JSON.stringify(sent[0])).toContain('What is this?')
  })
})
