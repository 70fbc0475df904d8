import { t } from '@/lib/i18n/t'
import type { ImportPart } from './api-types'
import type {
  ConversationSettings,
  ToolCallConfig,
  Conversation,
  LogEntry,
  Message,
  MessageImage,
} from '../conversation'
import type { CallAmendment, CallRecord } from '../call-record'
import type { RegisteredTool } from '../settings/registered-tool'

/*
 * The settings that an imported chat brings besides its title, messages and call format. The file's author chose them,
 * so the user is asked about each, and those not requested stay as in a new chat. The approval settings are never
 * taken.
 */

const toolKeys = ['enabled', 'toolToggles', 'defaultToolEnabled'] as const satisfies readonly (keyof ToolCallConfig)[]
const limitKeys = [
  'maxIterations',
  'maxCallsPerReply',
  'timeoutMs',
  'parallelExecution',
  'resultGate',
  'codeChanges',
  'approvalUi',
] as const satisfies readonly (keyof ToolCallConfig)[]

/** The settings of the new chat: `own` are those of a new chat here. */
export function takenSettings(
  brought: ConversationSettings,
  own: ConversationSettings,
  take: readonly ImportPart[],
): ConversationSettings {
  const takes = (part: ImportPart) => take.includes(part)
  return {
    version: own.version,
    strategy: brought.strategy,
    model: takes('model') ? brought.model : own.model,
    systemPrompt: takes('systemPrompt') ? brought.systemPrompt : own.systemPrompt,
    tools: {
      ...own.tools,
      ...(takes('tools') && pick(brought.tools, toolKeys)),
      ...(takes('limits') && pick(brought.tools, limitKeys)),
      mode: 'manual',
      toolRules: {},
    },
  }
}

/** One part that would change something, as text; `text` is shown whole. */
export interface BroughtPart {
  readonly part: ImportPart
  readonly title: string
  readonly facts: readonly string[]
  readonly text?: string
}

/** The parts that the user is asked about: those in which the chat differs from a new one here. */
export function broughtParts(brought: ConversationSettings, own: ConversationSettings): readonly BroughtPart[] {
  const tools = toolFacts(brought.tools, own.tools)
  const limits = limitFacts(brought.tools, own.tools)
  const { systemPrompt, model } = brought
  return [
    ...(systemPrompt === own.systemPrompt
      ? []
      : [
          {
            part: 'systemPrompt' as const,
            title: t('import.part.system-prompt'),
            facts: [t('import.characters', { count: systemPrompt.length })],
            text: systemPrompt,
          },
        ]),
    ...(model === own.model || model === ''
      ? []
      : [{ part: 'model' as const, title: t('import.part.model'), facts: [model] }]),
    ...(tools.length > 0 ? [{ part: 'tools' as const, title: t('import.part.tools'), facts: tools }] : []),
    ...(limits.length > 0 ? [{ part: 'limits' as const, title: t('import.part.limits'), facts: limits }] : []),
  ]
}

function toolFacts(brought: ToolCallConfig, own: ToolCallConfig): readonly string[] {
  const facts: string[] = []
  if (brought.enabled !== own.enabled) facts.push(t('import.tools', { on: brought.enabled }))
  if (brought.defaultToolEnabled !== own.defaultToolEnabled) {
    facts.push(t('import.other-tools', { on: brought.defaultToolEnabled }))
  }
  for (const [name, on] of Object.entries(brought.toolToggles)) {
    const here = Object.hasOwn(own.toolToggles, name) ? own.toolToggles[name] : undefined
    if (on !== here) facts.push(t('import.tool', { tool: name, on }))
  }
  return facts
}

const limitWords: { readonly [K in (typeof limitKeys)[number]]: (value: ToolCallConfig[K]) => string } = {
  maxIterations: (count) => t('import.rounds', { count }),
  maxCallsPerReply: (count) => t('import.calls', { count }),
  timeoutMs: (ms) => t('import.time', { ms }),
  parallelExecution: (on) => t('import.parallel', { on }),
  resultGate: (resultApproval) => t('import.gate', { gate: resultApproval }),
  codeChanges: (fate) => t('import.code', { fate }),
  approvalUi: (where) => t('import.asks', { where }),
}

function limitFacts(brought: ToolCallConfig, own: ToolCallConfig): readonly string[] {
  return limitKeys.flatMap((key) =>
    brought[key] === own[key]
      ? []
      : [t('import.beside', { there: limitWord(key, brought), here: limitWord(key, own) })],
  )
}

const limitWord = <K extends (typeof limitKeys)[number]>(key: K, config: Pick<ToolCallConfig, K>): string =>
  limitWords[key](config[key])

const pick = <K extends keyof ToolCallConfig>(from: ToolCallConfig, keys: readonly K[]): Pick<ToolCallConfig, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<ToolCallConfig, K>

/** An export as the rows of a new conversation. */
export interface ImportedConversation {
  readonly conversation: Conversation
  /** Parents before their replies. */
  readonly messages: readonly Message[]
  /** By the id of their reply: how many of its calls can be decided or were; left out: none. */
  readonly runnableCalls: ReadonlyMap<string, number>
  readonly calls: readonly CallRecord[]
  readonly amendments: readonly CallAmendment[]
  /** Its own tools, for reading its calls. */
  readonly tools: readonly RegisteredTool[]
  readonly images: readonly MessageImage[]
  /** Unchanged from the export. */
  readonly log: readonly LogEntry[]
  readonly exportedAt: number
  /** Left out: none. */
  readonly tags?: readonly string[]
}
