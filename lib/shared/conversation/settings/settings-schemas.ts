import { z } from 'zod'
import { glyphs, type GlyphName } from '@/lib/base/text/glyphs'
import { formatNumber } from '@/lib/base/text/locale'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import {
  registeredToolLimits as limits,
  type RegisteredTool,
  type ToolToRegister,
  fileAccess,
  permissionLevels,
} from './registered-tool'
import { restoreSchema } from './bounded-schema'
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

/** Every provider and every strategy can write such a name. */
const toolName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'must be 1 to 64 letters, digits, - and _, with a letter first')

const parameters = z
  .custom<JsonObject>(isJsonObject, 'must be a JSON Schema of type object')
  .superRefine((schema, ctx) => {
    const problem =
      restoreSchema(schema) ??
      (JSON.stringify(schema).length > limits.maxParametersChars
        ? `must be at most ${formatNumber(limits.maxParametersChars)} characters`
        : null)
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem })
  })

const fields = {
  name: toolName,
  description: z.string().trim().min(1, 'must not be empty').max(limits.maxDescriptionChars),
  parameters,
  permission: z.enum(permissionLevels),
  files: z.enum(fileAccess),
  icon: z.enum(Object.keys(glyphs) as [GlyphName, ...GlyphName[]]).exactOptional(),
  title: z.string().trim().min(1).max(limits.maxTitleChars).exactOptional(),
}

export const toolToRegisterSchema: z.ZodType<ToolToRegister> = z.object(fields)

/** The stored and exported form. */
export const registeredToolSchema: z.ZodType<RegisteredTool> = z.object({
  ...fields,
  origin: z.enum(['registered', 'imported', 'damaged']),
})

/**
 * Reads a stored row. Never throws: an unreadable row becomes a tool of that name that asks for everything and is not
 * offered.
 */
export function decodeRegisteredTool(name: string, text: string): RegisteredTool {
  const parsed = registeredToolSchema.safeParse(parseJson(text))
  if (parsed.success && parsed.data.name === name) return parsed.data
  return {
    name,
    description: 'What this chat knew of the tool could not be read.',
    parameters: { type: 'object' },
    permission: 'sensitive',
    files: 'none',
    origin: 'damaged',
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
