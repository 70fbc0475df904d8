import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, it } from 'vitest'
import { openModelList } from '@/lib/browser-models/model-list'
import { createLabJournal } from '@/lib/lab/lab-journal'
import { forgetDatabases, forgetNames, personDatabases, takeDatabasesAlong } from './person-databases'
import { storageSpace } from './storage-space'

const models = (who: string, factory: IDBFactory) => openModelList(personDatabases(who).models, factory)
const labs = (who: string, factory: IDBFactory) => createLabJournal(() => factory, personDatabases(who).lab)
const config = (id: string, key: string) => ({
  version: 1 as const,
  id: `browser/ollama:${id}`,
  kind: 'ollama' as const,
  name: id,
  label: id,
  contextTokens: null,
  seesImages: false,
  server: { address: 'http://127.0.0.1:11434', key },
  options: {},
  addedAt: 1,
})
const namesIn = async (factory: IDBFactory) => (await factory.databases()).map(({ name }) => name)

let factory: IDBFactory
beforeEach(() => {
  factory = new IDBFactory()
})

describe('what a browser keeps of one person', () => {
  it('goes to the account that they sign in to, keys and labs; nobody finds it after they signed out', async () => {
    await models('', factory).put(config('a', 'sk-mine'))
    await models('', factory).put(config('b', 'sk-other'))
    await labs('', factory).keepImported('i', { format: 'nod-lab-result' } as never)
    const ada = models('ada', factory)
    await ada.put(config('a', 'sk-of-the-account'))
    ada.close()
    await takeDatabasesAlong('ada', factory)
    expect(await namesIn(factory)).toEqual(['nod:models:ada', 'nod-lab ada'])
    expect((await models('ada', factory).all()).map(({ name, server }) => [name, server?.key])).toEqual([
      ['a', 'sk-of-the-account'],
      ['b', 'sk-other'],
    ])
    expect((await labs('ada', factory).imported()).map(({ id }) => id)).toEqual(['i'])
    expect(await models('', factory).all()).toEqual([])
  })

  it('makes nothing where there is nothing, and stays where it is without an account', async () => {
    await takeDatabasesAlong('ada', factory)
    expect(await namesIn(factory)).toEqual([])
    await models('', factory).put(config('a', 'sk'))
    await takeDatabasesAlong('', factory)
    expect((await models('', factory).all()).length).toBe(1)
  })

  it('is deleted as a whole, in tabs that have it open too, and another’s stays', async () => {
    for (const who of ['', 'ada', 'bob']) {
      await models(who, factory).put(config('a', 'sk'))
      await labs(who, factory).keepImported('i', {} as never)
    }
    await forgetDatabases('ada', factory)
    expect(new Set(await namesIn(factory))).toEqual(new Set(['nod-lab', 'nod-lab bob', 'nod:models', 'nod:models:bob']))
    await forgetDatabases('', factory)
    expect(new Set(await namesIn(factory))).toEqual(new Set(['nod-lab bob', 'nod:models:bob']))
  })

  it('stands under names that are found, whatever they are joined by', () => {
    const all = new Map(
      ['nod:draft:t/new', 'nod-lab-best', 'nod-recent-models', 'theme', 'ada:nod:unsent:x', 'ada:nod-lab-best'].map(
        (key) => [key, ''],
      ),
    )
    const storage = {
      getItem: (key: string) => all.get(key) ?? null,
      setItem: (key: string, value: string) => void all.set(key, value),
      removeItem: (key: string) => void all.delete(key),
      key: (index: number) => [...all.keys()][index] ?? null,
      get length() {
        return all.size
      },
    }
    forgetNames(storageSpace(storage, 'ada'))
    expect([...all.keys()]).toEqual(['nod:draft:t/new', 'nod-lab-best', 'nod-recent-models', 'theme'])
    forgetNames(storage)
    expect([...all.keys()]).toEqual(['theme'])
  })
})
