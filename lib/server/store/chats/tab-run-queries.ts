import type { Kysely } from 'kysely'
import type { TabPiece, TabRunState } from '@/lib/shared/conversation/wire/tab-run'
import type { DatabaseTime } from '../database/database-time'
import { eventFormat, decodeStored, encodeStored } from '../database/row-formats'
import { runFromRow } from '../database/rows'
import type { RelaxedTransaction } from './run-event-queries'
import { selectRuns, writerFormat } from '../runs/run-queries'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'

type TabRunQueries = Pick<Store, 'loadTabRun' | 'appendTabPieces'>

const ENDED: TabRunState = { live: false, stopRequested: false, next: 0, full: false }

export function tabRunQueries(db: Kysely<Schema>, relaxed: RelaxedTransaction, time: DatabaseTime): TabRunQueries {
  return {
    async loadTabRun({ owner, runId }) {
      const row = await selectRuns(db, time).where('owner', '=', owner).where('id', '=', runId).executeTakeFirst()
      const writer = row && decodeStored(row.writer, writerFormat)
      return writer ? { ...runFromRow(row), writer } : null
    },

    appendTabPieces: ({ owner, runId }, pieces, maxChars) =>
      relaxed(async (trx) => {
        // The row stays locked until the pieces are stored: nothing is added to an ended run, or twice.
        const run = await trx
          .updateTable('runs')
          .set({ heartbeat_at: time.now() })
          .where('owner', '=', owner)
          .where('id', '=', runId)
          .where('status', '=', 'running')
          .returning(['stop_requested', 'written'])
          .executeTakeFirst()
        if (!run) return ENDED
        const { last } = await trx
          .selectFrom('run_events')
          .select((eb) => eb.fn.max('seq').as('last'))
          .where('owner', '=', owner)
          .where('run_id', '=', runId)
          .executeTakeFirstOrThrow()
        const taken = piecesFrom(pieces, last + 1, maxChars - run.written)
        if (taken.pieces.length > 0) {
          const rows = taken.pieces.map(({ seq, channel, text }) => ({
            owner,
            run_id: runId,
            seq,
            body: encodeStored({ seq, type: 'delta', channel, text } as const, eventFormat),
          }))
          await trx.insertInto('run_events').values(rows).execute()
          await trx
            .updateTable('runs')
            .set({ written: run.written + taken.chars })
            .where('owner', '=', owner)
            .where('id', '=', runId)
            .execute()
        }
        const next = last + taken.pieces.length + 1
        return { live: true, stopRequested: run.stop_requested !== 0, next, full: taken.full }
      }),
  }
}

/** The pieces that continue from `next`, in order, without a gap, as far as there is space. */
function piecesFrom(pieces: readonly TabPiece[], next: number, room: number) {
  const taken: TabPiece[] = []
  let chars = 0
  for (const piece of pieces.toSorted((a, b) => a.seq - b.seq)) {
    if (piece.seq < next + taken.length) continue
    if (piece.seq > next + taken.length) break
    if (chars + piece.text.length > room) return { pieces: taken, chars, full: true }
    taken.push(piece)
    chars += piece.text.length
  }
  return { pieces: taken, chars, full: false }
}
