import { expect, it } from 'vitest'
import { requestPersistence, freeBytes } from './weights-store'

it.each([[undefined], [{}]])('accepts a browser without persistence or estimates: %j', async (storage) => {
  expect(await requestPersistence(storage)).toBe(false)
  expect(await freeBytes(storage)).toBeNull()
})

it('returns what the browser reports', async () => {
  expect(await requestPersistence({ persist: () => Promise.resolve(true) })).toBe(true)
  expect(await requestPersistence({ persist: () => Promise.reject(new TypeError('opaque origin')) })).toBe(false)
  expect(await freeBytes({ estimate: () => Promise.resolve({ quota: 10, usage: 4 }) })).toBe(6)
  expect(await freeBytes({ estimate: () => Promise.resolve({ quota: 10 }) })).toBe(10)
  expect(await freeBytes({ estimate: () => Promise.resolve({ quota: 4, usage: 10 }) })).toBe(0)
  expect(await freeBytes({ estimate: () => Promise.resolve({}) })).toBeNull()
})
