import type { FramedResults, ResultToWrite } from '../types/tool-context-def'
import type { Neutraliser } from './neutralise'

/**
 * Results as elements, one each, their content as JSON: `<tool_result id="…" name="…" status="…" boundary="…">`. The
 * boundary is random: a file can't hold a frame that looks like ours.
 */
export function elementFrames(
  tag: string,
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults {
  const blocks = results.map(({ id, name, status, result }) => {
    const attributes = `id="${neutralise.attribute(id)}" name="${neutralise.attribute(name)}" status="${status}" boundary="${boundary}"`
    return `<${tag} ${attributes}>\n${neutralise.json(JSON.stringify(result))}\n</${tag}>`
  })
  return { text: blocks.join('\n') }
}
