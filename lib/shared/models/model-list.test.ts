import { describe, expect, it } from 'vitest'
import { readModels } from '@/lib/client/browser-models/doctor/examine'
import { createOllamaProvider } from '@/lib/server/models/ollama/index'
import { createOpenAICompatibleProvider } from './openai-compatible/index'
import { readModelList } from './model-list'

const namesIn = (answer: unknown) => readModelList(answer)?.map(({ name }) => name) ?? null

const shapes: readonly (readonly [string, unknown, readonly string[] | null])[] = [
  ['OpenAI’s list', { object: 'list', data: [{ id: 'm', object: 'model' }] }, ['m']],
  ['a bare list (Together)', [{ id: 'm' }, { id: 'n' }], ['m', 'n']],
  ['Ollama’s tags', { models: [{ name: 'm:8b', model: 'm:8b' }] }, ['m:8b']],
  ['entries with a name and a slug', { data: [{ name: 'm', slug: 's' }] }, ['m']],
  ['names alone', { data: ['m', 'n'] }, ['m', 'n']],
  ['a list in a list', { data: { models: ['m'] } }, ['m']],
  ['keys (LM Studio)', { models: [{ key: 'm', type: 'llm' }] }, ['m']],
  ['a number as id', { data: [{ id: 'm' }, { id: 7 }] }, ['m', '7']],
  ['entries that are no models', { data: [null, { id: 'm' }, {}, { id: '' }, [], true, { id: {} }] }, ['m']],
  ['the same model twice', { data: [{ id: 'm' }, { id: 'm' }, { id: 'n' }] }, ['m', 'n']],
  ['entries by name', { models: { m: { owned_by: 'x' }, n: {} } }, ['m', 'n']],
  ['entries by name that have ids', { data: { 0: { id: 'm' }, 1: { id: 'n' } } }, ['m', 'n']],
  ['a list called items', { total: 1, items: [{ name: 'm' }] }, ['m']],
  ['a list called available_models', { available_models: ['m', 'n'] }, ['m', 'n']],
  ['a list in a list in a list', { code: 0, data: { list: [{ model: 'm' }] } }, ['m']],
  ['a list beside null', { data: null, models: ['m'] }, ['m']],
  ['null for no models, deeper', { result: { models: null } }, []],
  ['names in objects', { data: [{ id: { name: 'm' } }, { id: 'n' }] }, ['n']],
  ['prototype keys', { data: JSON.parse('{"__proto__":{"id":"m"},"constructor":{"id":"n"}}') as unknown }, ['m', 'n']],
  ['an error as data', { data: { error: 'no' } }, null],
  ['no models', { data: [] }, []],
  ['null for no models', { object: 'list', data: null }, []],
  ['odd names', { data: [{ id: 'a/b c' }, { id: '模型' }, { id: 'x'.repeat(301) }] }, ['a/b c', '模型']],
  ['an error', { error: { message: 'no' } }, null],
  ['a text', 'models', null],
  ['null', null, null],
]

describe('a list of models', () => {
  it.each(shapes)('reads %s', async (_shape, answer, names) => {
    expect(namesIn(answer)).toEqual(names)
    expect(readModels(JSON.stringify(answer))?.map(({ name }) => name) ?? null).toEqual(names)

    const ports = { fetch: () => Promise.resolve(Response.json(answer)), monotonic: () => 0 }
    const own = {
      kind: 'openai-compatible',
      id: 'own',
      label: 'Own',
      baseUrl: 'http://m.test/v1',
      apiKey: null,
    } as const
    const ollama = { kind: 'ollama', id: 'own', label: 'Own', baseUrl: 'http://m.test', silent: false } as const
    for (const provider of [
      createOpenAICompatibleProvider({ ...own, models: null }, ports),
      createOllamaProvider(ollama, ports),
    ]) {
      const listed = provider.list(new AbortController().signal).then((models) => models.map(({ label }) => label))
      if (names) await expect(listed).resolves.toEqual(names)
      else await expect(listed).rejects.toThrow()
    }
  })

  it('leaves out entries that the list itself marks as no chat model', () => {
    const data = [
      { id: 'chat' },
      { id: 'together-chat', type: 'chat' },
      { id: 'vision', type: 'vlm' },
      { id: 'together-embed', type: 'embedding' },
      { id: 'lm-studio-embed', type: 'embeddings' },
      { id: 'rerank', type: 'rerank' },
      { id: 'picture', type: 'image' },
      { id: 'speech', type: 'audio' },
      { id: 'hf', pipeline_tag: 'feature-extraction' },
      { id: 'hf-chat', pipeline_tag: 'image-text-to-text' },
      { id: 'mistral-embed', capabilities: { completion_chat: false } },
      { id: 'mistral', capabilities: { completion_chat: true } },
      { id: 'ollama-embed', capabilities: ['embedding'] },
      { id: 'ollama', capabilities: ['completion', 'tools'] },
      { id: 'flux', architecture: { output_modalities: ['image'] } },
      { id: 'router', architecture: { output_modalities: ['text', 'image'] } },
      // The list does not say what these are.
      { id: 'text-embedding-nomic' },
    ]
    expect(namesIn({ data })).toEqual([
      'chat',
      'together-chat',
      'vision',
      'hf-chat',
      'mistral',
      'ollama',
      'router',
      'text-embedding-nomic',
    ])
  })

  it('reads the context window under every name that servers give it', () => {
    const data = [
      { id: 'a', max_model_len: 1 },
      { id: 'b', context_length: '2' },
      { id: 'c', context_window: 3 },
      { id: 'd', max_context_length: 4 },
      { id: 'e', meta: { n_ctx: 5 } },
      { id: 'f', context_length: -1, context_window: 6 },
      { id: 'g', context_length: 'many' },
    ]
    expect(readModelList({ data })?.map(({ contextTokens }) => contextTokens)).toEqual([1, 2, 3, 4, 5, 6, null])
  })
})
