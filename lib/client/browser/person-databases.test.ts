import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openModelList } from '@/lib/client/browser-models/model-list'
import { createLabJournal } from '@/lib/client/lab/lab-journal'
import { forgetDatabases, forgetNames, lettingGoMs, personDatabases, takeDatabasesAlong } from './person-databases'
import { storageSpace } from '../outbox/outbox'

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

/** A tab that never closes its database, like a frozen one. */
const holding = (factory: IDBFactory, name: string) =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const request = factory.open(name)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error('it did not open'))
  })
/** A database with one store and rows of an older or a newer page. */
const keeping = async (factory: IDBFactory, name: string, store: string, rows: Readonly<Record<string, string>>) => {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = factory.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(store)
    request.onsuccess = () => resolve(request.result)
  })
  const transaction = database.transaction(store, 'readwrite')
  for (const [key, value] of Object.entries(rows)) transaction.objectStore(store).add(value, key)
  await new Promise<void>((resolve) => (transaction.oncomplete = () => resolve()))
  database.close()
}
const kept = async (factory: IDBFactory, name: string, store: string) => {
  const database = await holding(factory, name)
  const rows = database.transaction(store).objectStore(store).getAll()
  await new Promise<void>((resolve) => (rows.onsuccess = () => resolve()))
  database.close()
  return rows.result as unknown[]
}

let factory: IDBFactory
/** The pending waits, by their milliseconds. */
let waits: Map<() => void, number>
const schedule = (task: () => void, ms: number) => {
  waits.set(task, ms)
  return () => void waits.delete(task)
}
const ports = () => ({ indexedDB: factory, schedule })
const impatient = () => ({ indexedDB: factory, schedule: (task: () => void) => (queueMicrotask(task), () => {}) })
beforeEach(() => {
  factory = new IDBFactory()
  waits = new Map()
})

describe('a browser’s data of one user', () => {
  it('moves to the account at sign-in, keys and labs; after sign-out nobody finds it', async () => {
    await models('', factory).put(config('a', 'sk-mine'))
    await models('', factory).put(config('b', 'sk-other'))
    await labs('', factory).keepImported('i', { format: 'nod-lab-result' } as never)
    const ada = models('ada', factory)
    await ada.put(config('a', 'sk-of-the-account'))
    ada.close()
    await takeDatabasesAlong('ada', ports())
    expect(await namesIn(factory)).toEqual(['nod:models:ada', 'nod-lab ada'])
    expect((await models('ada', factory).all()).map(({ name, server }) => [name, server?.key])).toEqual([
      ['a', 'sk-of-the-account'],
      ['b', 'sk-other'],
    ])
    expect((await labs('ada', factory).imported()).map(({ id }) => id)).toEqual(['i'])
    expect(await models('', factory).all()).toEqual([])
  })

  it('creates nothing if there is nothing, and stays in place without an account', async () => {
    await takeDatabasesAlong('ada', ports())
    expect(await namesIn(factory)).toEqual([])
    await models('', factory).put(config('a', 'sk'))
    await takeDatabasesAlong('', ports())
    expect((await models('', factory).all()).length).toBe(1)
  })

  it('is deleted completely, also in tabs that have it open; another user’s data stays', async () => {
    for (const who of ['', 'ada', 'bob']) {
      await models(who, factory).put(config('a', 'sk'))
      await labs(who, factory).keepImported('i', {} as never)
    }
    await forgetDatabases('ada', ports())
    expect(new Set(await namesIn(factory))).toEqual(new Set(['nod-lab', 'nod-lab bob', 'nod:models', 'nod:models:bob']))
    await forgetDatabases('', ports())
    expect(new Set(await namesIn(factory))).toEqual(new Set(['nod-lab bob', 'nod:models:bob']))
  })

  it('is deleted though a tab never closes its databases; nobody waits for that tab', async () => {
    await models('', factory).put(config('a', 'sk'))
    await models('ada', factory).put(config('b', 'sk'))
    const tabs = await Promise.all(['nod:models', 'nod:models:ada'].map((name) => holding(factory, name)))
    const moving = takeDatabasesAlong('ada', ports())
    await vi.waitFor(() => expect([...waits.values()]).toEqual([lettingGoMs]))
    for (const task of waits.keys()) task()
    await moving
    await forgetDatabases('ada', impatient())
    // The remaining database is empty, as the tabs that hold it can see.
    for (const tab of tabs) {
      const rows = tab.transaction('models').objectStore('models').count()
      await new Promise<void>((resolve) => (rows.onsuccess = () => resolve()))
      expect(rows.result).toBe(0)
      tab.close()
    }
    await vi.waitFor(async () => expect(await namesIn(factory)).toEqual([]))
  })

  it('loses nothing that the account has no place for', async () => {
    await keeping(factory, 'nod:models', 'newer', { one: 'kept', two: 'kept too' })
    await models('ada', factory).put(config('a', 'sk'))
    await takeDatabasesAlong('ada', ports())
    expect(await kept(factory, 'nod:models', 'newer')).toEqual(['kept', 'kept too'])
    expect((await models('ada', factory).all()).length).toBe(1)
    // A store of that name with another key scheme is no place for them either.
    await keeping(factory, 'nod-lab', 'labs', { one: 'kept' })
    await labs('ada', factory).keepImported('i', {} as never)
    await takeDatabasesAlong('ada', ports())
    expect(await kept(factory, 'nod-lab', 'labs')).toEqual(['kept'])
  })

  it('moves rows that have their keys beside them', async () => {
    await keeping(factory, 'nod-lab', 'loose', { one: 'kept' })
    await takeDatabasesAlong('ada', ports())
    expect(await kept(factory, 'nod-lab ada', 'loose')).toEqual(['kept'])
    expect(await namesIn(factory)).toEqual(['nod-lab ada'])
  })

  it('is found under its names, whatever separator they use', () => {
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
