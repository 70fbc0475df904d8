import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { expect, it } from 'vitest'
import { firstPart, readText, writeText } from './text-file'

const bytes = (text: string) => new TextEncoder().encode(text)

it.each([
  ['a\nb\n', '\n', false],
  ['a\r\nb\r\n', '\r\n', false],
  ['a\rb', '\r', false],
  ['a\r\nb\n', '\n', false],
  ['', '\n', false],
  ['\ufeffa\r\n', '\r\n', true],
])('%j has the line ending %j', (text, lineEnd, hasMark) => {
  expect(readText(bytes(text)).form).toEqual({ lineEnd, encoding: 'utf-8', markBytes: hasMark ? 3 : 0 })
})

it('writes back the bytes that it read', () => {
  const text = fc.array(fc.constantFrom('\ufeff', '\r', '\n', '\r\n', 'a', 'é', '😀')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (value) => {
      const read = readText(bytes(value))
      expect(writeText(read.text, read.form)).toEqual({ data: bytes(value), encoding: 'utf-8' })
    }),
  )
})

it('cuts at the end of a line, else between characters', () => {
  expect(firstPart(bytes('short'), 10)).toEqual(bytes('short'))
  expect(firstPart(bytes('line one\nline two'), 12)).toEqual(bytes('line one\n'))
  expect(firstPart(bytes('ééééé'), 5)).toEqual(bytes('éé'))
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 1, max: 20 }), (text, max) => {
      const part = firstPart(bytes(text), max)
      expect(part.byteLength).toBeLessThanOrEqual(max)
      expect(() => new TextDecoder('utf-8', { fatal: true }).decode(part)).not.toThrow()
    }),
  )
})
