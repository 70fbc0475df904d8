import { describe, expect, it } from 'vitest'
import { countWork } from '@/lib/base/testing/count-work'
import { createFenceFinder, maxFenceChars } from './formula-of'

const endOf = (text: string, at = 0) => {
  const end = createFenceFinder(text)(at)
  return typeof end === 'number' ? text.slice(at, end) : end
}

describe('a formula over several lines', () => {
  it.each([
    ['brackets', '\\[\na\n\nb\n\\]\nwords', '\\[\na\n\nb\n\\]'],
    ['dollars', '$$\na\n\nb\n$$\nwords', '$$\na\n\nb\n$$'],
    ['a full stop behind it', '$$\na\n$$.\nwords', '$$\na\n$$.'],
    ['words behind a bracket', '\\[\na\n\\] where\nwords', '\\[\na\n\\] where'],
    ['an environment on the first line', '$$ \\begin{a}\n\nx\n\\end{a} $$\n', '$$ \\begin{a}\n\nx\n\\end{a} $$'],
    ['line ends of Windows', '$$\r\na\r\n$$\r\nx', '$$\r\na\r\n$$'],
    ['an escaped row before a bracket', '\\[\na \\\\]\n\\]', '\\[\na \\\\]\n\\]'],
    ['its end may still come', '$$\na\n\nb', 'open'],
    ['words behind the opener', '$$ is what a shell is\n\n$$', null],
    ['words behind the closing dollars', '$$\na\n$$ and $5', null],
    ['no opener', 'a', null],
    ['nothing ends it', `$$\n${'a\n'.repeat(maxFenceChars)}`, null],
    ['what ends it is far away', `\\[\n${'a\n'.repeat(maxFenceChars)}\\]`, null],
  ])('%s', (_, text, end) => expect(endOf(text)).toBe(end))

  it.each([['\\[\n'], ['$$\n'], ['\\[\n\\]x\n'], ['$$\nx$$y\n']])('does work linear in the length: %j', (piece) => {
    const work = (times: number) => {
      const text = piece.repeat(times)
      return countWork(() => {
        const find = createFenceFinder(text)
        for (let at = 0; at < text.length; at += piece.length) find(at)
      })
    }
    expect(work(20_000) / work(2_000)).toBeLessThan(12)
  })
})
