import { describe, expect, it } from 'vitest'
import { callHash, resultsMessageId } from './call-hash'

describe('callHash', () => {
  it('is 64 hex digits and independent of the order of keys', async () => {
    const one = await callHash('m', 0, 'write_file', { path: '/a', content: 'é' })
    const two = await callHash('m', 0, 'write_file', { content: 'é', path: '/a' })
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(two).toBe(one)
  })

  it('changes with every part of the call', async () => {
    const hashes = await Promise.all([
      callHash('m', 0, 'f', { a: 1 }),
      callHash('n', 0, 'f', { a: 1 }),
      callHash('m', 1, 'f', { a: 1 }),
      callHash('m', 0, 'g', { a: 1 }),
      callHash('m', 0, 'f', { a: '1' }),
      callHash('m', 0, 'f', { a: 1, b: null }),
      callHash('m', 0, 'f', {}),
    ])
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})

describe('resultsMessageId', () => {
  it('is one UUID per reply', async () => {
    const id = await resultsMessageId('m1')
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await resultsMessageId('m1')).toBe(id)
    expect(await resultsMessageId('m2')).not.toBe(id)
  })
})
