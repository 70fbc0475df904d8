import { expect, test } from 'vitest'
import { groupByTag } from './discovery'

const tool = (name: string, ...tags: readonly string[]) => ({ name, card: { tags } })
const named = (tools: readonly ReturnType<typeof tool>[]) =>
  groupByTag(tools).map((group) => [group.tag, group.tools.map(({ name }) => name)])

test('puts each tool once under its first tag, in the given order', () => {
  expect(named([tool('a', 'code'), tool('b', 'files', 'code'), tool('c'), tool('d', 'code'), tool('e')])).toEqual([
    ['code', ['a', 'd']],
    ['files', ['b']],
    [null, ['c', 'e']],
  ])
  expect(named([])).toEqual([])
})

test('treats a tag that is a property name of every object like others', () => {
  expect(named([tool('a', 'constructor'), tool('b', '__proto__')])).toEqual([
    ['constructor', ['a']],
    ['__proto__', ['b']],
  ])
})
