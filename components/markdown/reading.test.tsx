// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CodeCache } from './code/code-cache'
import { MarkdownTree } from './mdast-blocks'
import { readMarkdown } from './read-markdown'

afterEach(cleanup)

const draw = (...texts: readonly string[]) =>
  render(
    texts.map((text) => {
      const root = readMarkdown(text)
      if (!root) throw new Error('not read')
      return <MarkdownTree key={text} root={root} open={false} />
    }),
  )

describe('footnotes', () => {
  const text = 'One[^b], two[^a], one again[^b].\n\n[^a]: The second *note*.\n[^b]: The first.'

  it('are numbered in reference order, and are below the text with links back', () => {
    draw(text)
    const notes = within(screen.getByRole('group', { name: 'Footnotes' })).getAllByRole('listitem')
    expect(notes.map((note) => note.textContent)).toEqual(['The first. ↩ ↩', 'The second note. ↩'])
    expect(screen.getAllByRole('doc-noteref').map((link) => link.textContent)).toEqual(['1', '2', '1'])
  })

  it('link within their own message', () => {
    draw(text, `${text} `)
    const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const links = screen.getAllByRole('doc-noteref')
    Element.prototype.scrollIntoView = vi.fn<() => void>()
    const [first] = links
    const fourth = links[3]
    if (!first || !fourth) throw new Error('there are no links')
    fireEvent.click(fourth)
    expect(document.activeElement).toBe(screen.getAllByRole('listitem').filter(({ id }) => id.endsWith('note-1'))[1])
    expect(first.getAttribute('href')).not.toBe(fourth.getAttribute('href'))
  })

  it('without a reference stay in place', () => {
    draw('Words.\n\n[^x]: Alone.')
    expect(document.body.textContent).toContain('[x] Alone.')
    expect(screen.queryByRole('group', { name: 'Footnotes' })).toBeNull()
  })
})

describe('task lists', () => {
  it('show what is done, and can’t be changed', () => {
    draw('- [x] a\n- [ ] b')
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
    expect(boxes.map((box) => [box.ariaLabel, box.checked, box.disabled])).toEqual([
      ['Done', true, true],
      ['Not done', false, true],
    ])
  })
})

describe('a table', () => {
  it('shows its size, and can be focused to scroll it', () => {
    draw('| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |')
    const box = screen.getByRole('group', { name: 'Table, 2 rows, 2 columns' })
    expect(box.tabIndex).toBe(0)
    expect(within(box).getAllByRole('columnheader')).toHaveLength(2)
  })

  it.each([
    ['2026-11-24', true],
    ['2026-11-24 14:05', true],
    ['2026年11月24日', true],
    ['1 204,50 EUR', true],
    ['`order-2026-17`', true],
    ['**12-4711**', true],
    ['https://a.example/b', true],
    ['−3 °C', true],
    ['due on 2026-11-24', false],
    ['3 of the 12 orders', false],
    ['二〇二六年的订单', false],
    ['订单2026-11', false],
    ['a-very-long-name-that-no-phone-has-room-for', false],
  ])('keeps a date, a number or an identifier whole: %s', (cell, isWhole) => {
    draw(`| a |\n|---|\n| ${cell} |`)
    expect(screen.getByRole('cell').hasAttribute('data-whole')).toBe(isWhole)
    cleanup()
  })
})

describe('a code block', () => {
  const text = '```py title="a/b.py"\nx = 1\n```'

  it('wraps its lines on a click, and remembers it', () => {
    draw(text)
    const wrap = screen.getByRole('button', { name: 'Wrap long lines' })
    expect(wrap.getAttribute('aria-pressed')).toBe('false')
    fireEvent.click(wrap)
    cleanup()
    draw(text)
    expect(screen.getByRole('button', { name: 'Wrap long lines' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('can be saved where supported, under the name that its author gave it', () => {
    draw(text)
    expect(screen.queryByRole('button', { name: 'Save to workspace' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Download as a/b.py' })).toBeDefined()
    cleanup()
    const root = readMarkdown(text)
    render(
      <CodeCache value={({ name, text: code }) => <p>{`${name}: ${code}`}</p>}>
        {root ? <MarkdownTree root={root} open={false} /> : null}
      </CodeCache>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Save to workspace' }))
    expect(screen.getByText('a/b.py: x = 1')).toBeDefined()
  })

  it('that still grows is not offered as a file or diagram', () => {
    const root = readMarkdown('```mermaid\nflowchart LR')
    render(root && <MarkdownTree root={root} open />)
    expect(screen.queryByRole('button', { name: /download/i })).toBeNull()
    expect(screen.getByLabelText('Code, mermaid')).toBeDefined()
  })

  it('can be collapsed again', () => {
    draw(`\`\`\`\n${Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n')}\n\`\`\``)
    fireEvent.click(screen.getByRole('button', { name: 'Show all 60 lines' }))
    fireEvent.click(screen.getByRole('button', { name: 'Show fewer lines' }))
    expect(document.body.textContent).not.toContain('line 59')
  })
})

describe('text that is not a formula', () => {
  it.each([
    [String.raw`a \[sic\] b`, 'a [sic] b'],
    [String.raw`a \(see below\) b`, 'a (see below) b'],
    ['from $5 to $10', 'from $5 to $10'],
    ['<b>x</b>', '<b>x</b>'],
  ])('%j is read as %j', (text, shown) => {
    draw(text)
    expect(document.body.textContent).toBe(shown)
  })
})
