import { expect, it } from 'vitest'
import { basePathOf } from './base-path.mjs'

it('is a path without a slash at its end, or empty', () => {
  for (const [said = '', read] of [
    ['', ''],
    ['/', ''],
    ['/nod', '/nod'],
    [' /nod/ ', '/nod'],
    ['/team/nod-2', '/team/nod-2'],
  ]) {
    expect(basePathOf(said)).toBe(read)
  }
})

it('is refused if it is not a path', () => {
  for (const said of ['nod', '//nod', '/a b', '/nod?x', 'https://x/nod', '/../x', '/a/./b', '/nöd', '/a//b', '/"x']) {
    expect([said, basePathOf(said)]).toEqual([said, null])
  }
})
