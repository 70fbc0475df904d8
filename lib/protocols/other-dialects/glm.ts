import type { Dialect } from '../arguments/dialect'
import * as Char from '../text/char'
import { isWordPart } from '../text/source'
import { valueUntil, noArguments, putArgument, completeCall } from './elements'
import type { OwnTags } from './elements'

/*
 * GLM 4.5 and later:
 *   <tool_call>read_file
 *   <arg_key>path</arg_key>
 *   <arg_value>/a</arg_value>
 *   </tool_call>
 * A name alone is a call of a known tool only: it could be a word in a tag.
 */

const OPEN = '<tool_call>'
const CLOSE = '</tool_call>'
const KEY = '<arg_key>'
const VALUE = '<arg_value>'
const MAX_NAME = 90
const TAGS: OwnTags = { openers: /<(arg_key|arg_value|tool_call)>/g, closers: /<\/(arg_key|arg_value|tool_call)>/g }

export const glmDialect: Dialect = {
  id: 'glm',
  triggers: '<',
  starts: [OPEN],
  fences: [],
  read(source, start, context) {
    if (!source.has(start, OPEN)) return null
    const from = source.skipSpace(start + OPEN.length)
    let end = from
    while ((isWordPart(source.at(end)) || source.at(end) === Char.COLON) && end - from < MAX_NAME) end++
    const name = source.text.slice(from, end)
    let i = source.skipSpace(end)
    if (name === '' || !(source.has(i, KEY) || (source.has(i, CLOSE) && context.tools.match(name)))) return null
    source.certain = { start, name }
    const args = noArguments()
    while (source.has(i, KEY)) {
      const key = valueUntil(source, i + KEY.length, '</arg_key>', () => true)
      const at = key ? source.skipSpace(key.end) : i
      // A key that holds markup is two things run together.
      if (!key || key.text.includes('<') || key.text.length > MAX_NAME || !source.has(at, VALUE)) return null
      const value = valueUntil(
        source,
        at + VALUE.length,
        '</arg_value>',
        (next) => source.has(next, KEY) || source.has(next, CLOSE),
        TAGS,
      )
      if (!value) return null
      putArgument(args, key.text.trim(), value.text)
      i = source.skipSpace(value.end)
    }
    return source.has(i, CLOSE)
      ? completeCall(source, start, i + CLOSE.length, { name, arguments: args }, context)
      : null
  },
}
