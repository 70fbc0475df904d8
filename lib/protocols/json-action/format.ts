import type { Neutraliser } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite } from '../types/tool-context-def'
import { writeJson } from '../arguments/write-json'

/** One fenced object, or a list of them: `{"action":"tool_call","name":…,"arguments":{…}}`. */
export function formatCalls(calls: readonly CallToWrite[]): string {
  if (calls.length === 0) return ''
  const items = calls.map(({ name, arguments: args }) => writeJson({ action: 'tool_call', name, arguments: args }))
  return `\`\`\`json\n${items.length === 1 ? items.join('') : `[${items.join(',\n')}]`}\n\`\`\``
}

/** One fenced object a result. The boundary is random: a file can't hold a frame that looks like ours. */
export function formatResults(
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults {
  const blocks = results.map(({ id, name, status, result }) => {
    const body = neutralise.json(JSON.stringify({ toolCallId: id, name, status, result }))
    return `\`\`\`json\n{"action":"tool_result","boundary":${JSON.stringify(boundary)},${body.slice(1)}\n\`\`\``
  })
  return { text: blocks.join('\n') }
}
