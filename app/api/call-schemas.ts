import { z } from 'zod'
import type {
  CallLinkAnswer,
  NewCallLink,
  AllowCopy,
  AnswerCopy,
  NewCopyLink,
  AmendCall,
  AnswerRelay,
  DecideCall,
  DecideInner,
  ExplainDenial,
  FinishCall,
  FinishInner,
  GiveGrant,
  ReleaseResult,
  RelayCall,
  StopCall,
} from '@/lib/shared/conversation/wire/call-requests'
import { isJsonObject, type JsonObject, isJsonWithin } from '@/lib/base/json'
import type { CopyEnd } from '@/lib/shared/conversation/copy-scopes'
import { maxLeftOut } from '@/lib/shared/calls/copy'
import { effectKinds, effectLimits, reviewReasons } from '@/lib/shared/calls/effects'
import type { Display } from '@/lib/shared/tools/tool'
import { vfsLimits } from '@/lib/vfs/vfs'
import type { OfferRequest } from '@/lib/shared/mcp/offers'
import { id, json, maxDepth } from './schemas'

/* The input that clients may send about calls. The types are those of the contract; unknown fields are dropped. */

/** Calls made from quoted or foreign text have slots from 2^30 on, by their start in the reply. */
export const slot = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
const attempt = z.int().min(1).max(10_000)

const callHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')
const note = z.string().max(2_000)

const decidedBy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('click') }),
  z.object({ kind: z.literal('auto') }),
  z.object({ kind: z.literal('grant'), grantId: id }),
])

const filePath = z.string().min(1).max(1_024)

/** What a run on a copy did to one file. */
const effectShape = {
  path: filePath,
  change: z.enum(effectKinds),
  from: filePath.exactOptional(),
  size: z.int().min(0),
}

const reviewer = z.string().trim().min(1).max(254).exactOptional()

export const newCallLinkSchema: z.ZodType<NewCallLink | NewCopyLink> = z.union([
  z.object({ messageId: id, slot, callHash, reviewer }),
  z.object({
    reviewer,
    copyId: id,
    shown: z.object({
      changes: z
        .array(
          z.object({
            ...effectShape,
            reasons: z.array(z.enum(reviewReasons)).max(reviewReasons.length),
            lines: z.object({ added: z.int().min(0), removed: z.int().min(0) }).exactOptional(),
          }),
        )
        .min(1)
        .max(effectLimits.maxFiles),
      runs: z.int().min(0),
      ms: z.number().min(0),
    }),
  }),
])

export const callLinkAnswerSchema: z.ZodType<CallLinkAnswer> = z.object({
  decision: z.enum(['run', 'deny']),
  reason: note.exactOptional(),
})

export const decideCallSchema: z.ZodType<DecideCall> = z.object({
  messageId: id,
  slot,
  callHash,
  decision: z.enum(['run', 'deny', 'skip']),
  reason: note.exactOptional(),
  by: decidedBy.exactOptional(),
  copyId: id.exactOptional(),
  runnerId: id,
  attempt,
  cancelled: z.literal(true).exactOptional(),
})

const displayKinds = [
  'text',
  'json',
  'table',
  'image',
  'svg',
  'html',
  'audio',
  'app',
] as const satisfies readonly Display['kind'][]

const fileChanges = z
  .object({
    kept: z.boolean(),
    changes: z
      .array(
        z.object({
          path: z.string().min(1).max(2_000),
          change: z.enum(['created', 'changed', 'deleted']),
          kind: z.enum(['file', 'directory']),
          size: z.int().min(0).max(vfsLimits.maxFileBytes),
        }),
      )
      .max(200),
    total: z.int().min(0),
  })
  .refine(({ changes: listed, total }) => total >= listed.length, { path: ['total'], error: 'is less than are listed' })

/** Message keys; `client-executor.ts` leaves out longer ones. */
const reasons = z
  .array(
    z.object({
      reason: z.string().max(100),
      values: z.record(
        z.string().max(60),
        z.union([z.string().max(4_000), z.number(), z.boolean(), z.null(), z.array(z.string().max(2_000)).max(100)]),
      ),
    }),
  )
  .max(20)

const outcomeFields = {
  result: json,
  durationMs: z.number().min(0).nullable(),
  console: z.array(z.object({ level: z.string().max(20), text: z.string(), atMs: z.number() })).max(10_000),
  displays: z
    .array(z.object({ kind: z.enum(displayKinds), data: z.string(), name: z.string().max(300).exactOptional() }))
    .max(1_000),
  files: fileChanges.exactOptional(),
  said: reasons.exactOptional(),
}

export const finishCallSchema: z.ZodType<FinishCall> = z.object({
  messageId: id,
  slot,
  attempt,
  runnerId: id,
  outcome: z.object({
    status: z.enum(['completed', 'error', 'skipped', 'interrupted', 'cancelled', 'not_found']),
    ...outcomeFields,
  }),
  hold: z.literal(true).exactOptional(),
})

