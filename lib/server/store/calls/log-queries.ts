import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { NewLogEntry } from '@/lib/shared/conversation/wire/log-lines'
import { boundedDetail } from '../database/bounded-detail'
import { ownConversation } from '../database/lock-conversation'
import { storedBytes, growConversation } from '../database/conversation-bytes'
import type { Schema } from '../ports/schema'
import { logFormat, encodeStored } from '../database/row-formats'
import { logFromRow } from '../database/rows'
import type { Store } from '../ports/store'

/** The same mark for the same owner, from which the owner's id can't be recovered. */
const actorOf = (owner: string): string => createHash('sha256').update(`log actor ${owner}`).digest('hex').slice(0, 10)

const bodyOf = ({ tool, detail }: Pick<NewLogEntry, 'tool' | 'detail'>): string =>
  encodeStored({ tool, detail: boundedDetail(detail) }, logFormat)

/** The size of an entry in bytes. */
export const logBytes = (entry: NewLogEntry): number => storedBytes(bodyOf(entry))

/** Adds one entry. The caller holds the conversation's row (`lockConversation`), which keeps `seq` free of gaps. */
export async function writeLog(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  { event, messageId, slot, tool, detail }: NewLogEntry,
  at: number,
): Promise<void> {
  const body = bodyOf({ tool, detail })
  await trx
    .insertInto('log')
    .values((eb) => ({
      owner,
      conversation_id: conversationId,
      seq: eb
        .selectFrom('log')
        .select(sql<number>`coalesce(max(seq), 0) + 1`.as('next'))
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId),
      at,
      actor: actorOf(owner),
      event,
      message_id: messageId,
      slot,
      body,
    }))
    .execute()
  await growConversation(trx, owner, conversationId, storedBytes(body))
}

export function logQueries(db: Kysely<Schema>): Pick<Store, 'loadLog'> {
  return {
    async loadLog(owner, conversationId, page) {
      if (!(await ownConversation(db, owner, conversationId))) return null
      const entries = db
        .selectFrom('log')
        .selectAll()
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId)
        .orderBy('seq')
      const rows = await (page ? entries.where('seq', '>', page.after).limit(page.limit) : entries).execute()
      return rows.map(logFromRow)
    },
  }
}
