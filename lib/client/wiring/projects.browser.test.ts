import { expect, test } from 'vitest'
import { ok } from '@/lib/base/result'
import { changedSince, fingerprints } from '@/lib/client/calls/call-jobs'
import type { MemoryPort } from '@/lib/shared/tools/tool'
import { memoryPath } from '@/lib/shared/conversation/settings/project'
import { filesWith, textOf } from '@/lib/shared/tools/testing/files'
import { withMemory } from './projects.browser'

test('a card finds the text of a memory as a file, and is notified of changes', async () => {
  let now = { text: '', version: 0 }
  const memory: MemoryPort = { read: () => Promise.resolve(ok(now)), write: () => Promise.resolve(ok(null)) }
  const files = withMemory(await filesWith({ '/a.md': 'a' }), memory)
  const paths = [memoryPath.user, '/a.md']
  const before = await fingerprints(files, paths)
  expect(await files.stat(memoryPath.user)).toMatchObject({ ok: false, error: { code: 'ENOENT' } })
  now = { text: 'Red sails. 红帆', version: 1 }
  expect(await textOf(files, memoryPath.user)).toBe('Red sails. 红帆')
  // Cards normalize the path before they read.
  expect(await textOf(files, `/${memoryPath.user}`)).toBe('Red sails. 红帆')
  expect(await changedSince(files, before)).toEqual([memoryPath.user])
  expect(await textOf(files, '/a.md')).toBe('a')
})
