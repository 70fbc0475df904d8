import type { Neutraliser } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite } from '../tool-context-def'
import { writeJson } from '../write-json'

/** One fenced envelope: `{"tool_calls":[{"name":…,"arguments":{…}}]}`. */
export function formatCalls(calls: readonly CallToWrite[]): string {
  if (calls.length === 0) return ''
  const items = calls.map((call) => writeJson({ name: call.name, arguments: call.arguments }))
  return `\`\`\`json\n{"tool_calls":[${items.join(',\n')}]}\n\`\`\``
}

/** One object a result. The boundary is random: a file can't hold a frame that looks like ours. */
export function formatResults(
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults {
  const lines = results.map(({ id, name, status, result }) => {
    const body = JSON.stringify({ toolCallId: id, name, status, result })
    return `{"tool_call_result":${neutralise.json(body)},"boundary":${JSON.stringify(boundary)}}`
  })
  return { text: lines.join('\n') }
}
