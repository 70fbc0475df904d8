import { describe, expect, test } from 'vitest'
import type { Vfs } from '../vfs'
import { vfsContract } from '../vfs.contract'
import { vfsLimits } from '../limits'
import { createMemoryVfs } from './memory-vfs'

describe('the file system contract, in memory', () => {
  for (const contractCase of vfsContract) {
    test(contractCase.name, async () => {
      let last: Vfs | null = null
      await contractCase.run({
        open: async (limits) => (last = createMemoryVfs({ limits: { ...vfsLimits, ...limits } })),
        reopen: async () => last ?? createMemoryVfs(),
      })
      expect(last).not.toBeNull()
    })
  }
})
