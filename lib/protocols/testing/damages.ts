import { FRAME_OPENER } from '../framed-calls/frame'
import { toolContextBuilder } from '../tool-context-builder'
import type { StrategyId } from '../types/tool-context-def'

/** A text with one structural character lost, doubled or replaced by another one. */
export interface Damage {
  readonly text: string
  /** What was done, for the message of a failing test. */
  readonly what: string
}

/** Values that are JSON strings. */
const STRINGS = /"((?:[^"\\]|\\.)*)"/g

/** Where structure is more than JSON and the punctuation of the form, or values are not JSON strings. */
const OWN: Readonly<Partial<Record<StrategyId, { readonly signs?: string; readonly values?: RegExp }>>> = {
  // Only the server writes the mark of a frame.
  Native: { signs: '{}[]:,"' },
  VCP: {
    signs: '{}[]:,"<>「」始末',
    values: /「始([A-Za-z]*)」(?:(?=\s*[[{])|([\s\S]*?)(?=「末\1」))|"((?:[^"\\]|\\.)*)"/g,
  },
  Tool_Action: {
    signs: '{}[]:,"<>/=',
    values: /<!\[CDATA\[([\s\S]*?)\]\]>|<\w+>(?=\s*[[{])|<(?!tool_action)\w+>([^<]*)(?=<)|"((?:[^"\\]|\\.)*)"/g,
  },
}

const known = new Map<StrategyId, string>()

/** The structural characters of a strategy, including its own markup. */
function signsOf(strategy: StrategyId): string {
  const found = known.get(strategy) ?? findSigns(strategy)
  known.set(strategy, found)
  return found
}

function findSigns(strategy: StrategyId): string {
  const own = OWN[strategy]?.signs
  if (own !== undefined) return own
  const written = toolContextBuilder.get(strategy).formatCalls([{ name: 'a', arguments: {} }])
  return [...new Set(`{}[]:,"${written.replaceAll(/[\w\s]/g, '')}`)].join('')
}

/** Matches the values in a text that our formatters or `calls-to-damage.ts` wrote: they are not structure. */
const valuesOf = (strategy: StrategyId): RegExp => OWN[strategy]?.values ?? STRINGS

/** The positions of the structural characters of a valid text. */
export function structureOf(strategy: StrategyId, text: string): readonly number[] {
  const inValue = new Uint8Array(text.length)
  for (const found of text.matchAll(valuesOf(strategy))) {
    const value = found.slice(strategy === 'VCP' ? 2 : 1).find((one) => one !== undefined)
    if (value === undefined || value === '') continue
    const from = found.index + found[0].lastIndexOf(value)
    inValue.fill(1, from, from + value.length)
  }
  // The server writes the frame of a provider's call: only the arguments in it come from the model.
  if (toolContextBuilder.get(strategy).callsBy === 'provider')
    for (let at = text.indexOf(FRAME_OPENER); at >= 0; at = text.indexOf(FRAME_OPENER, at + 1))
      inValue.fill(1, at, text.indexOf('\n', at) + 1)
  const structure = signsOf(strategy)
  const places = Array.from({ length: text.length }, (_, i) => i)
  return places.filter((i) => structure.includes(text.charAt(i)) && inValue[i] === 0)
}

/** All damages of one structural character at `i`. */
export const damagesAt = (strategy: StrategyId, text: string, i: number): readonly Damage[] =>
  damagesWith(signsOf(strategy), text, i)

/** The same with other structural characters. */
export function damagesWith(signs: string, text: string, i: number): readonly Damage[] {
  const char = text.charAt(i)
  const others = signs.split('').filter((one) => one !== char)
  const put = (part: string) => text.slice(0, i) + part + text.slice(i + 1)
  // Two joined numbers are one number: such a text is valid, and the change can't be detected.
  const joins = /[,，]/.test(char) && /\d[,，]\d/.test(text.slice(i - 1, i + 2))
  return [
    ...(joins ? [] : [{ text: put(''), what: `${char} lost at ${i}` }]),
    { text: put(char + char), what: `${char} doubled at ${i}` },
    ...others.map((other) => ({ text: put(other), what: `${char} became ${other} at ${i}` })),
  ]
}
