import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { CallAnswer } from '@/lib/shared/mcp/call-answer'
import { randomOf } from '@/lib/client/chats/testing/faults/random'
import { connectServer } from './connect.server'
import { ProcessTransport } from './process-transport.server'
import { createServerPool } from './pool'

// `npm test -- faults --rounds 1000` sets these, with a new seed.
const rounds = Number(process.env['NOD_FAULT_ROUNDS'] ?? 8)
const seed = Number(process.env['NOD_FAULT_SEED'] ?? 20_261_127)

it(
  'sends no call twice to programs that are killed, and never claims that a call did not run when it did',
  async () => {
    const random = randomOf(seed)
    const folder = await mkdtemp(path.join(tmpdir(), 'nod-killed-'))
    const file = path.join(folder, 'notes.txt')
    // Delays after a crash end at once, and idle servers end at once.
    let now = 0
    const pids = new Set<number>()
    const start = ProcessTransport.prototype.start
    ProcessTransport.prototype.start = async function started(this: ProcessTransport) {
      await start.call(this)
      if (this.pid !== null) pids.add(this.pid)
    }
    const host = createServerPool(
      [
        {
          kind: 'stdio',
          name: 'notes',
          isShared: true,
          command: process.execPath,
          args: [path.resolve('lib/server/tool-servers/testing/recording-server.mjs'), file],
          env: {},
          folder: null,
        },
      ],
      {
        open: (server, opening) => connectServer({ fetch, env: process.env }, server, opening),
        monotonic: () => (now += 100_000),
        after: (ms, task) => {
          const timer = setTimeout(task, Math.min(ms, 1))
          return () => clearTimeout(timer)
        },
        markOf: (owner) => owner,
        log: () => {},
      },
      { maxOpen: 4, maxOpenPerOwner: 4, maxCallsPerOwner: 8, idleMs: 1e9, maxResultMb: 1 },
    )
    const tool = { name: 'note', description: 'Notes', inputSchema: { type: 'object' } } as const
    const signal = new AbortController().signal
    const answers = new Map<string, CallAnswer | 'not-prepared'>()
    let kills = 0
    try {
      for (let round = 0; round < rounds; round += 1) {
        const killAt = Math.floor(random() * 40)
        const kind = Math.floor(random() * 4)
        const calls = Array.from({ length: 1 + Math.floor(random() * 3) }, async (_one, index) => {
          const text = `${round}-${index}`
          const ends = kind === 1 ? 'before' : kind === 2 ? 'after' : ''
          try {
            const prepared = await host.prepare('ada', 'notes', tool, signal)
            const args = { text, ends, waitMs: Math.floor(random() * 30) }
            answers.set(text, await prepared.call(args, { timeoutMs: 10_000 }))
          } catch {
            answers.set(text, 'not-prepared')
          }
        })
        const killing = new Promise<void>((resolve) => {
          setTimeout(() => {
            for (const pid of kind === 0 ? pids : []) {
              pids.delete(pid)
              try {
                process.kill(pid, 'SIGKILL')
                kills += 1
              } catch {
                // It ended by itself.
              }
            }
            resolve()
          }, killAt + 20)
        })
        await Promise.all([...calls, killing])
        if (kind === 1 || kind === 2) kills += 1
      }
      const noted = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
      expect(noted.length).toBe(new Set(noted).size)
      const isTrue = (text: string, answer: CallAnswer | 'not-prepared'): boolean => {
        if (answer === 'not-prepared' || answer.kind === 'not-sent') return !noted.includes(text)
        if (answer.kind !== 'answered') return answer.kind === 'lost'
        return noted.includes(text) && JSON.stringify(answer.result).includes(`noted ${text}"`)
      }
      expect([...answers].filter(([text, answer]) => !isTrue(text, answer))).toEqual([])
      console.info(`${rounds} rounds: ${kills} kills, ${answers.size} calls, ${noted.length} ran`)
      expect(kills).toBeGreaterThan(0)
      expect(noted.length).toBeGreaterThan(0)
    } finally {
      ProcessTransport.prototype.start = start
      await host.close(0)
      await rm(folder, { recursive: true, force: true })
    }
  },
  Math.max(60_000, rounds * 2_000),
)
