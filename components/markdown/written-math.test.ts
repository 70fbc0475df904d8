import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMarkdown, type MarkdownNode, type MarkdownRoot } from './read-markdown'

/** What a reader sees: the values of all leaves, a line end between blocks. */
function seen(node: MarkdownNode | MarkdownRoot | null): string {
  if (!node) return ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map((child) => seen(child)).join('') : ''
}

describe('LaTeX', () => {
  it.each([
    ['round brackets', String.raw`so \(a_1 * b_1 * c\) holds`, String.raw`\(a_1 * b_1 * c\)`],
    ['square brackets in a line', String.raw`so \[x*y*z\] holds`, String.raw`\[x*y*z\]`],
    ['one dollar', 'so $a*b*c$ holds', '$a*b*c$'],
    ['two dollars', 'so $$a_b_c$$ holds', '$$a_b_c$$'],
    ['an escaped bracket in it', String.raw`\(f(\left\(x*y*z\right)\)`, String.raw`\(f(\left\(x*y*z`],
    ['a block whose lines look like a list', '\\[\n- a_1\n+ b_1\n= c\n\\]', '\\[\n- a_1\n+ b_1\n= c\n\\]'],
    ['a block of dollars', '$$\n* a\n# b\n$$', '$$\n* a\n# b\n$$'],
    ['a block that follows words at once', 'where\n\\[\n- a\n\\]\nand', '\\[\n- a\n\\]'],
    ['a block on one line', String.raw`\[ E = m*c*2 \]`, String.raw`\[ E = m*c*2 \]`],
    ['a block in a list', '- one\n- \\[\n  * x\n  \\]', '\\[\n* x\n\\]'],
    ['a block in a quotation', '> $$\n> * x\n> $$', '$$\n* x\n$$'],
    ['the cells of a table', '| a | b |\n|---|---|\n| $x*y*z$ | \\(u_v_w\\) |', '$x*y*z$'],
    ['over a line end', 'so \\(a*\nb*c\\) holds', '\\(a*\nb*c\\)'],
    ['an end without a beginning', 'b \\]', '\\]'],
  ])('%s', (_, text, written) => {
    expect(seen(readMarkdown(text))).toContain(written)
  })

  it.each([
    ['prices', 'from $5 to *$10*', 'from $5 to $10'],
    ['a price and a currency', 'US$5 and *US$6*', 'US$5 and US$6'],
    ['an escaped star', String.raw`\*not\* *so*`, '*not* so'],
    ['an escaped link', String.raw`\[a](b)`, '[a](b)'],
    ['code', '`$a*b$` and `\\(x\\)`', '$a*b$ and \\(x\\)'],
    ['dollars in a fence', '```\n$$\n```\n*a*', '$$a'],
    ['one tilde', 'H~2~O', 'H~2~O'],
  ])('leaves alone: %s', (_, text, shown) => {
    expect(seen(readMarkdown(text))).toBe(shown)
  })

  it('never loses a letter, whatever opens and does not close', () => {
    const piece = fc.constantFrom('$', '$$', '\\(', '\\)', '\\[', '\\]', 'x', ' ', '\n', '\n\n', '- ', '> ', '*', '7')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const text = pieces.join('')
        const count = (of: string) => of.split('x').length
        expect(count(seen(readMarkdown(text)))).toBe(count(text))
      }),
      { numRuns: 1_000 },
    )
  })
})
