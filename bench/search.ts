import '@/lib/i18n/server-messages'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Transaction } from 'kysely'
import { decodeSettings, defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { Message } from '@/lib/shared/conversation/conversation'
import { growConversation } from '@/lib/server/store/database/conversation-bytes'
import { openPostgresStore } from '@/lib/server/store/postgres/open-postgres-store'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'
import type { Schema } from '@/lib/server/store/ports/schema'
import type { Store } from '@/lib/server/store/ports/store'
import { startTestPostgres } from '@/lib/server/store/testing/postgres'
import { finishedEnding, testPlan, testUserMessage } from '@/lib/server/store/testing/rows'
import { enqueueForIndexing } from '@/lib/server/store/search/search-queries'

// npm run bench -- search: finding a message by its text, on both databases: 100,000 messages of 600 characters,
// English and Chinese, of twenty owners, the first of whom has half. Prints medians and 95th percentiles of 101 queries
// of the first page, in milliseconds of wall time and of this process's CPU; the size of the index; and the cost of a
// turn: its append and its end, the two index notes that they write (the only part that delays a sender), and the later
// indexing. Arguments after `--`: another number of messages, and one of the databases.

const MESSAGES = Number(process.argv[2] ?? 100_000)
/** `sqlite` or `postgres`; left out: both. */
const ONLY = process.argv[3]
const CHARS = 600
const PER_CHAT = 500
const OWNERS = 20
const ASKED = 101
const TURNS = 400

const latin =
  'approval branch button call chart error export file folder history import language message network path picture python query reply result sandbox search setting stream table token tool undo upload window'.split(
    ' ',
  )
const han =
  '批准浏览器沙盒工具消息文件夹历史图表查询按钮导出语言窗口撤销重命名网络令牌设置流式因为所以可以需要读取用户助手'
const wanted = ['approv', 'approval branch', 'zyzzyva', 'a', '批准', '浏览器', '量子纠缠', '纠', 'nothing-like-it']

/** A reproducible sequence. */
function createRandom(): (below: number) => number {
  let seed = 7
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    // Its low bits repeat soon.
    return (seed >>> 9) % below
  }
}

function textOf(n: number, random: (below: number) => number): string {
  const words: string[] = []
  for (let length = 0; length < CHARS;) {
    const at = random(han.length - 6)
    const number = random(8) === 0 ? ` ${random(100_000)}` : ''
    const word = random(3) === 0 ? han.slice(at, at + 2 + random(4)) : `${latin[random(latin.length)]}${number}`
    words.push(word)
    length += word.length + 1
  }
  if (n % 5_000 === 7) words.push('量子纠缠 zyzzyva')
  return words.join(' ')
}

const ownerOf = (chat: number): string => `owner-${chat % 2 === 0 ? 0 : 1 + (chat % (OWNERS - 1))}`

