import { decode } from '../arguments/coerce'
import type { Dialect } from '../dialect'
import { isJsonObject } from '@/lib/base/json'
import { readTag } from '../scan/tags'
import { valueUntil } from './elements'
import type { OwnTags } from './elements'
import { wholeCall } from './whole-call'

const TAGS: OwnTags = { openers: /<(tool_use|arguments)\b[^<>]*>/gi, closers: /<\/(tool_use|arguments)\s*>/gi }

/* Cherry Studio: <tool_use><name>x</name><arguments>{…}</arguments></tool_use> */
export const cherryDialect: Dialect = {
  id: 'cherry',
  triggers: '<',
  starts: ['<tool_use'],
  fences: [],
  read(source, start, context) {
    const open = readTag(source, start, 'tool_use', false)
    if (!open) return null
    const nameTag = readTag(source, source.skipSpace(open.end), 'name', false)
    const named = nameTag ? valueUntil(source, nameTag.end, '</name>', () => true) : null
    const argsTag = named ? readTag(source, source.skipSpace(named.end), 'arguments', false) : null
    if (!named || !argsTag || named.text.length > 128 || named.text.includes('<')) return null
    const name = named.text.trim()
    source.certain = { start, name }
    const body = valueUntil(
      source,
      argsTag.end,
      '</arguments>',
      (i) => readTag(source, i, 'tool_use', true) !== null,
      TAGS,
    )
    const value = body ? decode(body.text.trim() || '{}') : undefined
    const closer = body ? readTag(source, source.skipSpace(body.end), 'tool_use', true) : null
    return closer && isJsonObject(value)
      ? wholeCall(source, start, closer.end, { name, arguments: value }, context)
      : null
  },
}
