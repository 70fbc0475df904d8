import { describe, expect, it } from 'vitest'
import { nearestNames } from './arguments/nearest'
import { canonicalJson } from './canonical-json'
import { repairWords } from './repair-words'
import { signatureOf } from './signature'
import { testTools } from './testing/tools'
import { estimateTokens } from './token-estimate'
import { writeJson } from './write-json'

describe('canonicalJson', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [{ y: 1, x: null }], a: 'ü"' })).toBe('{"a":"ü\\"","b":[{"x":null,"y":1}]}')
  })
})

describe('estimateTokens', () => {
  it('counts four Latin characters or one Chinese character as a token', () => {
    expect([estimateTokens(''), estimateTokens('abcdefgh'), estimateTokens('工具调用')]).toEqual([0, 2, 4])
  })
})

describe('nearestNames', () => {
  const names = testTools.map((tool) => tool.name)
  it.each([
    ['readfil', 'read_file'],
    ['write', 'write_file'],
    ['ls_directory', 'list_directory'],
  ])('finds for %s first %s', (name, wanted) => {
    expect(nearestNames(name, names)[0]).toBe(wanted)
  })
  it('gives at most three, and none for nonsense', () => {
    expect(nearestNames('file', [...names, 'file_a', 'file_b', 'file_c', 'file_d']).length).toBe(3)
    expect(nearestNames('qqqqqqqqqqqqqqqqqqqqqqqq', names)).toEqual([])
  })
})

describe('signatureOf', () => {
  it('writes parameters as types', () => {
    const draw = testTools.find((tool) => tool.name === 'draw')
    expect(draw && signatureOf(draw)).toBe(
      'draw(image_size?: integer, scale?: number, visible?: boolean, tags?: string[], points?: { x: number, y: number }[], style?: object, code?: integer | string, label?: string | null, mode?: "line" | "fill")',
    )
  })
})

describe('writeJson', () => {
  it('writes large whole numbers and placeholder-like texts so that readers keep them', () => {
    expect(writeJson({ n: 1e17, t: '...', x: [1.5, null, true] })).toBe(
      '{"n":1e+17,"t":"\\u002e..","x":[1.5,null,true]}',
    )
  })
})

describe('repairWords', () => {
  it('has words for people, each different', () => {
    const words = Object.values(repairWords)
    expect(new Set(words).size).toBe(words.length)
    for (const one of words) expect(one.length).toBeGreaterThan(10)
  })
})
