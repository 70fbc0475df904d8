import type { Neutraliser } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite, PromptPart, ToolSpec } from '../types/tool-context-def'
import { writeJson } from '../arguments/write-json'
import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt/prompt-parts'
import { CALL, TEXT } from './action'

const isWords = (part: string | CallToWrite): part is string => typeof part === 'string'

/** Text and calls in order, without a fence, as in a reply that is only JSON. */
export function formatEnvelopeReply(parts: readonly (string | CallToWrite)[]): string {
  const items = parts.map((part) =>
    isWords(part)
      ? writeJson({ action: TEXT, text: part })
      : writeJson({ action: CALL, name: part.name, arguments: part.arguments }),
  )
  return items.length === 1 ? items.join('') : `[${items.join(',\n')}]`
}

/** One fenced object, or a list of them: `{"action":"tool_call","name":…,"arguments":{…}}`. */
export function formatCalls(calls: readonly CallToWrite[]): string {
  if (calls.length === 0) return ''
  const items = calls.map(({ name, arguments: args }) => writeJson({ action: 'tool_call', name, arguments: args }))
  return `\`\`\`json\n${items.length === 1 ? items.join('') : `[${items.join(',\n')}]`}\n\`\`\``
}

/** One fenced object per result. The boundary is random, so that a file can't contain a frame that looks like ours. */
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

/** The prompt for a model whose server allows only an action or a list of actions. */
export const envelopePromptParts = (tools: readonly ToolSpec[]): readonly PromptPart[] =>
  promptOf(tools, formatEnvelopeReply, {
    formatResults,
    form: `Your whole reply is one JSON object, and nothing before or behind it. To call a tool, write the action \`${CALL}\`:`,
    care: `${jsonCare}:`,
    careful: jsonCarefulTexts,
    rules: [
      `To answer in words, write the action \`${TEXT}\`: ${writeJson({ action: TEXT, text: 'Your words, as Markdown.' })}`,
      'In a call the tool goes into `name`, and `arguments` is an object with only the parameters listed below.',
      'To do more than one thing, write a list of such objects: they are said and run in order.',
      'No code block around it. Write every value in full.',
    ],
  })
