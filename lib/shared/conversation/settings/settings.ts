import { isRecord } from '@/lib/base/json'
import * as z from 'zod/mini'
import type { ChatSetup } from './preset'
import type { ConversationSettings } from '../conversation'
import { defaultToolConfig } from './registered-tool'
import { defaultStrategy, strategyIds } from '@/lib/protocols/types/tool-context-def'

export const strategySchema = z.enum(strategyIds)

const maxSystemPromptChars = 100_000
const toolNameSchema = z.string().check(z.minLength(1), z.maxLength(100))

const rule = z.enum(['always', 'on-error', 'never'])
const within = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most))

/** A value for each of some tools, by name. */
const ofTools = <S extends z.ZodMiniType>(each: S) =>
  z
    .record(toolNameSchema, each)
    .check(z.refine((record) => Object.keys(record).length <= 1000, 'must name at most 1,000 tools'))

const fields = {
  version: z.literal(4),
  model: z.string().check(z.minLength(1), z.maxLength(300)),
  strategy: strategySchema,
  systemPrompt: z.string().check(z.maxLength(maxSystemPromptChars)),
  tools: z.object({
    enabled: z.boolean(),
    mode: z.enum(['manual', 'auto']),
    requireConfirmation: z.boolean(),
    grantLifetimeMs: z.nullable(within(60_000, 31_536_000_000)),
    toolToggles: ofTools(z.boolean()),
    defaultToolEnabled: z.boolean(),
    toolRules: ofTools(z.object({ execution: z.exactOptional(rule), result: z.exactOptional(rule) })),
    resultGate: z.enum(['always', 'large-or-failed', 'never']),
    maxIterations: within(1, 100),
    maxCallsPerReply: within(1, 1000),
    timeoutMs: within(1_000, 600_000),
    parallelExecution: z.boolean(),
    codeChanges: z.enum(['keep', 'ask']),
    approvalUi: z.enum(['inline', 'dialog']),
  }),
  exact: z.exactOptional(z.boolean()),
  images: z.exactOptional(
    z
      .record(z.string().check(z.minLength(1), z.maxLength(300)), z.boolean())
      .check(z.refine((record) => Object.keys(record).length <= 50, 'must name at most 50 models')),
  ),
}

/** The stored form of a conversation's settings; older versions in requests are migrated first. */
export const settingsSchema: z.ZodMiniType<ConversationSettings> = z.pipe(
  z.transform(migrateSettings),
  z.object(fields),
)

/** The same for the initial settings of chats. */
export const setupSchema: z.ZodMiniType<ChatSetup> = z.pipe(
  z.transform(migrateSettings),
  z.object({ ...fields, model: z.nullable(fields.model) }),
)

/** The settings that a request for a new conversation may contain; the rest are defaults. */
export const partialSettingsSchema: z.ZodMiniType<Partial<ConversationSettings>> = z.pipe(
  // Without tools there is nothing to migrate, and a new conversation is not an old one whose tools were off.
  z.transform((value) =>
    isRecord(value) && value['version'] === 1 && !isRecord(value['tools'])
      ? withoutVersion(value)
      : migrateSettings(value),
  ),
  z.object({
    version: z.exactOptional(fields.version),
    model: z.exactOptional(fields.model),
    strategy: z.exactOptional(fields.strategy),
    systemPrompt: z.exactOptional(fields.systemPrompt),
    tools: z.exactOptional(fields.tools),
    exact: fields.exact,
    images: fields.images,
  }),
)

/** The migration from each version to the next; a stored value passes through those after its own. */
const steps: Readonly<Record<number, (old: Record<string, unknown>) => Record<string, unknown>>> = {
  // Version 1 had no rules, no gate and one way to run. Without a tool config its tools were off.
  1: ({ tools, ...rest }) => ({
    ...rest,
    version: 2,
    tools: isRecord(tools) ? { ...defaultToolConfig, ...tools } : { ...defaultToolConfig, enabled: false },
  }),
  // Version 2 kept code changes at once.
  2: ({ tools, ...rest }) => ({
    ...rest,
    version: 3,
    tools: isRecord(tools) ? { ...tools, codeChanges: 'keep' } : tools,
  }),
  // Version 3 had no switch above mode, rules and grants, and grants lasted as long as their conversation.
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

/** Reads stored settings. Never throws: unreadable parts become the defaults, and are reported. */
export function decodeSettings(
  text: string,
  model = 'demo/demo',
): { readonly settings: ConversationSettings; readonly problem: 'damaged' | null } {
  const parsed = settingsSchema.safeParse(parseJson(text))
  if (parsed.success) return { settings: parsed.data, problem: null }
  return { settings: defaultSettings(model), problem: 'damaged' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
