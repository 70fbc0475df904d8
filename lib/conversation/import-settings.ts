import { numberWords, plural } from '@/lib/base/locale'
import { formatDuration } from '@/lib/base/format-duration'
import type { ImportPart } from './api-types'
import type { ConversationSettings, ToolCallConfig } from './conversation'

/*
 * What an imported chat brings besides its title, its messages and its call format. Whoever made the file chose it, so
 * each part is asked for, and what nobody asked for stays as in a new chat. How calls are approved is never taken.
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

/** Settings of the new chat: `own` are those that a new chat has here. */
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

/** One part that would change something, in words; `text` is shown whole. */
export interface BroughtPart {
  readonly part: ImportPart
  readonly title: string
  readonly facts: readonly string[]
  readonly text?: string
}

/** What a person is asked: the parts in which the chat differs from a new one here. */
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
            title: 'Its system prompt',
            facts: [`${numberWords(systemPrompt.length)} characters, sent with every message`],
            text: systemPrompt,
          },
        ]),
    ...(model === own.model || model === '' ? [] : [{ part: 'model' as const, title: 'Its model', facts: [model] }]),
    ...(tools.length > 0 ? [{ part: 'tools' as const, title: 'Its choice of tools', facts: tools }] : []),
    ...(limits.length > 0 ? [{ part: 'limits' as const, title: 'Its limits', facts: limits }] : []),
  ]
}

function toolFacts(brought: ToolCallConfig, own: ToolCallConfig): readonly string[] {
  const facts: string[] = []
  if (brought.enabled !== own.enabled) facts.push(brought.enabled ? 'tools are on' : 'tools are off')
  if (brought.defaultToolEnabled !== own.defaultToolEnabled) {
    facts.push(
      brought.defaultToolEnabled ? 'every tool that is not named is on' : 'every tool that is not named is off',
    )
  }
  for (const [name, on] of Object.entries(brought.toolToggles)) {
    const here = Object.hasOwn(own.toolToggles, name) ? own.toolToggles[name] : undefined
    if (on !== here) facts.push(`${name} is ${on ? 'on' : 'off'}`)
  }
  return facts
}

const limitWords: { readonly [K in (typeof limitKeys)[number]]: (value: ToolCallConfig[K]) => string } = {
  maxIterations: (value) =>
    `${value} ${plural(value, { one: 'round', other: 'rounds' })} of tools without a word from you`,
  maxCallsPerReply: (value) => `${value} ${plural(value, { one: 'call', other: 'calls' })} of one reply may run`,
  timeoutMs: (value) => `a call may run for ${formatDuration(value)}`,
  parallelExecution: (value) => (value ? 'calls run side by side' : 'calls run one after the other'),
  resultGate: (value) =>
    ({
      always: 'every result waits for your look',
      'large-or-failed': 'large and failed results wait for your look',
      never: 'results go to the model without a look',
    })[value],
  codeChanges: (value) =>
    value === 'ask' ? 'changes that code makes are asked about' : 'changes that code makes are kept at once',
  approvalUi: (value) => (value === 'dialog' ? 'it asks in a dialog' : 'it asks in the cards'),
}

function limitFacts(brought: ToolCallConfig, own: ToolCallConfig): readonly string[] {
  return limitKeys.flatMap((key) =>
    brought[key] === own[key] ? [] : [`${limitWord(key, brought)}, here: ${limitWord(key, own)}`],
  )
}

const limitWord = <K extends (typeof limitKeys)[number]>(key: K, config: Pick<ToolCallConfig, K>): string =>
  limitWords[key](config[key])

const pick = <K extends keyof ToolCallConfig>(from: ToolCallConfig, keys: readonly K[]): Pick<ToolCallConfig, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<ToolCallConfig, K>
