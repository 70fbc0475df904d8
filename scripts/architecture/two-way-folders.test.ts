import { expect, test } from 'vitest'
import { twoWayFolders } from './two-way-folders.mjs'

test('finds folders that import each other where their paths differ, even through different files', () => {
  const there = ['lib/chat/send.ts', 'lib/store/sqlite/open.ts']
  const back = ['lib/store/sqlite/rows.ts', 'lib/chat/deep/down/row.ts']
  const apart = ['lib/chat/send.ts', 'lib/base/result.ts']
  expect(twoWayFolders([there, apart, back])).toEqual([
    { folders: ['lib/chat', 'lib/store'], there: [there], back: [back] },
  ])
  expect(twoWayFolders([there, apart])).toEqual([])
})

test('deep folders count like top ones, but a folder and its own parts do not', () => {
  const parts = [
    ['components/card/card.tsx', 'components/card/body/body.tsx'],
    ['components/card/body/body.tsx', 'components/card/scope.ts'],
  ]
  expect(twoWayFolders(parts)).toEqual([])
  const siblings = [
    ['components/card/body/body.tsx', 'components/card/head/head.tsx'],
    ['components/card/head/title.tsx', 'components/card/body/look.ts'],
  ]
  expect(twoWayFolders(siblings)[0]?.folders).toEqual(['components/card/body', 'components/card/head'])
})
