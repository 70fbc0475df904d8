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

/** Elements with or without the namespace of the model's own template. */
const PREFIXES = ['', 'antml:']

export const anthropicDialect: Dialect = {
  id: 'anthropic',
  triggers: '<',
  starts: PREFIXES.flatMap((prefix) => [`<${prefix}function_calls`, `<${prefix}invoke`]),
  fences: [],
  read(source, start, context) {
    for (const prefix of PREFIXES) {
      const group = readTag(source, start, `${prefix}function_calls`, false)
      const at = group ? source.skipSpace(group.end) : start
      const open = readTag(source, at, `${prefix}invoke`, false)
      const name = open ? attributeOf(open.attributes, 'name') : null
      if (!open || name === null) continue
      source.certain = { start, name }
      const args = noArguments()
      let i = source.skipSpace(open.end)
      for (;;) {
        const parameter = readTag(source, i, `${prefix}parameter`, false)
        const key = parameter ? attributeOf(parameter.attributes, 'name') : null
        if (!parameter || key === null) break
        const value = textUntil(source, parameter.end, `</${prefix}parameter>`)
        if (!value) return null
        put(args, key, value.text)
        i = source.skipSpace(value.end)
      }
      const closer = readTag(source, i, `${prefix}invoke`, true)
      if (!closer) return null
      const outer = readTag(source, source.skipSpace(closer.end), `${prefix}function_calls`, true)
      return call(source, start, outer?.end ?? closer.end, name, args, context)
    }
    return null
  },
}

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
