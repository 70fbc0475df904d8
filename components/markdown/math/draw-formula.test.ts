// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { drawFormula } from './drawn-formula'

const R = String.raw

const nodeOf = (tex: string, display = false): HTMLElement => {
  const drawn = drawFormula(tex, display)
  if (drawn.kind !== 'drawn') throw new Error(`not drawn: ${JSON.stringify(drawn)}`)
  return drawn.node
}

describe('a formula as nodes', () => {
  it.each([
    'a^2+b^2=c^2',
    R`\frac{-b\pm\sqrt{b^2-4ac}}{2a}`,
    R`\int_0^\infty e^{-x^2}\,dx`,
    R`\vec{F}=m\vec{a}`,
    R`\begin{pmatrix}1&2\\3&4\end{pmatrix}`,
    R`\text{价格} = 5`,
    R`\overbrace{x}^{n}`,
    R`\def\a{x}\a`,
  ])('%s: is visible and accessible, without attributes that the policy refuses', (tex) => {
    const node = nodeOf(tex, true)
    expect(node.querySelector('math annotation')?.textContent).toBe(tex)
    expect(node.querySelector('.katex-html')).not.toBeNull()
    expect(node.querySelector('[data-style]')).toBeNull()
  })

  it('an arrow keeps the style that its picture needs', () => {
    expect(nodeOf(R`\vec{a}`).querySelector('svg')?.style.cssText).not.toBe('')
  })
})

/** Ten of them make a thousand letters. */
const doublings = (names: string): string =>
  Array.from(names, (name, at) => `\\def\\${name}{${`\\${names[at + 1] ?? 'x'}`.repeat(2)}}`).join('') + '\\a'

describe('a hostile formula', () => {
  it.each([
    ['a macro that makes itself', R`\def\a{\a}\a`, 'unreadable'],
    ['a macro that doubles itself', R`\def\a{\a\a}\a`, 'unreadable'],
    ['macros that double each other', doublings('abcdefghij'), 'unreadable'],
    [
      'fractions that macros nest',
      R`\def\a#1{\frac{#1}{1}}\def\b#1{\a{\a{\a{\a{#1}}}}}\def\c#1{\b{\b{\b{\b{#1}}}}}\def\d#1{\c{\c{\c{\c{#1}}}}}\d{\d{x}}`,
      'too-much',
    ],
    ['200 fractions in fractions', `${'\\frac{'.repeat(200)}1${'}{2}'.repeat(200)}`, 'too-much'],
    ['100,000 letters', 'x'.repeat(100_000), 'too-much'],
    ['nothing that is known', R`\notacommand`, 'unreadable'],
  ])('%s is not rendered', (_, tex, kind) => {
    expect(drawFormula(tex, true).kind).toBe(kind)
  })

  it.each([
    R`\href{javascript:alert(1)}{x}`,
    R`\url{javascript:alert(1)}`,
    R`\includegraphics{https://evil.example/x.png}`,
    R`\htmlId{x}{y}`,
    R`\htmlClass{z-above}{y}`,
    R`\htmlStyle{position:fixed}{y}`,
    R`\text{<img src=x onerror=alert(1)>}`,
  ])('%s: has no address, no picture and no chosen class or id', (tex) => {
    const drawn = drawFormula(tex, false)
    if (drawn.kind !== 'drawn') return expect(drawn.kind).toBe('unreadable')
    expect(drawn.node.querySelector('a, img, [href], [src], [id], .z-above, [onerror]')).toBeNull()
    expect(drawn.node.querySelector('[style*=fixed]')).toBeNull()
  })

  it('keeps sizes within limits', () => {
    const html = nodeOf(R`\rule{9999em}{9999em}`).outerHTML
    expect(html).not.toContain('9999em;')
  })
})
