import { describe, expect, it } from 'vitest'
import { dollarsHold, formulaLimits, formulaOf, isTooMuch, unescapedMarks } from './formula-of'

const R = String.raw

describe('a formula between marks', () => {
  it.each([
    [R`\(a_1\)`, { tex: 'a_1', display: false, rest: '' }],
    ['$x^2$', { tex: 'x^2', display: false, rest: '' }],
    ['$$a$$', { tex: 'a', display: true, rest: '' }],
    ['$$\na\n\nb\n$$', { tex: 'a\n\nb', display: true, rest: '' }],
    ['\\[\n x \n\\] where y', { tex: 'x', display: true, rest: 'where y' }],
    [
      R`\[\begin{matrix} a \\ b \end{matrix}\]`,
      { tex: R`\begin{matrix} a \\ b \end{matrix}`, display: true, rest: '' },
    ],
    [R`$\$5$`, { tex: R`\$5`, display: false, rest: '' }],
    [R`\[ x \\[2pt] y \]`, { tex: R`x \\[2pt] y`, display: true, rest: '' }],
  ])('%j', (raw, formula) => {
    expect(formulaOf(raw)).toEqual(formula)
  })

  it.each([
    ['HTML', '<b>$x$</b>'],
    ['one that is not finished', R`\(a`],
    ['one whose end is escaped', R`$a\$`],
    ['nothing between', R`\[ \]`],
    ['words', R`\(see below\)`],
    ['a word in brackets', R`\[sic\]`],
    ['a number in brackets', R`\[1\]`],
    ['three dollars', '$$$a$$'],
    ['from one price level to the next', '$$ to $$'],
    ['words of a language without spaces', '$价格$'],
  ])('is none: %s', (_, raw) => {
    expect(formulaOf(raw)).toBeNull()
  })

  it('escaped brackets are brackets', () => {
    expect([R`\[sic\]`, R`\(see below\)`, R`\[ \]`, R`\]`, '<b>'].map(unescapedMarks)).toEqual([
      '[sic]',
      '(see below)',
      '[ ]',
      R`\]`,
      '<b>',
    ])
  })
})

describe('single dollars', () => {
  it.each([
    ['x', ''],
    ['E=mc^2', '中'],
    ['n', 't'],
    ['k', 'N'],
    ['p', '-'],
    ['3 \\times 4', '.'],
    ['100', ','],
    ['2x+1', ' '],
    ['10^{-3}', ' '],
    ['5\\,\\text{m}', ''],
    ['a b', ''],
    ['\\{1,2\\}', ''],
    ['f(x)', 'i'],
  ])('$%s$ followed by %j is a formula', (tex, next) => expect(dollarsHold(tex, next)).toBe(true))

  it.each([
    ['a price before a price', '5-', '1'],
    ['a price with words', '5 (or 4', ')'],
    ['a price in Chinese', '5元，原价', ''],
    ['a price per month', '20/month or 200/year (', ')'],
    ['a space at the end', '5 and ', '1'],
    ['a path of a shell', 'HOME/', 'U'],
    ['two variables', 'HOME', 'U'],
    ['a list of paths', 'PATH:', 'H'],
    ['braces of a shell', '{A}/', '{'],
    ['commands of a shell', '(pwd)/', '('],
    ['jQuery', "('a').", '('],
    ['words', 'PATH is nice', ''],
  ])('%s is none', (_, tex, next) => expect(dollarsHold(tex, next)).toBe(false))
})

describe('formulas too large to render', () => {
  it.each([
    ['long', 'x'.repeat(formulaLimits.chars + 1)],
    ['fractions in fractions', `${'\\frac{'.repeat(200)}1${'}{2}'.repeat(200)}`],
    ['braces in braces', `${'{'.repeat(61)}x${'}'.repeat(61)}`],
    ['brackets that grow', `${'\\left('.repeat(61)}x${'\\right)'.repeat(61)}`],
    ['environments', `${'\\begin{matrix}'.repeat(61)}x${'\\end{matrix}'.repeat(61)}`],
    ['roots without braces', `${'\\sqrt'.repeat(61)} x`],
  ])('%s', (_, tex) => expect(isTooMuch(tex)).toBe(true))

  it.each([
    ['a long sum', 'a_{1} + '.repeat(400)],
    ['brackets side by side', '\\left(x\\right)'.repeat(200)],
    ['escaped braces', '\\{'.repeat(100)],
    ['ordinary nesting', '\\frac{\\frac{\\frac{1}{2}}{3}}{4}'],
  ])('%s is not', (_, tex) => expect(isTooMuch(tex)).toBe(false))
})
