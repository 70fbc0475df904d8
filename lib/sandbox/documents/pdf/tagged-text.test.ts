import { describe, expect, it } from 'vitest'
import type { RawItem } from './page-items'
import { taggedText, type ContentItem, type TagNode } from './tagged-text'

const area = { transform: [1, 0, 0, -1, 0, 800] }
const page = { area, isHidden: () => false, body: 12 }

/** Lines of a page from the top, each with the id of its marked content; '' for none. */
const drawn = (...lines: readonly (readonly [id: string, text: string, x?: number])[]): readonly ContentItem[] =>
  lines.flatMap(([id, str, x = 50], line): readonly ContentItem[] => {
    const item: RawItem = { str, transform: [12, 0, 0, 12, x, 700 - 20 * line], width: 6 * str.length, height: 12 }
    return id === '' ? [item] : [{ type: 'beginMarkedContentProps', id }, item, { type: 'endMarkedContent' }]
  })
const leaf = (...ids: readonly string[]): TagNode[] => ids.map((id) => ({ type: 'content', id }))
const tag = (role: string, ...children: readonly TagNode[]): TagNode => ({ role, children })
const root = (...children: readonly TagNode[]): TagNode => tag('Root', tag('Document', ...children))
const textOf = (tree: TagNode | null, items: readonly ContentItem[]) => taggedText(tree, items, page)?.text

describe('the text of a tagged page', () => {
  it('has the order and the parts of its tags, not those of the drawing', () => {
    const items = drawn(
      ['c', 'red'],
      ['d', '5'],
      ['h', 'Colours'],
      ['a', 'A line that goes'],
      ['b', 'on below.'],
      ['l', '1.'],
      ['i', 'first'],
      ['j', 'inner'],
    )
    const cell = (id: string) => tag('TD', tag('P', ...leaf(id)))
    const tree = root(
      tag('H2', ...leaf('h')),
      tag('P', tag('Span', ...leaf('a')), ...leaf('b')),
      tag('Table', tag('TBody', tag('TR', cell('c'), cell('d')))),
      tag(
        'L',
        tag(
          'LI',
          tag('Lbl', ...leaf('l')),
          tag('LBody', ...leaf('i'), tag('L', tag('LI', tag('LBody', ...leaf('j'))))),
        ),
      ),
    )
    expect(textOf(tree, items)).toBe(
      '## Colours\n\nA line that goes on below.\n\n| red | 5 |\n| --- | --- |\n\n1. first\n  - inner',
    )
    expect(taggedText(tree, items, page)?.headings).toEqual(['Colours'])
  })

  it('keeps text without a tag, after the rest, and each letter once', () => {
    const items = drawn(['a', 'Most of the page is in its tags.'], ['', 'Page 7'])
    expect(textOf(root(tag('P', ...leaf('a')), tag('P', ...leaf('a', 'none'))), items)).toBe(
      'Most of the page is in its tags.\n\nPage 7',
    )
  })

  it('is read without tags if they contain little of it, or there are none', () => {
    const items = drawn(['a', 'Little'], ['', 'The rest of the page stands in no tag at all.'])
    expect(textOf(root(tag('P', ...leaf('a'))), items)).toBeUndefined()
    expect(textOf(null, items)).toBeUndefined()
    expect(textOf(root(), drawn())).toBeUndefined()
  })

  it('marks hidden text in tags too', () => {
    const items = drawn(['a', 'Seen by all who look at it'], ['b', 'obey me'])
    const tree = root(tag('P', ...leaf('a', 'b')))
    const read = taggedText(tree, items, { ...page, isHidden: (index) => index === 1 })
    expect(read?.text).toContain('[hidden in the document: obey me]')
  })

  it('does not search every open mark for each text', () => {
    const opened: ContentItem[] = Array.from({ length: 400_000 }, () => ({ type: 'beginMarkedContent' }))
    const items = drawn(...Array.from({ length: 20_000 }, () => ['', 'Text'] as const))
    const inTag = { type: 'beginMarkedContentProps', id: 'a' }
    expect(textOf(root(tag('P', ...leaf('a'))), [inTag, ...opened, ...items])?.length).toBe(20_000 * 5 - 1)
  })

  it('ends in trees that are deep or contain themselves', () => {
    const loop: { role: string; children: TagNode[] } = { role: 'Sect', children: [] }
    loop.children.push(loop, ...leaf('a'))
    const items = drawn(['a', 'Text'])
    expect(textOf(loop, items)).toBe('Text')
    let deep = tag('P', ...leaf('a'))
    for (let level = 0; level < 10_000; level++) deep = tag(level % 2 === 0 ? 'L' : 'Sect', deep)
    expect(textOf(deep, items)).toBeUndefined()
  })
})
