import { describe, expect, it } from 'vitest'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { AppError } from '@/lib/base/app-error'
import { createModelRegistry } from './registry'
import { type ModelProvider, createLazyModel } from '@/lib/shared/models/model'

const anyModel: LanguageModelV4 = createLazyModel('p', 'm', () => Promise.reject(new Error('never loaded')))

function provider(id: string, names: readonly string[] | Error, simulated = false): ModelProvider {
  return {
    id,
    label: id.toUpperCase(),
    list: () =>
      names instanceof Error
        ? Promise.reject(names)
        : Promise.resolve(
            names.map((name) => ({
              id: `${id}/${name}`,
              label: name,
              providerLabel: id.toUpperCase(),
              contextTokens: null,
              simulated,
            })),
          ),
    languageModel: () => anyModel,
  }
}

const demo = provider('demo', ['demo'], true)
const signal = new AbortController().signal
const unreachable = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })

describe('the model list', () => {
  it('joins all providers in order and defaults to the first real model', async () => {
    const registry = createModelRegistry({
      monotonic: () => 0,
      providers: [demo, provider('a', ['x', 'y'])],
      defaultModel: null,
    })
    const list = await registry.list(signal)
    expect(list.models.map(({ id }) => id)).toEqual(['demo/demo', 'a/x', 'a/y'])
    expect(list.defaultModel).toBe('a/x')
    expect(list.problems).toEqual([])
  })

  it('falls back to the demo', async () => {
    const registry = createModelRegistry({
      monotonic: () => 0,
      providers: [provider('a', []), demo],
      defaultModel: null,
    })
    expect((await registry.list(signal)).defaultModel).toBe('demo/demo')
  })

  it('reports an unreachable source without hiding the others', async () => {
    const registry = createModelRegistry({
      monotonic: () => 0,
      providers: [provider('a', unreachable), demo],
      defaultModel: null,
      problems: [{ reason: '', values: {}, message: 'A setting is wrong.' }],
    })
    const list = await registry.list(signal)
    expect(list.models.map(({ id }) => id)).toEqual(['demo/demo'])
    expect(list.problems.map(({ message }) => message)).toEqual([
      'A setting is wrong.',
      'A cannot be reached, so its models are missing.',
    ])
  })

  it('uses the operator’s default, keeps it while its server is down, and reports when it is gone', async () => {
    const a = provider('a', ['x', 'y'])
    const defaultOf = (providers: readonly ModelProvider[], defaultModel: string) =>
      createModelRegistry({ monotonic: () => 0, providers, defaultModel }).list(signal)
    expect(await defaultOf([a, demo], 'a/y')).toMatchObject({ defaultModel: 'a/y', problems: [] })
    expect(await defaultOf([provider('a', unreachable), demo], 'a/y')).toMatchObject({ defaultModel: 'a/y' })
    expect(await defaultOf([a, demo], 'a/z')).toMatchObject({
      defaultModel: 'a/x',
      problems: [{ message: 'The default model a/z is not available now. New chats use a/x.' }],
    })
    expect(await defaultOf([a, demo], 'b/z')).toMatchObject({ defaultModel: 'a/x' })
  })
})

describe('a single model', () => {
  const registry = createModelRegistry({
    monotonic: () => 0,
    providers: [provider('a', ['x']), demo],
    defaultModel: null,
  })

  it('is found by provider and name, also with slashes in the name', () => {
    expect(registry.languageModel('a/org/x')).toBe(anyModel)
    expect(registry.info('a/org/x')).toMatchObject({ label: 'org/x', providerLabel: 'A' })
  })

  it.each(['', 'x', '/x', 'a/', 'b/x', 'constructor/x'])('refuses %j with a sentence', (id) => {
    expect(() => registry.languageModel(id)).toThrow(AppError)
    expect(() => registry.languageModel(id)).toThrow(/^This server has no model named .*Choose another model\.$/)
  })

  it('has a name for sentences even after it is gone', () => {
    expect(registry.info('gone/model')).toMatchObject({ label: 'gone/model', providerLabel: '' })
    expect(registry.info(`x\n${'y'.repeat(200)}`).label).toHaveLength(80)
  })
})

describe('the context window of a model', () => {
  const knowing = (contextTokens: number | null, simulated = false): ModelProvider => ({
    ...provider('a', []),
    list: () => Promise.resolve([{ id: 'a/x', label: 'x', providerLabel: 'A', contextTokens, simulated }]),
  })

  it('is what its source reports, else the operator’s setting; the script has none', async () => {
    const windowOf = (known: number | null, otherWindowTokens: number | null, simulated = false) =>
      createModelRegistry({
        monotonic: () => 0,
        providers: [knowing(known, simulated)],
        defaultModel: null,
        otherWindowTokens,
      }).windowTokens('a/x')
    expect(await windowOf(8_192, null)).toBe(8_192)
    expect(await windowOf(8_192, 4_096)).toBe(8_192)
    expect(await windowOf(null, 4_096)).toBe(4_096)
    expect(await windowOf(null, null)).toBeNull()
    expect(await windowOf(null, 4_096, true)).toBeNull()
  })

  it('is in the list as it is used, also for a model whose server is down', async () => {
    const listed = createModelRegistry({
      monotonic: () => 0,
      providers: [knowing(null)],
      defaultModel: null,
      otherWindowTokens: 4_096,
    })
    expect((await listed.list(signal)).models).toMatchObject([{ contextTokens: 4_096 }])
    const away = createModelRegistry({
      monotonic: () => 0,
      providers: [provider('a', unreachable)],
      defaultModel: null,
      otherWindowTokens: 4_096,
    })
    expect(await away.windowTokens('a/x')).toBe(4_096)
  })
})
