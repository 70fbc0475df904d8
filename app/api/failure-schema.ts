import { z } from 'zod'
import { failureCodes } from '@/lib/shared/models/model'

/** A text that every store gives back as it was. */
const isPlain = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Why a reply failed, as a file or a tab says it. */
export const failureSchema = z.object({
  code: z.enum(failureCodes),
  message: z.string().max(4_000),
  detail: z.string().max(20_000),
  said: z.exactOptional(
    z
      .array(
        z.object({
          reason: z.string().max(100).refine(isPlain, 'must be text'),
          // Names and numbers: no sentence of a failure asks for more.
          values: z.record(
            z.string().max(100).refine(isPlain, 'must be text'),
            z.union([z.string().max(4_000).refine(isPlain, 'must be text'), z.number(), z.boolean(), z.null()]),
          ),
        }),
      )
      .max(10),
  ),
})
