import { isJsonObject } from '@/lib/base/json'
import type { JsonValue } from '@/lib/base/json'
import { isPlaceholder } from '../arguments/placeholder'
import type { CallToWrite, ToolSpec } from '../types/tool-context-def'
import { alt, lit, meaning, ref, seq } from './grammar'
import type { Grammar } from './grammar'
import { escapeOf, plainJson } from './json-text'
import type { JsonTextForm } from './json-text'
import { ValueGrammars } from './json-value'
import type { Widening } from './json-value'

export interface CallGrammar {
  /** One call of any of the tools; null when none of them can be named. */
  readonly one: Grammar | null
  readonly widened: readonly (Widening & { readonly tool: string })[]
  readonly leftOut: readonly string[]
}

/** Tools that a form can name: a name that reads as a placeholder, or with blanks around, would not come back as it is. */
export const isNameable = (name: string): boolean => name !== '' && name.trim() === name && !isPlaceholder(name)

/** `{"name":…,"arguments":{…}}` of one of the tools, members of `front` before; with `begun`, what of it has been written. */
export function jsonCall(tools: readonly ToolSpec[], front = '{', begun = ''): CallGrammar {
  return eachCallOf(tools, (tool, widened) => jsonCallOf(tool, plainJson, widened, front, begun))
}

/** A call of each tool, by `write`; it tells what of the schema it left open, and null where the form can't say the tool. */
export function eachCallOf(
  tools: readonly ToolSpec[],
  write: (tool: ToolSpec, widened: (all: readonly Widening[]) => void) => Grammar | null,
): CallGrammar {
  const offered = tools.filter((tool) => tool.disabled !== true)
  const widened: (Widening & { readonly tool: string })[] = []
  const leftOut: string[] = []
  const calls = offered.flatMap((tool) => {
    const told = new Set<string>()
    const tell = (all: readonly Widening[]) => {
      for (const one of all) {
        const sign = JSON.stringify([one.path, one.keyword])
        if (!told.has(sign)) widened.push({ tool: tool.name, ...one })
        told.add(sign)
      }
    }
    const call = isNameable(tool.name) ? write(tool, tell) : null
    if (!call) leftOut.push(tool.name)
    return call ? [call] : []
  })
  return { one: calls.length === 0 ? null : ref('call', () => alt(...calls)), widened, leftOut }
}

/** The same for one tool, in the texts of a form. */
export function jsonCallOf(
  tool: ToolSpec,
  form: JsonTextForm,
  widened: (all: readonly Widening[]) => void,
  front = '{',
  begun = '',
): Grammar {
  const values = new ValueGrammars(tool.parameters, form)
  const name = JSON.stringify(tool.name)
  const written = form.escapes ? name.replaceAll(form.escapes, escapeOf) : name
  const of = seq(lit(`${front}"name":${written},"arguments":`), values.arguments(), lit('}'))
  widened(values.widened)
  return meaning({ as: 'call', read: (text) => readCall(begun + text) }, of)
}

/** All arguments of a call whose name was told before. */
export const jsonArguments = (values: ValueGrammars): Grammar =>
  meaning(
    {
      as: 'arguments',
      read(text) {
        const value: JsonValue = JSON.parse(text)
        return isJsonObject(value) ? value : {}
      },
    },
    values.arguments(),
  )

/** What the call says, by JSON's own rules alone. */
function readCall(text: string): CallToWrite {
  const value: JsonValue = JSON.parse(text)
  const { name, arguments: args } = isJsonObject(value) ? value : {}
  return { name: typeof name === 'string' ? name : '', arguments: isJsonObject(args) ? args : {} }
}
