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

/** One tag a call. In prose the tag's closer is behind a call only: alone it would make one of what is before it. */
export const grammarOfTools: GrammarOfTools = (tools) => {
  const { one, ...said } = jsonCall(tools)
  if (!one) return null
  const close = lit(`\n</${TAG}>`)
  const call = seq(lit(`<${TAG}>\n`), one, close)
  return {
    call: seq(call, many(seq(lit('\n'), call))),
    reply: prose([seq(lit('>\n'), one, close)]),
    jsonSchema: null,
    whole: null,
    ...said,
  }
}
