import type { Neutraliser } from '../neutralise/neutralise'
import { objectFrames } from '../neutralise/object-frame'
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
 * result is a `tool` message.
 */
export const formatResults = (
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults => objectFrames('tool_result', results, boundary, neutralise)
