import type { Message } from '@/lib/shared/conversation/conversation'
import type { TrialRequest } from '@/lib/shared/conversation/wire/trial'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'

/** The limit of one result: a file that was read is not repeated. */
const MOST_RESULT_CHARS = 1_500
/** The limit of one message. */
const MOST_CHARS = 20_000

const SYSTEM = [
  'You shorten chats between a user and an assistant, so that the assistant can go on with the chat from your words alone.',
  'Write in the language of the chat. Keep facts, names, numbers, paths, decisions, what the user wants and what is still open; leave out greetings and what was given up.',
  'Say of tools what was done and what came of it, in words. At most a page, as plain paragraphs or a list. Write the summary and nothing else.',
].join('\n')

export interface SummaryRequest {
  readonly request: TrialRequest
  /** The approximate tokens that are sent. */
  readonly tokens: number
  /** How many of the oldest messages did not fit. */
  readonly leftOut: number
}

/**
 * The request for a summary of messages: none of their calls is offered or read, all are quotations in one prompt.
 * `room`: its token limit; the oldest messages are left out first. `before`: the summary of what was left out of the
 * chat before these.
 */
export function summaryRequest(
  messages: readonly Message[],
  { model, strategy, before }: { readonly model: string; readonly strategy: StrategyId; readonly before: string },
  room: number,
): SummaryRequest {
  const texts = messages.map(textForSummary)
  const ask = 'Summarise this chat so far.'
  const head = before.trim() === '' ? '' : `What was said before it, in short:\n${before.trim()}`
  const fixed = estimateTokens(`${SYSTEM}\n${ask}\n${head}`)
  let tokens = fixed
  let from = texts.length
  while (from > 0) {
    const more = estimateTokens(texts[from - 1] ?? '')
    if (tokens + more > room && from < texts.length) break
    tokens += more
    from -= 1
  }
  const text = [ask, head, ...texts.slice(from)].filter((part) => part !== '').join('\n\n')
  return {
    request: { model, strategy, systemPrompt: SYSTEM, tools: [], turns: [{ role: 'user', text }] },
    tokens,
    leftOut: from,
  }
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()} … (${text.length - most} characters more)`

function textForSummary(message: Message): string {
  if (message.role === 'assistant') return `<assistant>\n${cut(message.text.trim(), MOST_CHARS)}\n</assistant>`
  const results = message.results.map(
    ({ name, status, result }) => `${name} (${status}): ${cut(JSON.stringify(result), MOST_RESULT_CHARS)}`,
  )
  const files = (message.attachments ?? []).map(({ path, size }) => `attached: ${path}, ${size} bytes`)
  const parts = [
    ...(results.length > 0 ? [`<results>\n${results.join('\n')}\n</results>`] : []),
    ...(message.text.trim() === '' && files.length === 0
      ? []
      : [
          `<user>\n${[cut(message.text.trim(), MOST_CHARS), ...files].filter((part) => part !== '').join('\n')}\n</user>`,
        ]),
  ]
  return parts.join('\n')
}