const offerText = z.string().min(1).max(2_000)
/** The requests that users make to an operator server. */
export const offerRequestSchema: z.ZodType<OfferRequest> = z.discriminatedUnion('ask', [
  z.object({ ask: z.enum(['prompts', 'resources', 'skills']) }),
  z.object({ ask: z.literal('prompt'), name: offerText, args: z.record(offerText, z.string().max(10_000)) }),
  z.object({ ask: z.enum(['resource', 'page', 'skill']), uri: offerText }),
])

const innerNumber = z.int().min(1).max(1_000)

export const relayCallSchema: z.ZodType<RelayCall> = z.object({
  messageId: id,
  slot,
  attempt,
  inner: innerNumber.exactOptional(),
})

export const stopCallSchema: z.ZodType<StopCall> = z.object({
  messageId: id,
  slot,
  attempt,
  runnerId: id,
  outcome: z.object({ status: z.literal('cancelled'), ...outcomeFields }).exactOptional(),
})

const innerFields = { messageId: id, slot, attempt, runnerId: id, n: innerNumber }

export const finishInnerSchema: z.ZodType<FinishInner> = z.object({
  ...innerFields,
  outcome: z.object({ status: z.enum(['completed', 'error', 'cancelled', 'not_found']), ...outcomeFields }),
})

export const explainDenialSchema: z.ZodType<ExplainDenial> = z.object({
  messageId: id,
  slot,
  reason: z.string().min(1).max(2_000),
})

const changes = z.array(z.enum(['revealed', 'trimmed', 'redacted', 'edited', 'file-reference'])).max(10)

export const releaseResultSchema: z.ZodType<ReleaseResult> = z.object({
  messageId: id,
  slot,
  attempt,
  release: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['sent', 'withheld']), note }),
    z.object({ kind: z.literal('changed'), result: json, changes, note }),
  ]),
})

/** Copied without a prototype, because the keys come from outside. */
export const argumentsSchema = z
  .custom<JsonObject>(
    (value) => isJsonObject(value) && isJsonWithin(value, maxDepth),
    'must be an object, not too deep',
  )
  .transform((value): JsonObject => Object.assign(Object.create(null) as JsonObject, value))

/** Total length of the arguments, as JSON, that the code of one run may send, plus room for escapes. */
const MAX_INNER_ARGUMENTS = 400_000

export const decideInnerSchema: z.ZodType<DecideInner> = z.object({
  ...innerFields,
  name: z.string().min(1).max(200),
  arguments: argumentsSchema.refine((args) => JSON.stringify(args).length <= MAX_INNER_ARGUMENTS, 'too long'),
  decision: z.enum(['run', 'deny']),
  reason: note.exactOptional(),
  by: decidedBy.exactOptional(),
  page: z.literal(true).exactOptional(),
})

export const answerRelaySchema: z.ZodType<AnswerRelay> = z.object({
  messageId: id,
  slot,
  attempt,
  question: z.int().min(1).max(1_000),
  answer: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('accept'),
      content: argumentsSchema
        .refine((content) => JSON.stringify(content).length <= MAX_INNER_ARGUMENTS, 'too long')
        .exactOptional(),
    }),
    z.object({ action: z.enum(['decline', 'cancel']) }),
  ]),
})

export const amendCallSchema: z.ZodType<AmendCall> = z.object({
  messageId: id,
  slot,
  amendment: z
    .object({ call: z.object({ name: z.string().min(1).max(100), arguments: argumentsSchema }).nullable() })
    .nullable(),
})

export const giveGrantSchema: z.ZodType<GiveGrant> = z.discriminatedUnion('kind', [
  z.object({
    id,
    messageId: id,
    slot,
    callHash,
    kind: z.enum(['arguments', 'folder', 'tool', 'host', 'copy']),
    under: id.exactOptional(),
    chosen: z.literal(true).exactOptional(),
    isPreview: z.literal(true).exactOptional(),
  }),
  z.object({
    id,
    kind: z.literal('effects'),
    copyId: id,
    folders: z.array(filePath).max(effectLimits.maxFolders),
    changes: z.array(z.enum(effectKinds)).max(effectKinds.length),
    maxFiles: z.int().min(0).max(effectLimits.maxFiles),
    maxBytes: z.int().min(0).max(effectLimits.maxBytes),
    runs: z.int().min(1).max(effectLimits.maxRuns),
    until: z.int().min(0).nullable(),
  }),
])

export const endCopySchema: z.ZodType<CopyEnd | AllowCopy | AnswerCopy> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['kept', 'discarded']),
    changed: z.int().min(0),
    kept: z.int().min(0),
    leftOut: z.array(filePath).max(maxLeftOut),
    by: z.literal('grant').exactOptional(),
  }),
  z.object({
    kind: z.literal('allow'),
    effects: z.array(z.object(effectShape)).max(effectLimits.maxFiles),
  }),
  z.object({
    kind: z.literal('answer'),
    answer: z.enum(['keep', 'discard']),
    over: z.int().min(0).exactOptional(),
  }),
])
