import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import type { Message } from '../conversation'
import type { TrialRequest } from './trial'

/*
 * How a model is asked for a chat's name: one short question without tools, which is in no chat and not kept. It is told what the
 * person wrote, and no results, files or replies.
 */

/** How the question begins. */
export const titleAsked = 'Write a title for this conversation.'

const system =
  'You name conversations. Answer with the title alone: two to six words, in the language of the conversation, without quotation marks, without a full stop, nothing before or after it.'

/** Characters of the first message, and of each later one. */
const mostOfFirst = 1_500
const mostOfLater = 400
const mostLater = 3
/** Of a name, as a title that is typed by hand. */
const mostOfTitle = 80
/** A model that writes more than this has not understood. */
export const mostOfTitleReply = 4_000

/** What a model is sent to name a chat by its branch; null: nobody has written in it yet. */
export function titleRequest(path: readonly Message[], model: string): TrialRequest | null {
  const said = path.flatMap((row) => {
    if (row.role !== 'user') return []
    const names = (row.attachments ?? []).map((file) => file.path.slice(file.path.lastIndexOf('/') + 1)).join(', ')
    const text = [row.text.trim(), names === '' ? '' : `[${names}]`].filter(Boolean).join('\n')
    return text === '' ? [] : [text]
  })
  const [first, ...rest] = said
  if (first === undefined) return null
  const parts = [first.slice(0, mostOfFirst), ...rest.slice(-mostLater).map((text) => text.slice(0, mostOfLater))]
  const asked = [titleAsked, 'Its messages by the user:', ...parts.map((text) => text.toWellFormed())].join('\n\n')
  return { model, strategy: defaultStrategy, systemPrompt: system, tools: [], turns: [{ role: 'user', text: asked }] }
}

const thought = /<(think|thinking|reasoning)>[^]*?(?:<\/\1>|$)/gi
const before = /^(?:[#>*\-\s]+|\*{0,2}(?:title|标题|题目)\*{0,2}\s*[:：]\s*)+/i
const around = /^["'“”‘’«»「」『』《》`*_\s]+|["'“”‘’«»「」『』《》`*_\s]+$/g

/** The name in what a model answered, on one line; null: there is none. */
export function titleIn(reply: string): string | null {
  const lines = reply.replaceAll(thought, '').split(/[\r\n]+/)
  for (const line of lines) {
    const plain = line
      .replaceAll(/\p{Cc}+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .replace(before, '')
      .replaceAll(around, '')
      .replace(/[.。]$/, '')
      .replaceAll(around, '')
    if (!/[\p{L}\p{N}]/u.test(plain)) continue
    const characters = Array.from(plain)
    return characters.length <= mostOfTitle ? plain : `${characters.slice(0, mostOfTitle - 1).join('')}…`
  }
  return null
}