async function fill(store: Store): Promise<void> {
  const random = createRandom()
  for (let chat = 0; chat < MESSAGES / PER_CHAT; chat += 1) {
    const id = `chat-${chat}`
    const messages = Array.from({ length: PER_CHAT }, (_, n): Message => {
      const text = textOf(chat * PER_CHAT + n, random)
      const parentId = n === 0 ? null : `m${n - 1}`
      return testUserMessage(id, `m${n}`, {
        parentId,
        text,
        createdAt: 1_700_000_000_000 + chat * 3_600_000 + n * 1_000,
      })
    })
    await store.importConversation(
      ownerOf(chat),
      {
        conversation: {
          id,
          title: `Chat ${chat}`,
          settings: defaultSettings('bench/m'),
          settingsProblem: null,
          headId: `m${PER_CHAT - 1}`,
          createdAt: 1,
          updatedAt: chat,
        },
        messages,
        runnableCalls: new Map(),
        calls: [],
        amendments: [],
        tools: [],
        images: [],
        log: [],
        exportedAt: 1,
      },
      1,
    )
  }
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const percentile95Of = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN

async function spent(work: () => Promise<unknown>): Promise<{ readonly wall: number; readonly cpu: number }> {
  const [since, cpu] = [performance.now(), cpuMs()]
  await work()
  return { wall: performance.now() - since, cpu: cpuMs() - cpu }
}

async function indexBytes({ kind, database: { db } }: Store): Promise<number> {
  const asked =
    kind === 'postgres'
      ? sql<{ bytes: number }>`select pg_total_relation_size('message_words') as bytes`
      : sql<{
          bytes: number
        }>`select sum(pgsize) as bytes from dbstat where name like 'message_words%' or name like 'message_index%'`
  const { rows } = await asked.execute(db)
  return rows[0]?.bytes ?? 0
}

async function readAll(store: Store): Promise<void> {
  for (let read = 1; read > 0;) read = await store.indexWords(200)
}

async function turns(store: Store) {
  const random = createRandom()
  const owner = 'owner-turns'
  const settings = defaultSettings('bench/m')
  const conversation = { title: 't', settings, settingsProblem: null, headId: null, createdAt: 1, updatedAt: 1 }
  const sums = { turn: 0, notes: 0, reading: 0 }
  const transaction = (work: (trx: Transaction<Schema>) => Promise<unknown>) =>
    store.database.db.transaction().execute(work)
  // The first ones warm up the code.
  for (let n = -50; n < TURNS; n += 1) {
    const id = `turn-${n + 50}`
    await store.createConversation(owner, { id, ...conversation })
    const plan = testPlan(id, 1)
    const userMessage = testUserMessage(id, 'u1', { text: textOf(1, random) })
    const run = { owner, runId: plan.reply.runId }
    const said = { text: textOf(2, random), reasoning: '', lastSeq: 1 }
    const turn = await spent(async () => {
      await store.append(owner, id, 'u1', { ...plan, userMessage }, 1)
      await store.endRun(run, finishedEnding({ said }), 2)
    })
    const bare = await spent(() => transaction((trx) => growConversation(trx, owner, id, 0)))
    const noted = await spent(() =>
      transaction(async (trx) => {
        await growConversation(trx, owner, id, 0)
        await enqueueForIndexing(trx, owner, id, `u${n}`)
        await enqueueForIndexing(trx, owner, id, `a${n}`)
      }),
    )
    await store.database.db
      .deleteFrom('words_due')
      .where('owner', '=', owner)
      .where('message_id', 'in', [`u${n}`, `a${n}`])
      .execute()
    const reading = await spent(() => readAll(store))
    if (n < 0) continue
    sums.turn += turn.cpu / TURNS
    sums.notes += (noted.cpu - bare.cpu) / TURNS
    sums.reading += reading.cpu / TURNS
  }
  return sums
}

async function measure(name: string, store: Store): Promise<void> {
  const filled = await spent(() => fill(store))
  const read = await spent(() => readAll(store))
  console.log(
    `\n${name}: ${MESSAGES} messages, written in ${(filled.wall / 1_000).toFixed(1)} s; read into the index in ${(read.wall / 1_000).toFixed(1)} s, ` +
      `${((read.cpu / MESSAGES) * 1_000).toFixed(0)} µs of CPU a message; index ${((await indexBytes(store)) / 1e6).toFixed(0)} MB`,
  )
  for (const query of wanted) {
    const times = []
    let found = 0
    for (let n = 0; n < ASKED; n += 1) {
      times.push(await spent(async () => (found = (await store.searchMessages('owner-0', query, 30)).found.length)))
    }
    const walls = times.map((one) => one.wall)
    const [wall, cpu] = [medianOf(walls), medianOf(times.map((one) => one.cpu))]
    console.log(
      `  ${query.padEnd(16)} ${String(found).padStart(3)} found   ${wall.toFixed(1)} ms   p95 ${percentile95Of(walls).toFixed(1)} ms   CPU ${cpu.toFixed(1)} ms`,
    )
  }
  const { turn, notes, reading } = await turns(store)
  console.log(
    `  a turn: CPU ${turn.toFixed(2)} ms, of which the notes ${notes.toFixed(2)} ms (${((notes / turn) * 100).toFixed(0)} %); ` +
      `read behind it, alone: ${reading.toFixed(2)} ms`,
  )
}

const dir = mkdtempSync(join(tmpdir(), 'nod-search-'))
const decode = (text: string) => decodeSettings(text, 'bench/m')
try {
  if (ONLY !== 'postgres') {
    const sqlite = await openSqliteStore(join(dir, 'nod.sqlite'), { decodeSettings: decode })
    await measure('SQLite', sqlite)
    await sqlite.close()
  }
  if (ONLY !== 'sqlite') {
    const server = await startTestPostgres()
    try {
      const postgres = await openPostgresStore(await server.createDatabase(), { decodeSettings: decode })
      await measure('PostgreSQL (CPU of this process alone)', postgres)
      await postgres.close()
    } finally {
      await server.stop()
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
