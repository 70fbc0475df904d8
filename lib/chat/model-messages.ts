import { english } from '@/lib/base/locale'
import { imagesToSend } from '@/lib/conversation/attached'
import { hasWords } from '@/lib/conversation/has-words'
import { attachmentWords, pictureLabel } from './attachment-words'
import type { Fit, TurnSize } from './fit-window'
import type {
  CallAmendment,
  Conversation,
  Message,
  MessageImage,
  ToolResult,
  UserMessage,
} from '@/lib/conversation/conversation'
import { keyInBranch, nativeTurns } from './native-messages'
import type { TextPart, ToolCallPart, ToolResultPart } from './native-messages'
import { replyAsPrompt } from './reply-as-prompt'
import type { ReplyContext, ReplyReader } from './reply-as-prompt'
import { resultToWrite } from '@/lib/conversation/result-to-write'
import type { ReplyReadings } from './reply-readings'
import { withToolContext } from './tool-macros'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import type { StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'

/** What the prompt needs of the ToolContextBuilder. */
export interface PromptBuilder extends ReplyReader {
  spliceSystemPrompt(
    system: string,
    options: { readonly strategy: StrategyId; readonly tools: readonly ToolSpec[]; readonly enabled: boolean },
  ): string
}

export interface ModelInputOptions {
  readonly conversation: { readonly settings: Conversation['settings'] }
  /** Root → the message that is answered. */
  readonly path: readonly Message[]
  /** Left out: all of the path is sent. */
  readonly cut?: PromptCut
  readonly builder: PromptBuilder
  /** What replies were read as before, and will be when they are met again. */
  readonly readings: ReplyReadings
  /** All tools that exist; those not offered here are flagged `disabled`. */
  readonly tools: readonly ToolSpec[]
  /** What the user made of calls of this conversation. */
  readonly amendments?: readonly CallAmendment[]
  /** Unforgeable text for the result frames of one message, the same every time (at least 8 of [a-z0-9]). */
  readonly boundary?: (messageId: string) => string
  /** The model can see. */
  readonly seesImages?: boolean
  /** The pictures of `imagesToSend`, as far as they are there. */
  readonly images?: readonly MessageImage[]
}

/** A picture, as the AI SDK takes it. */
export interface PicturePart {
  type: 'file'
  mediaType: string
  data: { type: 'data'; data: string }
}

/** `tool` messages and calls in parts only under Native. */
export type PromptMessage =
  | { role: 'user'; content: string | (TextPart | PicturePart)[] }
  | { role: 'assistant'; content: string | (TextPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] }

export interface ModelInput {
  readonly instructions: string
  /** Alternating, user first, results right behind their calls; the AI SDK's `ModelMessage` in its plainest form. */
  readonly messages: PromptMessage[]
  /** Under Native: what goes to the model as schemas, beside the prompt. */
  readonly nativeTools?: readonly ToolSpec[]
}

/** Which messages of the branch are sent where all of it would not fit; see `fit-window.ts`. */
export interface PromptCut extends Pick<Fit, 'anchor' | 'from'> {
  /** Messages of the branch before the first one of `path`. */
  readonly older: number
}

/** How many messages of the branch a cut leaves out: before those that are sent, and behind what the person said last. */
const leftOutBy = ({ older, anchor, from }: PromptCut) => ({
  before: older + (anchor ?? from),
  between: anchor === null ? 0 : Math.max(0, from - anchor - 1),
})

export const countLeftOut = (cut: PromptCut): number => {
  const { before, between } = leftOutBy(cut)
  return before + between
}

/** The messages of a path that are sent. */
export const keptOf = (path: readonly Message[], cut: PromptCut | undefined): readonly Message[] =>
  cut ? path.filter((_, at) => at === cut.anchor || at >= cut.from) : path

/**
 * All that the model is sent, a pure function of the stored conversation: the system prompt with the tools of now, and
 * the branch with every earlier call and result in the strategy of now, so that a model never sees two protocols. Of a branch
 * that is cut it is told how many messages are left out, and where.
 */
export function buildModelInput(options: ModelInputOptions): ModelInput {
  const { path, cut } = options
  const { instructions, nativeTools } = standingPart(options)
  const turns = turnsOf(options, keptOf(path, cut))
  const messages = joinTurns(cut ? withGaps(turns, cut) : turns).flatMap(messagesOf)
  return { instructions, messages, ...(nativeTools && { nativeTools }) }
}

/** Between what vendors count for a picture of the size that is sent. */
const PICTURE_TOKENS = 1_000
/** What servers put around a message. */
const MARK_TOKENS = 4

/** About how many tokens the prompt takes: `standing` for the system prompt and the tools, and each message of the path. */
export function measureModelInput(options: ModelInputOptions): {
  readonly standing: number
  readonly turns: readonly TurnSize[]
} {
  const { path } = options
  const { instructions, nativeTools = [] } = standingPart(options)
  const { strategy } = options.conversation.settings
  const schemas = nativeTools.length === 0 ? [] : options.builder.get(strategy).promptParts(nativeTools)
  const apart = schemas.filter((part) => part.apart === true).map(({ text }) => text)
  const pictured = Map.groupBy(imagesToSend(path), ({ messageId }) => messageId)
  const turns = turnsOf(options, path).map(({ role, text, calls = [], results = [] }, at): TurnSize => {
    const message = path[at]
    const pictures = pictured.get(message?.id ?? '')?.length ?? 0
    const parts = calls.length === 0 ? 0 : estimateTokens(JSON.stringify([calls, results]))
    const tokens = MARK_TOKENS + estimateTokens(text) + parts + pictures * PICTURE_TOKENS
    if (role === 'assistant' || message?.role !== 'user') return { tokens, kind: 'reply', says: false }
    return { tokens, kind: message.results.length > 0 ? 'results' : 'word', says: hasWords(message) }
  })
  return { standing: [instructions, ...apart].reduce((sum, text) => sum + estimateTokens(text), 0), turns }
}

/** What does not depend on the messages that are sent, but on all that was said. */
function standingPart({ conversation, path, builder, tools }: ModelInputOptions): Omit<ModelInput, 'messages'> {
  const { strategy, systemPrompt, tools: config } = conversation.settings
  const offered = tools.filter((tool) => tool.disabled !== true)
  const instructions = withToolContext(
    systemPrompt,
    (own) => builder.spliceSystemPrompt(own, { strategy, tools: offered, enabled: config.enabled }),
    { config, tools: offered, path },
  )
  // Servers refuse native calls in a history without tools to call.
  const isNative = builder.get(strategy).callsBy === 'provider' && config.enabled && offered.length > 0
  return { instructions, ...(isNative ? { nativeTools: offered } : {}) }
}

/** Each message of the path as it is sent. */
function turnsOf(options: ModelInputOptions, path: readonly Message[]): readonly Turn[] {
  const { conversation, builder, readings, tools, amendments = [], boundary = boundaryOf } = options
  const { model, strategy, tools: config } = conversation.settings
  const offered = tools.filter((tool) => tool.disabled !== true)
  const byProvider = builder.get(strategy).callsBy === 'provider'
  const isNative = byProvider && config.enabled && offered.length > 0
  const isTold = config.enabled && (!byProvider || isNative)
  const context: ReplyContext = { reader: builder, readings, strategy: isTold ? strategy : null, tools, amendments }
  const native = isNative ? nativeTurns(path, context, model) : null
  const sent = new Set<string>(native?.answered)
  const pictures: PictureContext = {
    boundary,
    canRead: isTold && offered.some(({ name }) => name === 'read_file'),
    seesImages: options.seesImages ?? false,
    latest: new Set(imagesToSend(path).map(({ messageId, number }) => keyInBranch(messageId, number))),
    images: new Map(
      (options.images ?? []).map((image) => [keyInBranch(image.messageId, image.number), image] as const),
    ),
  }
  return path.map((message): Turn => {
    if (message.role === 'user') {
      const words = userText(message, builder, strategy, boundary, sent)
      return { role: 'user', ...withAttachments(message, words, pictures) }
    }
    const turn = native?.turns.get(message.id)
    return turn ? { role: 'assistant', ...turn } : { role: 'assistant', text: replyAsPrompt(message, context) }
  })
}

/** Says where messages are left out, as words of the person's side: a conversation begins with them. */
function withGaps(turns: readonly Turn[], cut: PromptCut): readonly Turn[] {
  const { before, between } = leftOutBy(cut)
  const gap = (count: number): readonly Turn[] => (count === 0 ? [] : [{ role: 'user', text: gapWords(count) }])
  const [first, ...rest] = turns
  return first ? [...gap(before), first, ...gap(between), ...rest] : turns
}

const gapWords = (count: number): string =>
  english.plural(count, {
    one: '(One earlier message of this chat is left out here: the chat is longer than your context window.)',
    other: `(${count} earlier messages of this chat are left out here: the chat is longer than your context window.)`,
  })

interface PictureContext {
  readonly boundary: (messageId: string) => string
  readonly canRead: boolean
  readonly seesImages: boolean
  /** Keys of those that are new enough to be shown. */
  readonly latest: ReadonlySet<string>
  readonly images: ReadonlyMap<string, MessageImage>
}

/** The user's words, then the files that came with them, then their pictures. */
function withAttachments(
  message: UserMessage,
  words: string,
  context: PictureContext,
): Pick<Turn, 'text' | 'pictures'> {
  const { attachments = [] } = message
  if (attachments.length === 0) return { text: words }
  const found = (number: number) =>
    context.seesImages ? context.images.get(keyInBranch(message.id, number)) : undefined
  const block = attachmentWords(attachments, {
    boundary: context.boundary(message.id),
    canRead: context.canRead,
    standing: (number) => {
      if (!context.seesImages) return 'unseen'
      return found(number) && context.latest.has(keyInBranch(message.id, number)) ? 'shown' : 'older'
    },
  })
  const pictures = attachments.flatMap((file, number) => {
    const image = context.latest.has(keyInBranch(message.id, number)) ? found(number) : undefined
    if (!image) return []
    const { mediaType, data } = image
    return [
      { type: 'text' as const, text: pictureLabel(file) },
      { type: 'file' as const, mediaType, data: { type: 'data' as const, data } },
    ]
  })
  return { text: words.trim() === '' ? block : `${words}\n\n${block}`, pictures }
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly pictures?: readonly (TextPart | PicturePart)[]
  readonly calls?: readonly ToolCallPart[]
  readonly results?: readonly ToolResultPart[]
}

function messagesOf({ role, text, pictures = [], calls = [], results = [] }: Turn): PromptMessage[] {
  if (role === 'user' && pictures.length > 0) return [{ role, content: [{ type: 'text', text }, ...pictures] }]
  if (role === 'user' || calls.length === 0) return [{ role, content: text }]
  const words: TextPart[] = text === '' ? [] : [{ type: 'text', text }]
  return [
    { role: 'assistant', content: [...words, ...calls] },
    { role: 'tool', content: [...results] },
  ]
}

/** Results first, then the words: the words may be about the results. */
function userText(
  message: UserMessage,
  builder: PromptBuilder,
  strategy: StrategyId,
  boundary: (messageId: string) => string,
  sent: Set<string>,
): string {
  const results = message.results.filter((result) => isFirst(result, sent))
  const { late = [] } = message
  const frame = (of: readonly ToolResult[]) =>
    builder.get(strategy).formatResults(of.map(resultToWrite), boundary(message.id)).text
  const words = message.unreadable ? '(what the user wrote here can no longer be read)' : message.text
  const parts = [
    ...(late.length > 0 ? [lateWords(late.length), frame(late)] : []),
    ...(results.length > 0 ? [frame(results)] : []),
    words,
  ]
  return parts.length === 1 ? words : parts.filter((part) => part.trim() !== '').join('\n\n')
}

/** Stands before results of calls that the model was told are unfinished. */
const lateWords = (count: number): string =>
  english.plural(count, {
    one: 'A call that was unfinished when you were told of it has ended since:',
    other: `${count} calls that were unfinished when you were told of them have ended since:`,
  })

/** A call has one result in a branch, whatever the rows say. */
function isFirst(result: ToolResult, sent: Set<string>): boolean {
  const key = keyInBranch(result.messageId, result.slot)
  if (sent.has(key)) return false
  sent.add(key)
  return true
}

/** Drops empty turns and joins neighbours of one role: many servers insist on strict alternation. */
function joinTurns(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const { role, text, pictures = [], calls = [], results = [] } = turn
    if (text.trim() === '' && calls.length === 0) continue
    const last = joined.at(-1)
    // After calls and their results a turn of the same role is one of its own.
    if (last?.role === role && (last.calls ?? []).length === 0) {
      const words = text.trim() === '' ? last.text : `${last.text}\n\n${text}`
      joined[joined.length - 1] = {
        role,
        text: words,
        pictures: [...(last.pictures ?? []), ...pictures],
        calls,
        results,
      }
    } else joined.push(turn)
  }
  return joined
}

/**
 * Message ids are random UUIDs that the model never sees, so their hash is a boundary that nobody can guess, and that
 * keeps prompts stable from turn to turn. FNV-1a, two lanes.
 */
export function boundaryOf(messageId: string): string {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let index = 0; index < messageId.length; index++) {
    low = Math.imul(low ^ messageId.charCodeAt(index), 0x01000193) >>> 0
    high = Math.imul(high ^ low, 0x85ebca6b) >>> 0
  }
  return `${low.toString(36).padStart(7, '0')}${high.toString(36).padStart(7, '0')}`
}
