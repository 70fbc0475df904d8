// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { englishIn, speakChinese } from '@/components/ui/testing/in-chinese'
import { MarkdownTree } from './mdast-blocks'
import { readMarkdown } from './read-markdown'

vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)

const text = [
  '- [x] 一',
  '![图](https://example.com/a.png)',
  '```h title="a.h"\n<p>b</p>\n```',
  `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(240)}`,
  '二[^1]\n\n[^1]: 三',
].join('\n\n')

it('updates the texts around a reply when the language changes', () => {
  const root = readMarkdown(text)
  const { container } = render(root && <MarkdownTree root={root} open={false} />)
  screen.getByRole('button', { name: 'Show 100 more of 241 rows' })
  screen.getByText(/^image: 图/)
  let goBack = () => {}
  act(() => {
    goBack = speakChinese()
  })
  fireEvent.click(screen.getByRole('button', { name: '再显示 100 行，共 241 行' }))
  screen.getByRole('button', { name: '再显示 41 行，共 241 行' })
  screen.getByText(/^图片：图/)
  expect(englishIn(container)).toEqual([])
  act(goBack)
  screen.getByRole('button', { name: 'Show 41 more of 241 rows' })
})
