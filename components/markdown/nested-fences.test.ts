import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countWork } from '@/lib/base/testing/count-work'
import { createBlockReader, splitBlocks } from './blocks'
import { mendFences, nestedFences } from './nested-fences'
import { readMarkdown } from './read-markdown'

const codes = (text: string): readonly string[] =>
  (readMarkdown(text)?.children ?? []).map((node) => (node.type === 'code' ? `${node.lang}: ${node.value}` : node.type))

describe('a Markdown document in a fence of three that contains fences of three', () => {
  it.each(['markdown', 'md', 'Markdown', 'mdx', 'markdown title="README.md"'])('%s is one block', (info) => {
    const inner = '# Title\n\n```js\na()\n```\n\nmore\n\n~~~py\nx\n~~~\n\n```sh\nb\n```\nend'
    const text = `before\n\n\`\`\`${info}\n${inner}\n\`\`\`\n\nafter`
    expect(codes(text)).toEqual(['paragraph', `${info.split(' ')[0]}: ${inner}`, 'paragraph'])
    expect(splitBlocks(text)).toHaveLength(3)
  })

  it.each([
    ['tildes', '~~~md\n~~~js\na\n~~~\n~~~', ['md: ~~~js\na\n~~~']],
    ['at the end of the text', '```md\n```js\na\n```\n```', ['md: ```js\na\n```']],
    ['with an indent', '  ```md\n  ```js\n  a\n  ```\n  ```\n', ['md: ```js\na\n```']],
    [
      'with a fence without a language in it',
      '```md\n```js\na\n```\nRun:\n```\nb\n```\n```\n',
      ['md: ```js\na\n```\nRun:\n```\nb\n```'],
    ],
    ['twice', '```md\n```js\na\n```\n```\n\n```md\n```js\nb\n```\n```\n', ['md: ```js\na\n```', 'md: ```js\nb\n```']],
    ['in CRLF', '```md\r\n```js\r\na\r\n```\r\n```\r\n\r\nx', ['md: ```js\na\n```', 'paragraph']],
    [
      'and references after it',
      '```md\n```js\na\n```\n```\n\n[x][y]\n\n[y]: https://a.example',
      ['md: ```js\na\n```', 'paragraph', 'definition'],
    ],
  ])('is one block: %s', (_, text, read) => {
    expect(codes(text).map((code) => code.replaceAll('\r', ''))).toEqual(read)
  })

  it.each([
    ['an outer fence of another language', '```js\n```py\na\n```\n```\n'],
    ['an inner fence without a language first', '```md\n```\na\n```\n```\n\nb\n'],
    ['no end', '```md\na\n```js\nb\n```\n\nEND\n\n```py\nc\n```\n\nbye'],
    ['a block without a language after it', '```md\na\n```js\nb\n```\n\nEND\n\n```\nplain\n```\n'],
    ['a language within the inner fence', '```md\n```js\n```py\na\n```\n```\n```\n'],
    ['an outer fence of four', '````md\n```js\na\n```\n````\n'],
    ['in another fence', '~~~~\n```md\n```js\na\n```\n```\n~~~~\n'],
    ['no fence in it', '```md\na\n```\n\nb\n'],
  ])('is parsed by the CommonMark rule: %s', (_, text) => {
    expect(mendFences(text).text).toBe(text)
  })

  it('is one block while it grows, however it ends', () => {
    const text = '```md\n# T\n\n```js\na\n```\n\nmore\n\nand more'
    expect(splitBlocks(text)).toEqual([text])
    expect(readMarkdown(mendFences(text, true).text)?.children).toHaveLength(1)
  })

  it('gives positions in the original text', () => {
    const text = '[x]: https://a.example\n\n```md\n```js\na\n```\n```\n\nafter'
    const root = readMarkdown(text)
    const last = root?.children.at(-1)
    expect(text.slice(last?.position?.start.offset)).toBe('after')
  })
})

const piece = fc.constantFrom(
  '```md\n',
  '```js\n',
  '```\n',
  '````\n',
  'a\n',
  '\n',
  '- x\n',
  '  ```md\n',
  '~~~md\n',
  '~~~\n',
)

describe('any text', () => {
  it('loses nothing, and ends with the same blocks however it grew', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), fc.array(fc.integer({ min: 1, max: 9 })), (pieces, sizes) => {
        const text = pieces.join('')
        expect(splitBlocks(text).join('')).toBe(text)
        const reader = createBlockReader()
        let at = 0
        for (const size of sizes) reader.read(text.slice(0, (at = Math.min(text.length, at + size))))
        const { finished, open } = reader.read(text)
        expect([...finished, ...open]).toEqual(splitBlocks(text))
      }),
      { numRuns: 500 },
    )
  })

  it.each(['```md\n```js\na\n```\n', '```md\n', '```md\n```js\n', '```md\n```js\n```\n\n```\n\n'])(
    'does work linear in the length: %j',
    (part) => {
      const work = (times: number) => countWork(() => nestedFences(part.repeat(times)))
      expect(work(10_000) / work(1_000)).toBeLessThan(12)
    },
  )
})
