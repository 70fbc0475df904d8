import type { Dialect } from '../arguments/dialect'
import { nodeValue } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import { OPEN_TAG, valueUntil, noArguments, putArgument, completeCall, type Arguments, type OwnTags } from './elements'

/*
 *   qwen    <tool_call><function=name><parameter=key>value</parameter></function></tool_call>
 *           the same in <seed:tool_call> (Seed-OSS), or without its outer tag; `</tool_call>` alone may close it
 *   llama   <function=name>{…}</function>
 */

const WRAPPERS = ['tool_call', 'seed:tool_call']
const FUNCTION = /<function=["']?([^\s"'<>=/]{1,64})["']?>/y
const TAGS: OwnTags = {
  openers: new RegExp(String.raw`${OPEN_TAG}((?:seed:)?tool_call(?=>)|(?:function|parameter)(?==))`, 'g'),
  closers: /<\/((?:seed:)?tool_call|function|parameter)>/g,
}
const PARAMETER = /<parameter=["']?([^\s"'<>=/]{1,64})["']?>/y

export const qwenDialect: Dialect = {
  id: 'qwen',
  triggers: '<',
  starts: [...WRAPPERS.map((name) => `<${name}>`), '<function='],
  fences: [],
  read(source, start, context) {
    const wrapper = WRAPPERS.find((name) => source.has(start, `<${name}>`))
    const at = wrapper === undefined ? start : source.skipSpace(start + wrapper.length + 2)
    const open = source.has(at, '<function=') ? source.match(FUNCTION, at, 80) : null
    const name = open?.[1]
    if (!open || name === undefined) return null
    source.certain = { start, name }
    const from = source.skipSpace(at + open[0].length)
    const json = source.at(from) === Char.OPEN_BRACE
    const body = json ? readObject(source, from) : readParameters(source, from)
    if (!body) return null
    const end = closeCall(source, body.end, wrapper !== undefined)
    return end === null
      ? null
      : completeCall(source, start, end, { name, arguments: body.args }, context, json ? 'llama' : undefined)
  },
}

interface Body {
  readonly args: Arguments
  readonly end: number
}

function readObject(source: Source, from: number): Body | null {
  const reading = readJson(source, from, { guess: false })
  if (reading.failure || reading.node?.kind !== 'object') return null
  return { args: nodeValue(reading.node) as Arguments, end: reading.end }
}

function readParameters(source: Source, from: number): Body | null {
  const args = noArguments()
  let i = from
  for (;;) {
    const parameter = source.has(i, '<parameter=') ? source.match(PARAMETER, i, 90) : null
    const key = parameter?.[1]
    if (!parameter || key === undefined) return { args, end: i }
    const value = valueUntil(source, i + parameter[0].length, '</parameter>', (at) => continues(source, at), TAGS)
    if (!value) return null
    putArgument(args, key, value.text)
    i = source.skipSpace(value.end)
  }
}

const outerCloser = (source: Source, i: number): number | null => {
  const name = WRAPPERS.find((one) => source.has(i, `</${one}>`))
  return name === undefined ? null : i + name.length + 3
}

const continues = (source: Source, i: number): boolean =>
  source.has(i, '<parameter=') || source.has(i, '</function>') || outerCloser(source, i) !== null

/** The end of the call whose closing tags begin at `from`; null if there are none. */
function closeCall(source: Source, from: number, wrapped: boolean): number | null {
  const i = source.skipSpace(from)
  if (!source.has(i, '</function>')) return outerCloser(source, i)
  const end = i + '</function>'.length
  return (wrapped ? outerCloser(source, source.skipSpace(end)) : null) ?? end
}
