import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatValue, fitsJson, runValueText } from './format-value'

class Point {
  x = 1
  get secret() {
    throw new Error('never read')
  }
}
const cycle: Record<string, unknown> = { a: 1 }
cycle.self = cycle

describe('formatValue', () => {
  test.each(
    (
      [
        ['bare text', 'bare text'],
        [['quoted', 1], '["quoted", 1]'],
        [undefined, 'undefined'],
        [null, 'null'],
        [-0, '-0'],
        [5n, '5n'],
        [Symbol('s'), 'Symbol(s)'],
        [{ a: 1, 'b c': [] }, '{ a: 1, "b c": [] }'],
        [new Point(), 'Point { x: 1 }'],
        [Object.create(null), 'null prototype {}'],
        [new Map([['k', { v: 1 }]]), 'Map(1) { "k" => { v: 1 } }'],
        [new Set([1, 'a']), 'Set(2) { 1, "a" }'],
        [new Uint8Array([1, 2]), 'Uint8Array(2) [1, 2]'],
        [new Date(0), '1970-01-01T00:00:00.000Z'],
        [/x/g, '/x/g'],
        [cycle, '{ a: 1, self: [Circular] }'],
        [Array(2), '[empty, empty]'],
        [function named() {}, '[Function named]'],
        [Point, '[class Point]'],
        [
          {
            get a() {
              return 1
            },
          },
          '{ a: [Getter] }',
        ],
        [[[[[[[1]]]]]], '[[[[[[ … ]]]]]]'],
      ] as [unknown, string][]
    ).map(([value, shown]) => ({ value, shown })),
  )('shows $shown', ({ value, shown }) => {
    expect(formatValue(value)).toBe(shown)
  })

  test('prints one item per line if it is long', () => {
    expect(formatValue({ first: 'x'.repeat(50), second: 'y'.repeat(50) })).toBe(
      `{\n  first: "${'x'.repeat(50)}",\n  second: "${'y'.repeat(50)}"\n}`,
    )
  })

  test('cuts large values and says so', () => {
    expect(formatValue(Array.from({ length: 500 }, (_, at) => at))).toContain('… 400 more')
    expect(formatValue('x'.repeat(10_000))).toMatch(/… \(cut, 10000 characters\)$/)
  })

  test('never throws, whatever the value does', () => {
    const throwing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
        getPrototypeOf: () => {
          throw new Error('no')
        },
      },
    )
    expect(formatValue(throwing)).toBe('[unprintable]')
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true, withSparseArray: true }),
        (value) => {
          expect(typeof formatValue(value)).toBe('string')
        },
      ),
    )
  })
})

describe('resultText', () => {
  test.each(
    (
      [
        [undefined, 'undefined', false],
        [null, 'null', true],
        ['x', '"x"', true],
        [NaN, 'NaN', false],
        [{ a: [1, { b: null }], gone: undefined }, '{"a":[1,{"b":null}]}', true],
        [{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}', true],
        [{ a: NaN }, '{ a: NaN }', false],
        [new Map(), 'Map(0) {}', false],
        [cycle, '{ a: 1, self: [Circular] }', false],
        [() => 1, '[Function (anonymous)]', false],
      ] as [unknown, string, boolean][]
    ).map(([value, text, isJson]) => ({ value, text, isJson })),
  )('becomes $text', ({ value, text, isJson }) => {
    expect(runValueText(value, 1_000)).toEqual({ text, isJson })
  })

  test('is cut if too long, and then no longer marked as JSON', () => {
    const { text, isJson } = runValueText('x'.repeat(50), 10)
    expect(isJson).toBe(false)
    expect(text).toBe(`${'x'.repeat(10)}… (cut: 50 characters in all)`)
  })

  test('is marked as JSON only if JSON keeps the whole value', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        if (!fitsJson(value)) return
        const text = JSON.stringify(value)
        expect(JSON.stringify(JSON.parse(text))).toBe(text)
      }),
    )
  })
})
