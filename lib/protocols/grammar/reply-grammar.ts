import { type JsonObject, isJsonObject, type JsonValue } from '@/lib/base/json'
import type { ToolSpec, CallToWrite } from '../types/tool-context-def'
import { type Grammar, alt, lit, meaning, ref, seq } from './grammar'
import { type Widening, ValueGrammars } from './json-value'
import { isPlaceholder } from '../arguments/write-json'
import { escapeOf, plainJson, type JsonTextForm } from './json-text'

/** What a strategy allows a model to write, for servers that constrain the model to it. */
export interface ReplyGrammar {
  /** A whole reply: free prose in which every call that begins is valid. */
  readonly reply: Grammar
  /** Calls only. */
  readonly call: Grammar
  /**
   * The JSON schema of a whole reply, if one schema can express it: the reply is then one JSON value and nothing else,
   * read by `envelope-reply.ts`.
   */
  readonly jsonSchema: JsonObject | null
  /** What that schema allows a model to write, in one spelling. */
  readonly whole: Grammar | null
  /** Constraints of the tools' schemas that the grammar does not enforce, by tool. */
  readonly widened: readonly (Widening & { readonly tool: string })[]
  /** Tools that the form can't name: they can't be called under the grammar. */
  readonly leftOut: readonly string[]
}

/** The function that a strategy's folder provides; it returns null if no call can be written. */
export type GrammarOfTools = (tools: readonly ToolSpec[]) => ReplyGrammar | null

interface CallGrammar {
  /** One call of any of the tools; null if none of them can be named. */
  readonly one: Grammar | null
  readonly widened: readonly (Widening & { readonly tool: string })[]
  readonly leftOut: readonly string[]
}

/**
 * Whether a form can name the tool: a name that reads as a placeholder, or has blanks around it, would not be read back
 * unchanged.
 */
export const isNameable = (name: string): boolean => name !== '' && name.trim() === name && !isPlaceholder(name)

/**
 * `{"name":…,"arguments":{…}}` of one of the tools, after the members in `front`; `opening` is the part that was already
 * written.
 */
export function jsonCall(tools: readonly ToolSpec[], front = '{', opening = ''): CallGrammar {
  return eachCallOf(tools, (tool, widened) => jsonCallOf(tool, plainJson, widened, front, opening))
}

/**
 * A call of each tool, by `write`. It reports schema constraints that are not enforced, and returns null if the form
 * can't express the tool.
 */
export function eachCallOf(
  tools: readonly ToolSpec[],
  write: (tool: ToolSpec, widened: (all: readonly Widening[]) => void) => Grammar | null,
): CallGrammar {
  const offered = tools.filter((tool) => tool.disabled !== true)
  const widened: (Widening & { readonly tool: string })[] = []
  const leftOut: string[] = []
  const calls = offered.flatMap((tool) => {
    const widenedKeys = new Set<string>()
    const tell = (all: readonly Widening[]) => {
      for (const one of all) {
        const sign = JSON.stringify([one.path, one.keyword])
        if (!widenedKeys.has(sign)) widened.push({ tool: tool.name, ...one })
        widenedKeys.add(sign)
      }
    }
    const call = isNameable(tool.name) ? write(tool, tell) : null
    if (!call) leftOut.push(tool.name)
    return call ? [call] : []
  })
  return { one: calls.length === 0 ? null : ref('call', () => alt(...calls)), widened, leftOut }
}

/** The same for one tool, with the strings as the form writes them. */
export function jsonCallOf(
  tool: ToolSpec,
  form: JsonTextForm,
  widened: (all: readonly Widening[]) => void,
  front = '{',
  opening = '',
): Grammar {
  const values = new ValueGrammars(tool.parameters, form)
  const name = JSON.stringify(tool.name)
  const written = form.escapes ? name.replaceAll(form.escapes, escapeOf) : name
  const of = seq(lit(`${front}"name":${written},"arguments":`), values.arguments(), lit('}'))
  widened(values.widened)
  return meaning({ as: 'call', read: (text) => readCall(opening + text) }, of)
}

/** All arguments of a call whose name was written before. */
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

/** Reads the call by JSON's own rules alone. */
function readCall(text: string): CallToWrite {
  const value: JsonValue = JSON.parse(text)
  const { name, arguments: args } = isJsonObject(value) ? value : {}
  return { name: typeof name === 'string' ? name : '', arguments: isJsonObject(args) ? args : {} }
}
