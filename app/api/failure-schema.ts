import { z } from 'zod'
import { failureCodes } from '@/lib/models/model'

/** Why a reply failed, as a file or a tab says it. */
export const failureSchema = z.object({
  code: z.enum(failureCodes),
  message: z.string().max(4_000),
  detail: z.string().max(20_000),
})
