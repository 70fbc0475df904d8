import { settingsSentence } from '@/lib/words/settings'
import { english } from '@/lib/base/locale'
import type { Message, ToolCallConfig } from '@/lib/conversation/conversation'
import { hasWords } from '@/lib/conversation/has-words'
import type { ToolSpec } from '@/lib/strategies/tool-context-def'

/*
 * What a system prompt may hold between double braces:
 *
 *   {{tools}}         the tool block; it changes only with the settings, so a provider's cache keeps it
 *   {{tool_context}}  what holds in this turn; it changes from turn to turn
 *
 * Wherever `{{tool_context}}` stands, its text is the last paragraph of the system prompt: all before it is the same
 * from turn to turn. `{{tools}}` is spliced in by the ToolContextBuilder.
 */

export interface Macro {
  readonly name: string
  readonly help: string
}

export const macros: readonly Macro[] = [
  {
    name: 'tools',
    help: settingsSentence('settings.macro-tools'),
  },
  {
    name: 'tool_context',
    help: settingsSentence('settings.macro-turn'),
  },
]

const contextMark = /\{\{[ \t]*tool_context[ \t]*\}\}/g
const anyMark = /\{\{([^{}\n]{1,80})\}\}/g

/** What of a turn the server knows: it does not have the files. */
export interface TurnFacts {
  readonly config: Pick<ToolCallConfig, 'enabled' | 'mode' | 'maxIterations'>
  /** Those that are offered. */
  readonly tools: readonly Pick<ToolSpec, 'name'>[]
  /** Root → the message that is answered. */
  readonly path: readonly Message[]
}

/** Rounds of results since the user's last word, the message that is answered included. */
function roundsIn(path: readonly Message[]): number {
  const users = path.filter((message) => message.role === 'user')
  return users.length === 0 ? 0 : users.length - 1 - users.findLastIndex(hasWords)
}

/** The text of `{{tool_context}}`. */
export function describeTurn({ config, tools, path }: TurnFacts): string {
  if (!config.enabled || tools.length === 0) return 'In this turn no tools can be used.'
  const names = tools.map(({ name }) => name).join(', ')
  const approval =
    config.mode === 'manual'
      ? 'The user is asked before every call.'
      : 'Calls of tools that the user picked run at once; before every other call the user is asked.'
  // After the last round the user is asked whether to go on, and the count begins anew.
  const left = config.maxIterations - (roundsIn(path) % config.maxIterations)
  const rounds = english.plural(left, { one: 'One more round of calls', other: `${left} more rounds of calls` })
  return `In this turn these tools can be used: ${names}. ${approval} ${rounds} can follow before the user is asked whether to go on.`
}

/**
 * A system prompt with the text of `{{tool_context}}` as its last paragraph, where the user's own text asks for it.
 * `splice` puts the tools into the rest.
 */
export function withToolContext(system: string, splice: (rest: string) => string, facts: TurnFacts): string {
  if (system.search(contextMark) < 0) return splice(system)
  const spliced = splice(system.replaceAll(contextMark, '')).trimEnd()
  const turn = describeTurn(facts)
  return spliced === '' ? turn : `${spliced}\n\n${turn}`
}

/** What is odd about the macros of a system prompt, each a sentence; it is sent all the same. */
export function macroWarnings(system: string): readonly string[] {
  const counts = new Map<string, number>()
  for (const [, inside = ''] of system.matchAll(anyMark)) {
    const name = inside.trim()
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const known = new Set(macros.map(({ name }) => name))
  const warnings: string[] = []
  for (const [name, count] of counts) {
    if (!known.has(name)) {
      warnings.push(settingsSentence('settings.no-macro', { name }))
    } else if (count > 1 && name === 'tools') {
      warnings.push(settingsSentence('settings.tools-often', { count }))
    } else if (count > 1) {
      warnings.push(settingsSentence('settings.macro-often', { name }))
    }
  }
  return warnings
}
