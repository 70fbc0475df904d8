import { type JsonObject, isJsonObject, type JsonValue } from '@/lib/base/json'
import type { ToolSpec, CallToWrite } from '../types/tool-context-def'
import { type Grammar, alt, lit, meaning, ref, seq } from './grammar'
import { type Widening, ValueGrammars } from './json-value'
import { isPlaceholder } from '../arguments/write-json'
import { escapeOf, plainJson, type JsonTextForm } from './json-text'

/** What a strategy lets a model write, for servers that hold a model to it. */
export interface ReplyGrammar {
  /** What a whole reply may be: free prose in which every call that begins is a right one. */
  readonly reply: Grammar
  /** Calls alone. */
  readonly call: Grammar
  /** Where one says it all: the reply is then one JSON value and nothing else, to be read by `whole-reply.ts`. */
  readonly jsonSchema: JsonObject | null
  /** What that schema lets a model write, in one spelling. */
  readonly whole: Grammar | null
  /** What the tools' schemas ask and the grammar leaves open, by tool. */
  readonly widened: readonly (Widening & { readonly tool: string })[]
  /** Tools that the form can't name: they can't be called under the grammar. */
  readonly leftOut: readonly string[]
}

/** What a strategy's folder brings; null when no call can be written. */
export type GrammarOfTools = (tools: readonly ToolSpec[]) => ReplyGrammar | null

interface CallGrammar {
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
