import { imagesToSend } from '@/lib/shared/conversation/attached'
import { attachmentWords, type PictureDelivery } from '@/lib/shared/prompt/attachment-words'
import { isHere, hereOf, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { Attachment, ConversationSettings, Message } from '@/lib/shared/conversation/conversation'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import { fitMarked, type SizedTurn } from '@/lib/shared/prompt/fit-window'
import { chosenSight } from '@/lib/shared/models/sees-images'
import { withToolContext } from '@/lib/shared/prompt/tool-macros'
import type { PromptContext } from '@/lib/shared/conversation/settings/project'
import { joined, memoryWords, skillWords, systemPromptOf } from '@/lib/shared/prompt/standing-part'
import { promptBudgetIn, tokenClaim } from '@/lib/shared/prompt/prompt-budget'
import { hasText } from '@/lib/shared/conversation/outline'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { toolContextBuilder, promptTokens } from '@/lib/protocols/tool-context-builder'
import { offeredTools } from '@/lib/protocols/prompt/unlisted-tools'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'

/** Between what vendors count for a picture of the size that is sent. */
const PICTURE_TOKENS = 1_000

/** What a row holds besides what the model is told, in bytes, and what a token has of them. */
const ROW_BYTES = 300
const TOKEN_BYTES = 4

const tokensOfSize = (size: number): number => Math.round(Math.max(0, size - ROW_BYTES) / TOKEN_BYTES)

interface MessageTokens {
  readonly words: number
  readonly files: number
}

const memo = new WeakMap<Message, MessageTokens>()

/** About how many tokens each part of the next request has; together they are all of it. */
export interface PromptShares {
  /** The person's own system prompt, with that of the project and with memories. */
  readonly system: number
  /** What Nod adds to it: the tools, and how they are called. */
  readonly tools: number
  /** The messages that are sent, without their files, and what is in the place of others. */
  readonly history: number
  /** Files and pictures of those messages, and of the one that is being written. */
  readonly attachments: number
  /** The words that are being typed. */
  readonly draft: number
}

/** What the next request is. */
export interface NextRequest {
  /** An estimate: the system prompt with its tools, the messages that are sent, and what is being written. */
  readonly tokens: number
  readonly shares: PromptShares
  /** Of that many tokens nothing is left out; null: the model's window is not known. */
  readonly room: number | null
  /** Messages of the branch that stay behind, as the window has no room for them. */
  readonly leftOut: number
  /** Messages of the branch that the person left out. */
  readonly compacted: number
  /** What is set aside for it of a day’s tokens. */
  readonly claim: number
}

interface ModelFacts {
  /** As it is listed: what the user says in the chat's settings goes first. */
  readonly seesImages?: boolean
  /** Null, or left out: not known, so that nothing stays behind. */
  readonly windowTokens?: number | null
  /** What the model counts for an estimated token, and whether its provider said so; left out: one. */
  readonly ratio?: number
  readonly isLearnt?: boolean
}

interface Draft {
  readonly text: string
  readonly files: readonly Attachment[]
}

const noDraft: Draft = { text: '', files: [] }

/** Counts what would be sent: of a chat that is longer than its model’s window, its end, by the server’s own rule. */
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
  const memory = memoryWords(settings, context)
  const seesImages = chosenSight(settings) ?? listed
  const offered = offeredTools(discoverTools(toolSet, tools, strategy))
  const facts = { config: tools, tools: offered }
  const skills = skillWords(offered, context)
  const spliced = withToolContext(
    systemPrompt,
    (own) => toolContextBuilder.spliceSystemPrompt(own, { strategy, tools: offered, enabled: tools.enabled, skills }),
    facts,
  )
  const system = joined(spliced, memory)
  const fixed = promptTokens(system, strategy, tools.enabled ? offered : [])
  const own = Math.min(fixed, estimateTokens(systemPrompt) + estimateTokens(memory))
  const images = seesImages ? imagesToSend(hereOf(path)) : []
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

/** A message of the branch with its size, as a prompt is fitted with it. */
export function turnOf(row: ChatRow, tokens: number): SizedTurn {
  const { id } = row
  if (row.role === 'assistant') return { id, tokens, kind: 'reply', says: false }
  const says = isHere(row) ? hasText(row) : row.said
  const takesResults = isHere(row) ? row.results.length > 0 : !row.said
  return { id, tokens, kind: takesResults ? 'results' : 'word', says }
}

/** About how many tokens a message of the branch has, its files included. */
export const tokensOfRow = (row: ChatRow): number => sizeOf(row, 0).all

function charsOf(row: ChatRow): number {
  if (!isHere(row)) return Math.max(0, row.size - ROW_BYTES)
  return row.text.length + (row.role === 'user' && row.results.length > 0 ? JSON.stringify(row.results).length : 0)
}

function filesTokens(files: readonly Attachment[]): number {
  if (files.length === 0) return 0
  const told = { boundary: '', canRead: true, standing: (): PictureDelivery => 'shown' }
  return estimateTokens(attachmentWords(files, told))
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

/** A place at which what is sent may begin. */
interface CutSource {
  /** The message that is sent first, and its place in the branch. */
  readonly messageId: string
  readonly at: number
  /** The last one that is left out. */
  readonly through: string
  /** About how many tokens are before it. */
  readonly before: number
}

/**
 * Where the person said something, answering no tool: nowhere else could a prompt begin without half a call. The last such
 * place is among them: what the person said last always stays.
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
  isHere(row) ? row.role === 'user' && row.results.length === 0 && hasText(row) : row.said

/** About half of the chat goes, and the last exchange stays where there are more. */
export function usualSource(places: readonly CutSource[], all: number): CutSource | undefined {
  return places.find(({ before }) => before >= all / 2) ?? places.at(-1)
}

/** What a compaction does to a branch. */
export interface SharedMessages {
  /** Places of what leaves, in their order. */
  readonly leaves: readonly number[]
  /** Places of what stays among them. */
  readonly stays: readonly number[]
  /** Tokens that are won, about; less than nothing where what is in their place is longer. */
  readonly tokensWon: number
}

/** By the rule that the server follows. */
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
