import { z } from 'zod'
import type { SortChats } from '@/lib/shared/conversation/wire/api-types'
import { cleanTag, maxBulkChats, mostTagChars } from '@/lib/shared/conversation/search/list-filter'
import { id } from './schemas'

const tag = z
  .string()
  .max(mostTagChars, `must be at most ${mostTagChars} characters`)
  .refine((text) => cleanTag(text) !== '', 'must not be empty')

/** What many chats are changed to at once. */
export const sortChatsSchema: z.ZodType<SortChats> = z.object({
  ids: z.array(id).min(1).max(maxBulkChats, `must be at most ${maxBulkChats} chats`),
  change: z
    .object({
      pinned: z.boolean().exactOptional(),
      archived: z.boolean().exactOptional(),
      deleted: z.boolean().exactOptional(),
      addTag: tag.exactOptional(),
      removeTag: tag.exactOptional(),
    })
    .refine((change) => Object.keys(change).length > 0, 'names nothing to change'),
})
