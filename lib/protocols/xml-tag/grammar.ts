import { lit, many, seq } from '../grammar/grammar'
import { plain } from '../grammar/prose-objects'
import { proseWithCalls } from '../grammar/prose-with-calls'
import { type GrammarOfTools, jsonCall } from '../grammar/reply-grammar'
import { TAG } from './markup'
import { xmlTagDialect } from './read'

const prose = proseWithCalls({
  triggers: [plain(`<${TAG}`)],
  carriers: [],
  never: [plain(`</${TAG}`)],
  neverFences: xmlTagDialect.fences,
  shown: [`<${TAG}>\n`, `\n\`<${TAG}>\``, `\n> <${TAG}>\n`],
})

/**
 * One tag per call. In prose the closing tag occurs only after a call: alone it would turn the text before it into one.
 */
export const grammarOfTools: GrammarOfTools = (tools) => {
  const { one, ...limits } = jsonCall(tools)
  if (!one) return null
  const close = lit(`\n</${TAG}>`)
  const call = seq(lit(`<${TAG}>\n`), one, close)
  return {
    call: seq(call, many(seq(lit('\n'), call))),
    reply: prose([seq(lit('>\n'), one, close)]),
    jsonSchema: null,
    whole: null,
    ...limits,
  }
}
