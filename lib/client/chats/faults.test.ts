import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createManualClock } from '@/lib/server/chats/testing/manual-clock'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'
import { rounds } from '@/scripts/test/nightly'
import { runFaultRound } from './testing/faults/fault-world'

// The real digest runs on another thread; the simulated world needs each step to be synchronous.
vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  argumentsHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

// The same holds for the disk sync: this test does not check power cuts.
vi.mock('@/lib/server/store/sqlite/disk-sync', () => ({
  createFileSync: () => ({ sync: () => Promise.resolve(), close: () => {} }),
}))

// `npm test -- faults --rounds 1000` sets these, with a fresh seed. Here the seed is fixed, so that a failure is caused
// by the change under test.
const count = Number(process.env['NOD_FAULT_ROUNDS'] ?? rounds(25))
const first = Number(process.env['NOD_FAULT_SEED'] ?? 20_261_122)

it(
  'loses no message and sends none twice, whatever fails',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'nod-faults-'))
    // Heartbeats are judged by the database's clock, which each round sets to its own.
    let clock = createManualClock()
    const store = await openSqliteStore(join(dir, 'nod.sqlite'), { decodeSettings, now: () => clock.now() })
    let faults = 0
    let sent = 0
    const broken: string[] = []
    for (let round = 0; round < count; round += 1) {
      const seed = first + round
      clock = createManualClock()
      const report = await runFaultRound(store, seed, clock)
      faults += report.faults
      sent += report.sent
      if (report.wrong.length > 0) broken.push(`seed ${seed}: ${report.wrong.join('; ')}\n  ${report.deeds.join(', ')}`)
    }
    console.info(
      `${count} rounds from seed ${first}: ${faults} faults, ${sent} words sent, ${broken.length} broken rounds`,
    )
    await store.close()
    rmSync(dir, { recursive: true, force: true })
    expect(broken).toEqual([])
    expect(faults).toBeGreaterThan(count)
    expect(sent).toBeGreaterThan(count)
  },
  Math.max(60_000, count * 5_000),
)
