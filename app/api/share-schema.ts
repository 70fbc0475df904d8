import { z } from 'zod'
import { readableChatSchema, shownPartsSchema } from '@/lib/conversation/readable-chat-schema'
import { shareDays, type ShareChat } from '@/lib/conversation/share'

export const shareSchema: z.ZodType<ShareChat> = z.object({
  chat: readableChatSchema,
  shown: shownPartsSchema,
  days: z.literal(shareDays),
})
