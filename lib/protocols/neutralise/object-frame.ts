import type { FramedResults, ResultToWrite } from '../types/tool-context-def'
import type { Neutraliser } from './neutralise'

/** Results as objects under a key, one a line. The boundary is random: a file can't hold a frame that looks like ours. */
export const objectFrames = (
  key: string,
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults => ({
  text: results
    .map(({ id, name, status, result }) => {
      const body = neutralise.json(JSON.stringify({ toolCallId: id, name, status, result }))
      return `{"${key}":${body},"boundary":${JSON.stringify(boundary)}}`
    })
    .join('\n'),
})
