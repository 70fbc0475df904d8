import { z } from 'zod'
import type { ConversationExport, ImportConversation } from '@/lib/shared/conversation/wire/api-types'
import type { LogEntry } from '@/lib/shared/conversation/conversation'
import type { CallOutcome, CallRecord, InnerCall } from '@/lib/shared/conversation/call-record'
import { contextMarksSchema, registeredToolSchema } from '@/lib/shared/conversation/settings/settings-schemas'
import { registeredToolLimits } from '@/lib/shared/conversation/settings/registered-tool'
import { settingsSchema, strategySchema } from '@/lib/shared/conversation/settings/settings'
import { maxTagChars, maxTagsOfImport } from '@/lib/shared/conversation/search/list-filter'
import { attachmentLimits } from '@/lib/shared/conversation/attached'
import { failureSchema } from './runs/tab-schemas'
import { argumentsSchema, slot } from './call-schemas'
import { attachmentFields, id, imageFields, isPicture, json, notPicture } from './schemas'
import { toolExecuteStatuses } from '@/lib/protocols/types/tool-context-def'

/*
 * An exported conversation, which may be forged. Checks the form and size of every part here;
 * `lib/server/sharing/conversation-import.ts` checks whether the parts fit together.
 */

const maxTextChars = 4_000_000
const text = z.string().max(maxTextChars)
const time = z.number().min(0).max(Number.MAX_SAFE_INTEGER)
const short = z.string().max(300)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const call = z.object({ name: z.string().max(300), arguments: argumentsSchema })

const outcome: z.ZodType<CallOutcome> = z.object({
  status: z.enum(toolExecuteStatuses),
  result: json,
  durationMs: z.number().min(0).nullable(),
  console: z.array(z.object({ level: z.string().max(20), text, atMs: z.number() })).max(10_000),
  displays: z.array(z.object({ kind: z.string().max(20), data: z.string(), name: short.exactOptional() })).max(1_000),
  files: z
    .object({
      kept: z.boolean(),
      changes: z
        .array(
          z.object({
            path: z.string().max(1_024),
            change: z.enum(['created', 'changed', 'deleted']),
            kind: z.enum(['file', 'directory']),
            size: z.number().min(0),
          }),
        )
        .max(200),
      total: z.number().min(0),
    })
    .exactOptional(),
})

const base = {
  id,
  conversationId: z.string().max(200),
  parentId: id.nullable(),
  createdAt: time,
  unreadable: z.enum(['whole', 'part']).exactOptional(),
  deleted: z.literal(true).exactOptional(),
}

const toolResults = z
  .array(
    z.object({
      messageId: id,
      slot,
      callId: short,
      name: short,
      status: z.enum(toolExecuteStatuses),
      result: json,
      note: z.string().max(20_000).exactOptional(),
      durationMs: z.number().nullable(),
    }),
  )
  .max(1_000)

const userMessage = z.object({
  ...base,
  role: z.literal('user'),
  text,
  results: toolResults,
  attachments: z.array(z.object(attachmentFields)).max(attachmentLimits.maxFiles).exactOptional(),
  late: toolResults.exactOptional(),
})

const count = z.number().min(0).nullable()
const positive = z.int().min(1)
const assistantMessage = z.object({
  ...base,
  role: z.literal('assistant'),
  text,
  reasoning: text,
  strategy: strategySchema,
  toolsEnabled: z.boolean(),
  model: short,
  outcome: z.enum(['finished', 'stopped', 'failed', 'length', 'interrupted']).nullable(),
  failure: failureSchema.nullable(),
  usage: z
    .object({ inputTokens: count, outputTokens: count, cachedInputTokens: z.number().min(0).exactOptional() })
    .nullable(),
  runId: z.string().max(200),
  trimmed: z
    .object({ messages: positive, windowTokens: positive, assumed: z.literal(true).exactOptional() })
    .exactOptional(),
  reading: z.literal('whole').exactOptional(),
  exact: z
    .object({ is: z.enum(['honoured', 'asked', 'broken', 'ignored', 'refused']), form: z.string().max(40) })
    .exactOptional(),
  thoughtMs: z.array(z.number().min(0)).max(1_000).exactOptional(),
  pace: z.object({ firstMs: z.number().min(0), ms: z.number().min(0) }).exactOptional(),
  promptTokens: z.number().min(0).exactOptional(),
  sent: z.object({ prompt: hash, tools: hash }).exactOptional(),
})

