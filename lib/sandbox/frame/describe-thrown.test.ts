import { expect, test } from 'vitest'
import { describeThrown, locateInCode, wrapperLines } from './format-value'

const context = { offset: 2, shift: null }

function withStack(error: Error, ...frames: string[]): Error {
  error.stack = [String(error), ...frames].join('\n')
  return error
}

test('names the user’s own stack frames, with the user’s line numbers', () => {
  const error = withStack(
    new TypeError('no'),
    '    at inner (nod-code.js:5:7)',
    '    at async Array.map (<anonymous>)',
    '    at eval (nod-code.js:9:3)',
    '    at prelude (blob:null/x:1:20)',
  )
  expect(describeThrown(error, context)).toBe('TypeError: no\n  at inner (line 3, column 7)\n  at line 7, column 3')
})

test('corrects the columns after the inserted return', () => {
  const shift = { line: 2, column: 3, by: 8 }
  expect(locateInCode({ line: 4, column: 15 }, 2, shift)).toEqual({ line: 2, column: 7 })
  expect(locateInCode({ line: 4, column: 2 }, 2, shift)).toEqual({ line: 2, column: 2 })
  expect(locateInCode({ line: 5, column: 15 }, 2, shift)).toEqual({ line: 3, column: 15 })
})

test('locates a syntax error, also at the end', () => {
  const error = new SyntaxError('Unexpected token')
  const at = (line: number) => describeThrown(error, { ...context, syntaxPlace: { line, column: 4 }, lines: 3 })
  expect(at(4)).toBe('SyntaxError: Unexpected token\n  at line 2, column 4')
  expect(at(6)).toBe('SyntaxError: Unexpected token\n  at the end, line 3: something before it is not closed')
})

test('includes causes, and thrown values that are not errors', () => {
  const caused = withStack(new Error('outer', { cause: withStack(new Error('inner')) }))
  expect(describeThrown(caused, context)).toBe('Error: outer\nCaused by Error: inner')
  expect(describeThrown('text', context)).toBe('Thrown: text')
  expect(describeThrown(undefined, context)).toBe('Thrown: undefined')
})

test('never throws', () => {
  const hostile = new Error('x')
  Object.defineProperty(hostile, 'message', {
    get: () => {
      throw new Error('no')
    },
  })
  expect(describeThrown(hostile, context)).toBe('Something was thrown that can’t be described.')
})

test('reads the number of wrapper lines from a probe', () => {
  expect(wrapperLines('Error\n    at eval (nod-code.js:3:8)\n    at x (blob:y:1:1)')).toBe(2)
  expect(wrapperLines('no frames')).toBe(0)
})
