import { encodingNames } from '@/lib/base/text/encoding-names'
import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { LogEntry, Message } from '@/lib/shared/conversation/conversation'
import type {
  CallAmendment,
  CallOutcome,
  CallRecord,
  Grant,
  GrantScope,
  ResultRelease,
  InnerCall,
  StoppedRun,
} from '@/lib/shared/conversation/call-record'
import type { CopyScope, EffectsScope } from '@/lib/shared/conversation/copy-scopes'
import { effectKinds, reviewReasons } from '@/lib/shared/calls/effects'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import { contextMarksSchema } from '@/lib/shared/conversation/settings/settings-schemas'
import type { QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { failureCodes } from '@/lib/shared/models/model'
import { strategyIds, toolExecuteStatuses } from '@/lib/protocols/types/tool-context-def'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'

/** The JSON format of one column. Its version is stored as `v`; JSON without it is version 1. */
export interface StoredFormat<T> {
  readonly version: number
  readonly schema: z.ZodType<T>
  /** Migrates each version to the next: an outdated node may still write older ones. */
  readonly steps?: Readonly<Record<number, (old: JsonObject) => JsonObject>>
}

/**
 * Decodes and checks a column; undefined if it can't be read: invalid JSON, another format, a newer version. Never
 * throws. Unknown members are kept, so that writing it again loses nothing.
 */
export function decodeStored<T>(text: unknown, { version, schema, steps = {} }: StoredFormat<T>): T | undefined {
  const value = parsed(text)
  const current = isJsonObject(value) ? upToDate(value, version, steps) : value
  if (current === undefined || !schema.safeParse(current).success) return undefined
  return current as T
}

export const encodeStored = <T>(value: T, { version }: Pick<StoredFormat<T>, 'version'>): string =>
  JSON.stringify(version === 1 ? value : { v: version, ...value })

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function upToDate(
  value: JsonObject,
  version: number,
  steps: Readonly<Record<number, (old: JsonObject) => JsonObject>>,
): JsonObject | undefined {
  // Most rows have no version, so they are not copied.
  if (version === 1 && !('v' in value)) return value
  const { v = 1, ...rest } = value
  if (v === version) return rest
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1 || v > version) return undefined
  let now: JsonObject = rest
  for (let at = v; at < version; at += 1) now = steps[at]?.(now) ?? now
  return now
}

/** Whether both are equal as JSON, whatever the order of their members: a stored value and a new one. */
export const sameJson = (one: object | null, other: object | null): boolean =>
  canonicalJson(one as JsonObject | null) === canonicalJson(other as JsonObject | null)

/*
 * The format of each JSON column. Only the form is checked: sizes were checked when the data arrived, and accepted data
 * must stay readable for good.
 */

const json = z.custom<JsonValue>((value) => value !== undefined)
const object = z.custom<JsonObject>(isJsonObject)
const count = z.number().nullable()
const call = z.object({ name: z.string(), arguments: object })
/** Sentences that are rendered in the reader's language. */
const reasons = z.array(z.object({ reason: z.string(), values: object }))

const change = z.object({
  path: z.string(),
  change: z.enum(['created', 'changed', 'deleted']),
  kind: z.enum(['file', 'directory']),
  size: z.number(),
})

const outcome: z.ZodType<CallOutcome> = z.object({
  status: z.enum(toolExecuteStatuses),
  result: json,
  durationMs: count,
  console: z.array(z.object({ level: z.string(), text: z.string(), atMs: z.number() })),
  displays: z.array(z.object({ kind: z.string(), data: z.string(), name: z.string().exactOptional() })),
  files: z.object({ kept: z.boolean(), changes: z.array(change), total: z.number() }).exactOptional(),
  said: reasons.exactOptional(),
})

const results = z.array(
  z.object({
    messageId: z.string(),
    slot: z.number(),
    callId: z.string(),
    name: z.string(),
    status: z.enum(toolExecuteStatuses),
    result: json,
    note: z.string().exactOptional(),
    durationMs: count,
  }),
)

const message = {
  id: z.string(),
  conversationId: z.string(),
  parentId: z.string().nullable(),
  createdAt: z.number(),
  unreadable: z.enum(['whole', 'part']).exactOptional(),
  deleted: z.literal(true).exactOptional(),
}

