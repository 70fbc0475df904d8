import { lit, many, seq } from '../grammar/grammar'
import { jsonWord } from '../grammar/prose-objects'
import { blanks, proseWithCalls } from '../grammar/prose-with-calls'
import { type GrammarOfTools, jsonCall } from '../grammar/reply-grammar'
import { jsonStrictDialect } from './read'

const prose = proseWithCalls({
  triggers: [jsonWord('{', '"tool_calls"')],
  carriers: jsonStrictDialect.fences,
  object: ['{', '"tool_calls"'],
  shown: ['{"tool_calls"', '\n{ "tool_calls"', '```json\n{"tool_calls"', '\n```json\n{\n  "tool_calls"'],
})

/** One envelope with all calls, in a json code block; in prose also without a block. */
export const grammarOfTools: GrammarOfTools = (tools) => {
  const { one, ...limits } = jsonCall(tools)
  if (!one) return null
  const list = seq(one, many(seq(lit(',\n'), one)), lit(']}'))
  return {
    call: seq(lit('```json\n{"tool_calls":['), list, lit('\n```')),
    reply: prose([seq(blanks, lit(':'), blanks, lit('['), blanks, list)]),
    jsonSchema: null,
    whole: null,
    ...limits,
  }
}
