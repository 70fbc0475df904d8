import { formatResults } from './format'
import { jsonCare, jsonCarefulTexts, promptOf } from '../prompt/prompt-parts'
import type { PromptPart, ToolSpec } from '../types/tool-context-def'
import { writeJson } from '../arguments/write-json'
import { CALL, TEXT } from './action'
import { formatEnvelopeReply } from './envelope-format'

/** What a model is told whose server lets it write nothing but an action, or a list of them. */
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
