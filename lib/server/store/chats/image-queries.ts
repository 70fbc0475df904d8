import { sql, type Kysely, type Transaction } from 'kysely'
import type { MessageImage } from '@/lib/shared/conversation/conversation'
import { storedBytes } from '../database/conversation-bytes'
import type { Schema } from '../ports/schema'
import type { AppendPlan } from '../ports/conversation-store'
import type { Store } from '../ports/store'

const rowOf = (owner: string, conversationId: string, { messageId, number, mediaType, data }: MessageImage) => ({
  owner,
  conversation_id: conversationId,
  message_id: messageId,
  number,
  media_type: mediaType,
  data,
})

/** Stores the pictures of an append's user message, and gives how much they take. The caller holds the conversation's row. */
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

/** One statement a picture: each may hold megabytes. */
export async function insertNew(
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
