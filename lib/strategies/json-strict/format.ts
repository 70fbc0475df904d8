import type { Neutraliser } from '../neutralise/neutralise'
import { objectFrames } from '../neutralise/object-frame'
import type { CallToWrite, FramedResults, ResultToWrite } from '../tool-context-def'
import { writeJson } from '../write-json'
import { RESULT_KEY } from './markup'

/** One fenced envelope: `{"tool_calls":[{"name":…,"arguments":{…}}]}`. */
export function formatCalls(calls: readonly CallToWrite[]): string {
  if (calls.length === 0) return ''
  const items = calls.map((call) => writeJson({ name: call.name, arguments: call.arguments }))
  return `\`\`\`json\n{"tool_calls":[${items.join(',\n')}]}\n\`\`\``
}

export const formatResults = (
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults => objectFrames(RESULT_KEY, results, boundary, neutralise)
