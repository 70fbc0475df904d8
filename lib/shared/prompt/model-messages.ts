import { english } from '@/lib/base/text/locale'
import { imagesToSend } from '@/lib/shared/conversation/attached'
import { hasText } from '@/lib/shared/conversation/outline'
import { attachmentTexts, pictureLabel } from './attachment-texts'
import { compactedText, gapText, type MarkedFit, type SizedTurn } from './fit-window'
import type { Conversation, Message, MessageImage, UserMessage } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, ToolResult } from '@/lib/shared/conversation/call-record'
import { keyInBranch, nativeTurns, type TextPart, type ToolCallPart, type ToolResultPart } from './native-messages'
import { replyAsPrompt, type ReplyContext, type ReplyReader } from './reply-as-prompt'
import { resultToWrite } from '@/lib/shared/conversation/stopped-outcome'
import { copyEndText } from './decided-result'
import type { ReplyReadings } from './reply-readings'
import { staticPrompt, staticPromptTokens, systemPromptOf, type StaticPrompt } from './static-prompt'
import { revealedText } from './reveal-tools'
import type { PromptContext } from '@/lib/shared/conversation/settings/project'
import { remainingRounds } from './tool-macros'
import { offeredTools } from '@/lib/protocols/prompt/unlisted-tools'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import type { ToolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { type StrategyId, type ToolSpec, formOf, type ReplyForm } from '@/lib/protocols/types/tool-context-def'

/** The part of the ToolContextBuilder that the prompt needs. */
export type PromptBuilder = ReplyReader & Pick<ToolContextBuilder, 'promptParts' | 'spliceSystemPrompt'>

export interface ModelInputOptions {
  readonly conversation: { readonly settings: Conversation['settings'] }
  /** Root → the message to answer. */
  readonly path: readonly Message[]
  /** Left out: all of the path is sent. */
  readonly cut?: PromptCut
  /** The parts of its prompt besides its settings. */
  readonly context?: PromptContext
  /** The cached one for the same settings and tools; left out: it is built now. */
  readonly staticPart?: StaticPrompt
  readonly builder: PromptBuilder
  /** The cache of parsed replies. */
  readonly readings: ReplyReadings
  /** All tools that exist; those not offered here are flagged `disabled`. */
  readonly tools: readonly ToolSpec[]
  /** The user's edits of calls of this conversation. */
  readonly amendments?: readonly CallAmendment[]
  /** As the row of the requested reply says. */
  readonly reading?: 'whole'
  /** Unforgeable text for the result frames of one message, the same every time (at least 8 of [a-z0-9]). */
  readonly boundary?: (messageId: string) => string
  /** The model has vision. */
  readonly seesImages?: boolean
  /** The images of `imagesToSend`, as far as available. */
  readonly images?: readonly MessageImage[]
}

/** An image, in the AI SDK's form. */
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
  /** Alternating, user first, results right after their calls; the AI SDK's `ModelMessage` in its simplest form. */
  readonly messages: PromptMessage[]
  /** Under Native: the model gets these as schemas, beside the prompt. */
  readonly nativeTools?: readonly ToolSpec[]
  /** Strings at which the server may end the reply, so that an invented result costs nothing. */
  readonly stops?: readonly string[]
}

/** Which messages of the branch are sent if not all are; see `fit-window.ts`. */
export interface PromptCut
  extends Pick<MarkedFit, 'anchor' | 'from'>, Partial<Pick<MarkedFit, 'pinned' | 'compacted'>> {
  /** Messages of the branch before the first one of `path`. */
  readonly older: number
  /** The cut uses the limit for models with an unknown window. */
  readonly assumed?: true
}

/** The indexes that are sent before `from`, in order. */
const earlyOf = ({ anchor, pinned = [] }: PromptCut): readonly number[] =>
  anchor === null ? pinned : [...pinned, anchor].toSorted((a, b) => a - b)

/** How many messages of the branch did not fit; those that the user left out do not count. */
export function countLeftOut(cut: PromptCut): number {
  const first = cut.compacted?.to ?? 0
  const early = earlyOf(cut).filter((at) => at >= first)
  return (cut.compacted ? 0 : cut.older) + Math.max(0, cut.from - first) - early.length
}

/** The messages of a path that are sent. */
export function withheldOf(path: readonly Message[], cut: PromptCut | undefined): readonly Message[] {
  if (!cut) return path
  const early = new Set(earlyOf(cut))
  return path.filter((_, at) => early.has(at) || at >= cut.from)
}

/**
 * Builds everything that the model gets, as a pure function of the stored conversation: the system prompt with the
 * current tools, and the branch with every earlier call and result in the current strategy, so that a model never sees
 * two protocols. If the branch is cut, it says how many messages are left out, and where.
 */
