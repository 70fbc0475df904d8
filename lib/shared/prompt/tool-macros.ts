import { t } from '@/lib/i18n/t'
import { english } from '@/lib/base/text/locale'
import type { Message, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'

/*
 * The macros in double braces that a system prompt may contain:
 *
 *   {{tools}}         the tool block; it changes only with the settings, so a provider's cache keeps it
 *   {{tool_context}}  facts about calls: which tools, whether the user is asked, and how many rounds may follow
 *
 * Wherever `{{tool_context}}` is, its text is the last paragraph of the system prompt. The number of remaining rounds
 * comes with the results of each round, and stays there: the prompt so far never changes while the settings don't, so a
 * server's cache of the prompt holds. The ToolContextBuilder inserts `{{tools}}`.
 */

export interface Macro {
  readonly name: string
  readonly help: () => string
}

export const macros: readonly Macro[] = [
  {
    name: 'tools',
    help: () => t('settings.macro-tools'),
  },
  {
    name: 'tool_context',
    help: () => t('settings.macro-turn'),
  },
]

const contextMark = /\{\{[ \t]*tool_context[ \t]*\}\}/g
const anyMark = /\{\{([^{}\n]{1,80})\}\}/g

/** What the server knows of calls: it does not have the files. */
export interface OfferFacts {
  readonly config: Pick<ToolCallConfig, 'enabled' | 'mode' | 'maxIterations'>
  /** The offered ones. */
  readonly tools: readonly Pick<ToolSpec, 'name'>[]
}

/** Rounds of results since the user's last message, up to the message at `at`. */
function roundsUpTo(path: readonly Message[], at: number): number {
  let rounds = 0
  for (let place = at; place >= 0; place -= 1) {
    const message = path[place]
    if (message?.role !== 'user') continue
    if (hasText(message)) break
    rounds += 1
  }
  return rounds
}

/** The text of `{{tool_context}}` in the system prompt. */
export function describeCalls({ config, tools }: OfferFacts): string {
  if (!config.enabled || tools.length === 0) return 'No tools can be used.'
  const names = tools.map(({ name }) => name).join(', ')
  const approval =
    config.mode === 'manual'
      ? 'The user is asked before every call.'
      : 'Calls of tools that the user picked run at once; before every other call the user is asked.'
  const { maxIterations } = config
  const rounds = english.plural(maxIterations, {
    one: 'After each round of calls',
    other: `After ${maxIterations} rounds of calls`,
  })
  return `These tools can be used: ${names}. ${approval} ${rounds} the user is asked whether to go on.`
}

/** The text with the results of a round, the message at `at`, if the system prompt contains `{{tool_context}}`. */
export function remainingRounds(
  system: string,
  { config, tools }: OfferFacts,
  path: readonly Message[],
  at = path.length - 1,
): string {
  if (system.search(contextMark) < 0 || !config.enabled || tools.length === 0) return ''
  const message = path[at]
  if (message?.role !== 'user' || hasText(message) || message.results.length === 0) return ''
  // After the last round the user is asked whether to continue, and the count restarts.
  const left = config.maxIterations - (roundsUpTo(path, at) % config.maxIterations)
  const rounds = english.plural(left, { one: 'One more round of calls', other: `${left} more rounds of calls` })
  return `(${rounds} can follow before the user is asked whether to go on.)`
}

/**
 * A system prompt with the text of `{{tool_context}}` as its last paragraph, if the user's own text contains the macro.
 * `splice` inserts the tools into the rest.
 */
export function withToolContext(system: string, splice: (rest: string) => string, facts: OfferFacts): string {
  if (system.search(contextMark) < 0) return splice(system)
  const spliced = splice(system.replaceAll(contextMark, '')).trimEnd()
  const calls = describeCalls(facts)
  return spliced === '' ? calls : `${spliced}\n\n${calls}`
}

/** Warnings about the macros of a system prompt, each a sentence; it is sent anyway. */
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
      warnings.push(t('settings.no-macro', { name }))
    } else if (count > 1 && name === 'tools') {
      warnings.push(t('settings.tools-often', { count }))
    } else if (count > 1) {
      warnings.push(t('settings.macro-often', { name }))
    }
  }
  return warnings
}
