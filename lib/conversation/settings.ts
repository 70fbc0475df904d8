import { isRecord } from '@/lib/base/is-record'
import { settingsSentence } from '@/lib/words/settings'
import { z } from 'zod'
import type { ConversationSettings } from './conversation'
import { defaultToolConfig } from './tool-config'
import { defaultStrategy, strategyIds } from '@/lib/strategies/tool-context-def'

export const strategySchema = z.enum(strategyIds)

const maxSystemPromptChars = 100_000
const toolNameSchema = z.string().min(1).max(100)

const rule = z.enum(['always', 'on-error', 'never'])
const atMost = (count: number) => (record: Readonly<Record<string, unknown>>) => Object.keys(record).length <= count

const fields = {
  version: z.literal(4),
  model: z.string().min(1).max(300),
  strategy: strategySchema,
  systemPrompt: z.string().max(maxSystemPromptChars),
  tools: z.object({
    enabled: z.boolean(),
    mode: z.enum(['manual', 'auto']),
    requireConfirmation: z.boolean(),
    grantLifetimeMs: z.int().min(60_000).max(31_536_000_000).nullable(),
    toolToggles: z.record(toolNameSchema, z.boolean()).refine(atMost(1000), 'must name at most 1,000 tools'),
    defaultToolEnabled: z.boolean(),
    toolRules: z
      .record(toolNameSchema, z.object({ execution: rule.exactOptional(), result: rule.exactOptional() }))
      .refine(atMost(1000), 'must name at most 1,000 tools'),
    resultGate: z.enum(['always', 'large-or-failed', 'never']),
    maxIterations: z.int().min(1).max(100),
    maxCallsPerReply: z.int().min(1).max(1000),
    timeoutMs: z.int().min(1_000).max(600_000),
    parallelExecution: z.boolean(),
    codeChanges: z.enum(['keep', 'ask']),
    approvalUi: z.enum(['inline', 'dialog']),
  }),
}

/** What a conversation's settings must look like in the store; on the wire older versions are migrated first. */
export const settingsSchema: z.ZodType<ConversationSettings> = z.preprocess(migrateSettings, z.object(fields))

/** What a new conversation may bring along; the rest are defaults. */
export const partialSettingsSchema: z.ZodType<Partial<ConversationSettings>> = z.preprocess(
  // Without tools there is nothing to migrate, and a new conversation is not an old one whose tools were off.
  (value) =>
    isRecord(value) && value['version'] === 1 && !isRecord(value['tools'])
      ? withoutVersion(value)
      : migrateSettings(value),
  z.object({
    version: fields.version.exactOptional(),
    model: fields.model.exactOptional(),
    strategy: fields.strategy.exactOptional(),
    systemPrompt: fields.systemPrompt.exactOptional(),
    tools: fields.tools.exactOptional(),
  }),
)

/** Numbered steps from each version to the next; a stored value passes through those that are ahead of it. */
const steps: Readonly<Record<number, (old: Record<string, unknown>) => Record<string, unknown>>> = {
  // Version 1 knew no rules, no gate and one way to run. Without a tool config its tools were off.
  1: ({ tools, ...rest }) => ({
    ...rest,
    version: 2,
    tools: isRecord(tools) ? { ...defaultToolConfig, ...tools } : { ...defaultToolConfig, enabled: false },
  }),
  // Version 2 kept at once what code changed.
  2: ({ tools, ...rest }) => ({
    ...rest,
    version: 3,
    tools: isRecord(tools) ? { ...tools, codeChanges: 'keep' } : tools,
  }),
  // Version 3 had no switch above mode, rules and remembered answers, and those stood as long as their conversation.
  3: ({ tools, ...rest }) => ({
    ...rest,
    version: 4,
    tools: isRecord(tools) ? { ...tools, requireConfirmation: false, grantLifetimeMs: null } : tools,
  }),
}

function migrateSettings(value: unknown): unknown {
  let now = value
  while (isRecord(now) && typeof now['version'] === 'number') {
    const step = Object.hasOwn(steps, now['version']) ? steps[now['version']] : undefined
    if (!step) break
    now = step(now)
  }
  return now
}

const withoutVersion = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  const { version: _version, ...rest } = value
  return rest
}

export const defaultSettings = (model: string): ConversationSettings => ({
  version: 4,
  model,
  strategy: defaultStrategy,
  systemPrompt: '',
  tools: defaultToolConfig,
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
    problem: settingsSentence('settings.damaged'),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
