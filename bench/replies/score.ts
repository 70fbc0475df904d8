import { finishCall } from '@/lib/protocols/arguments/dialect'
import { createToolIndex } from '@/lib/protocols/arguments/tool-index'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { CorpusRow } from '@/lib/protocols/testing/corpus'
import { testTools } from '@/lib/protocols/testing/tools'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ReplyReader } from './peers'

export type Verdict = 'right' | 'lost' | 'wrong'

export interface Scored {
  readonly row: CorpusRow
  readonly verdict: Verdict
  readonly wanted: readonly string[]
  readonly got: readonly string[]
}

const say = (call: CallToWrite): string => `${call.name} ${canonicalJson(call.arguments)}`

/**
 * Calls that could run: coerced to the tool's schema in the same way for every parser, without calls that do not fit.
 */
function runnable(calls: readonly CallToWrite[], row: CorpusRow): readonly string[] {
  const tools = createToolIndex(row.tools ?? testTools)
  return calls
    .map((call) => finishCall({ ownId: null, ...call, repairs: [] }, tools))
    .filter((call) => call.problem === null)
    .map(say)
}

export async function score(reader: ReplyReader, row: CorpusRow): Promise<Scored> {
  const calls = row.expected.segments.filter((one) => one.kind === 'call').filter((one) => one.standing === 'live')
  const wanted = calls.filter((one) => one.problem === null).map(say)
  // We offer no plain Run for the second of two equal envelopes; returning it is not an error.
  const spare = new Set(calls.filter((one) => one.problem?.code === 'duplicate').map(say))
  const given = await reader.read(row.text, row.strategy, row.tools ?? testTools).catch(() => [])
  const got = runnable(given, row)
  const missing = [...wanted]
  const extra: string[] = []
  for (const call of got) {
    const at = missing.indexOf(call)
    if (at >= 0) missing.splice(at, 1)
    else if (!spare.has(call)) extra.push(call)
  }
  return { row, verdict: extra.length > 0 ? 'wrong' : missing.length > 0 ? 'lost' : 'right', wanted, got }
}
