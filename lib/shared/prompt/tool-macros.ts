import { t } from '@/lib/i18n/t'
import { english } from '@/lib/base/text/locale'
import type { Message, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'

/*
 * What a system prompt may hold between double braces:
 *
 *   {{tools}}         the tool block; it changes only with the settings, so a provider's cache keeps it
 *   {{tool_context}}  what holds for calls: which tools, whether the user is asked, and how many rounds may follow
 *
 * Wherever `{{tool_context}}` stands, its text is the last paragraph of the system prompt. How many rounds are left is said
 * with the results of each round, and stays there: nothing that was sent once changes while the settings don't, so a
 * server's cache of the prompt holds. `{{tools}}` is spliced in by the ToolContextBuilder.
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
  /** Those that are offered. */
  readonly tools: readonly Pick<ToolSpec, 'name'>[]
}

/** Rounds of results since the user's last word, up to the message at `at`. */
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

/** What is said with the results of a round, the message at `at`, where the system prompt asks for `{{tool_context}}`. */
export function remainingRounds(
  system: string,
  { config, tools }: OfferFacts,
  path: readonly Message[],
  at = path.length - 1,
): string {
  if (system.search(contextMark) < 0 || !config.enabled || tools.length === 0) return ''
  const message = path[at]
  if (message?.role !== 'user' || hasText(message) || message.results.length === 0) return ''
  // After the last round the user is asked whether to go on, and the count begins again.
  const left = config.maxIterations - (roundsUpTo(path, at) % config.maxIterations)
  const rounds = english.plural(left, { one: 'One more round of calls', other: `${left} more rounds of calls` })
  return `(${rounds} can follow before the user is asked whether to go on.)`
}

/**
 * A system prompt with the text of `{{tool_context}}` as its last paragraph, where the user's own text asks for it.
 * `splice` puts the tools into the rest.
 */
export function withToolContext(system: string, splice: (rest: string) => string, facts: OfferFacts): string {
  if (system.search(contextMark) < 0) return splice(system)
  const spliced = splice(system.replaceAll(contextMark, '')).trimEnd()
  const calls = describeCalls(facts)
  return spliced === '' ? calls : `${spliced}\n\n${calls}`
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
      warnings.push(t('settings.no-macro', { name }))
    } else if (count > 1 && name === 'tools') {
      warnings.push(t('settings.tools-often', { count }))
    } else if (count > 1) {
      warnings.push(t('settings.macro-often', { name }))
    }
  }
  return warnings
}