export function buildModelInput(options: ModelInputOptions): ModelInput {
  const { path, cut } = options
  const { instructions, nativeTools } = staticPromptOf(options)
  const turns = turnsOf(options, withheldOf(path, cut))
  const messages = started(joinTurns(cut ? withGaps(turns, cut) : turns)).flatMap(messagesOf)
  const stops = stopsFor(options)
  return { instructions, messages, ...(nativeTools && { nativeTools }), ...(stops.length > 0 && { stops }) }
}

/** None if the chat mentions the format itself: a model that writes about it must reach the end. */
function stopsFor({ builder, conversation, path, context, tools, reading }: ModelInputOptions): readonly string[] {
  const { strategy, systemPrompt, tools: config } = conversation.settings
  // A reply that is one JSON value has its own end.
  if (!config.enabled || reading === 'whole' || offeredTools(tools).length === 0) return []
  const texts = path.flatMap((message): readonly unknown[] =>
    message.role === 'user' ? [message.text, message.attachments, message.results.map(({ result }) => result)] : [],
  )
  return builder
    .get(strategy)
    .stops.filter(({ about }) => !mentions([systemPrompt, context, texts], about))
    .map(({ text }) => text)
}

/** Whether any text in a JSON value, at any depth, contains another text. */
function mentions(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text)
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => mentions(inner, text))
}

/** Between what vendors count for an image of the size that is sent. */
const PICTURE_TOKENS = 1_000
/** Tokens that servers add around a message. */
const MARK_TOKENS = 4

/**
 * The approximate tokens of the prompt: `staticTokens` for the system prompt and the tools, and each message of the path.
 * `part`: the static part itself, so that it need not be built again.
 */
export function measureModelInput(options: ModelInputOptions): {
  readonly part: StaticPrompt
  readonly staticTokens: number
  readonly turns: readonly SizedTurn[]
} {
  const { path, builder, conversation } = options
  const part = staticPromptOf(options)
  const pictured = Map.groupBy(imagesToSend(path), ({ messageId }) => messageId)
  const turns = turnsOf(options, path).map(({ role, text, calls = [], results = [] }, at): SizedTurn => {
    const message = path[at]
    const id = message?.id ?? ''
    const pictures = pictured.get(id)?.length ?? 0
    const parts = calls.length === 0 ? 0 : estimateTokens(JSON.stringify([calls, results]))
    const tokens = MARK_TOKENS + (message ? tokensOf(message, text) : 0) + parts + pictures * PICTURE_TOKENS
    if (role === 'assistant' || message?.role !== 'user') return { id, tokens, kind: 'reply', says: false }
    return { id, tokens, kind: message.results.length > 0 ? 'results' : 'word', says: hasText(message) }
  })
  const staticTokens = staticPromptTokens(part, { settings: conversation.settings, builder })
  return { part, staticTokens, turns }
}

const measured = new WeakMap<Message, { readonly text: string; readonly tokens: number }>()

/**
 * The tokens of a message's text in a prompt. The text is mostly the same as the last time, and counting a long chat
 * takes time, so they are cached.
 */
function tokensOf(message: Message, text: string): number {
  const known = measured.get(message)
  if (known?.text === text) return known.tokens
  const tokens = estimateTokens(text)
  measured.set(message, { text, tokens })
  return tokens
}

const staticPromptOf = ({ conversation, ...options }: ModelInputOptions): StaticPrompt =>
  options.staticPart ?? staticPrompt({ ...options, settings: conversation.settings })

const formFor = (strategy: StrategyId, { reading }: Pick<ModelInputOptions, 'reading'>): ReplyForm =>
  formOf({ strategy, ...(reading && { reading }) })

/** Each message of the path as it is sent. */
function turnsOf(options: ModelInputOptions, path: readonly Message[]): readonly Turn[] {
  const { conversation, builder, readings, tools, amendments = [], boundary = boundaryOf } = options
  const { model, strategy, tools: config } = conversation.settings
  const systemPrompt = systemPromptOf(conversation.settings, options.context)
  const offered = offeredTools(tools)
  const byProvider = builder.get(strategy).callsBy === 'provider'
  const isNative = byProvider && config.enabled && offered.length > 0
  const describesTools = config.enabled && (!byProvider || isNative)
  const context: ReplyContext = {
    reader: builder,
    readings,
    strategy: describesTools ? formFor(strategy, options) : null,
    tools,
    amendments,
  }
  const native = isNative ? nativeTurns(path, context, model) : null
  const sent = new Set<string>(native?.answered)
  const pictures: PictureContext = {
    boundary,
    canRead: describesTools && offered.some(({ name }) => name === 'read_file'),
    seesImages: options.seesImages ?? false,
    latest: new Set(imagesToSend(path).map(({ messageId, number }) => keyInBranch(messageId, number))),
    images: new Map(
      (options.images ?? []).map((image) => [keyInBranch(image.messageId, image.number), image] as const),
    ),
  }
  return path.map((message, at): Turn => {
    if (message.role === 'user') {
      const userContent = userText(message, { builder, readings, strategy, boundary, sent })
      const left = remainingRounds(systemPrompt, { config, tools: offered }, path, at)
      const found = describesTools
        ? revealedText(message, { builder, form: formFor(strategy, options), byProvider, tools })
        : ''
      const copied = message.copyEnd ? copyEndText(message.copyEnd) : ''
      const words = [copied, userContent, found, left].filter((part) => part !== '').join('\n\n')
      return { role: 'user', ...withAttachments(message, words, pictures) }
    }
    const turn = native?.turns.get(message.id)
    return turn ? { role: 'assistant', ...turn } : { role: 'assistant', text: replyAsPrompt(message, context) }
  })
}

