import type { Neutraliser } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite } from '../tool-context-def'
import { writeJson } from '../write-json'
import { closeFrame, openFrame } from '../framed-calls/frame'

/** One frame a call, as the server writes it for a provider's own call. */
export function formatCalls(calls: readonly CallToWrite[]): string {
  return calls.map(({ name, arguments: args }) => `${openFrame(null, name)}${writeJson(args)}${closeFrame()}`).join('')
}

/** A call as it is shown to the model in words: frames are no form for it to write. */
export function showCalls(calls: readonly CallToWrite[]): string {
  return calls.map(({ name, arguments: args }) => `${name} with the arguments ${writeJson(args)}`).join('\n')
}

/**
 * Results in words, for those that no native call answers to (tools are off by now). Where the call is sent too, its
 * result is a `tool` message, and this is what it says.
 */
export function formatResults(
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults {
  const lines = results.map(({ id, name, status, result }) => {
    const body = neutralise.json(JSON.stringify({ toolCallId: id, name, status, result }))
    return `{"tool_result":${body},"boundary":${JSON.stringify(boundary)}}`
  })
  return { text: lines.join('\n') }
}

/** What a `tool` message says: status and result as JSON in which no mark of any strategy or chat template stands. */
export const resultMessage = (
  { status, result }: Pick<ResultToWrite, 'status' | 'result'>,
  neutralise: Neutraliser,
): string => neutralise.json(JSON.stringify({ status, result }))
