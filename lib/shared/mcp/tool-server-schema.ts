import { z } from 'zod'
import { isJsonObject, isJsonWithin, type JsonObject } from '@/lib/base/json'
import { agree, nameOfOperatorUrl } from './operator-server'
import {
  readServerUrl,
  toolServerLimits as limits,
  type McpTool,
  type ToolServer,
  type ToolServerToSave,
} from '@/lib/shared/conversation/settings/tool-server'

const object = z.custom<JsonObject>(
  (value) => isJsonObject(value) && isJsonWithin(value, 200),
  'must be an object, not too deep',
)

const hash = z.string().regex(/^[\da-f]{64}$/, 'must be a SHA-256 as 64 hex digits')

const mcpToolSchema: z.ZodType<McpTool> = z.object({
  name: z.string().min(1).max(256),
  title: z.string().max(200).exactOptional(),
  description: z.string().max(limits.maxDescriptionChars).exactOptional(),
  inputSchema: object,
  outputSchema: object.exactOptional(),
  annotations: object.exactOptional(),
  visibility: z.enum(['model', 'app']).exactOptional(),
  page: z
    .object({
      uri: z.string().startsWith('ui:').max(limits.maxUrlChars),
      hash,
      chars: z.int().nonnegative(),
      needs: z.array(z.string().max(300)).max(limits.maxPageNeeds),
    })
    .exactOptional(),
})

export const toolSetSchema = z
  .array(mcpToolSchema)
  .max(limits.maxToolsOfSet)
  .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, 'must have each name once')
  .refine(
    (tools) => JSON.stringify(tools).length <= limits.maxSetChars,
    `must be at most ${limits.maxSetChars} characters`,
  )

const epochMs = z.int().nonnegative()

const fields = {
  url: z
    .string()
    .refine(
      (url) => readServerUrl(url) === url || nameOfOperatorUrl(url) !== null,
      'must be an http or https address without credentials',
    ),
  name: z.string().trim().min(1).max(limits.maxNameChars),
  prefix: z.string().regex(/^[a-z][a-z0-9]{0,23}$/, 'must be 1 to 24 small letters and digits, with a letter first'),
  isOn: z.boolean(),
  era: z.object({ kind: z.enum(['modern', 'legacy']), version: z.string().max(40), at: epochMs }).nullable(),
  declined: z.array(hash).max(limits.maxDeclined),
}

export const toolServerToSaveSchema: z.ZodType<ToolServerToSave> = z.object({
  ...fields,
  tools: z.exactOptional(toolSetSchema),
})

const storedSchema: z.ZodType<Omit<ToolServer, 'id'>> = z.object({ ...fields, approvedHash: hash.nullable() })

/** Reads a stored row; null: it can't be read. */
export function decodeToolServer(id: string, text: string): ToolServer | null {
  const read = storedSchema.safeParse(parsed(text))
  return read.success && agree(id, read.data.url) ? { id, ...read.data } : null
}

/** Reads a stored set; null: it can't be read. */
export function decodeToolSet(text: string): readonly McpTool[] | null {
  const read = toolSetSchema.safeParse(parsed(text))
  return read.success ? read.data : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