const note = z.string().max(20_000)
const sent = z.object({ kind: z.literal('sent'), note, releasedAt: time })
const withheld = z.object({ kind: z.literal('withheld'), note, releasedAt: time })
const changed = z.object({
  kind: z.literal('changed'),
  result: json,
  changes: z.array(z.enum(['revealed', 'trimmed', 'redacted', 'edited', 'file-reference'])).max(10),
  note,
  releasedAt: time,
})
const click = { by: z.object({ kind: z.literal('click') }) }
const release = z.discriminatedUnion('kind', [
  sent.extend(click),
  changed.extend(click),
  withheld.extend({ by: z.object({ kind: z.enum(['click', 'overtaken', 'imported', 'unknown']) }) }),
])

const callFields = {
  messageId: id,
  slot,
  callId: short,
  name: short,
  decision: z.enum(['run', 'deny', 'skip']),
  reason: z.string().max(20_000),
  changed: call.nullable(),
  runnerId: z.string().max(200).nullable(),
  attempt: z.int().min(1).max(10_000),
  decidedAt: time,
  outcome: outcome.nullable(),
  stopped: z.object({ at: time, outcome: outcome.nullable(), begun: z.literal(false).exactOptional() }).exactOptional(),
  finishedAt: time.nullable(),
  gated: z.boolean(),
  postedIn: id.nullable(),
}
const callHash = z.string().max(64)
const grant = z.object({ kind: z.literal('grant'), grantId: id })

const innerCall: z.ZodType<InnerCall> = z.object({
  n: z.int().min(1).max(1_000),
  attempt: z.int().min(1),
  name: short,
  arguments: argumentsSchema,
  decision: z.enum(['run', 'deny']),
  reason: z.string().max(2_000),
  by: z.discriminatedUnion('kind', [z.object({ kind: z.enum(['click', 'auto']) }), grant]),
  decidedAt: time,
  outcome: outcome.nullable(),
  relayed: z.literal(true).exactOptional(),
})

const callRecord: z.ZodType<CallRecord> = z.object({
  ...callFields,
  callHash: callHash.nullable(),
  by: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['click', 'auto', 'run-stopped', 'overtaken', 'unknown']) }),
    grant,
    z.object({ kind: z.literal('reviewer'), name: z.string().max(500) }),
    z.object({ kind: z.literal('limit'), maxCalls: z.int().min(1).max(1000) }),
  ]),
  release: release.nullable(),
  inner: z.array(innerCall).max(1_000).exactOptional(),
  unreadable: z
    .array(z.enum(['decision', 'outcome', 'stop', 'release', 'inner']))
    .max(5)
    .exactOptional(),
})

const amendment = { messageId: id, slot, call: call.nullable(), amendedAt: time }

/** Kept for reading; `detail` is free JSON of any version, and `event` may be unknown to this version. */
const logEntry = z.object({
  seq: z.int(),
  at: time,
  actor: z.string().max(100),
  event: z.string().regex(/^[a-z-]{1,40}$/),
  messageId: z.string().max(200).nullable(),
  slot: z.int().nullable(),
  tool: short.nullable(),
  detail: argumentsSchema,
  unreadable: z.literal(true).exactOptional(),
}) as unknown as z.ZodType<LogEntry>

const exportFields = {
  format: z.literal('nod-conversation'),
  exportedAt: time,
  conversation: z.object({
    id: z.string().max(200),
    title: z.string().max(1_000),
    settings: settingsSchema,
    // A sentence in earlier versions, now a code.
    settingsProblem: z
      .string()
      .max(1_000)
      .nullable()
      .transform((problem) => (problem === null ? null : ('damaged' as const))),
    headId: id.nullable(),
    createdAt: time,
    updatedAt: time,
    importedAt: time.exactOptional(),
    marks: contextMarksSchema.exactOptional(),
  }),
  messages: z.array(z.discriminatedUnion('role', [userMessage, assistantMessage])).max(20_000),
  amendments: z.array(z.object({ ...amendment, unreadable: z.literal(true).exactOptional() })).max(20_000),
  // Ignored: approvals remembered elsewhere do not count here.
  grants: z
    .array(z.unknown())
    .max(20_000)
    .transform((): [] => []),
  log: z.array(logEntry).max(100_000),
  tools: z.array(registeredToolSchema).max(registeredToolLimits.maxTools).exactOptional(),
  images: z
    .array(
      z
        .object({ messageId: id, number: z.int().min(0).max(attachmentLimits.maxFiles), ...imageFields })
        .refine(isPicture, notPicture),
    )
    .max(2_000)
    .exactOptional(),
  tags: z.array(z.string().max(maxTagChars)).max(maxTagsOfImport).exactOptional(),
}

const exportSchema: z.ZodType<ConversationExport> = z.object({
  ...exportFields,
  version: z.literal(2),
  calls: z.array(callRecord).max(20_000),
})

export const importSchema: z.ZodType<ImportConversation> = z.object({
  id,
  export: exportSchema,
  take: z
    .array(z.enum(['systemPrompt', 'model', 'tools', 'limits']))
    .max(4)
    .exactOptional(),
})
