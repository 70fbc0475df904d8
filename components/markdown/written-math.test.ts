import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formulaOf } from './math/formula-of'
import { readMarkdown, type MarkdownNode, type MarkdownRoot } from './read-markdown'

/** The visible text: the values of all leaves, with a line break between blocks. */
function seen(node: MarkdownNode | MarkdownRoot | null): string {
  if (!node) return ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map((child) => seen(child)).join('') : ''
}

const formulasIn = (node: MarkdownNode | MarkdownRoot | null): readonly string[] =>
  node === null
    ? []
    : 'children' in node
      ? node.children.flatMap((child) => formulasIn(child))
      : node.type === 'html' && formulaOf(node.value)
        ? [node.value]
        : []

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

  it.each<[string, readonly string[]]>([
    ['It costs $5 and $10.', []],
    ['from $5-$10, or $1,000.50 (was $2k)', []],
    ['the price $5 (or 4$) ok', []],
    ['I paid $5 and $x$ is unknown', ['$x$']],
    ['Let $x_1$ and $y_2$ be, so $a*b*c$.', ['$x_1$', '$y_2$', '$a*b*c$']],
    ['\\(a_1 *b* c_2\\) and \\[x=\\frac{1}{2}\\] end', ['\\(a_1 *b* c_2\\)', '\\[x=\\frac{1}{2}\\]']],
    ['\\[\na\n+ b\n= c\n\\]\nafter', ['\\[\na\n+ b\n= c\n\\]']],
    ['\\[\na\n\n- b\n\\]\nafter', ['\\[\na\n\n- b\n\\]']],
    ['> $$\n> a\n>\n> b\n> $$', ['$$\na\n\nb\n$$']],
    ['- item\n  \\[\n  a\n\n  + b\n  \\]\n- next', ['\\[\na\n\n+ b\n\\]']],
    ['$$\nx\n+ y\n$$', ['$$\nx\n+ y\n$$']],
    ['inline $$x^2$$ here', ['$$x^2$$']],
    ['code `\\(x\\)` and `$a$`', []],
    ['```\n\\[\nx\n\\]\n$a$\n```', []],
    ['open \\(x + y', []],
    ['open $x + y', []],
    ['escaped \\$5 and \\$6', []],
    ['US$5 and $x$', ['$x$']],
    ['set $PATH and $HOME now', []],
    ['cp $HOME/$USER ${A}/${B} $(pwd)/$(date)', []],
    ['`a` $\\{1,2\\}$ b', ['$\\{1,2\\}$']],
    ['$\\$5$ z', ['$\\$5$']],
    ['\\\\(not math\\\\)', []],
    ['| a | b |\n|-|-|\n| $x\\|y$ | \\(z\\) |', ['$x|y$', '\\(z\\)']],
    ['中文$E=mc^2$中文，价格是$5。', ['$E=mc^2$']],
    ['原价$5元，现价$4元', []],
    ['the $n$th and the $k$NN', ['$n$', '$k$']],
    ['Restaurants from $$ to $$$', []],
    ['$$$', []],
    ['a note \\[sic\\] and a box \\[ \\]', []],
    ['$$\n\n- a list\n- of two', []],
    ['$x$, $y$ and *$z$*', ['$x$', '$y$', '$z$']],
    ['# The $x$ of it', ['$x$']],
    ['[a $x$ link](https://example.org)', ['$x$']],
    ['\\(a\nb\\)', ['\\(a\nb\\)']],
    ['מחיר $5, נוסחה $x^2$', ['$x^2$']],
  ])('%j holds %j', (text, formulas) => {
    expect(formulasIn(readMarkdown(text))).toEqual(formulas)
  })

  it('text after a formula on its last line follows it', () => {
    const [raw] = formulasIn(readMarkdown('\\[\nx\n\\] where \\(x\\) is 5\n\nmore'))
    expect(formulaOf(raw ?? '')).toEqual({ tex: 'x', display: true, rest: 'where \\(x\\) is 5' })
  })

  it('unclosed dollars do not change lists', () => {
    const root = readMarkdown('$$\n\n- a list\n- of two')
    expect(root?.children.at(-1)?.type).toBe('list')
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
