// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Markdown } from './markdown'
import { MarkdownTree } from './mdast-blocks'
import { readMarkdown } from './read-markdown'
import { safeUrl } from './link-host'

// Loads the chunk itself, because a busy machine takes long to compile it.
beforeAll(() => import('./markdown-blocks'))
afterEach(cleanup)

async function shown(text: string, streaming = false): Promise<HTMLElement> {
  const { container } = render(<Markdown text={text} streaming={streaming} />)
  const prose = container.querySelector<HTMLElement>('.prose')
  if (!prose) throw new Error('nothing was rendered')
  await screen.findAllByText((_, element) => element === prose && !prose.querySelector('[data-plain]'))
  return prose
}

describe('Markdown', () => {
  it('renders headings below the page’s own, lists, tables and emphasis', async () => {
    const prose = await shown('# Title\n\nSome **strong** text.\n\n- a\n- b\n\n| x | y |\n|---|--:|\n| 1 | 2 |')
    expect(within(prose).getByRole('heading', { level: 3, name: 'Title' })).toBeDefined()
    expect(within(prose).getAllByRole('listitem')).toHaveLength(2)
    expect(within(prose).getByRole('cell', { name: '2' }).getAttribute('data-align')).toBe('right')
    expect(prose.querySelector('strong')?.textContent).toBe('strong')
  })

  it('adds nothing around a paragraph’s text', async () => {
    const { container, findByText } = render(<Markdown text="Hello **you** there" streaming={false} />)
    await findByText('you')
    expect(container.querySelector('p')?.innerHTML).toBe('Hello <strong>you</strong> there')
  })

  it('shows HTML as text', async () => {
    const prose = await shown('<img src=x onerror="alert(1)">\n\n<script>alert(1)</script>\n\ninline <b>bold</b>')
    expect(prose.querySelector('img, script, b')).toBeNull()
    expect(prose.textContent).toContain('<script>alert(1)</script>')
  })

  it('loads no image and follows no address that is not allowed', async () => {
    const prose = await shown(
      '![chart](https://example.org/a.png) [run](javascript:alert(1)) [data](data:text/html,x) [in](/api/x)',
    )
    expect(prose.querySelector('img')).toBeNull()
    const links = within(prose).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://example.org/a.png'])
    expect(links[0]?.getAttribute('rel')).toContain('noreferrer')
    expect(prose.textContent).toContain('run')
  })

  it('resolves references once the text is complete', async () => {
    const prose = await shown('see [the page][p]\n\n[p]: https://example.org/p')
    expect(within(prose).getByRole('link', { name: 'the page' }).getAttribute('href')).toBe('https://example.org/p')
  })

  it.each([
    ['characters that do not show', 'a\u200b'.repeat(600)],
    ['emoji', '🙂'.repeat(1_000)],
    ['letters with marks', 'a\u0301'.repeat(900)],
  ])('renders many blocks of %s a few per frame, and finally all', async (_, block) => {
    const frames: FrameRequestCallback[] = []
    const spy = vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame))
    const { container } = render(<Markdown text={`${block}\n\n`.repeat(20)} streaming={false} />)
    const drawn = () => container.querySelectorAll('.prose > p').length
    await waitFor(() => expect(drawn()).toBeGreaterThan(0))
    const counts = [drawn()]
    while (drawn() < 20) {
      const before = frames.splice(0)
      expect(before).not.toEqual([])
      act(() => before.forEach((frame) => frame(0)))
      counts.push(drawn())
    }
    spy.mockRestore()
    expect(counts.length).toBeGreaterThan(3)
    expect(Math.max(...counts.map((count, at) => count - (counts[at - 1] ?? 0)))).toBeLessThan(8)
  })

  it('renders ordinary blocks all at once', async () => {
    const spy = vi.spyOn(globalThis, 'requestAnimationFrame')
    const { container } = render(<Markdown text={'Some words, 中文字, naïve.\n\n'.repeat(300)} streaming={false} />)
    await waitFor(() => expect(container.querySelectorAll('.prose > p')).toHaveLength(300))
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  })

  it('keeps the elements of finished blocks while the last one grows', async () => {
    const { container, rerender } = render(<Markdown text={'first\n\nsec'} streaming />)
    await screen.findByText('sec')
    const first = container.querySelector('p')
    rerender(<Markdown text={'first\n\nsecond\n\nthird'} streaming />)
    await screen.findByText('third')
    expect(container.querySelector('p')).toBe(first)
  })
})

describe('long content', () => {
  it('shows the first rows of a table, and more with a click', () => {
    const root = readMarkdown(`| n |\n|---|\n${Array.from({ length: 240 }, (_, row) => `| ${row} |\n`).join('')}`)
    render(root && <MarkdownTree root={root} open={false} />)
    expect(screen.getAllByRole('row')).toHaveLength(100)
    fireEvent.click(screen.getByRole('button', { name: 'Show 100 more of 241 rows' }))
    fireEvent.click(screen.getByRole('button', { name: 'Show 41 more of 241 rows' }))
    expect(screen.getAllByRole('row')).toHaveLength(241)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('collapses a code block, shows its length, and keeps it open when its reply ends', async () => {
    const code = `\`\`\`js\n${Array.from({ length: 300 }, (_, line) => `const line${line} = 1`).join('\n')}`
    const prose = await shown(code, true)
    expect(prose.textContent).toContain('line29')
    expect(prose.textContent).not.toContain('line30 ')
    fireEvent.click(within(prose).getByRole('button', { name: 'Show all 300 lines so far' }))
    expect(prose.textContent).toContain('line299')
    cleanup()
    const ended = await shown(`${code}\n\`\`\``)
    expect(ended.textContent).toContain('line299')
  })

  it('shows a few lines over the limit without collapsing', async () => {
    const prose = await shown(`\`\`\`\n${'line\n'.repeat(35)}\`\`\``)
    expect(within(prose).queryByRole('button', { name: /show/i })).toBeNull()
  })

  it('shows unparsed text as written, and says so', async () => {
    render(<Markdown text={`${'> '.repeat(3_000)}the end`} streaming={false} />)
    expect(await screen.findByText(/Shown as plain text/)).toBeDefined()
    expect(screen.getByText(/the end/)).toBeDefined()
  })
})

describe('the text direction', () => {
  it('is each block’s own; lists and tables have one direction, and code is left-to-right', async () => {
    const prose = await shown('שלום עולם.\n\nHello.\n\n- אחת\n- two\n\n| א | b |\n|---|---|\n| 1 | 2 |\n\nvar `x`')
    for (const element of prose.querySelectorAll('.prose > p, .prose > ul, table')) {
      expect(element.getAttribute('dir')).toBe('auto')
    }
    // An element with its own direction does not affect its parent's.
    expect(prose.querySelector('li[dir], td[dir], th[dir]')).toBeNull()
    expect(prose.querySelector('code')?.getAttribute('dir')).toBe('ltr')
  })
})

describe('safeUrl', () => {
  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/api/chat',
    'vbscript:x',
    'https://',
    '',
  ])('refuses %j', (url) => expect(safeUrl(url)).toBeNull())
  it.each(['https://example.org/a?b#c', 'http://localhost:3000', 'mailto:a@b.example', '#part'])('accepts %j', (url) =>
    expect(safeUrl(url)).toBe(url),
  )
})
