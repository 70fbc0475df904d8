import { encodingNames } from '@/lib/base/text/encoding-names'
import { formatNumber } from '@/lib/base/text/locale'
import { z } from 'zod'
import { tabWriterSchema } from './runs/tab-schemas'
import {
  type ChatRequest,
  type CreateConversation,
  type PatchConversation,
  type SortChats,
  maxDeletedMessages,
} from '@/lib/shared/conversation/wire/api-types'
import { type JsonValue, isJsonWithin } from '@/lib/base/json'
import { attachmentLimits } from '@/lib/shared/conversation/attached'
import type { MessageImage } from '@/lib/shared/conversation/conversation'
import { imageTypeOfBase64 } from '@/lib/shared/conversation/settings/image-type'
import { contextMarksSchema } from '@/lib/shared/conversation/settings/settings-schemas'
import { isSkillName, skillLimits } from '@/lib/protocols/prompt/skill-lines'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import { toolServerLimits } from '@/lib/shared/conversation/settings/tool-server'
import { registeredToolLimits } from '@/lib/shared/conversation/settings/registered-tool'
import { partialSettingsSchema, settingsSchema } from '@/lib/shared/conversation/settings/settings'
import { vfsLimits } from '@/lib/vfs/vfs'
import { normalizePath } from '@/lib/vfs/path'
import { cleanTag, maxBulkChats, maxTagChars } from '@/lib/shared/conversation/search/list-filter'
import { readableChatSchema, shownPartsSchema } from '@/lib/shared/conversation/readable/readable-chat-schema'
import { shareDays, type ShareChat } from '@/lib/shared/conversation/readable/readable-chat'

/* The input that clients may send. The types are those of the contract; unknown fields are dropped. */

export const id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be an id of letters, digits, - and _')
/** A line of the prompt, as sent by the page; invisible characters are removed when the prompt is built. */
const skillLineSchema = z.object({
  name: z.string().refine(isSkillName, 'must be a name of small letters, digits and hyphens'),
  description: z
    .string()
    .max(skillLimits.descriptionChars)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be text'),
})

/** The chat's own tools, and those of its servers. */
const maxConnected = registeredToolLimits.maxTools + toolServerLimits.maxServers * 64
const maxTextChars = 1_000_000
/** Levels of JSON in a request. */
export const maxDepth = 200

export const json = z.custom<JsonValue>(
  (value) => value !== undefined && isJsonWithin(value, maxDepth),
  'is nested too deep',
)

export const createConversationSchema: z.ZodType<CreateConversation> = z.object({
  id,
  settings: z.exactOptional(partialSettingsSchema),
  temporary: z.literal(true).exactOptional(),
  project: id.exactOptional(),
})

