import { describe, expect, test } from 'vitest'
import type { Vfs, VfsLimits } from '../vfs'
import { vfsContract } from '../vfs.contract'
import { vfsHistoryContract } from '../vfs-history.contract'
import { createMemoryVfs } from './memory-vfs'

describe.each([
  ['file system', vfsContract],
  ['history', vfsHistoryContract],
])('the %s contract, in memory', (_, cases) => {
  for (const contractCase of cases) {
    test(contractCase.name, async () => {
      let last: Vfs | null = null
      await contractCase.run({
        open: async (limits: Partial<VfsLimits> = {}) => (last = createMemoryVfs({ limits })),
        reopen: async () => last ?? createMemoryVfs(),
      })
      expect(last).not.toBeNull()
    })
  }
})
