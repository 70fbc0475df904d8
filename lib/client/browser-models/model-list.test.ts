import { IDBFactory } from 'fake-indexeddb'
import { describe, expect, it } from 'vitest'
import type { BrowserModelConfig } from './browser-model'
import { freeId, openModelList } from './model-list'

const config = (id: string, over: Partial<BrowserModelConfig> = {}): BrowserModelConfig => ({
  version: 1,
  id: `browser/ollama:${id}`,
  kind: 'ollama',
  name: id,
  label: id,
  contextTokens: null,
  seesImages: false,
  server: { address: 'http://127.0.0.1:11434', key: 'sk-key' },
  options: {},
  addedAt: 1,
  ...over,
})

describe('the models of a browser', () => {
  it('are stored, changed and removed with their keys, separately for each account', async () => {
    const factory = new IDBFactory()
    const list = openModelList('nod:models', factory)
    expect(await list.all()).toEqual([])
    await list.put(config('b', { addedAt: 2 }))
    await list.put(config('a', { addedAt: 1 }))
    expect((await list.all()).map(({ name }) => name)).toEqual(['a', 'b'])
    await list.put(config('a', { label: 'Other' }))
    expect(await list.get('browser/ollama:a')).toMatchObject({ label: 'Other', server: { key: 'sk-key' } })
    expect(await openModelList('nod:models:bea', factory).all()).toEqual([])
    await list.remove('browser/ollama:a')
    expect(await list.get('browser/ollama:a')).toBeNull()
    const again = openModelList('nod:models', factory)
    expect((await again.all()).map(({ name }) => name)).toEqual(['b'])
  })

  it('are left out, and left alone, if they can’t be read', async () => {
    const factory = new IDBFactory()
    const list = openModelList('nod:models', factory)
    await list.put(config('good'))
    for (const bad of [
      { kind: 'of tomorrow' },
      { version: 2 },
      { label: '' },
      { contextTokens: -1 },
      { server: { address: 1 } },
    ]) {
      await list.put({ ...config(JSON.stringify(bad)), ...bad } as BrowserModelConfig)
    }
    expect((await list.all()).map(({ name }) => name)).toEqual(['good'])
    list.close()
    const { promise, resolve } = Promise.withResolvers<number>()
    factory.open('nod:models').onsuccess = ({ target }) => {
      const { result } = target as IDBRequest<IDBDatabase>
      const count = result.transaction('models').objectStore('models').count()
      count.onsuccess = () => resolve(count.result)
    }
    expect(await promise).toBe(6)
  })

  it('have unique ids', () => {
    const taken = new Set<string>()
    const ids = Array.from({ length: 3 }, () => {
      const id = freeId('ollama', 'qwen3:8b', taken)
      taken.add(id)
      return id
    })
    expect(ids).toEqual(['browser/ollama:qwen3:8b', 'browser/ollama:qwen3:8b (2)', 'browser/ollama:qwen3:8b (3)'])
  })
})
