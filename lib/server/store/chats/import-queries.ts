import { type Kysely, sql, type Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import type { LogEntry, MessageImage } from '@/lib/shared/conversation/conversation'
import { importedLine } from '@/lib/shared/conversation/wire/log-lines'
import { kindOf } from '@/lib/shared/conversation/outline'
import { cleanTag } from '@/lib/shared/conversation/search/list-filter'
import { boundedDetail } from '../database/bounded-detail'
import {
  callTexts,
  growConversation,
  moreBytes,
  refuseFull,
  touchOwner,
  storedBytes,
} from '../database/conversation-bytes'
import { ownConversation } from '../database/lock-conversation'
import { writeLog } from '../calls/log-queries'
import { newStamp, lineageOf, unknownLineage } from './message-lines'
import { insertTools } from '../calls/tool-queries'
import { cleanTitle, conversationFromRow, foldForSearch, rowFromCall, type DecodeSettings } from '../database/rows'
import { amendmentFormat, logFormat, marksFormat, messageFormat, encodeStored } from '../database/row-formats'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'
import { enqueueAllForIndexing } from '../search/search-queries'
import type { AppendPlan } from '../ports/conversation-store'

const rowOf = (owner: string, conversationId: string, { messageId, number, mediaType, data }: MessageImage) => ({
  owner,
  conversation_id: conversationId,
  message_id: messageId,
  number,
  media_type: mediaType,
  data,
})

/**
 * Stores the pictures of an append's user message, and returns their bytes. The caller holds the conversation's row.
 */
export async function insertImages(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  { userMessage, images = [] }: Pick<AppendPlan, 'userMessage' | 'images'>,
): Promise<number> {
  if (!userMessage) return 0
  if (!('copyOf' in images)) return insertNew(trx, owner, conversationId, images)
  await trx
    .insertInto('images')
    .columns(['owner', 'conversation_id', 'message_id', 'number', 'media_type', 'data'])
    .expression((eb) =>
      eb
        .selectFrom('images')
        .select((from) => [
          'owner',
          'conversation_id',
          from.cast<string>(from.val(userMessage.id), 'text').as('message_id'),
          'number',
          'media_type',
          'data',
        ])
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId)
        .where('message_id', '=', images.copyOf),
    )
    .execute()
  const { bytes } = await trx
    .selectFrom('images')
    .select(sql<number | string | null>`sum(octet_length(data))`.as('bytes'))
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', userMessage.id)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** One statement per picture: each may be megabytes. */
async function insertNew(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  images: readonly MessageImage[],
): Promise<number> {
  for (const image of images)
    await trx
      .insertInto('images')
      .values(rowOf(owner, conversationId, image))
      .execute()
  return images.reduce((sum, { data }) => sum + storedBytes(data), 0)
}

export function imageQueries(db: Kysely<Schema>): Pick<Store, 'loadImages'> {
  return {
    async loadImages(owner, conversationId, wanted) {
      if (wanted !== 'all' && wanted.length === 0) return []
      let query = db
        .selectFrom('images')
        .select(['message_id', 'number', 'media_type', 'data'])
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId)
      if (wanted !== 'all') {
        query = query.where((eb) =>
          eb.or(
            wanted.map(({ messageId, number }) =>
              eb.and([eb('message_id', '=', messageId), eb('number', '=', number)]),
            ),
          ),
        )
      }
      const rows = await query.orderBy('message_id').orderBy('number').execute()
      return rows.map(({ message_id, number, media_type, data }) => ({
        messageId: message_id,
        number,
        mediaType: media_type,
        data,
      }))
    },
  }
}

/** Rows per statement: SQLite accepts 32,766 parameters, and no row here has more than fifteen. */
const ROWS = 500

async function inPieces<T>(rows: readonly T[], insert: (piece: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS) await insert(rows.slice(at, at + ROWS))
}

/** Marks of other people are kept, but can't be mistaken for one of this server. */
const foreignActor = (actor: string): string => `${actor.slice(0, 60)} (imported)`

