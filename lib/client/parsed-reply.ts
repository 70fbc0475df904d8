import type { AssistantMessage, ToolCallConfig } from '@/lib/conversation/conversation'
import { formOf, type ReplyForm } from '@/lib/strategies/reply-form'
import type { ParsedReply } from '@/lib/strategies/segment'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { ToolSpec } from '@/lib/strategies/tool-context-def'
import { discoverTools } from '@/lib/tools/discovery'
import type { ToolSet } from '@/lib/tools/tool-registry'

const memo = new WeakMap<AssistantMessage, { readonly tools: readonly ToolSpec[]; readonly reply: ParsedReply }>()

/** How a reply is read here: in its own form, once that is loaded (`whole-form.ts`). */
export const formHere = (message: AssistantMessage): ReplyForm =>
  message.reading && !toolContextBuilder.knowsWhole ? message.strategy : formOf(message)

/** The words of a reply, for a clipboard: as it stands, but out of their JSON where that is its form. */
export function spokenText(message: AssistantMessage): string {
  const { text } = message
  if (!message.reading) return text
  const { segments } = toolContextBuilder.parseResponse(formHere(message), text, [])
  const said = segments.map((one) => (one.kind === 'text' ? one.said : undefined))
  if (said.every((one) => one === undefined)) return text
  return segments.map(({ start, end }, at) => said[at] ?? text.slice(start, end).trim()).join('\n\n')
}

/**
 * How the whole text of a stored reply reads in the form that it was asked for. Read once per row: rows keep their
 * identity while they do not change, and so do the tools until one comes, goes or is offered otherwise. A message that was made without tools is text only, whatever it holds.
 */
export function parsedReply(message: AssistantMessage, config: ToolCallConfig, toolSet: ToolSet): ParsedReply {
  const tools = discoverTools(toolSet, config, message.strategy)
  const known = memo.get(message)
  if (known && known.tools === tools) return known.reply
  const reply = read(message, tools)
  memo.set(message, { tools, reply })
  return reply
}

function read(message: AssistantMessage, tools: readonly ToolSpec[]): ParsedReply {
  if (!message.toolsEnabled) {
    const { length } = message.text
    return { type: 'text', segments: length === 0 ? [] : [{ kind: 'text', start: 0, end: length }] }
  }
  return toolContextBuilder.parseResponse(formHere(message), message.text, tools)
}
