import { imagesToSend } from '@/lib/shared/conversation/attached'
import { attachmentTexts, type PictureDelivery } from '@/lib/shared/prompt/attachment-texts'
import { isHere, loadedMessagesOf, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { Attachment, ConversationSettings, Message } from '@/lib/shared/conversation/conversation'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import { fitMarked, type SizedTurn } from '@/lib/shared/prompt/fit-window'
import { chosenSight } from '@/lib/shared/models/sees-images'
import { withToolContext } from '@/lib/shared/prompt/tool-macros'
import type { PromptContext } from '@/lib/shared/conversation/settings/project'
import { joined, memoryText, skillListText, systemPromptOf } from '@/lib/shared/prompt/static-prompt'
import { promptBudgetIn, tokenClaim } from '@/lib/shared/prompt/prompt-budget'
import { hasText } from '@/lib/shared/conversation/outline'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { toolContextBuilder, promptTokens } from '@/lib/protocols/tool-context-builder'
import { offeredTools } from '@/lib/protocols/prompt/unlisted-tools'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'

/** About what vendors count for a picture of the size that is sent. */
const PICTURE_TOKENS = 1_000

/** Bytes of a row that are not sent to the model, and bytes per token. */
const ROW_BYTES = 300
const TOKEN_BYTES = 4

const tokensOfSize = (size: number): number => Math.round(Math.max(0, size - ROW_BYTES) / TOKEN_BYTES)

interface MessageTokens {
  readonly words: number
  readonly files: number
}

const memo = new WeakMap<Message, MessageTokens>()

/** The estimated tokens of each part of the next request; they add up to the whole. */
export interface PromptShares {
  /** The user's system prompt, with that of the project and with memories. */
  readonly system: number
  /** Nod's additions: the tools and the call format. */
  readonly tools: number
  /** The sent messages without their files, and the summaries of left-out messages. */
  readonly history: number
  /** Files and pictures of those messages and of the draft. */
  readonly attachments: number
  /** The text being typed. */
  readonly draft: number
}

/** The size of the next request. */
export interface NextRequest {
  /** Estimated tokens of the system prompt with its tools, the sent messages and the draft. */
  readonly tokens: number
  readonly shares: PromptShares
  /** The most tokens that fit without leaving anything out; null if the context window is unknown. */
  readonly room: number | null
  /** Messages of the branch that are left out because they don't fit the context window. */
  readonly leftOut: number
  /** Messages of the branch that the user left out. */
  readonly compacted: number
  /** The tokens reserved for the request from today's limit. */
  readonly claim: number
}

interface ModelFacts {
  /** As listed by the provider; the chat's settings override it. */
  readonly seesImages?: boolean
  /** Null or left out if unknown, so that nothing is left out. */
  readonly windowTokens?: number | null
  /** Tokens that the model counts per estimated token, as its provider reported; 1 by default. */
  readonly ratio?: number
  readonly isLearnt?: boolean
}

interface Draft {
  readonly text: string
  readonly files: readonly Attachment[]
}

const noDraft: Draft = { text: '', files: [] }

/**
 * Estimates what would be sent. If a chat is longer than the context window, only its end is counted, by the server's
 * own rule.
 */
export function countTokens(
  path: readonly ChatRow[],
  settings: ConversationSettings,
  toolSet: ToolSet,
  { seesImages: listed = false, windowTokens = null, ratio = 1, isLearnt = false }: ModelFacts = {},
  {
    marks,
    context,
    draft = noDraft,
  }: {
    readonly marks?: ContextMarks | undefined
    readonly context?: PromptContext | undefined
    readonly draft?: Draft
  } = {},
): NextRequest {
  const { strategy, tools } = settings
  const systemPrompt = systemPromptOf(settings, context)
  const memory = memoryText(settings, context)
  const seesImages = chosenSight(settings) ?? listed
  const offered = offeredTools(discoverTools(toolSet, tools, strategy))
  const facts = { config: tools, tools: offered }
  const skills = skillListText(offered, context)
  const spliced = withToolContext(
    systemPrompt,
    (own) => toolContextBuilder.spliceSystemPrompt(own, { strategy, tools: offered, enabled: tools.enabled, skills }),
    facts,
  )
  const system = joined(spliced, memory)
  const fixed = promptTokens(system, strategy, tools.enabled ? offered : [])
  const own = Math.min(fixed, estimateTokens(systemPrompt) + estimateTokens(memory))
  const images = seesImages ? imagesToSend(loadedMessagesOf(path)) : []
  const pictured = Map.groupBy(images, ({ messageId }) => messageId)
  const sizes = path.map((row) => sizeOf(row, (pictured.get(row.id)?.length ?? 0) * PICTURE_TOKENS))
  const typed = estimateTokens(draft.text)
  const brought =
    filesTokens(draft.files) + (seesImages ? draft.files.filter((file) => file.isImage).length * PICTURE_TOKENS : 0)
  const next: SizedTurn = { id: '', tokens: typed + brought, kind: 'word', says: true }
  const turns = [...path.map((row, at) => turnOf(row, sizes[at]?.all ?? 0)), next]
  const room = windowTokens === null ? null : promptBudgetIn(windowTokens, isLearnt)
  const fit = fitMarked(turns, 0, room === null ? null : Math.floor(room / ratio) - fixed, marks)
  const early = new Set(fit.anchor === null ? fit.pinned : [...fit.pinned, fit.anchor])
  const isSent = (at: number) => at >= fit.from || early.has(at)
  const sent = path.filter((_, at) => isSent(at))
  const sentFiles = sizes.reduce((sum, { files }, at) => sum + (isSent(at) ? files : 0), 0)
  const chars = sent.reduce((sum, row) => sum + charsOf(row), systemPrompt.length + memory.length)
  const claim = tokenClaim(chars, images.length)
  const scaled = (tokens: number) => Math.round(tokens * ratio)
  const compacted = fit.compacted
    ? fit.compacted.to - fit.pinned.filter((at) => at < (fit.compacted?.to ?? 0)).length
    : 0
  return {
    tokens: scaled(fixed + fit.tokens),
    shares: {
      system: scaled(own),
      tools: scaled(fixed - own),
      history: scaled(Math.max(0, fit.tokens - sentFiles - typed - brought)),
      attachments: scaled(sentFiles + brought),
      draft: scaled(typed),
    },
    room,
    leftOut: path.length - sent.length - compacted,
    compacted,
    claim: claim.in + claim.out,
  }
}

function sizeOf(row: ChatRow, pictures: number): { readonly all: number; readonly files: number } {
  if (!isHere(row)) return { all: tokensOfSize(row.size), files: 0 }
  const { words, files } = tokensOf(row)
  return { all: words + files + pictures, files: files + pictures }
}

/** A message of the branch with its size, as used to fit the prompt. */
export function turnOf(row: ChatRow, tokens: number): SizedTurn {
  const { id } = row
  if (row.role === 'assistant') return { id, tokens, kind: 'reply', says: false }
  const says = isHere(row) ? hasText(row) : row.isFromUser
  const takesResults = isHere(row) ? row.results.length > 0 : !row.isFromUser
  return { id, tokens, kind: takesResults ? 'results' : 'word', says }
}

/** The estimated tokens of a message in the branch, including its files. */
export const tokensOfRow = (row: ChatRow): number => sizeOf(row, 0).all

function charsOf(row: ChatRow): number {
  if (!isHere(row)) return Math.max(0, row.size - ROW_BYTES)
  return row.text.length + (row.role === 'user' && row.results.length > 0 ? JSON.stringify(row.results).length : 0)
}

function filesTokens(files: readonly Attachment[]): number {
  if (files.length === 0) return 0
  const texts = { boundary: '', canRead: true, delivery: (): PictureDelivery => 'shown' }
  return estimateTokens(attachmentTexts(files, texts))
}

function tokensOf(message: Message): MessageTokens {
  const known = memo.get(message)
  if (known !== undefined) return known
  const results =
    message.role === 'user'
      ? [...message.results, ...(message.late ?? [])].map((one) => JSON.stringify(one.result)).join('\n')
      : ''
  const { attachments = [] } = message.role === 'user' ? message : {}
  const tokens = { words: estimateTokens(message.text) + estimateTokens(results), files: filesTokens(attachments) }
  memo.set(message, tokens)
  return tokens
}

/** A place where the sent part may begin. */
interface CutSource {
  /** The first sent message and its place in the branch. */
  readonly messageId: string
  readonly at: number
  /** The last message that is left out. */
  readonly through: string
  /** Estimated tokens before it. */
  readonly before: number
}

/**
 * User messages that do not carry tool results; a prompt that begins elsewhere could split a call from its result. The
 * last such message is included: it always stays.
 */
export function cutSources(path: readonly ChatRow[]): readonly CutSource[] {
  const places: CutSource[] = []
  let before = 0
  path.forEach((row, at) => {
    const last = path[at - 1]
    if (last && row.role === 'user' && isWord(row)) places.push({ messageId: row.id, at, through: last.id, before })
    before += tokensOfRow(row)
  })
  return places
}

const isWord = (row: ChatRow): boolean =>
  isHere(row) ? row.role === 'user' && row.results.length === 0 && hasText(row) : row.isFromUser

/** Leaves out about half of the chat, but keeps the last exchange if there are several. */
export function usualSource(places: readonly CutSource[], all: number): CutSource | undefined {
  return places.find(({ before }) => before >= all / 2) ?? places.at(-1)
}

/** The effect of a compaction on a branch. */
export interface SharedMessages {
  /** Indexes of the messages that are left out, in order. */
  readonly leaves: readonly number[]
  /** Indexes of pinned messages that stay among them. */
  readonly stays: readonly number[]
  /** Estimated tokens saved; negative if the summary is longer. */
  readonly tokensWon: number
}

/** Uses the same rule as the server. */
export function sharedContentBy(
  path: readonly ChatRow[],
  through: string,
  summary: string,
  pinned: ContextMarks['pinned'],
): SharedMessages {
  const turns = path.map((row) => turnOf(row, tokensOfRow(row)))
  const marks = { pinned, compactions: [{ through, summary, madeAt: 0 }] }
  const { compacted, pinned: kept, tokens } = fitMarked(turns, 0, null, marks)
  const to = compacted?.to ?? 0
  const stays = kept.filter((at) => at < to)
  const leaves = Array.from({ length: to }, (_, at) => at).filter((at) => !stays.includes(at))
  return { leaves, stays, tokensWon: turns.reduce((sum, turn) => sum + turn.tokens, 0) - tokens }
}
