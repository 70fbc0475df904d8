import { elementFrames } from '../neutralise/element-frame'
import type { Neutraliser } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite } from '../tool-context-def'
import { writeJson } from '../write-json'
import { RESULT_TAG } from './markup'

/** One tag a call: `<tool_code>{"name":…,"arguments":{…}}</tool_code>`. */
export function formatCalls(calls: readonly CallToWrite[]): string {
  return calls
    .map((call) => `<tool_code>\n${writeJson({ name: call.name, arguments: call.arguments })}\n</tool_code>`)
    .join('\n')
}

export const formatResults = (
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults => elementFrames(RESULT_TAG, results, boundary, neutralise)
