import { t } from '@/lib/i18n/t'
import type { ConversationExport } from '../wire/api-types'
import type { AssistantMessage, Message, UserMessage } from '../conversation'
import type { ReadableChat, ReadableMessage, ReadableQuestion, ReadableReply } from './readable-chat'
import { fileText, partMarkdown } from './readable-markdown'
import { defaultSettings } from '../settings/settings'

/** The model's id if it is unknown. */
const unknownModel = 'imported/unknown'

/** A message of a readable chat with its place: a chat of another product may have branches. */
export type PositionedMessage = ReadableMessage & {
  readonly id: string
  readonly parentId: string | null
}

export interface PositionedChat extends Omit<ReadableChat, 'messages'> {
  readonly updatedAt: number
  /** Each after its parent. */
  readonly messages: readonly PositionedMessage[]
  /** The end of the shown branch; null: the last message. */
  readonly headId: string | null
}

/** Without branches: each message answers the previous one. */
export const inOneLine = (chat: ReadableChat): PositionedChat => ({
  ...chat,
  updatedAt: chat.messages.at(-1)?.at ?? chat.createdAt,
  headId: null,
  messages: chat.messages.map((message, at) => ({
    ...message,
    id: `m${at}`,
    parentId: at === 0 ? null : `m${at - 1}`,
  })),
})

/** The end of a branch: the last user message, and the replies since. */
interface LineEnd {
  readonly question: string | null
  readonly reply: AssistantMessage | null
}

/**
 * Converts a readable chat to a file to be imported: text only. Calls and results become text, so that none can run or
 * count as this server's; consecutive replies are merged. A chat without text gives no messages.
 */
export function exportOfReadable(chat: PositionedChat, exportedAt: number): ConversationExport {
  const ends = new Map<string, LineEnd>()
  const rows: Message[] = []
  const answeredBy = Map.groupBy(chat.messages, ({ parentId }) => parentId)
  for (const message of chat.messages) {
    const end: LineEnd = ends.get(message.parentId ?? '') ?? { question: null, reply: null }
    if (message.by === 'person') {
      const text = questionText(message)
      if (text !== '') rows.push(questionRow(message, text, end.reply?.id ?? end.question))
      ends.set(message.id, text === '' ? end : { question: message.id, reply: null })
      continue
    }
    const row = replyRow(message)
    const reply = end.reply ? joined(end.reply, row) : row
    if (reply.text === '' && reply.reasoning === '') {
      ends.set(message.id, end)
      continue
    }
    const answers = answeredBy.get(message.id) ?? []
    const isComplete = answers.length === 0 || answers.some(({ by }) => by === 'person')
    let { question } = end
    if (isComplete && question === null) {
      question = `${message.id}-before`
      rows.push(questionRow({ id: question, at: message.at }, t('readable.began'), null))
    }
    if (isComplete) rows.push({ ...reply, parentId: question })
    ends.set(message.id, { question, reply })
  }
  const ids = new Set(rows.map(({ id }) => id))
  const head = chat.headId === null ? undefined : ends.get(chat.headId)
  const wanted = head?.reply?.id ?? head?.question ?? ''
  const headId = ids.has(wanted) ? wanted : (rows.at(-1)?.id ?? null)
  return {
    format: 'nod-conversation',
    version: 2,
    exportedAt,
    conversation: {
      id: 'imported',
      title: chat.title.slice(0, 1_000),
      settings: defaultSettings(unknownModel),
      settingsProblem: null,
      headId,
      createdAt: chat.createdAt,
      updatedAt: chat.updatedAt,
    },
    messages: rows,
    calls: [],
    amendments: [],
    grants: [],
    log: [],
  }
}

const questionText = ({ text, files }: ReadableQuestion): string =>
  [text, ...files.map(fileText)].filter((part) => part.trim() !== '').join('\n\n')

const questionRow = (
  { id, at }: Pick<PositionedMessage, 'id' | 'at'>,
  text: string,
  parentId: string | null,
): UserMessage => ({ id, conversationId: 'imported', parentId, createdAt: at, role: 'user', text, results: [] })

function replyRow(message: ReadableReply & { readonly id: string }): AssistantMessage {
  const texts = message.parts.filter(({ kind }) => kind !== 'thought').map(partMarkdown)
  const thoughts = message.parts.flatMap((part) => (part.kind === 'thought' ? [part.text] : []))
  return {
    id: message.id,
    conversationId: 'imported',
    parentId: null,
    createdAt: message.at,
    role: 'assistant',
    text: texts.filter((part) => part.trim() !== '').join('\n\n'),
    reasoning: thoughts.join('\n\n'),
    strategy: defaultSettings(unknownModel).strategy,
    // Its text is never read for calls.
    toolsEnabled: false,
    model: message.model === '' ? unknownModel : message.model.slice(0, 300),
    outcome: message.ended ?? 'interrupted',
    failure: null,
    usage: null,
    runId: 'imported',
  }
}

const joined = (first: AssistantMessage, second: AssistantMessage): AssistantMessage => ({
  ...second,
  createdAt: first.createdAt,
  text: [first.text, second.text].filter((text) => text !== '').join('\n\n'),
  reasoning: [first.reasoning, second.reasoning].filter((text) => text !== '').join('\n\n'),
})
