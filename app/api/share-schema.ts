import { z } from 'zod'
import { readableChatSchema, shownPartsSchema } from '@/lib/shared/conversation/readable/readable-chat-schema'
import { shareDays, type ShareChat } from '@/lib/shared/conversation/readable/share'

export const shareSchema: z.ZodType<ShareChat> = z.object({
  chat: readableChatSchema,
  shown: shownPartsSchema,
  days: z.literal(shareDays),
})
