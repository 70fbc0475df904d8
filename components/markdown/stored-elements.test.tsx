// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { boundedCost } from './reader'
import { Markdown } from './markdown'
import { MarkdownTree } from './mdast-blocks'
import { readMarkdown } from './read-markdown'

// Loads the chunks itself, because a busy machine takes long to compile them: a formula that is drawn during a test
// takes the place of its source.
beforeAll(() => Promise.all([import('./markdown-blocks'), import('./math/drawn-formula')]))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Parses with a delay, like the worker. */
class SlowWorker {
  onmessage: ((event: { data: ReturnType<typeof readMarkdown> }) => void) | null = null
  postMessage(text: string) {
    setTimeout(() => this.onmessage?.({ data: readMarkdown(text) }))
  }
  terminate() {}
}

/** An opened code block stays open, so each text has different code. */
const codeOf = (name: string) =>
  `\`\`\`js\n${Array.from({ length: 60 }, (_, line) => `const ${name}${line} = 1`).join('\n')}\n\`\`\``
const table = '| a | b |\n|---|---|\n| 1 | 2 |'
const formula = '$$\nx^2\n$$'
const references = 'See [the page][p] and the note[^n].\n\n[p]: https://example.org/p\n\n[^n]: A note.'
const short = (name: string) => [table, codeOf(name), formula, '- one\n- two', references].join('\n\n')
/** Its blocks are parsed immediately, but the whole text is not. */
const long = `${'Some words of no weight. '.repeat(40)}\n\n`.repeat(Math.ceil(boundedCost / 3_000)) + short('long')

/** All elements except footnotes, which move below the text. */
const elements = (prose: Element) =>
  [...prose.querySelectorAll('*')].filter((element) => !element.textContent.includes('A note.'))

async function written(text: string) {
  const { container, rerender } = render(<Markdown text={text} streaming />)
  const prose = container.querySelector('.prose')
  if (!prose) throw new Error('nothing was rendered')
  /** All blocks have been parsed; a busy page may use a worker for some. */
  const isRead = () => waitFor(() => expect(prose.querySelector('[data-plain]')).toBeNull())
  await isRead()
  const end = async () => {
    rerender(<Markdown text={text} streaming={false} />)
    await screen.findByRole('link', { name: 'the page' })
  }
  return { prose, end, rerender, isRead }
}

describe('the reader’s changes to a reply stay when the reply has ended', () => {
  it.each([
    ['read at once', short('short')],
    ['read in a worker', long],
  ])('with its references %s', async (_, text) => {
    vi.stubGlobal('Worker', SlowWorker)
    const { prose, end } = await written(text)
    expect(screen.queryByRole('link', { name: 'the page' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /Show all 60 lines/ }))
    const box = screen.getByRole('group', { name: /^Table/ })
    box.scrollTop = 7
    box.focus()
    const before = elements(prose)
    expect(before.length).toBeGreaterThan(6)

    await end()
    expect(before.filter((element) => !prose.contains(element))).toEqual([])
    expect([box.scrollTop, document.activeElement === box]).toEqual([7, true])
    expect(prose.textContent).toMatch(/(?:short|long)59/)
    expect(screen.getByRole('group', { name: 'Footnotes' }).textContent).toContain('A note.')
  })

  it('in all blocks that stand alone otherwise, with the whole text parsed', async () => {
    // Its two halves are parsed differently alone than together.
    const split = '<pre>\n\n*stars*\n</pre>'
    const text = [table, split, codeOf('split'), references].join('\n\n')
    const { prose, end } = await written(text)
    expect(prose.querySelector('em')).not.toBeNull()
    const kept = [...prose.querySelectorAll('table, pre')]
    await end()
    expect(kept.filter((element) => !prose.contains(element))).toEqual([])
    expect(prose.querySelector('em')).toBeNull()
    const shown = prose.textContent
    cleanup()
    const root = readMarkdown(text)
    const { container } = render(root && <MarkdownTree root={root} open={false} />)
    expect(shown).toBe(container.textContent)
  })

  it('as each block does when another one follows', async () => {
    const { prose, rerender, isRead } = await written(`${table}\n\nlast`)
    for (const more of [`${table}\n\nlast one\n\n`, `${table}\n\nlast one\n\nnext`]) {
      const before = elements(prose)
      rerender(<Markdown text={more} streaming />)
      expect(before.filter((element) => !prose.contains(element))).toEqual([])
      await isRead()
    }
    const before = elements(prose)
    rerender(<Markdown text={`${table}\n\nlast one\n\nnext`} streaming={false} />)
    expect(before.filter((element) => !prose.contains(element))).toEqual([])
  })
})
