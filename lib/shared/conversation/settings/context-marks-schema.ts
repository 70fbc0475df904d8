import { z } from 'zod'
import { contextMarkLimits, type ContextMarks } from './context-marks'

const { maxCompactions, maxSummaryChars, maxPinned } = contextMarkLimits

const id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be an id of letters, digits, - and _')

/** The schema for requests, files and rows. */
export const contextMarksSchema: z.ZodType<ContextMarks> = z.object({
  compactions: z
    .array(
      z.object({
        through: id,
        summary: z.string().max(maxSummaryChars),
        madeAt: z.int().min(0),
      }),
    )
    .max(maxCompactions),
  pinned: z.array(id).max(maxPinned),
})
