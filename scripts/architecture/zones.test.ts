import { expect, test } from 'vitest'
import { floors } from './floors.mjs'
import { forbidden, forbiddenPackage, idleEntries } from './zones.mjs'

test.each([
  ['lib/base/result.ts', 'lib/shared/conversation/conversation.ts', 'may not use'],
  ['lib/protocols/vcp/read.ts', 'lib/protocols/xml-tag/read.ts', 'siblings'],
  ['lib/protocols/vcp/index.ts', 'lib/protocols/registry.ts', 'registry'],
  ['lib/vfs/path.ts', 'lib/shared/tools/client-executor.ts', 'lib/vfs may not use lib/tools'],
  ['lib/server/store/database/rows.ts', 'lib/server/chats/chat-service.ts', 'lib/store may not use lib/chat'],
  ['lib/chat/title.ts', 'components/ui/button.tsx', 'may not use'],
  ['lib/chat/title.ts', 'lib/server/wiring/server.ts', 'may not use'],
  ['lib/chat/title.ts', 'lib/server/store/database/rows.ts', 'no entry of lib/store'],
  ['lib/nowhere/title.ts', 'lib/base/result.ts', 'no floor'],
  ['components/ui/button.tsx', 'lib/shared/conversation/conversation.ts', 'may not use'],
  ['components/context/chat-context.tsx', 'lib/server/wiring/server.ts', 'for routes'],
  ['components/thread/thread.tsx', 'components/chat/chat-frame.tsx', 'may not use'],
  ['components/thread/thread.tsx', 'components/tool-call/card/call-card.tsx', 'no entry'],
  ['components/thread/thread.tsx', 'app/layout.tsx', 'nobody'],
  ['app/page.tsx', 'components/chat/chat-frame.tsx', 'no entry'],
  ['lib/chat/title.ts', 'lib/chat/title.test.ts', 'tests'],
  ['lib/chat/title.test.ts', 'app/layout.tsx', 'nobody'],
  ['lib/shared/tools/client-executor.ts', 'lib/vfs/indexeddb/protocol.ts', 'only lib/wiring'],
  ['components/files/viewer/file-view.tsx', 'lib/vfs/indexeddb/worker-vfs.ts', 'only lib/wiring'],
  ['lib/vfs/vfs-on-store.ts', 'lib/vfs/indexeddb/store.ts', 'only lib/wiring'],
])('%s may not import %s', (from, to, reason) => {
  expect(forbidden(from, to)).toContain(reason)
})

test.each([
  ['lib/shared/tools/client-executor.ts', 'lib/vfs/vfs.ts'],
  ['lib/protocols/vcp/read.ts', 'lib/strategies/scan/fence.ts'],
  ['lib/server/wiring/server.ts', 'lib/store/sqlite/open.ts'],
  ['lib/client/wiring/tool-runtime.browser.ts', 'lib/vfs/indexeddb/worker-vfs.ts'],
  ['components/thread/thread.tsx', 'components/ui/button.tsx'],
  ['app/page.tsx', 'components/chat/chat-app.tsx'],
  ['e2e/support/raw-files.ts', 'lib/vfs/indexeddb/protocol.ts'],
  ['lib/chat/title.test.ts', 'lib/server/store/database/rows.ts'],
])('%s may import %s', (from, to) => {
  expect(forbidden(from, to)).toBeNull()
})

test('a floor uses only floors below it, and each by a name that stands', () => {
  const below = new Set<string>()
  for (const { folder, uses } of floors) {
    expect({ folder, notBelow: uses.filter((lower) => !below.has(lower)) }).toEqual({ folder, notBelow: [] })
    below.add(folder)
  }
})

test('an entry that nobody comes in by is named', () => {
  const [floor, entry] = ['lib/store', 'store']
  const others = floors.flatMap(({ folder, entries }) =>
    entries.filter((one) => folder !== floor && one !== '*').map((one) => ['app/page.tsx', `${folder}/${one}.ts`]),
  )
  expect(idleEntries(others).every((idle) => idle.startsWith(`${floor}/`))).toBe(true)
  expect(idleEntries(others)).toContain(`${floor}/${entry} is named as an entry, and nobody comes in by it`)
  expect(idleEntries([...others, ['lib/chat/a.test.ts', `${floor}/${entry}.ts`]])).toHaveLength(
    idleEntries(others).length,
  )
})

test('packages stay in their zones', () => {
  expect(forbiddenPackage('lib/chat/title.ts', 'react')).not.toBeNull()
  expect(forbiddenPackage('lib/chat/title.ts', 'node:fs')).not.toBeNull()
  expect(forbiddenPackage('components/thread/thread.tsx', 'zod')).not.toBeNull()
  expect(forbiddenPackage('lib/store/sqlite/open.ts', 'node:sqlite')).toBeNull()
})
