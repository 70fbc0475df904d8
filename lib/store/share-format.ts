import { readableChatSchema, shownPartsSchema } from '@/lib/conversation/readable-chat-schema'
import type { ReadableChat, ShownParts } from '@/lib/conversation/readable-chat'
import type { StoredFormat } from './stored-json'

/** What a link shows. */
export const shareFormat: StoredFormat<ReadableChat> = { version: 1, schema: readableChatSchema }
export const shownFormat: StoredFormat<ShownParts> = { version: 1, schema: shownPartsSchema }
