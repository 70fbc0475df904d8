import { expect, test } from 'vitest'
import { twoWayFolders } from './two-way-folders.mjs'

test('folders that import each other are found where their paths part, by different files too', () => {
  const there = ['lib/chat/send.ts', 'lib/store/sqlite/open.ts']
  const back = ['lib/store/sqlite/rows.ts', 'lib/chat/deep/down/row.ts']
  const apart = ['lib/chat/send.ts', 'lib/base/result.ts']
  expect(twoWayFolders([there, apart, back])).toEqual([
    { folders: ['lib/chat', 'lib/store'], there: [there], back: [back] },
  ])
  expect(twoWayFolders([there, apart])).toEqual([])
})

test('folders far down count as those on top, a folder and its own parts do not', () => {
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
