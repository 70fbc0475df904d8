import { expect, test } from 'vitest'
import { forbidden, forbiddenPackage } from './zones.mjs'

test.each([
  ['lib/base/result.ts', 'lib/conversation/conversation.ts', 'contracts'],
  ['lib/strategies/vcp/read.ts', 'lib/strategies/xml-tag/read.ts', 'siblings'],
  ['lib/strategies/vcp/index.ts', 'lib/strategies/registry.ts', 'registry'],
  ['lib/vfs/path.ts', 'lib/tools/client-executor.ts', 'lib/vfs may import'],
  ['lib/chat/title.ts', 'components/ui/button.tsx', 'never imports'],
  ['lib/chat/title.ts', 'lib/wiring/server.ts', 'wiring'],
  ['components/ui/button.tsx', 'lib/conversation/conversation.ts', 'knows nothing'],
  ['components/thread/thread.tsx', 'lib/wiring/server.ts', 'server'],
  ['components/thread/thread.tsx', 'app/layout.tsx', 'nobody'],
  ['lib/chat/title.ts', 'lib/chat/title.test.ts', 'tests'],
  ['lib/tools/client-executor.ts', 'lib/vfs/indexeddb/protocol.ts', 'only lib/wiring'],
  ['components/files/viewer/file-view.tsx', 'lib/vfs/indexeddb/worker-vfs.ts', 'only lib/wiring'],
  ['lib/vfs/vfs-on-store.ts', 'lib/vfs/indexeddb/store.ts', 'only lib/wiring'],
])('%s may not import %s', (from, to, reason) => {
  expect(forbidden(from, to)).toContain(reason)
})

test.each([
  ['lib/tools/client-executor.ts', 'lib/vfs/vfs.ts'],
  ['lib/strategies/vcp/read.ts', 'lib/strategies/scan/fence.ts'],
  ['lib/wiring/server.ts', 'lib/store/sqlite/open.ts'],
  ['lib/wiring/tool-runtime.browser.ts', 'lib/vfs/indexeddb/worker-vfs.ts'],
  ['components/thread/thread.tsx', 'components/ui/button.tsx'],
  ['app/page.tsx', 'components/thread/thread.tsx'],
])('%s may import %s', (from, to) => {
  expect(forbidden(from, to)).toBeNull()
})

test('packages stay in their zones', () => {
  expect(forbiddenPackage('lib/chat/title.ts', 'react')).not.toBeNull()
  expect(forbiddenPackage('lib/chat/title.ts', 'node:fs')).not.toBeNull()
  expect(forbiddenPackage('components/thread/thread.tsx', 'zod')).not.toBeNull()
  expect(forbiddenPackage('lib/store/sqlite/open.ts', 'node:sqlite')).toBeNull()
})
