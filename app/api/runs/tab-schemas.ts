import { z } from 'zod'
import { exactFormNames } from '@/lib/shared/models/exact/exact-forms'
import {
  tabRunLimits,
  type TabEnd,
  type TabPieces,
  type TabWriter,
  writerHeader,
} from '@/lib/shared/conversation/wire/tab-run'
import { makeError } from '@/lib/i18n/t'
import { failureCodes } from '@/lib/shared/models/model'

/** A text that every store returns unchanged. */
const isPlain = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Why a reply failed, as reported by a file or a tab. */
export const failureSchema = z.object({
  code: z.enum(failureCodes),
  message: z.string().max(4_000),
  detail: z.string().max(20_000),
  said: z.exactOptional(
    z
      .array(
        z.object({
          reason: z.string().max(100).refine(isPlain, 'must be text'),
          // Names and numbers: error messages need nothing else.
          values: z.record(
            z.string().max(100).refine(isPlain, 'must be text'),
            z.union([z.string().max(4_000).refine(isPlain, 'must be text'), z.number(), z.boolean(), z.null()]),
          ),
        }),
      )
      .max(10),
  ),
})

/* What a tab reports about a reply that it writes. It is treated as data: well-formed text, and numbers within
   limits. */

const { maxPieces, maxPieceChars, maxLabelChars, maxFailureChars, maxContextTokens } = tabRunLimits

/** A text that every store returns unchanged. */
const wellFormed = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((text) => text.isWellFormed(), 'must be text: half a character stands alone in it')

/** On one line, without invisible characters. */
const label = wellFormed(maxLabelChars)
  .min(1)
  .refine((text) => !/\p{C}/u.test(text), 'must be letters that show')

export const writerKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22,100}$/, 'must be a key of 22 letters and digits or more')

export const tabWriterSchema: z.ZodType<TabWriter> = z.object({
  key: writerKeySchema,
  model: z.object({
    label,
    providerLabel: label,
    contextTokens: z.int().min(1).max(maxContextTokens).nullable(),
    seesImages: z.boolean(),
    takes: z.exactOptional(z.enum(['grammar', 'json-schema'])),
  }),
})

const seq = z.int().min(2).max(1_000_000_000)

export const tabPiecesSchema: z.ZodType<TabPieces> = z.object({
  pieces: z
    .array(z.object({ seq, channel: z.enum(['text', 'reasoning']), text: wellFormed(maxPieceChars).min(1) }))
    .max(maxPieces),
})

const count = z.int().min(0).max(1_000_000_000_000)
const tokens = count.nullable()
const ms = z.number().min(0).max(31_536_000_000)

export const tabEndSchema: z.ZodType<TabEnd> = z.object({
  lastSeq: z.int().min(1).max(1_000_000_000),
  outcome: z.enum(['finished', 'stopped', 'failed', 'length']),
  failure: failureSchema
    .extend({ message: wellFormed(maxFailureChars), detail: wellFormed(maxFailureChars) })
    .nullable(),
  usage: z.object({ inputTokens: tokens, outputTokens: tokens, cachedInputTokens: z.exactOptional(count) }).nullable(),
  exact: z.exactOptional(
    z.object({
      form: z.enum(exactFormNames),
      asked: z.enum(['with', 'without', 'refused']),
      finding: z.enum(['honoured', 'half', 'ignored', 'refused']).nullable(),
    }),
  ),
  pace: z.exactOptional(z.object({ firstMs: ms, ms })),
})

/** The key with which a tab proves that it started the reply. */
export function writerKeyOf(request: Request): string {
  const key = writerKeySchema.safeParse(request.headers.get(writerHeader))
  if (!key.success) throw makeError('forbidden', 'chat.other-tab')
  return key.data
}
