import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMarkdown, type MarkdownNode, type MarkdownRoot } from './read-markdown'

/** `strong(…)`, `em(…)`, `del(…)`, `link<…>(…)`: the tree on one line. */
const written = (node: MarkdownNode | MarkdownRoot): string => {
  const inside = 'children' in node ? node.children.map(written).join('') : 'value' in node ? node.value : ''
  const names: Readonly<Record<string, string>> = { strong: 'strong', emphasis: 'em', delete: 'del' }
  if (node.type === 'link') return `link<${node.url}>(${inside})`
  return names[node.type] ? `${names[node.type]}(${inside})` : inside
}
const read = (text: string): string => {
  const root = readMarkdown(text)
  if (!root) throw new Error('not read')
  return written(root)
}

const signs = Array.from('，。、；：？！…—·～“”‘’（）《》〈〉「」『』【】〔〕〖〗％＄￥＋－＝／｜＠＃＆＊．')
const letters = Array.from('年中あカ한々ー龥𠀋')
const marks = [
  ['**', 'strong'],
  ['*', 'em'],
  ['~~', 'del'],
] as const

describe('marks beside Chinese, Japanese and Korean characters', () => {
  it.each(marks)('%s emphasises with a full-width sign inside, on either side', (mark, name) => {
    for (const sign of signs) {
      for (const letter of letters) {
        expect(read(`前${mark}${letter}${sign}${mark}${letter}后`)).toBe(`前${name}(${letter}${sign})${letter}后`)
        expect(read(`${letter}${mark}${sign}${letter}${mark}后`)).toBe(`${letter}${name}(${sign}${letter})后`)
      }
    }
  })

  it.each([
    ['**历经10年发展，**年轻人', 'strong(历经10年发展，)年轻人'],
    ['这是**“引号”**的例子，以及**100%**的增长。', '这是strong(“引号”)的例子，以及strong(100%)的增长。'],
    ['**（注意）***强调：*后', 'strong(（注意）)em(强调：)后'],
    ['**外「*内。*」层。**后', 'strong(外「em(内。)」层。)后'],
    ['~~删**除，**~~后', 'del(删strong(除，))后'],
    ['彼は**「はい。」**と言った', '彼はstrong(「はい。」)と言った'],
    ['이것은 **강조(설명)**입니다', '이것은 strong(강조(설명))입니다'],
    ['**`code`**的', 'strong(code)的'],
    ['| a |\n|---|\n| 值**“甲”**乙 |', 'a值strong(“甲”)乙'],
  ])('%j', (text, shown) => expect(read(text)).toBe(shown))

  it('parses text without such characters as before', () => {
    for (const text of ['a**"b"**c', 'snake_case_name __init__', '2*3*4', '~one~', 'a**b**c', '** a **']) {
      expect(read(text)).toBe(
        { 'a**b**c': 'astrong(b)c', '2*3*4': '2em(3)4', '** a **': '** a **' }[text] ?? read(text),
      )
    }
    expect(read('a**"b"**c')).toBe('a**"b"**c')
    expect(read('snake_case_name __init__')).toBe('snake_case_name strong(init)')
    expect(read('H~2~O')).toBe('H~2~O')
  })
})

describe('a bare address', () => {
  it('ends at any full-width sign, and can start after one', () => {
    for (const sign of signs) {
      const address = 'https://example.org/a?b=1#c'
      expect(read(`见${address}${sign}后面文字`)).toBe(`见link<${address}>(${address})${sign}后面文字`)
      expect(read(`见${sign}www.example.org/a${sign}后`)).toBe(
        `见${sign}link<http://www.example.org/a>(www.example.org/a)${sign}后`,
      )
    }
  })

  it.each([
    ['见https://example.org了解', '见link<https://example.org>(https://example.org)了解'],
    ['请看https://example.org/docs了解更多', '请看link<https://example.org/docs>(https://example.org/docs)了解更多'],
    ['https://example.org/docs를 참고', 'link<https://example.org/docs>(https://example.org/docs)를 참고'],
    ['https://example.org/docsをご覧', 'link<https://example.org/docs>(https://example.org/docs)をご覧'],
    ['见www.example.org/a的', '见link<http://www.example.org/a>(www.example.org/a)的'],
    ['见https://example.org/a，**重要。**后', '见link<https://example.org/a>(https://example.org/a)，strong(重要。)后'],
    ['**见https://example.org/a。**后', 'strong(见link<https://example.org/a>(https://example.org/a)。)后'],
    ['[见 https://example.org/a。后', '[见 link<https://example.org/a>(https://example.org/a)。后'],
    [
      'https://a.example，https://b.example。',
      'link<https://a.example>(https://a.example)，link<https://b.example>(https://b.example)。',
    ],
  ])('%j', (text, shown) => expect(read(text)).toBe(shown))

  it.each([
    'https://zh.example.org/wiki/%E4%B8%AD%E5%9B%BD',
    'https://zh.example.org/wiki/中国',
    'https://example.org/?q=中文&x=1',
    'https://例子.中国/路径/a#节',
    'https://example.org/a_(b)?x=1&y=2',
    'https://example.org/café/naïve',
  ])('%s is kept whole', (address) => {
    expect(read(`见 ${address} 后`)).toBe(`见 link<${address}>(${address}) 后`)
    expect(read(`见 ${address}。后`)).toBe(`见 link<${address}>(${address})。后`)
  })

  it('is unchanged if written as a link', () => {
    expect(read('[字](https://example.org/路径。后)')).toBe('link<https://example.org/路径。后>(字)')
    expect(read('<https://example.org/路径。后>')).toContain('link<https://example.org/路径。后>')
  })

  it('loses no character at any position', () => {
    const piece = fc.constantFrom(
      'https://',
      'www.',
      'a.b',
      '/',
      '中',
      '。',
      ' ',
      '\n\n',
      '**',
      '[',
      '(',
      ')',
      '@',
      '\t',
      '- ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('')
        const bare = (value: string) => value.replaceAll(/(?:link<[^>]*>|strong|em|del)|[\s()*@[-]/g, '')
        expect(bare(read(text))).toBe(bare(text))
      }),
      { numRuns: 500 },
    )
  })
})