const copyEnd = z.object({
  kind: z.enum(['kept', 'discarded']),
  changed: z.number(),
  kept: z.number(),
  leftOut: z.array(z.string()),
  by: z.literal('grant').exactOptional(),
  reviewer: z.string().exactOptional(),
})

const userMessage = z.object({
  ...message,
  role: z.literal('user'),
  text: z.string(),
  results,
  attachments: z
    .array(
      z.object({
        path: z.string(),
        mediaType: z.string(),
        size: z.number(),
        head: z.string().nullable(),
        written: z.object({ encoding: z.enum(encodingNames), bytes: z.number() }).exactOptional(),
        document: z
          .object({
            unit: z.enum(['page', 'slide', 'sheet', 'chapter', 'part']),
            total: z.number(),
            tokens: z.number(),
            whole: z.boolean(),
            hidden: z.number(),
          })
          .exactOptional(),
        isImage: z.boolean(),
      }),
    )
    .exactOptional(),
  late: results.exactOptional(),
  copyEnd: copyEnd.exactOptional(),
  onCopy: z.literal(true).exactOptional(),
})

const replyOutcome = z.enum(['finished', 'stopped', 'failed', 'length', 'interrupted'])
const failure = z.object({
  code: z.enum(failureCodes),
  message: z.string(),
  detail: z.string(),
  // Older rows contain only the message.
  said: reasons.exactOptional(),
})
const usage = z.object({ inputTokens: count, outputTokens: count, cachedInputTokens: z.number().exactOptional() })
const exact = z.object({
  is: z.enum(['honoured', 'asked', 'broken', 'ignored', 'refused']),
  form: z.string(),
})
const thoughtMs = z.array(z.number())
const pace = z.object({ firstMs: z.number(), ms: z.number() })
const sent = z.object({ prompt: z.string(), tools: z.string() })

const assistantMessage = z.object({
  ...message,
  role: z.literal('assistant'),
  text: z.string(),
  reasoning: z.string(),
  strategy: z.enum(strategyIds),
  toolsEnabled: z.boolean(),
  model: z.string(),
  outcome: replyOutcome.nullable(),
  failure: failure.nullable(),
  usage: usage.nullable(),
  runId: z.string(),
  trimmed: z
    .object({ messages: z.number(), windowTokens: z.number(), assumed: z.literal(true).exactOptional() })
    .exactOptional(),
  reading: z.literal('whole').exactOptional(),
  exact: exact.exactOptional(),
  thoughtMs: thoughtMs.exactOptional(),
  pace: pace.exactOptional(),
  promptTokens: z.number().exactOptional(),
  sent: sent.exactOptional(),
})

export const messageFormat: StoredFormat<Message> = {
  version: 1,
  // Discriminated by role: a union that tries both costs five times as much.
  schema: z.discriminatedUnion('role', [userMessage, assistantMessage]),
}

export type CallColumns = Pick<CallRecord, 'callId' | 'name' | 'callHash' | 'reason' | 'changed' | 'by'>

export const callFormat: StoredFormat<CallColumns> = {
  version: 2,
  schema: z.object({
    callId: z.string(),
    name: z.string(),
    callHash: z.string().nullable(),
    reason: z.string(),
    changed: call.nullable(),
    by: z.discriminatedUnion('kind', [
      z.object({ kind: z.enum(['click', 'auto', 'run-stopped', 'overtaken', 'unknown']) }),
      z.object({ kind: z.literal('grant'), grantId: z.string() }),
      z.object({ kind: z.literal('reviewer'), name: z.string() }),
      z.object({ kind: z.literal('limit'), maxCalls: z.number() }),
    ]),
  }),
}

export const outcomeFormat: StoredFormat<CallOutcome> = { version: 1, schema: outcome }

export const stoppedFormat: StoredFormat<StoppedRun> = {
  version: 1,
  schema: z.object({ at: z.number(), outcome: outcome.nullable(), begun: z.literal(false).exactOptional() }),
}

export const innerFormat: StoredFormat<readonly InnerCall[]> = {
  version: 1,
  schema: z.array(
    z.object({
      n: z.number(),
      attempt: z.number(),
      name: z.string(),
      arguments: call.shape.arguments,
      decision: z.enum(['run', 'deny']),
      reason: z.string(),
      by: z.discriminatedUnion('kind', [
        z.object({ kind: z.enum(['click', 'auto']) }),
        z.object({ kind: z.literal('grant'), grantId: z.string() }),
      ]),
      decidedAt: z.number(),
      outcome: outcome.nullable(),
      page: z.literal(true).exactOptional(),
      relayed: z.literal(true).exactOptional(),
    }),
  ),
}