/** Entries of the export follow the one that records the import. */
const logRow = (owner: string, conversationId: string, entry: LogEntry, index: number) => ({
  owner,
  conversation_id: conversationId,
  seq: index + 2,
  at: entry.at,
  actor: foreignActor(entry.actor),
  event: entry.event,
  message_id: entry.messageId,
  slot: entry.slot,
  body: encodeStored({ tool: entry.tool, detail: boundedDetail(entry.detail) }, logFormat),
})

/** Imports conversations completely or not at all. */
export function importQueries(db: Kysely<Schema>, decodeSettings: DecodeSettings): Pick<Store, 'importConversation'> {
  return {
    importConversation: (owner, imported, now, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        const { conversation, messages, runnableCalls, calls, amendments, tools, images, log, exportedAt } = imported
        const tags = [...new Set(imported.tags?.map(cleanTag))].filter((tag) => tag !== '')
        const { id } = conversation
        const settings = JSON.stringify(conversation.settings)
        const marks = conversation.marks ? encodeStored(conversation.marks, marksFormat) : null
        // Before any row of the chat, as for a new chat, so that concurrent requests wait in the same order.
        await touchOwner(trx, owner, now)
        const inserted = await trx
          .insertInto('conversations')
          .values({
            owner,
            id,
            title: cleanTitle(conversation.title),
            title_search: foldForSearch(conversation.title),
            settings,
            head_id: conversation.headId,
            created_at: conversation.createdAt,
            updated_at: conversation.updatedAt,
            imported_at: conversation.importedAt ?? null,
            marks,
          })
          .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
          .executeTakeFirst()
        const row = await ownConversation(trx, owner, id)
        if (!row) throw makeError('not-found', 'store.no-chat')
        if (inserted.numInsertedOrUpdatedRows !== 1n) return conversationFromRow(row, decodeSettings)

        await refuseFull(trx, owner, { maxBytes, now })
        const places = lineageOf(messages)
        const stamp = newStamp()
        const rows = messages.map((message, index) => ({
          owner,
          conversation_id: id,
          id: message.id,
          seq: index + 1,
          body: encodeStored(message, messageFormat),
          runnable_calls: runnableCalls.get(message.id) ?? 0,
          ...(places.get(message.id) ?? unknownLineage),
          kind: kindOf(message),
          stamp,
        }))
        await inPieces(rows, (piece) => trx.insertInto('messages').values(piece).execute())
        await enqueueAllForIndexing(trx, owner, id)
        const callRows = calls.map((call) => rowFromCall(owner, id, call))
        await inPieces(callRows, (piece) => trx.insertInto('calls').values(piece).execute())
        const amended = amendments.map(({ messageId, slot, call, amendedAt }) => ({
          owner,
          conversation_id: id,
          message_id: messageId,
          slot,
          call: encodeStored(call, amendmentFormat),
          amended_at: amendedAt,
        }))
        await inPieces(amended, (piece) => trx.insertInto('amendments').values(piece).execute())
        const offered = await insertTools(trx, owner, id, tools)
        await inPieces(tags, (piece) =>
          trx
            .insertInto('conversation_tags')
            .values(piece.map((tag) => ({ owner, conversation_id: id, tag })))
            .execute(),
        )
        const shown = await insertNew(trx, owner, id, images)
        await writeLog(trx, owner, id, importedLine(exportedAt, log.length), now)
        const lines = log.map((entry, index) => logRow(owner, id, entry, index))
        await inPieces(lines, (piece) => trx.insertInto('log').values(piece).execute())
        const texts = [
          ...rows.map(({ body }) => body),
          ...lines.map(({ body }) => body),
          ...callRows.flatMap(callTexts),
          ...amended.map(({ call }) => call),
          settings,
          marks,
        ]
        await growConversation(trx, owner, id, moreBytes(texts) + shown + offered)
        return conversationFromRow(row, decodeSettings)
      }),
  }
}
