import { z } from 'zod'
import type { ConversationSettings } from './conversation'
import type { StrategyId } from '@/lib/strategies/tool-context-def'

const strategyIds = [
  'JSON_Strict',
  'XML_Tag',
  'VCP',
  'Tool_Action',
  'JSON_Action',
  'Native',
] as const satisfies readonly StrategyId[]

/** Held equal to the union of the contract: a new strategy that is missing here does not compile. */
type Missing = Exclude<StrategyId, (typeof strategyIds)[number]>
const strategySchema = z.enum(strategyIds satisfies [Missing] extends [never] ? unknown : never)

const maxSystemPromptChars = 100_000
const toolNameSchema = z.string().min(1).max(100)

const fields = {
  version: z.literal(1),
  model: z.string().min(1).max(300),
  strategy: strategySchema,
  systemPrompt: z.string().max(maxSystemPromptChars),
  tools: z.object({
    enabled: z.boolean(),
    toolToggles: z
      .record(toolNameSchema, z.boolean())
      .refine((toggles) => Object.keys(toggles).length <= 1000, 'must name at most 1,000 tools'),
    defaultToolEnabled: z.boolean(),
    maxIterations: z.int().min(1).max(100),
    timeoutMs: z.int().min(1_000).max(600_000),
  }),
}

/** What a conversation's settings must look like, on the wire and in the store. */
export const settingsSchema: z.ZodType<ConversationSettings> = z.object(fields)

/** What a new conversation may bring along; the rest are defaults. */
export const partialSettingsSchema: z.ZodType<Partial<ConversationSettings>> = z.object({
  version: fields.version.exactOptional(),
  model: fields.model.exactOptional(),
  strategy: fields.strategy.exactOptional(),
  systemPrompt: fields.systemPrompt.exactOptional(),
  tools: fields.tools.exactOptional(),
})

/** A new conversation: tools on, every tool offered, each call waits for a click. */
export const defaultSettings = (model: string): ConversationSettings => ({
  version: 1,
  model,
  strategy: 'JSON_Strict',
  systemPrompt: '',
  tools: { enabled: true, toolToggles: {}, defaultToolEnabled: true, maxIterations: 5, timeoutMs: 30_000 },
})

/** Reads stored settings. Never throws: what cannot be read becomes the defaults and a sentence for the user. */
export function decodeSettings(
  text: string,
  model = 'demo/demo',
): { readonly settings: ConversationSettings; readonly problem: string | null } {
  const parsed = settingsSchema.safeParse(parseJson(text))
  if (parsed.success) return { settings: parsed.data, problem: null }
  return {
    settings: defaultSettings(model),
    problem:
      'The settings of this chat could not be read, so the usual ones stand in. Your messages are unharmed. Saving the settings again mends it.',
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
