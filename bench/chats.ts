import '@/lib/i18n/server-messages'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChatListService } from '@/lib/server/chats/chat-list-service'
import type { RunLog } from '@/lib/server/runs/run-log'
import { decodeSettings, defaultSettings } from '@/lib/shared/conversation/settings/settings'
import {
  deletedRetentionMs,
  maxBulkChats,
  type ChatsChange,
  type ListFilter,
  listPage,
  type ListPosition,
} from '@/lib/shared/conversation/search/list-filter'
import { openPostgresStore } from '@/lib/server/store/postgres/open-postgres-store'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'
import type { Store } from '@/lib/server/store/ports/store'
import { startTestPostgres } from '@/lib/server/store/testing/postgres'
import { testReply, testUserMessage } from '@/lib/server/store/testing/rows'

// npm run bench -- chats: the chat list of an owner with 10,000 chats, beside 2,000 of twenty others, on both
// databases: its first, a middle and the last page; a title search; a pin; and actions on 1,000 chats at once: tags,
// archive, deletion, its undo, and the final deletion. Medians of 21 (of 5 for the thousand), milliseconds of wall
// time, as in the service without HTTP. Arguments after `--`: another number of chats, and one of the databases.

const CHATS = Number(process.argv[2] ?? 10_000)
/** `sqlite` or `postgres`; left out: both. */
const ONLY = process.argv[3]
const OTHERS = 20
const EACH_OTHER = 100
/** Concurrent writes. */
const ABREAST = 16
const ASKED = 21
const BULK = 1_000
/** As many as a sweep deletes at a time. */
const PURGED = 50
const OWNER = 'owner-0'
const PINNED = 30
const TAGS = ['work', 'home', 'tax', 'travel', 'code', '旅行', '阅读']
const words =
  'approval branch chart error export folder history import language network picture python query sandbox search setting table token 浏览器 沙盒 文件夹 历史图表'.split(
    ' ',
  )

const titleOf = (n: number): string =>
  `${words[n % words.length]} ${words[(n * 7 + 3) % words.length]} ${n}${n % 2_500 === 7 ? ' zyzzyva' : ''}`

/** A chat of a question and its answer; one in fifty ends with waiting calls. */
const importChat = (store: Store, owner: string, id: string, n: number) =>
  store.importConversation(
    owner,
    {
      conversation: {
        id,
        title: titleOf(n),
        settings: defaultSettings('bench/m'),
        settingsProblem: null,
        headId: 'a',
        createdAt: 1,
        updatedAt: 1_700_000_000_000 + n * 60_000,
      },
      messages: [
        testUserMessage(id, 'u', { text: `${titleOf(n)}?`.repeat(5) }),
        testReply(id, 'a', 'u', { text: `${titleOf(n)}. `.repeat(40) }),
      ],
      runnableCalls: new Map(n % 50 === 0 ? [['a', 2]] : []),
      calls: [],
      amendments: [],
      tools: [],
      images: [],
      log: [],
      exportedAt: 1,
    },
    1,
  )

const idOf = (n: number): string => `chat-${String(n).padStart(6, '0')}`
const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function wallOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

function tell(what: string, walls: readonly number[]): void {
  console.log(
    `  ${what.padEnd(34)} ${medianOf(walls).toFixed(1).padStart(8)} ms   most ${Math.max(...walls).toFixed(1)} ms`,
  )
}

async function say(what: string, times: number, work: (n: number) => Promise<unknown>): Promise<void> {
  const walls: number[] = []
  for (let n = 0; n < times; n += 1) walls.push(await wallOf(() => work(n)))
  tell(what, walls)
}

async function fill(store: Store): Promise<void> {
  for (let n = 0; n < CHATS; n += ABREAST) {
    const some = Array.from({ length: Math.min(ABREAST, CHATS - n) }, (_, at) => n + at)
    await Promise.all(some.map((one) => importChat(store, OWNER, idOf(one), one)))
  }
  for (let other = 1; other <= OTHERS; other += 1) {
    for (let n = 0; n < EACH_OTHER; n += 1) await importChat(store, `owner-${other}`, idOf(n), n)
  }
  const range = (from: number, count: number, step: number) =>
    Array.from({ length: count }, (_, at) => idOf((from + at * step) % CHATS))
  await store.sortConversations(OWNER, range(11, PINNED, 97), { pinned: true }, 1)
  for (const [at, tag] of TAGS.entries()) {
    await store.sortConversations(OWNER, range(at, Math.min(500, CHATS / 10), 13), { addTag: tag }, 1)
  }
  await store.sortConversations(OWNER, range(5, Math.min(500, CHATS / 10), 17), { archived: true }, 1)
}

