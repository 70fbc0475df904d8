import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { speakTo } from '@/lib/base/text/languages'
import { uncheckedSentence, uncheckedText } from './validate'

const words = (args: JsonObject, properties: JsonObject, more: JsonObject = {}) =>
  uncheckedText(args, { type: 'object', properties, ...more }).map(({ word, path }) => `${word} ${path}`.trim())

describe('unchecked schema keywords', () => {
  it.each<readonly [string, JsonObject, JsonObject, readonly string[]]>([
    ['contains', { tags: ['a'] }, { tags: { type: 'array', contains: { const: 'a' } } }, ['contains tags']],
    ['if', { a: 1 }, { a: { type: 'integer', if: { minimum: 1 } } }, ['if a']],
    [
      'patternProperties',
      { o: { x_1: 1 } },
      { o: { type: 'object', patternProperties: { '^x': {} } } },
      ['patternProperties o'],
    ],
    ['propertyNames', { o: {} }, { o: { type: 'object', propertyNames: { maxLength: 3 } } }, ['propertyNames o']],
    [
      'a dependency whose key is there',
      { o: { a: 1 } },
      { o: { dependentRequired: { a: ['b'] } } },
      ['dependentRequired o'],
    ],
    ['a reference to elsewhere', { a: 1 }, { a: { $ref: 'https://example.org/a.json' } }, ['$ref a']],
    ['a reference to nothing', { a: 1 }, { a: { $ref: '#/$defs/none' } }, ['$ref a']],
    ['an unknown format', { a: 'x' }, { a: { type: 'string', format: 'iban' } }, ['format a']],
    ['a costly pattern', { a: 'x' }, { a: { type: 'string', pattern: '^(a+)+$' } }, ['pattern a']],
    ['a not of objects', { o: {} }, { o: { not: { required: ['a'] } } }, ['not o']],
    [
      'items of lists',
      { l: [{ a: 'x' }, { a: 'y' }] },
      { l: { items: { properties: { a: { type: 'string', format: 'iban' } } } } },
      ['format l[].a'],
    ],
    [
      'the alternative that fits',
      { a: ['x'] },
      {
        a: {
          anyOf: [
            { type: 'string', format: 'iban' },
            { type: 'array', contains: {} },
          ],
        },
      },
      ['contains a'],
    ],
  ])('include %s', (_name, args, properties, expected) => {
    expect(words(args, properties)).toEqual(expected)
  })

  it('exclude checked keywords and keywords for absent arguments', () => {
    const properties: JsonObject = {
      path: { type: 'string', pattern: '^/', minLength: 1, format: 'uri', description: 'A path.' },
      tags: { type: 'array', contains: { const: 'a' } },
      at: { $ref: '#/$defs/at' },
      mode: { enum: ['a', 'b'], not: { const: 'c' } },
      other: { dependentSchemas: { a: {} }, patternProperties: { x: {} }, properties: { b: {} } },
    }
    const more: JsonObject = {
      required: ['path'],
      $defs: { at: { type: 'object', properties: { x: { type: 'number' } } } },
    }
    expect(words({ path: '/a', at: { x: 1 }, mode: 'a', other: { b: 1 } }, properties, more)).toEqual([])
  })

  it('include keywords for the arguments as a whole', () => {
    expect(words({ a: 1 }, { a: {} }, { minProperties: 1, dependentRequired: { a: ['b'] } })).toEqual([
      'minProperties',
      'dependentRequired',
    ])
  })
})

describe('the line on the card', () => {
  const said = (parts: ReturnType<typeof uncheckedSentence>) =>
    parts.map((part) => (typeof part === 'string' ? part : part.code)).join('')
  const several = ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => ({ word: 'format', path }))

  afterEach(() => speakTo('en'))

  it('names the keywords and their arguments, and counts the rest', () => {
    expect(said(uncheckedSentence([]))).toBe('')
    expect(said(uncheckedSentence([{ word: 'contains', path: 'tags' }]))).toBe('Not checked: contains ("tags")')
    expect(said(uncheckedSentence([{ word: 'if', path: '' }]))).toBe('Not checked: if (the arguments)')
    expect(said(uncheckedSentence(several))).toBe(
      'Not checked: format ("a"), format ("b"), format ("c"), format ("d") and 2 more',
    )
  })

  it('is Chinese for Chinese readers', () => {
    speakTo('zh-CN')
    expect(said(uncheckedSentence(several.slice(0, 2)))).toBe('未检查：format（"a"）、format（"b"）')
  })
})
