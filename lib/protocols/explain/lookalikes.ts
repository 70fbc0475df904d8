import { strategyModules } from '../registry'
import { literalPattern } from '@/lib/base/text/characters'

/**
 * A kind of text that resembles a call: the pattern of its beginning, and the strategy that it would belong to, or null
 * if to none of ours.
 */
export type Kind = { readonly pattern: string; readonly owner: string | null } & (
  | { readonly kind: 'json' | 'element' | 'opener' | 'python' | 'bracketed-value' }
  | { readonly kind: 'object'; readonly key: string; readonly call?: string }
  | {
      readonly kind: 'bracketed'
      readonly words: string
      readonly last: RegExp
      readonly opens: RegExp
      readonly value: RegExp
    }
)

const JSON_KEYS = 'name|tool|tool_name|function|tool_call|function_call|arguments|parameters'
const FOREIGN_TAGS = 'tool_call|tool_use|function_calls|invoke|function'

/** The kinds of all strategies, then those of other formats. Patterns have no groups. The first match counts. */
export function lookalikes(toolNames: readonly string[]): readonly Kind[] {
  const tools = toolNames.map((name) => name.replace(/[^\w]/g, '\\$&')).join('|')
  const others: readonly Kind[] = [
    { kind: 'json', owner: null, pattern: `\\{\\s{0,20}["'](?:${JSON_KEYS})["']\\s{0,5}:` },
    { kind: 'element', owner: null, pattern: `<(?:${FOREIGN_TAGS})\\b` },
  ]
  const python: Kind = {
    kind: 'python',
    owner: null,
    pattern: `(?<![\\w.])(?:print\\()?(?:(?:default_api|functions|tools)\\.)?(?:${tools})\\(`,
  }
  return [...ofStrategies(), ...others, ...(tools === '' ? [] : [python])]
}

function ofStrategies(): readonly Kind[] {
  return strategyModules.flatMap(({ id: owner, lookalikes: all }) =>
    all.flatMap((one): readonly Kind[] => {
      switch (one.kind) {
        case 'element':
          return [{ kind: 'element', owner, pattern: `<${one.tag}\\b` }]
        case 'opener':
          return [{ kind: 'opener', owner, pattern: literalPattern(one.literal) }]
        case 'object':
          return [{ ...one, owner, pattern: `\\{\\s{0,20}["']${one.key}["']\\s{0,5}:` }]
        case 'bracketed': {
          const last = new RegExp(`[<{[【]{0,5}${one.end}[\\])}】>]{0,6}`, 'i')
          const value = new RegExp(`[:：]\\s{0,4}[「『{[(]${one.value}`)
          const either = `(?:${one.end}|${one.words})`
          return [
            { ...one, owner, last, value, pattern: `[<{\\[【]{0,5}${either}\\b` },
            { kind: 'bracketed-value', owner, pattern: `[{\\[『【(<]${one.value}[}\\]』】)>]` },
          ]
        }
      }
    }),
  )
}