/** Says where messages are left out, as text of the user's side, because a conversation begins with it. */
function withGaps(turns: readonly Turn[], cut: PromptCut): readonly Turn[] {
  const { older, from, compacted } = cut
  const why = cut.assumed ? 'what is sent of it at most' : 'your context window'
  const userTurn = (text: string): Turn => ({ role: 'user', text })
  const early = earlyOf(cut)
  let summary = compacted?.summary ?? ''
  /** The first message not mentioned yet; negative: one that was not read. */
  let next = -older
  return turns.flatMap((turn, at) => {
    const place = early[at] ?? from + at - early.length
    const chosen = Math.max(0, Math.min(compacted?.to ?? next, place) - next)
    const missing = place - next - chosen
    next = place + 1
    const gaps = [
      ...(chosen > 0 ? [userTurn(compactedText(chosen, summary))] : []),
      ...(missing > 0 ? [userTurn(gapText(missing, why))] : []),
    ]
    if (chosen > 0) summary = ''
    return [...gaps, turn]
  })
}

interface PictureContext {
  readonly boundary: (messageId: string) => string
  readonly canRead: boolean
  readonly seesImages: boolean
  /** Keys of the images that are recent enough to be shown. */
  readonly latest: ReadonlySet<string>
  readonly images: ReadonlyMap<string, MessageImage>
}

/** The user's text, then the attached files, then their images. */
function withAttachments(
  message: UserMessage,
  words: string,
  context: PictureContext,
): Pick<Turn, 'text' | 'pictures'> {
  const { attachments = [] } = message
  if (attachments.length === 0) return { text: words }
  const found = (number: number) =>
    context.seesImages ? context.images.get(keyInBranch(message.id, number)) : undefined
  const block = attachmentTexts(attachments, {
    boundary: context.boundary(message.id),
    canRead: context.canRead,
    delivery: (number) => {
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

interface UserTextContext extends Pick<ModelInputOptions, 'builder' | 'readings'> {
  readonly strategy: StrategyId
  readonly boundary: (messageId: string) => string
  /** Results that come before it. */
  readonly sent: Set<string>
}

/** Results first, then the text, which may be about the results. */
function userText(message: UserMessage, { builder, readings, strategy, boundary, sent }: UserTextContext): string {
  const results = message.results.filter((result) => isFirst(result, sent))
  const { late = [] } = message
  const frame = (of: readonly ToolResult[]) =>
    builder.get(strategy).formatResults(of.map(resultToWrite), boundary(message.id)).text
  const words = message.unreadable ? '(what the user wrote here can no longer be read)' : message.text
  if (late.length === 0 && results.length === 0) return words
  const tell = () => {
    const framed = [
      ...(late.length > 0 ? [lateWords(late.length), frame(late)] : []),
      ...(results.length > 0 ? [frame(results)] : []),
    ]
    return [...framed, words].filter((part) => part.trim() !== '').join('\n\n')
  }
  const how = JSON.stringify([strategy, boundary(message.id), results.map(({ messageId, slot }) => [messageId, slot])])
  return readings.resultsAsPrompt(message, how, tell)
}

/** The text before results of calls that the model got as unfinished. */
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

/** Many servers require a user turn at the beginning; the original one may be deleted. */
const started = (turns: readonly Turn[]): readonly Turn[] =>
  turns[0]?.role === 'assistant' ? [{ role: 'user', text: '(The user deleted this message.)' }, ...turns] : turns

/** Drops empty turns and joins neighbours of one role: many servers require strict alternation. */
function joinTurns(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const { role, text, pictures = [], calls = [], results = [] } = turn
    if (text.trim() === '' && calls.length === 0) continue
    const last = joined.at(-1)
    // After calls and their results a turn of the same role stays separate.
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
 * Message ids are random UUIDs that the model never sees, so their hash is an unguessable boundary that keeps prompts
 * stable from turn to turn. FNV-1a, two lanes.
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
