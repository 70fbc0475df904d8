import { z } from 'zod'
import { isJsonWithin } from './json-depth'
import type { ChatRequest, CreateConversation, DecideCall, FinishCall, PatchConversation } from '@/lib/chat/api-types'
import type { JsonValue } from '@/lib/base/json'
import { partialSettingsSchema, settingsSchema } from '@/lib/chat/settings'

/* What clients may send. Types are those of the contract; unknown fields are dropped. */

const id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be an id of letters, digits, - and _')
const maxTextChars = 1_000_000
const maxDepth = 200

const json = z.custom<JsonValue>((value) => value !== undefined && isJsonWithin(value, maxDepth), 'is nested too deep')

export const createConversationSchema: z.ZodType<CreateConversation> = z.object({
  id,
  settings: partialSettingsSchema.exactOptional(),
})

export const patchConversationSchema: z.ZodType<PatchConversation> = z
  .object({
    title: z.string().trim().min(1, 'must not be empty').max(200).exactOptional(),
    settings: settingsSchema.exactOptional(),
    headId: id.exactOptional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'names nothing to change')

export const chatSchema: z.ZodType<ChatRequest> = z.object({
  conversationId: id,
  append: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('user'),
      id,
      parentId: id.nullable(),
      text: z
        .string()
        .max(maxTextChars, `must be at most ${maxTextChars.toLocaleString('en')} characters`)
        .refine((text) => text.trim() !== '', 'must not be empty'),
    }),
    z.object({
      kind: z.literal('tool-results'),
      id,
      parentId: id,
      continueRounds: z.boolean().exactOptional(),
    }),
    z.object({ kind: z.literal('reply'), id, parentId: id }),
  ]),
})

const slot = z.int().min(0).max(10_000)
const attempt = z.int().min(1).max(10_000)

export const decideCallSchema: z.ZodType<DecideCall> = z.object({
  messageId: id,
  slot,
  callHash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
  decision: z.enum(['run', 'deny']),
  reason: z.string().max(2_000).exactOptional(),
  runnerId: id,
  attempt,
})

export const finishCallSchema: z.ZodType<FinishCall> = z.object({
  messageId: id,
  slot,
  attempt,
  runnerId: id,
  outcome: z.object({
    status: z.enum(['completed', 'error', 'denied', 'skipped', 'interrupted', 'cancelled', 'not_found']),
    result: json,
    durationMs: z.number().min(0).nullable(),
    console: z.array(z.object({ level: z.string().max(20), text: z.string(), atMs: z.number() })).max(10_000),
    displays: z.array(z.object({ kind: z.string().max(20), data: z.string() })).max(1_000),
  }),
})
