import type { JsonObject, JsonValue } from '@/lib/base/json'
import { finishCall } from '../arguments/finish-call'
import { decode } from '../arguments/coerce'
import { isUnsafeKey } from '../json-repair/node'
import type { Dialect, Outcome, ReadContext } from '../dialect'
import type { Source } from '../scan/source'
import { readTag } from '../scan/tags'
import { isJsonObject } from '@/lib/base/json'
import { attributeOf, textUntil } from './elements'

/*
 * Dialects whose arguments are elements:
 *   qwen         <tool_call><function=name><parameter=key>value</parameter></function></tool_call>
 *   llama        <function=name>{…}</function>
 *   anthropic    <function_calls><invoke name="x"><parameter name="key">value</parameter></invoke></function_calls>
 *                <function name="x"><param name="key">value</param></function>   of known tools (MiniCPM)
 *   deepseek     <｜DSML｜function_calls><｜DSML｜invoke name="x"><｜DSML｜parameter name="key">value</｜DSML｜parameter>…
 *   cherry       <tool_use><name>x</name><arguments>{…}</arguments></tool_use>
 * Only whole calls count.
 */

type Arguments = Record<string, JsonValue>

function call(
  source: Source,
  start: number,
  end: number,
  name: string,
  args: JsonObject,
  context: ReadContext,
  foreignAs?: string,
): Outcome {
  const part = {
    kind: 'call' as const,
    start,
    end,
    call: finishCall({ ownId: null, name, arguments: args, repairs: [] }, context.tools),
  }
  source.certain = { start, name }
  return { kind: 'parts', end, parts: [foreignAs === undefined ? part : { ...part, foreignAs }] }
}

const noArguments = (): Arguments => Object.create(null) as Arguments
const put = (args: Arguments, key: string, value: JsonValue): void => {
  if (!isUnsafeKey(key)) args[key] = value
}

const FUNCTION = /<function=["']?([\w.-]{1,64})["']?>/y
const PARAMETER = /<parameter=["']?([\w.-]{1,64})["']?>/y

export const qwenDialect: Dialect = {
  id: 'qwen',
  triggers: '<',
  starts: ['<tool_call>', '<function='],
  fences: [],
  read(source, start, context) {
    const wrapped = source.has(start, '<tool_call>')
    const at = wrapped ? source.skipSpace(start + 11) : start
    if (!source.has(at, '<function=')) return null
    const open = source.match(FUNCTION, at, 80)
    const name = open?.[1]
    if (!open || name === undefined) return null
    source.certain = { start, name }
    let i = source.skipSpace(at + open[0].length)
    const args = noArguments()
    let id: string | undefined
    if (source.at(i) === 0x7b) {
      const body = textUntil(source, i, '</function>')
      const value = body ? decode(body.text.trim()) : undefined
      if (!body || !isJsonObject(value)) return null
      id = 'llama'
      Object.assign(args, value)
      i = body.end
    } else {
      for (;;) {
        const parameter = source.has(i, '<parameter=') ? source.match(PARAMETER, i, 90) : null
        const key = parameter?.[1]
        if (!parameter || key === undefined) break
        const value = textUntil(source, i + parameter[0].length, '</parameter>')
        if (!value) return null
        put(args, key, value.text)
        i = source.skipSpace(value.end)
      }
      if (!source.has(i, '</function>')) return null
      i += 11
    }
    const after = source.skipSpace(i)
    return call(source, start, wrapped && source.has(after, '</tool_call>') ? after + 12 : i, name, args, context, id)
  },
}

/** How a dialect spells a call that is named by an attribute. */
interface Spelling {
  readonly groups: readonly string[]
  readonly call: string
  readonly parameters: readonly string[]
  /** Words so common that only a known tool tells a call from other markup. */
  readonly knownOnly?: boolean
}

const invoke = (prefix: string): Spelling => ({
  groups: [`${prefix}function_calls`, `${prefix}tool_calls`],
  call: `${prefix}invoke`,
  parameters: [`${prefix}parameter`],
})

function namedByAttribute(id: string, spellings: readonly Spelling[]): Dialect {
  return {
    id,
    triggers: '<',
    starts: spellings.flatMap(({ groups, call: tag }) => [...groups, tag].map((name) => `<${name}`.toLowerCase())),
    fences: [],
    read(source, start, context) {
      for (const spelling of spellings) {
        const outcome = readNamed(source, start, spelling, context)
        if (outcome) return outcome
      }
      return null
    },
  }
}

function readNamed(source: Source, start: number, spelling: Spelling, context: ReadContext): Outcome | null {
  const tag = (i: number, names: readonly string[], closing: boolean) => {
    for (const name of names) {
      const found = readTag(source, i, name.toLowerCase(), closing)
      if (found) return found
    }
    return null
  }
  const group = tag(start, spelling.groups, false)
  const open = tag(group ? source.skipSpace(group.end) : start, [spelling.call], false)
  const name = open ? attributeOf(open.attributes, 'name') : null
  if (!open || name === null || (spelling.knownOnly && !context.tools.match(name))) return null
  source.certain = { start, name }
  const args = noArguments()
  let i = source.skipSpace(open.end)
  for (;;) {
    const parameter = tag(i, spelling.parameters, false)
    const key = parameter ? attributeOf(parameter.attributes, 'name') : null
    if (!parameter || key === null) break
    const value = firstOf(spelling.parameters.map((one) => textUntil(source, parameter.end, `</${one}>`)))
    if (!value) return null
    put(args, key, value.text)
    i = source.skipSpace(value.end)
  }
  const closer = tag(i, [spelling.call], true)
  if (!closer) return null
  const outer = tag(source.skipSpace(closer.end), spelling.groups, true)
  return call(source, start, outer?.end ?? closer.end, name, args, context)
}

/** The text that ends first. */
const firstOf = (texts: readonly ReturnType<typeof textUntil>[]): ReturnType<typeof textUntil> =>
  texts.reduce((best, text) => (best && text ? (text.end < best.end ? text : best) : (best ?? text)), null)

/** With or without the namespace of the model's own template, and MiniCPM's words for the same. */
export const anthropicDialect: Dialect = namedByAttribute('anthropic', [
  invoke(''),
  invoke('antml:'),
  { groups: [], call: 'function', parameters: ['param', 'parameter'], knownOnly: true },
])

/** DeepSeek's DSML markup, in the spellings that leak into texts. */
export const deepseekMarkupDialect: Dialect = namedByAttribute(
  'deepseek',
  ['｜DSML｜', '｜｜DSML｜｜', '‖DSML‖', '|DSML|'].map(invoke),
)

export const cherryDialect: Dialect = {
  id: 'cherry',
  triggers: '<',
  starts: ['<tool_use'],
  fences: [],
  read(source, start, context) {
    const open = readTag(source, start, 'tool_use', false)
    if (!open) return null
    const nameTag = readTag(source, source.skipSpace(open.end), 'name', false)
    const name = nameTag ? textUntil(source, nameTag.end, '</name>') : null
    const argsTag = name ? readTag(source, source.skipSpace(name.end), 'arguments', false) : null
    if (!name || !argsTag || name.text.length > 128) return null
    source.certain = { start, name: name.text.trim() }
    const body = textUntil(source, argsTag.end, '</arguments>')
    const value = body ? decode(body.text.trim() || '{}') : undefined
    const closer = body ? readTag(source, source.skipSpace(body.end), 'tool_use', true) : null
    return closer && isJsonObject(value) ? call(source, start, closer.end, name.text.trim(), value, context) : null
  },
}