export const patchConversationSchema: z.ZodType<PatchConversation> = z
  .object({
    title: z.string().trim().min(1, 'must not be empty').max(200).exactOptional(),
    settings: z.exactOptional(settingsSchema),
    headId: id.nullable().exactOptional(),
    headStays: z.literal(true).exactOptional(),
    marks: contextMarksSchema.nullable().exactOptional(),
    temporary: z.enum(['open', 'keep']).exactOptional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'names nothing to change')

const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
const { maxFiles, maxHeadChars, maxDocumentHeadChars, maxImageChars, maxImagesChars } = attachmentLimits

export const imageFields = {
  mediaType: z.enum(imageTypes),
  data: z.string().max(maxImageChars, 'is too large a picture'),
}
/** A picture must be what its first bytes say. */
export const isPicture = ({ mediaType, data }: Pick<MessageImage, 'mediaType' | 'data'>): boolean =>
  imageTypeOfBase64(data) === mediaType
export const notPicture = 'is not the picture that it says it is'
const imageSchema = z.object(imageFields).refine(isPicture, notPicture)

export const attachmentFields = {
  path: z
    .string()
    .min(2)
    .max(1_024)
    .refine((path) => {
      const normal = normalizePath(path)
      return normal.ok && normal.value === path
    }, 'must be a whole path'),
  mediaType: z.string().regex(/^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/, 'must be like text/csv'),
  size: z.int().min(0).max(vfsLimits.maxFileBytes),
  head: z.string().max(maxDocumentHeadChars).nullable(),
  written: z
    .object({ encoding: z.enum(encodingNames), bytes: z.int().min(0).max(vfsLimits.maxFileBytes) })
    .exactOptional(),
  document: z
    .object({
      unit: z.enum(['page', 'slide', 'sheet', 'chapter', 'part']),
      total: z.int().min(0).max(1_000_000_000),
      tokens: z.int().min(0).max(100_000_000),
      whole: z.boolean(),
      hidden: z.int().min(0).max(100_000_000),
    })
    .exactOptional(),
  isImage: z.boolean(),
}

const attachments = z
  .array(z.object({ ...attachmentFields, image: imageSchema.exactOptional() }))
  .max(maxFiles, `must be at most ${maxFiles} files`)
  .refine(
    (files) => files.every(({ head, document }) => document !== undefined || (head ?? '').length <= maxHeadChars),
    `of a file that is no document at most ${maxHeadChars} characters are sent`,
  )
  .refine(
    (files) => files.reduce((sum, { image }) => sum + (image?.data.length ?? 0), 0) <= maxImagesChars,
    'hold too many large pictures for one message',
  )

export const chatSchema: z.ZodType<ChatRequest> = z.object({
  conversationId: id,
  append: z.discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('user'),
        id,
        parentId: id.nullable(),
        branch: z.enum(['edit', 'back', 'leaf']).exactOptional(),
        text: z.string().max(maxTextChars, `must be at most ${formatNumber(maxTextChars)} characters`),
        attachments: attachments.exactOptional(),
        keepAttachmentsOf: id.exactOptional(),
        onCopy: z.literal(true).exactOptional(),
      })
      .refine(
        ({ text, attachments: files = [], keepAttachmentsOf }) =>
          text.trim() !== '' || files.length > 0 || keepAttachmentsOf !== undefined,
        { path: ['text'], error: 'must not be empty' },
      ),
    z.object({
      kind: z.literal('tool-results'),
      id,
      parentId: id,
      continueRounds: z.boolean().exactOptional(),
      attachments: attachments.exactOptional(),
    }),
    z.object({
      kind: z.literal('reply'),
      id,
      parentId: id,
      as: z.object({ model: z.string().min(1).max(300), strategy: z.enum(strategyIds) }).exactOptional(),
      beside: z.literal(true).exactOptional(),
      head: id.exactOptional(),
    }),
  ]),
  create: z.exactOptional(partialSettingsSchema),
  temporary: z.literal(true).exactOptional(),
  project: id.exactOptional(),
  connected: z.array(z.string().max(64)).max(maxConnected).exactOptional(),
  skills: z.array(skillLineSchema).max(skillLimits.offered).exactOptional(),
  writer: tabWriterSchema.exactOptional(),
})

export const changeMessagesSchema = z.object({ ids: z.array(id).min(1).max(maxDeletedMessages), deleted: z.boolean() })

export const serversToUseSchema: z.ZodType<{ readonly servers: readonly string[] }> = z.object({
  servers: z.array(id).max(toolServerLimits.maxServers),
})

const tag = z
  .string()
  .max(maxTagChars, `must be at most ${maxTagChars} characters`)
  .refine((text) => cleanTag(text) !== '', 'must not be empty')

/** A change of many chats at once. */
export const sortChatsSchema: z.ZodType<SortChats> = z.object({
  ids: z.array(id).min(1).max(maxBulkChats, `must be at most ${maxBulkChats} chats`),
  change: z
    .object({
      pinned: z.boolean().exactOptional(),
      archived: z.boolean().exactOptional(),
      deleted: z.boolean().exactOptional(),
      addTag: tag.exactOptional(),
      removeTag: tag.exactOptional(),
      project: id.nullable().exactOptional(),
    })
    .refine((change) => Object.keys(change).length > 0, 'names nothing to change'),
})

export const shareSchema: z.ZodType<ShareChat> = z.object({
  chat: readableChatSchema,
  shown: shownPartsSchema,
  days: z.literal(shareDays),
})
