import type { AssistantMessage, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { framesAsText } from '@/lib/protocols/framed-calls/frame'
import { withoutTokens } from '@/lib/protocols/reasoning/reasoning-marks'
import type { ParsedReply, TextSegment } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { type ToolSpec, formOf, type ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'

const memo = new WeakMap<AssistantMessage, { readonly tools: readonly ToolSpec[]; readonly reply: ParsedReply }>()

/** How a reply is parsed here: in its own form, once that is loaded (`lib/protocols/envelope-reply.ts`). */
export const loadedReplyForm = (message: AssistantMessage): ReplyForm =>
  message.reading && !toolContextBuilder.hasEnvelopeForm ? message.strategy : formOf(message)

/** A reply whose calls do not count: all of it is text. */
export function completeText(text: string): readonly TextSegment[] {
  if (text === '') return []
  const said = framesAsText(text)
  return [{ kind: 'text', start: 0, end: text.length, ...(said === text ? {} : { said }) }]
}

/**
 * The text of a reply for the clipboard: unchanged, but extracted from JSON if that is its form, and without special
 * tokens.
 */
export const copiedText = (message: AssistantMessage): string => withoutTokens(framesAsText(spokenText(message)), true)

/** The text of a reply, extracted from JSON if that is its form. */
export function spokenText(message: AssistantMessage): string {
  const { text } = message
  if (!message.reading) return text
  const { segments } = toolContextBuilder.parseResponse(loadedReplyForm(message), text, [])
  const said = segments.map((one) => (one.kind === 'text' ? one.said : undefined))
  if (said.every((one) => one === undefined)) return text
  return segments.map(({ start, end }, at) => said[at] ?? text.slice(start, end).trim()).join('\n\n')
}

/**
 * Parses the whole text of a stored reply in the form that it was requested in. It is parsed once per row: rows keep
 * their identity while they do not change, and so do the tools until one is added, removed or offered differently. A
 * message that was made without tools is text only, whatever it contains.
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
    return { type: 'text', segments: completeText(message.text) }
  }
  return toolContextBuilder.parseResponse(loadedReplyForm(message), message.text, tools)
}
