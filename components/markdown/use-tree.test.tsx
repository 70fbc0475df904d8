// @vitest-environment jsdom
import { act, cleanup, render, renderHook } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import type { MarkdownRoot } from './read-markdown'
import { type MarkdownReader, useTree } from './reader'

afterEach(cleanup)

const treeOf = (value: string): MarkdownRoot => ({ type: 'root', children: [{ type: 'html', value }] })

/** Parses nothing immediately; the test answers requests. */
function slowReader() {
  const asked: { readonly text: string; readonly onRead: (root: MarkdownRoot | null) => void }[] = []
  const reader: MarkdownReader = {
    read: () => 'later',
    readAlike: () => 'later',
    ask(text, onRead) {
      const job = { text, onRead }
      asked.push(job)
      return () => void asked.splice(asked.indexOf(job), 1)
    },
  }
  const answer = () => {
    const job = asked.shift()
    act(() => job?.onRead(treeOf(job.text)))
  }
  return { reader, asked, answer }
}

it('a text that grows faster than it is parsed shows the latest parse', () => {
  const { reader, asked, answer } = slowReader()
  const { result, rerender } = renderHook(({ text }) => useTree(text, reader), { initialProps: { text: 'a' } })
  expect(result.current).toEqual({ root: null, pending: true })
  rerender({ text: 'ab' })
  rerender({ text: 'abc' })
  expect(asked.map(({ text }) => text)).toEqual(['a'])
  answer()
  expect(result.current).toEqual({ root: treeOf('a'), pending: true })
  expect(asked.map(({ text }) => text)).toEqual(['abc'])
  answer()
  expect(result.current).toEqual({ root: treeOf('abc'), pending: false })
})

it('another text never shows the previous tree', () => {
  const { reader, answer } = slowReader()
  const { result, rerender } = renderHook(({ text }) => useTree(text, reader), { initialProps: { text: 'first' } })
  answer()
  rerender({ text: 'second' })
  expect(result.current).toEqual({ root: null, pending: true })
})

it('nothing is parsed for an unmounted component', () => {
  const { reader, asked } = slowReader()
  const { unmount } = renderHook(() => useTree('a', reader))
  expect(asked).toHaveLength(1)
  unmount()
  expect(asked).toHaveLength(0)
})

it('hydration parses server-rendered text once, and keeps its tree', () => {
  const read = vi.fn<(text: string) => MarkdownRoot>(treeOf)
  const reader: MarkdownReader = { read, readAlike: read, ask: () => () => {} }
  const roots = new Set<MarkdownRoot | null>()
  function Probe() {
    roots.add(useTree('```\na\n```', reader).root)
    return <p />
  }
  const container = document.createElement('div')
  container.innerHTML = renderToString(<Probe />)
  roots.clear()
  read.mockClear()
  render(<Probe />, { container, hydrate: true })
  expect(read).toHaveBeenCalledTimes(1)
  expect(roots.size).toBe(1)
})
