import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileCode } from './compile-code'

const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (log: unknown[]) => Promise<unknown>

const compiles = (body: string) => {
  try {
    return typeof new AsyncFunction('log', body) === 'function'
  } catch {
    return false
  }
}

const run = (body: string) => new AsyncFunction('log', body)([])
const valueOf = (code: string) => run(compileCode(code, compiles).body)

describe('returns the value of the last expression', () => {
  test.each<[string, unknown]>([
    ['1 + 1', 2],
    ['const a = 2\na * 21', 42],
    ['const a = 2; a * 21', 42],
    ['const a = 2; a * 21;', 42],
    ['const a = 2; a * 21; // the answer', 42],
    ['const a = 2\na * 21 /* the answer */\n\n', 42],
    ['// first\nconst f = (x) => {\n  return x + 1\n}\nf(1)', 2],
    ['[1, 2, 3].map((x) => {\n  return x * 2\n}).join("-")', '2-4-6'],
    ['const xs = [1, 2]\nxs\n  .map((x) => x + 1)\n  .join()', '2,3'],
    ['await Promise.resolve(5)', 5],
    ['let x\nx = 7', 7],
    ['({ a: 1 }).a', 1],
    ['const s = "a;b"\ns', 'a;b'],
    ['const t = `a\nb;c`\nt', 'a\nb;c'],
    ['const r = /;\\n/\nr.source', ';\\n'],
    ['function f() { return 3 }\nf()', 3],
    ['if (false) {\n  1\n}\n!0', true],
    ['"use strict"\nthis', undefined],
    ['const a = 1 // note; a\na', 1],
    ['/* a; b */ 4', 4],
  ])('%j', async (code, value) => {
    expect(await valueOf(code)).toEqual(value)
  })

  test('returns an object literal that is the whole code as an object', async () => {
    expect(await valueOf('{ a: 1, b: [2] }')).toEqual({ a: 1, b: [2] })
  })
})

describe('keeps the meaning of code', () => {
  test.each([
    'return 5',
    'if (true) return 1\nreturn 2',
    'const a = (x) => x\n;[1].map(a)',
    'const f = () => 1\n(2)',
    'let x = 1\n++x',
    'for (let i = 0; i < 3; i++) log.push(i)',
    'if (1) log.push(1); else log.push(2)',
    'function f() {}',
    'class A {}',
    'const last = 1',
    '{ const inner = 1; inner }',
    'throw 1',
    'label: for (;;) break label',
    'foo() // a; b',
    'do log.push(1)\nwhile (log.length < 2)',
    'let\nx',
    'let\n/* a; */\nx',
    '{\n}\n`t`',
    'var async\nasync',
    '1; {a: 2}',
    'const a = 5 // x\n/* y */ // z',
  ])('runs %j unchanged, or with the same effect', async (code) => {
    const outcome = async (body: string) => {
      const log: unknown[] = []
      try {
        const value = await new AsyncFunction('log', body)(log)
        return { log, explicit: code.includes('return') ? value : null }
      } catch (thrown) {
        return { log, thrown: String(thrown) }
      }
    }
    if (!compiles(code)) return expect(compileCode(code, compiles).body).toBe(code)
    expect(await outcome(compileCode(code, compiles).body)).toEqual(await outcome(code))
  })

  test('leaves code that does not compile unchanged', () => {
    for (const code of ['const', 'a) + (b', '1 +', '`open', '}{']) expect(compileCode(code, compiles).body).toBe(code)
  })

  test('any program of these pieces has the same effects as before', async () => {
    const piece = fc.constantFrom(
      'log.push(1)',
      'log.push(`a\nb`)',
      'log.push("x;y")',
      '// c; log.push(9)',
      '/* d\n; */',
      'const f = (x) => x',
      '(log.push(2))',
      '[log.push(3)]',
      'if (log.length > 1)',
      'else',
      '{',
      '}',
      'log',
      '.push(4)',
      '+log.push(5)',
      '`t`',
      'return log.push(6)',
      'let\n',
      'function g() { return 1 }',
      'g',
      '!log.push(7)',
      '"s"',
    )
    const program = fc.array(fc.tuple(piece, fc.constantFrom('\n', ';', ' ', '; ', '\n\n')), { maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(program, async (pieces) => {
        const code = pieces.flat().join('')
        fc.pre(compiles(code))
        const effects = async (body: string) => {
          const log: unknown[] = []
          try {
            await new AsyncFunction('log', body)(log)
          } catch (thrown) {
            log.push(String(thrown))
          }
          return log
        }
        expect(await effects(compileCode(code, compiles).body)).toEqual(await effects(code))
      }),
      { numRuns: 3_000 },
    )
  })
})

test('keeps line numbers and reports shifted columns', () => {
  const { body, shift } = compileCode('const a = 1\n  a.b.c', compiles)
  expect(body).toBe('const a = 1\n  return (a.b.c\n)')
  expect(shift).toEqual({ line: 2, column: 3, by: 8 })
})

test('leaves very long code unchanged instead of compiling it many times', () => {
  const code = `${'a;\n'.repeat(100_000)}1`
  expect(compileCode(code, () => true).body).toBe(code)
})