/** A question of a relayed call, and its answer once there is one. */
export const relayQuestionFormat: StoredFormat<{ readonly open: number; readonly answer?: QuestionAnswer }> = {
  version: 1,
  schema: z.object({
    open: z.number(),
    answer: z
      .discriminatedUnion('action', [
        z.object({ action: z.literal('accept'), content: call.shape.arguments.exactOptional() }),
        z.object({ action: z.enum(['decline', 'cancel']) }),
      ])
      .exactOptional(),
  }),
}

const click = z.object({ kind: z.literal('click') })
const release = { note: z.string(), releasedAt: z.number() }

export const releaseFormat: StoredFormat<ResultRelease> = {
  version: 2,
  schema: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('sent'), by: click, ...release }),
    z.object({
      kind: z.literal('changed'),
      by: click,
      result: json,
      changes: z.array(z.enum(['revealed', 'trimmed', 'redacted', 'edited', 'file-reference'])),
      ...release,
    }),
    z.object({
      kind: z.literal('withheld'),
      by: z.object({ kind: z.enum(['click', 'overtaken', 'imported', 'unknown']) }),
      ...release,
    }),
  ]),
}

export const amendmentFormat: StoredFormat<CallAmendment['call']> = { version: 1, schema: call.nullable() }

const copyLook = z.object({
  at: z.number(),
  changes: z.array(
    z.object({
      path: z.string(),
      change: z.enum(effectKinds),
      from: z.string().exactOptional(),
      size: z.number(),
      reasons: z.array(z.enum(reviewReasons)),
      lines: z.object({ added: z.number(), removed: z.number() }).exactOptional(),
    }),
  ),
  runs: z.number(),
  ms: z.number(),
  answer: z
    .object({ kind: z.enum(['keep', 'discard']), from: z.enum(['link', 'here']), reviewer: z.string().exactOptional() })
    .exactOptional(),
})

export const scopeFormat: StoredFormat<GrantScope | CopyScope | EffectsScope> = {
  version: 1,
  schema: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('arguments'), tool: z.string(), argumentsHash: z.string(), label: z.string() }),
    z.object({ kind: z.literal('folder'), tool: z.string(), folder: z.string() }),
    z.object({ kind: z.literal('tool'), tool: z.string() }),
    z.object({ kind: z.literal('host'), tool: z.string(), origin: z.string() }),
    z.object({
      kind: z.literal('copy'),
      under: z.string().exactOptional(),
      chosen: z.literal(true).exactOptional(),
      isPreview: z.literal(true).exactOptional(),
      allowed: z.object({ at: z.number(), files: z.number(), bytes: z.number() }).exactOptional(),
      look: copyLook.exactOptional(),
      end: copyEnd.exactOptional(),
    }),
    z.object({
      kind: z.literal('effects'),
      folders: z.array(z.string()),
      changes: z.array(z.enum(effectKinds)),
      maxFiles: z.number(),
      maxBytes: z.number(),
      runs: z.number(),
    }),
  ]),
}

export const givenOnFormat: StoredFormat<NonNullable<Grant['givenOn']>> = {
  version: 1,
  schema: z.object({ messageId: z.string(), slot: z.number() }),
}

export const logFormat: StoredFormat<Pick<LogEntry, 'tool' | 'detail'>> = {
  version: 1,
  schema: z.object({ tool: z.string().nullable(), detail: object }),
}

export const marksFormat: StoredFormat<ContextMarks> = { version: 1, schema: contextMarksSchema }

export const eventFormat: StoredFormat<RunEvent> = {
  version: 1,
  schema: z.discriminatedUnion('type', [
    z.object({ seq: z.number(), type: z.literal('start'), message: assistantMessage }),
    z.object({ seq: z.number(), type: z.literal('delta'), channel: z.enum(['text', 'reasoning']), text: z.string() }),
    z.object({
      seq: z.number(),
      type: z.literal('end'),
      outcome: replyOutcome,
      failure: failure.nullable(),
      usage: usage.nullable(),
      exact: exact.exactOptional(),
      thoughtMs: thoughtMs.exactOptional(),
      pace: pace.exactOptional(),
      sent: sent.exactOptional(),
    }),
  ]),
}