async function measure(name: string, store: Store): Promise<void> {
  const seconds = (await wallOf(() => fill(store))) / 1_000
  console.log(`\n${name}: ${CHATS + OTHERS * EACH_OTHER} chats, written in ${seconds.toFixed(1)} s`)
  let now = 1_800_000_000_000
  const shelves = createChatListService({
    store,
    runLog: { stop: () => Promise.resolve() } as unknown as RunLog,
    clock: { now: () => now } as never,
  })
  const list = (query: string, after?: ListPosition, filter?: ListFilter) =>
    store.listConversations(OWNER, query, listPage, after, filter)
  const placeAt = (n: number): ListPosition => ({ updatedAt: 1_700_000_000_000 + n * 60_000, id: idOf(n) })
  await say('first page', ASKED, () => list(''))
  await say('a page in the middle', ASKED, () => list('', placeAt(Math.floor(CHATS / 2))))
  await say('the last page', ASKED, () => list('', placeAt(50)))
  await say('all pages, one after the other', 3, async () => {
    let after: ListPosition | undefined
    for (;;) {
      const rows = await list('', after)
      if (rows.length < listPage) break
      after = rows.at(-1)
    }
  })
  await say('titles: a word that many have', ASKED, () => list('table'))
  await say('titles: a rare word', ASKED, () => list('zyzzyva'))
  await say('titles: no such word', ASKED, () => list('nothing-like-it'))
  await say('the archive', ASKED, () => list('', undefined, { archived: true }))
  await say('what bears a tag', ASKED, () => list('', undefined, { tag: 'tax' }))
  await say('tags with their counts', ASKED, () => shelves.tags(OWNER))
  await say('pin one, and unpin it', ASKED, async (n) => {
    await shelves.sort(OWNER, [idOf(n)], { pinned: true })
    await shelves.sort(OWNER, [idOf(n)], { pinned: false })
  })
  const many = Array.from({ length: Math.min(BULK, CHATS) }, (_, n) => idOf(n * 3 < CHATS ? n * 3 : n))
  const all = async (change: ChatsChange) => {
    for (let at = 0; at < many.length; at += maxBulkChats) {
      await shelves.sort(OWNER, many.slice(at, at + maxBulkChats), change)
    }
  }
  const several = async (what: string, change: ChatsChange, back: ChatsChange) => {
    const [there, andBack]: [number[], number[]] = [[], []]
    for (let n = 0; n < 5; n += 1) {
      there.push(await wallOf(() => all(change)))
      andBack.push(await wallOf(() => all(back)))
    }
    tell(`${what} ${many.length}`, there)
    tell('  and back', andBack)
  }
  await several('tag', { addTag: 'bulk' }, { removeTag: 'bulk' })
  await several('archive', { archived: true }, { archived: false })
  await several('delete', { deleted: true }, { deleted: false })
  await all({ deleted: true })
  await say('the first page with them deleted', ASKED, () => list(''))
  now += deletedRetentionMs + 1
  const gone = await wallOf(async () => {
    while ((await store.purgeDeleted(now, 100)) > 0);
  })
  console.log(`  let go of ${many.length} for good, behind`.padEnd(36) + ` ${gone.toFixed(1).padStart(8)} ms`)
  let chats = 0
  const hidden = await wallOf(async () => void (chats = await store.eraseOwner(OWNER)))
  console.log(`  delete all ${chats}`.padEnd(36) + ` ${hidden.toFixed(1).padStart(8)} ms`)
  const steps: number[] = []
  for (;;) {
    const since = performance.now()
    if ((await store.purgeErased(PURGED)) === 0) break
    steps.push(performance.now() - since)
  }
  tell(`  its rows, ${PURGED} chats a step`, steps)
}

const dir = mkdtempSync(join(tmpdir(), 'nod-chats-'))
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
      await measure('PostgreSQL', postgres)
      await postgres.close()
    } finally {
      await server.stop()
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
