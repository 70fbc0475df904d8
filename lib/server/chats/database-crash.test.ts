import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { foldRunEvent, type RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { openPostgresStore } from '@/lib/server/store/postgres/open-postgres-store'
import type { Store } from '@/lib/server/store/ports/store'
import { track } from '@/lib/server/store/testing/pending-store'
import { startTestPostgres, type TestPostgres } from '@/lib/server/store/testing/postgres'
import { decodeTestSettings, finishedEnding, runOf, testConversation, testPlan } from '@/lib/server/store/testing/rows'
import { createRunLog } from '../runs/run-log'
import { createManualClock } from './testing/manual-clock'

/* A real PostgreSQL that crashes and restarts while a reply is written: the reply loses nothing. */

let postgres: TestPostgres
let store: Store
let made = 0

beforeAll(async () => {
  postgres = await startTestPostgres()
  const url = await postgres.createDatabase()
  // Asynchronous commits are flushed late, so that a crash surely loses some of them.
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query("alter system set wal_writer_delay = '10s'")
  await admin.query('select pg_reload_conf()')
  await admin.end()
  const durable = new URLSearchParams({ options: '-c synchronous_commit=on' })
  store = track(
    await openPostgresStore(`${url}&${durable.toString().replaceAll('+', '%20')}`, {
      decodeSettings: decodeTestSettings,
      onIdleError: () => {},
    }),
  )
})
afterAll(async () => {
  await store?.close()
  await postgres?.stop()
})

/** Writes a reply while `happens` interrupts the database. Returns how many acknowledged events were lost. */
async function writeAround(happens: () => Promise<void>): Promise<number> {
  const clock = createManualClock()
  const id = `c${(made += 1)}`
  await store.createConversation('ada', testConversation(id))
  const { reply } = await store.append('ada', id, 'u1', testPlan(id, 1), clock.now())
  const run = runOf('ada', reply)
  const log = createRunLog({ store, clock, log: () => {} })
  const writer = log.write(run, () => {}, reply)
  const seen: RunEvent[] = []
  const reading = (async () => {
    for await (const some of log.read(run, 0, new AbortController().signal)) seen.push(...some)
  })()
  const say = async (word: string) => {
    writer.write('text', word)
    await clock.pass(500)
  }
  for (const word of ['one ', 'two ', 'three ', 'four ']) await say(word)
  const before = (await store.readRunEvents(run, 0, 100))?.events.length ?? 0
  await happens()
  const after = (await store.readRunEvents(run, 0, 100))?.events.length ?? 0
  for (const word of ['five ', 'six']) await say(word)
  const ending = writer.end(finishedEnding())
  await clock.pass(20_000)
  await ending
  await reading
  const final = await store.loadReply(run)
  expect(final).toMatchObject({ text: 'one two three four five six', outcome: 'finished', failure: null })
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1))
  expect(seen.reduce<AssistantMessage>(foldRunEvent, reply)).toEqual(final)
  return before - after
}

it('a reply is complete even if a crash lost its last acknowledged pieces', async () => {
  let lost = 0
  for (const how of [() => postgres.crash(), () => postgres.restart('immediate')]) {
    for (let round = 0; round < 3; round += 1) lost += await writeAround(how)
  }
  expect(lost).toBeGreaterThan(0)
})

it('a reply is complete and no piece is lost after the database restarted', async () => {
  expect(await writeAround(() => postgres.restart('fast'))).toBe(0)
})
