import type { JsonObject } from '@/lib/base/json'
import { alt, lit, many, seq } from '../grammar/grammar'
import { plainJson } from '../grammar/json-text'
import { jsonWord } from '../grammar/prose-objects'
import { blanks, proseWithCalls } from '../grammar/prose-with-calls'
import { type GrammarOfTools, isNameable, jsonCall } from '../grammar/reply-grammar'
import { toolSchema } from '../grammar/merged-schema'
import type { ToolSpec } from '../types/tool-context-def'
import { CALL, TEXT, jsonActionDialect } from './read'

const anyText = plainJson.text(0, Infinity)

const opening = ['"action"', ':', `"${CALL}"`]
const prose = proseWithCalls({
  triggers: [jsonWord('[', '{', ...opening), jsonWord('{', ...opening)],
  carriers: jsonActionDialect.fences,
  object: ['{', ...opening],
  shown: [
    '{"action":"tool_call"',
    '\n[\n{"action":"tool_call"',
    '\n```json\n{"action": "tool_call"',
    '{"action":"deploy"}',
  ],
})

/** One object per call, or a list of several, in a json code block; in prose also without a block. */
export const grammarOfTools: GrammarOfTools = (tools) => {
  const { one, ...limits } = jsonCall(tools, `{"action":"${CALL}",`)
  // In prose the action has already been written, and only its comma is missing.
  const rest = jsonCall(tools, ',', `{"action":"${CALL}"`).one
  if (!one || !rest) return null
  const more = seq(many(seq(lit(',\n'), one)), lit(']'))
  const words = seq(lit(`{"action":"${TEXT}","text":`), anyText, lit('}'))
  const item = alt(words, one)
  return {
    call: seq(lit('```json\n'), alt(one, seq(lit('['), one, more)), lit('\n```')),
    reply: prose([seq(blanks, rest, more), seq(blanks, rest)]),
    jsonSchema: schemaOf(tools.filter(({ name, disabled }) => disabled !== true && isNameable(name))),
    whole: alt(words, one, seq(lit('['), item, many(seq(lit(',\n'), item)), lit(']'))),
    ...limits,
  }
}

/** One object for text or a call, or a list of them. */
function schemaOf(tools: readonly ToolSpec[]): JsonObject {
  const definitions: Record<string, JsonObject> = {}
  const text = object({ action: { type: 'string', const: TEXT }, text: { type: 'string' } })
  const calls = tools.map((tool, i) => {
    const place = `tool${i + 1}`
    const { schema, refers } = toolSchema(tool, `#/$defs/${place}`)
    if (refers) definitions[place] = schema
    return object({
      action: { type: 'string', const: CALL },
      name: { type: 'string', const: tool.name },
      arguments: refers ? { $ref: `#/$defs/${place}` } : schema,
    })
  })
  const list: JsonObject = { type: 'array', minItems: 1, items: { anyOf: [text, ...calls] } }
  return { anyOf: [text, ...calls, list], ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}) }
}

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
