import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bundledScript } from '@/scripts/test/bundled-script.mjs'
import { rounds } from '@/scripts/test/nightly'
import type { HeapReport } from './testing/heap-of-replies'

const REPLIES = rounds(500)
const MAX_GROWTH = 6_000_000

it('leaves nothing of a reply in memory: no listener, no controller, no part', { timeout: 300_000 }, async () => {
  const script = await bundledScript('lib/server/chats/testing/heap-of-replies.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, String(REPLIES)])
  const { before, after } = JSON.parse(stdout) as HeapReport
  expect(before).toBeGreaterThan(0)
  expect(after - before).toBeLessThan(MAX_GROWTH)
})
