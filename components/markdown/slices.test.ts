import { expect, it } from 'vitest'
import { splitBlocks } from './blocks'
import { readMarkdown } from './read-markdown'
import { slicesOf } from './markdown-blocks'

const typesOf = (text: string) => {
  const root = readMarkdown(text)
  if (!root) throw new Error('not read')
  return slicesOf(root, splitBlocks(text)).map(({ children }) => children.map(({ type }) => type))
}

it('each block has its own nodes', () => {
  expect(typesOf('\na\n\n# b\nc\n\n- d\n\n  e\n\n[f]: /g')).toEqual([
    [],
    ['paragraph'],
    ['heading', 'paragraph'],
    ['list'],
    ['definition'],
  ])
})

it('a node that spans blocks is in the first of them, once', () => {
  expect(typesOf('a\n\n<pre>\n\n*b*\n</pre>\n\nc')).toEqual([['paragraph'], ['html'], [], ['paragraph']])
})

it('a text that is one fence is one block', () => {
  expect(typesOf('```\n[a]: /b\n\nc\n```')).toEqual([['code']])
})
