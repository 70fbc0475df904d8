import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { staleDatabasesKey } from './stale-databases-key'
import { deleteStaleDatabases, forgetInTime, maxWaitMs, takeAlongInTime } from './stale-databases'
import { forgetNames } from './person-databases'

/** A browser whose databases do not open before `thaw`, as behind a tab that was frozen while it writes. */
function frozen() {
  const factory = new IDBFactory()
  let thaw = () => {}
  const thawed = new Promise<void>((resolve) => (thaw = resolve))
  const indexedDB = {
    open(name: string) {
      const late = {} as { result: IDBDatabase; onsuccess?: () => void; onerror?: () => void; transaction: unknown }
      const shown = Object.assign(late, { onupgradeneeded: () => {} })
      void thawed.then(() => {
        const request = factory.open(name)
        const same = () => Object.assign(late, { result: request.result, transaction: request.transaction })
        request.onupgradeneeded = () => (same(), shown.onupgradeneeded())
        request.onsuccess = () => (same(), late.onsuccess?.())
        request.onerror = () => late.onerror?.()
      })
      return shown
    },
    deleteDatabase: (name: string) => factory.deleteDatabase(name),
  } as unknown as IDBFactory
  return { factory, indexedDB, thaw: () => thaw() }
}

async function fill(factory: IDBFactory, name: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const request = factory.open(name, 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore('models', { keyPath: 'id' }).add({ id: name, key: 'sk' })
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })
}

let kept: Map<string, string>
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
  key: (index: number) => [...kept.keys()][index] ?? null,
  get length() {
    return kept.size
  },
}
const atOnce = (task: () => void) => (queueMicrotask(task), () => {})
const never = () => () => {}
const names = async (factory: IDBFactory) => (await factory.databases()).map(({ name }) => name)

beforeEach(() => {
  kept = new Map()
})

describe('work on a user’s databases', () => {
  it('is recorded while it is done, and no longer', async () => {
    const { factory, indexedDB, thaw } = frozen()
    await fill(factory, 'nod:models')
    const waits: number[] = []
    const schedule = (_: () => void, ms: number) => (waits.push(ms), () => {})
    const taking = takeAlongInTime('ada', { indexedDB, storage, schedule })
    expect(JSON.parse(kept.get(staleDatabasesKey) ?? '')).toEqual([{ act: 'take', who: 'ada' }])
    expect(waits).toEqual([maxWaitMs])
    thaw()
    expect(await taking).toBe(true)
    expect(await names(factory)).toEqual(['nod:models:ada'])
    expect(kept.size).toBe(0)
  })

  it('is waited for only a moment, survives the user’s data, and is done at the next start', async () => {
    const { factory, indexedDB } = frozen()
    await fill(factory, 'nod:models:ada')
    expect(await forgetInTime('ada', { indexedDB, storage, schedule: atOnce })).toBe(false)
    forgetNames(storage)
    expect(await names(factory)).toEqual(['nod:models:ada'])
    await deleteStaleDatabases({ indexedDB: factory, storage, schedule: never })
    expect(await names(factory)).toEqual([])
    expect(kept.size).toBe(0)
  })

  it('continues in the page that did not wait for it', async () => {
    const { factory, indexedDB, thaw } = frozen()
    await fill(factory, 'nod:models')
    expect(await forgetInTime('', { indexedDB, storage, schedule: atOnce })).toBe(false)
    thaw()
    await vi.waitFor(() => expect(kept.size).toBe(0))
    expect(await names(factory)).toEqual([])
  })

  it('brings nothing to an account that has ended meanwhile', async () => {
    const { factory, indexedDB } = frozen()
    await fill(factory, 'nod:models')
    await takeAlongInTime('ada', { indexedDB, storage, schedule: atOnce })
    await forgetInTime('ada', { indexedDB: factory, storage, schedule: never })
    await deleteStaleDatabases({ indexedDB: factory, storage, schedule: never })
    expect(await names(factory)).toEqual(['nod:models'])
  })

  it('is done if nothing can be recorded, and recorded for later if the browser refuses', async () => {
    const factory = new IDBFactory()
    await fill(factory, 'nod:models:ada')
    expect(await forgetInTime('ada', { indexedDB: factory, storage: null, schedule: never })).toBe(true)
    expect(await names(factory)).toEqual([])
    const refusing = { open: () => expect.fail('refused') } as unknown as IDBFactory
    await expect(forgetInTime('ada', { indexedDB: refusing, storage, schedule: never })).rejects.toThrow('refused')
    await deleteStaleDatabases({ indexedDB: refusing, storage, schedule: never })
    expect(kept.size).toBe(1)
    kept.set(staleDatabasesKey, '[{"act":"format","who":"c:"}, 1, null]')
    await deleteStaleDatabases({ indexedDB: refusing, storage, schedule: never })
  })
})
