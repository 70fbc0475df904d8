import { neutraliseAttribute, neutraliseJson } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite } from '../tool-context-def'
import { writeJson } from '../write-json'

/** One tag a call: `<tool_code>{"name":…,"arguments":{…}}</tool_code>`. */
export function formatCalls(calls: readonly CallToWrite[]): string {
  return calls
    .map((call) => `<tool_code>\n${writeJson({ name: call.name, arguments: call.arguments })}\n</tool_code>`)
    .join('\n')
}

/** One element a result, its content as JSON. The boundary is random: a file can't hold a frame that looks like ours. */
export function formatResults(results: readonly ResultToWrite[], boundary: string): FramedResults {
  const blocks = results.map(({ id, name, status, result }) => {
    const attributes = `id="${neutraliseAttribute(id)}" name="${neutraliseAttribute(name)}" status="${status}" boundary="${boundary}"`
    return `<tool_result ${attributes}>\n${neutraliseJson(JSON.stringify(result))}\n</tool_result>`
  })
  return { text: blocks.join('\n') }
}
