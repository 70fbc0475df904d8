// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { MarkdownRoot } from './read-markdown'
import type { MarkdownReader } from './reader'
import { useTree } from './use-tree'

afterEach(cleanup)

const treeOf = (value: string): MarkdownRoot => ({ type: 'root', children: [{ type: 'html', value }] })

/** Reads nothing at once; what was asked is answered by hand. */
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

it('a text that grows faster than it is read shows how far it was read', () => {
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

it('another text never shows the tree of the one before', () => {
  const { reader, answer } = slowReader()
  const { result, rerender } = renderHook(({ text }) => useTree(text, reader), { initialProps: { text: 'first' } })
  answer()
  rerender({ text: 'second' })
  expect(result.current).toEqual({ root: null, pending: true })
})

it('nobody is read for who went', () => {
  const { reader, asked } = slowReader()
  const { unmount } = renderHook(() => useTree('a', reader))
  expect(asked).toHaveLength(1)
  unmount()
  expect(asked).toHaveLength(0)
})
