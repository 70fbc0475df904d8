import { expect, test } from 'vitest'
import { inChinese } from '@/components/ui/testing/in-chinese'
import { toolOfRegistered } from '@/lib/shared/tools/tool-registry'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { tagTitle } from '@/lib/i18n/labels'

test('a tag becomes a heading', () => {
  expect(['files', null, '', 'maps', 'toString'].map(tagTitle)).toEqual(['Files', 'Other', '', 'Maps', 'ToString'])
})

test('every tag of a built-in tool has a Chinese heading', () => {
  const registered = { name: 'a', description: 'b', parameters: {}, permission: 'moderate', files: 'none' } as const
  const tools = [...builtInTools, toolOfRegistered({ ...registered, origin: 'registered' })]
  const tags = new Set(tools.flatMap((tool) => tool.card.tags))
  expect(tags.size).toBeGreaterThan(3)
  inChinese()
  expect([...tags].filter((tag) => !/\p{sc=Han}/u.test(tagTitle(tag)))).toEqual([])
})
