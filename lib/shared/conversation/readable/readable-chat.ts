import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ImageMediaType, ReplyOutcome } from '../conversation'

/**
 * A chat as people read it: one branch of messages, each reply as its text and calls, without the data needed to
 * continue it. It is the form for sharing, printing and Markdown, and for imports of other products' chats.
 */
export interface ReadableChat {
  readonly title: string
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  /** Null: it has none, or it is not shown. */
  readonly systemPrompt: string | null
  readonly messages: readonly ReadableMessage[]
}

export type ReadableMessage = ReadableQuestion | ReadableReply

export interface ReadableQuestion {
  readonly by: 'person'
  readonly at: number
  readonly text: string
  readonly files: readonly ReadableFile[]
}

export interface ReadableReply {
  readonly by: 'model'
  readonly at: number
  /** '' if unknown. */
  readonly model: string
  /** Null: it was still being written. */
  readonly ended: ReplyOutcome | null
  readonly parts: readonly ReadablePart[]
}

export type ReadablePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | ReadableCall

export interface ReadableCall {
  readonly kind: 'call'
  readonly tool: string
  /** What happened to it; `text`: it was only written, and is no call. */
  readonly state: ReadableCallState
  /** Null: not shown. */
  readonly arguments: JsonObject | null
  /** The model's text, if it is no call; null: not shown. */
  readonly written: string | null
  /** What the model got; null: nothing, or not shown. */
  readonly result: ReadableResult | null
  /** The name of another account that approved or denied it. Left out: the user decided, or a rule. */
  readonly reviewer?: string
  /** Tools that its code called while it ran, or the page of its result later. Left out: none. */
  readonly inner?: readonly ReadableInnerCall[]
}

export interface ReadableInnerCall {
  readonly tool: string
  readonly asked: 'code' | 'page'
  readonly state: ReadableCallState
  /** Null: it was not approved. */
  readonly approved: 'click' | 'auto' | 'grant' | null
  /** Null: not shown. */
  readonly arguments: JsonObject | null
}

/** `unknown`: it was approved, and how it ended is not recorded. */
export const readableCallStates = [
  'done',
  'failed',
  'denied',
  'skipped',
  'open',
  'unknown',
  'withheld',
  'text',
] as const
export type ReadableCallState = (typeof readableCallStates)[number]

export interface ReadableResult {
  readonly value: JsonValue
  readonly displays: readonly { readonly kind: string; readonly data: string; readonly name?: string }[]
}

/** A file attached to a message: only its part in the chat, never the file itself. */
export interface ReadableFile {
  readonly name: string
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** The beginning of a text. */
  readonly head: string | null
  readonly picture: { readonly mediaType: ImageMediaType; readonly data: string } | null
}

/** The parts that are shown in addition to text and tool names. */
export interface ShownParts {
  readonly arguments: boolean
  readonly results: boolean
  readonly files: boolean
  readonly thoughts: boolean
  readonly systemPrompt: boolean
}

export const shownPartNames = ['arguments', 'results', 'files', 'thoughts', 'systemPrompt'] as const

export const nothingShown: ShownParts = {
  arguments: false,
  results: false,
  files: false,
  thoughts: false,
  systemPrompt: false,
}

export const everythingShown: ShownParts = {
  arguments: true,
  results: true,
  files: true,
  thoughts: true,
  systemPrompt: true,
}

/** The chat without the hidden parts. Of these, only the fact that a call was made remains. */
export function onlyShown(chat: ReadableChat, shown: ShownParts): ReadableChat {
  return {
    ...chat,
    systemPrompt: shown.systemPrompt ? chat.systemPrompt : null,
    messages: chat.messages.flatMap((message): readonly ReadableMessage[] => {
      if (message.by === 'person') {
        const files = shown.files ? message.files : []
        return message.text === '' && files.length === 0 ? [] : [{ ...message, files }]
      }
      return [
        {
          ...message,
          parts: message.parts.flatMap((part): readonly ReadablePart[] =>
            part.kind === 'call' ? [callShown(part, shown)] : part.kind === 'thought' && !shown.thoughts ? [] : [part],
          ),
        },
      ]
    }),
  }
}

/** A reviewer's name is as private as the arguments that they reviewed. */
const callShown = ({ reviewer, ...call }: ReadableCall, shown: ShownParts): ReadableCall => ({
  ...call,
  ...(reviewer !== undefined && shown.arguments && { reviewer }),
  arguments: shown.arguments ? call.arguments : null,
  written: shown.arguments ? call.written : null,
  result: shown.results ? call.result : null,
  ...(call.inner && {
    inner: shown.arguments ? call.inner : call.inner.map((inner) => ({ ...inner, arguments: null })),
  }),
})

const hasArguments = (call: ReadableInnerCall): boolean => call.arguments !== null

/** Counts the parts of each kind, which the user decides about. */
export function countParts(
  chat: ReadableChat,
): Readonly<Record<keyof ShownParts, number>> & { readonly calls: number } {
  const count = { arguments: 0, results: 0, files: 0, thoughts: 0, systemPrompt: 0, calls: 0 }
  if (chat.systemPrompt !== null && chat.systemPrompt !== '') count.systemPrompt = 1
  for (const message of chat.messages) {
    if (message.by === 'person') {
      count.files += message.files.length
      continue
    }
    for (const part of message.parts) {
      if (part.kind === 'thought') count.thoughts += 1
      if (part.kind !== 'call') continue
      // An example, or an unreadable call, does not count.
      if (part.state !== 'text') count.calls += 1
      if (part.arguments !== null || part.written !== null || part.inner?.some(hasArguments) === true)
        count.arguments += 1
      if (part.result !== null) count.results += 1
    }
  }
  return count
}

/** A link to a shared chat, as its owner sees it. Its secret was shown once, and is not stored. */
export interface SharedLink {
  readonly id: string
  readonly conversationId: string
  /** The title of the chat when it was shared. */
  readonly title: string
  readonly messages: number
  readonly shown: ShownParts
  readonly createdAt: number
  readonly expiresAt: number
}

/** The choices for a link's lifetime, in days. */
export const shareDays = [1, 7, 30, 365] as const
export type ShareDays = (typeof shareDays)[number]
export const usualShareDays: ShareDays = 30

/** The most links of an owner. */
export const maxShares = 200
/** The most characters of a chat as JSON: longer ones are exported instead. */
export const maxShareBytes = 8_000_000

/** The path of a link, below the base path. */
export const sharePath = (token: string): string => `/s/${token}`

/** A request for a share link. The owner has previewed the shared version of the chat. */
export interface ShareChat {
  readonly chat: ReadableChat
  readonly shown: ShownParts
  readonly days: ShareDays
}

export interface SharesResponse {
  readonly shares: readonly SharedLink[]
  /** Who can read new links: nobody, users of this server, or everyone. */
  readonly readers: 'off' | 'on' | 'public'
}
