import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue, isJsonWithin } from '@/lib/base/json'
import { imageTypeOfBase64 } from '../settings/image-type'
import { readableCallStates, type ReadableChat, type ShownParts } from './readable-chat'

/*
 * The schema of a readable chat, which anyone may have written. Its size is limited by the caller. Unknown fields are
 * dropped.
 */

const maxDepth = 200
const json = z.custom<JsonValue>((value) => value !== undefined && isJsonWithin(value, maxDepth), 'is nested too deep')
const object = z.custom<JsonObject>(
  (value) => isJsonObject(value) && isJsonWithin(value, maxDepth),
  'must be an object',
)
const time = z.number().min(0).max(Number.MAX_SAFE_INTEGER)

const picture = z
  .object({ mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']), data: z.string() })
  .refine(({ mediaType, data }) => imageTypeOfBase64(data) === mediaType, 'is not the picture that it says it is')

const file = z.object({
  name: z.string().max(1_024),
  mediaType: z.string().max(200),
  size: z.number().min(0),
  head: z.string().nullable(),
  picture: picture.nullable(),
})

const part = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('thought'), text: z.string() }),
  z.object({
    kind: z.literal('call'),
    tool: z.string().max(300),
    state: z.enum(readableCallStates),
    arguments: object.nullable(),
    written: z.string().nullable(),
    result: z
      .object({
        value: json,
        displays: z
          .array(z.object({ kind: z.string().max(20), data: z.string(), name: z.string().max(300).exactOptional() }))
          .max(1_000),
      })
      .nullable(),
    reviewer: z.string().max(500).exactOptional(),
    inner: z
      .array(
        z.object({
          tool: z.string().max(300),
          asked: z.enum(['code', 'page']),
          state: z.enum(readableCallStates),
          approved: z.enum(['click', 'auto', 'grant']).nullable(),
          arguments: object.nullable(),
        }),
      )
      .max(10_000)
      .exactOptional(),
  }),
])

const message = z.discriminatedUnion('by', [
  z.object({ by: z.literal('person'), at: time, text: z.string(), files: z.array(file).max(1_000) }),
  z.object({
    by: z.literal('model'),
    at: time,
    model: z.string().max(300),
    ended: z.enum(['finished', 'stopped', 'failed', 'length', 'interrupted']).nullable(),
    parts: z.array(part).max(10_000),
  }),
])

export const readableChatSchema: z.ZodType<ReadableChat> = z.object({
  title: z.string().max(1_000),
  createdAt: time,
  systemPrompt: z.string().nullable(),
  messages: z.array(message).min(1).max(20_000),
})

export const shownPartsSchema: z.ZodType<ShownParts> = z.object({
  arguments: z.boolean(),
  results: z.boolean(),
  files: z.boolean(),
  thoughts: z.boolean(),
  systemPrompt: z.boolean(),
})
