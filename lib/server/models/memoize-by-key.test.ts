import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it, vi } from 'vitest'
import { memoizeByKey } from './registry'

const made = () => vi.fn<Parameters<typeof memoizeByKey>[0]>((id) => new MockLanguageModelV4({ modelId: id }))

describe('requesting a model again', () => {
  it('returns the same model, except for one with extra fields, which is created again', () => {
    const make = made()
    const model = memoizeByKey(make)
    expect(model('a/x')).toBe(model('a/x'))
    expect(model('a/x')).not.toBe(model('a/y'))
    expect(model('a/x', { grammar: 'g' })).not.toBe(model('a/x'))
    expect(model('a/x', { grammar: 'g' })).not.toBe(model('a/x', { grammar: 'g' }))
    expect(make.mock.calls.filter(([, fields]) => fields === undefined)).toEqual([['a/x'], ['a/y']])
  })

  it('creates it again when too many are kept, and after a failure', () => {
    const make = made()
    const model = memoizeByKey(make, 2)
    const first = model('a/1')
    model('a/2')
    model('a/3')
    expect(model('a/1')).not.toBe(first)
    make.mockImplementationOnce(() => {
      throw new Error('unknown')
    })
    expect(() => model('a/4')).toThrow('unknown')
    expect(model('a/4').modelId).toBe('a/4')
  })
})
