import { imagesToSend } from '@/lib/shared/conversation/attached'
import type {
  ConversationSettings,
  Message,
  AssistantMessage,
  ExactOfReply,
  TrimmedPrompt,
} from '@/lib/shared/conversation/conversation'
import { describeTooLong } from '@/lib/shared/models/failure'
import type { ModelFailure, ExactOfModel, ModelId } from '@/lib/shared/models/model'
import type { AppendAnswer, AppendPlan, StoredBranch } from '@/lib/server/store/ports/conversation-store'
import type { ChatRequest } from '@/lib/shared/conversation/wire/api-types'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import {
  buildModelInput,
  withheldOf,
  type ModelInput,
  countLeftOut,
  measureModelInput,
  type ModelInputOptions,
  type PromptCut,
} from '@/lib/shared/prompt/model-messages'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import type { TabConstrainedDecoding, TabModel, TabPrompt } from '@/lib/shared/conversation/wire/tab-run'
import { browserExactOf } from '@/lib/shared/models/exact/exact-knowledge'
import { exactForms } from '@/lib/shared/models/exact/exact-forms'
import { withFoundTools } from '@/lib/shared/prompt/reveal-tools'
import { constraintOf, exactOf, type ExactPort } from '@/lib/shared/prompt/exact-reply'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { chosenSight } from '@/lib/shared/models/sees-images'
import { fitMarked } from '@/lib/shared/prompt/fit-window'
import type { StaticPrompt } from '@/lib/shared/prompt/static-prompt'
import { isBeyond, promptBudgetOf, type PromptWindow, ratioLearntIn } from '@/lib/shared/prompt/prompt-budget'

/** The part of a branch that is sent to a model. */
export interface FittedPrompt {
  readonly stored: StoredBranch
  /** The end of the branch, including the message that is answered. */
  readonly path: readonly Message[]
  /** Omitted: the whole path is sent. */
  readonly cut?: PromptCut
  /** The system prompt with the tools; omitted: not needed yet. */
  readonly staticPrompt?: StaticPrompt
  /** As stored with the reply. */
  readonly trimmed?: TrimmedPrompt
  /** The estimated number of tokens; omitted: not counted. */
  readonly tokens?: number
  /** Names of the chat's own tools that the requesting page can run. */
  readonly connected?: readonly string[]
  /** The part that must be sent is longer than the model's window. */
  readonly beyond?: { readonly tokens: number; readonly windowTokens: number }
}

/**
 * The branch with the skills that the requesting page offers. They are lines of text, shortened and neutralized when
 * the prompt is built.
 */
export const withSkills = (stored: StoredBranch, { skills }: Pick<ChatRequest, 'skills'>): StoredBranch =>
  skills === undefined || skills.length === 0 ? stored : { ...stored, context: { ...stored.context, skills } }

/** The most messages to read at once to fill a window. */
const MOST = 2_000
/**
 * And at most this many times the number already read, because older messages may be shorter or longer than the last
 * ones.
 */
const GROWTH = 3

/**
 * Decides what is sent to a model, and reads enough of the branch to fill its window. `more` reads this many older
 * messages. If the window is unknown, everything that was read is sent.
 */
export async function fitPrompt(
  line: { readonly stored: StoredBranch; readonly window: PromptWindow | null },
  plan: Pick<AppendPlan, 'userMessage' | 'reply'>,
  measured: (
    stored: StoredBranch,
    path: readonly Message[],
  ) => Omit<ModelInputOptions, 'conversation' | 'path' | 'amendments'>,
  more: (stored: StoredBranch, count: number) => Promise<StoredBranch>,
): Promise<FittedPrompt> {
  const { window } = line
  const { reading } = plan.reply
  let { stored } = line
  for (;;) {
    const path = pathOf(stored, plan)
    const { conversation, amendments } = stored
    const { marks } = conversation
    if (window === null && !marks) return { stored, path }
    const { part, staticTokens, turns } = measureModelInput({
      ...measured(stored, path),
      conversation,
      amendments,
      path,
      ...(stored.context && { context: stored.context }),
      ...(reading && { reading }),
    })
    const ratio = ratioLearntIn(path, plan.reply.model)
    const room = window && Math.floor(promptBudgetOf(window, ratio !== null) / (ratio ?? 1)) - staticTokens
    const fit = fitMarked(turns, stored.older, room, marks)
    const tokens = turns.reduce((sum, turn) => sum + turn.tokens, 0)
    if (room !== null && stored.older > 0 && !fit.compacted && tokens <= room) {
      const each = Math.max(1, tokens / turns.length)
      const wanted = Math.ceil((room - tokens) / each) + turns.length
      stored = await more(stored, Math.min(MOST, stored.messages.length * GROWTH, wanted))
      continue
    }
    const assumed = window?.isKnown === false ? ({ assumed: true } as const) : {}
    const { anchor, from, pinned, compacted } = fit
    const cut: PromptCut = { older: stored.older, anchor, from, pinned, compacted, ...assumed }
    const messages = countLeftOut(cut)
    const whole = staticTokens + fit.tokens
    return {
      stored,
      path,
      staticPrompt: part,
      tokens: whole,
      ...((messages > 0 || compacted) && { cut }),
      ...(messages > 0 && window && { trimmed: { messages, windowTokens: window.tokens, ...assumed } }),
      // Never refuse because of an assumed window.
      ...(!fit.fits &&
        window?.isKnown &&
        isBeyond(whole, window.tokens) && { beyond: { tokens: whole, windowTokens: window.tokens } }),
    }
  }
}

function pathOf({ messages }: StoredBranch, { userMessage, reply }: Pick<AppendPlan, 'userMessage' | 'reply'>) {
  return treePathTo(treeOf(userMessage ? [...messages, userMessage] : messages), reply.parentId)
}

export interface Question {
  readonly input: ModelInput
  readonly tools: readonly ToolSpec[]
  /** Those that the model can call now. */
  readonly offered: readonly ToolSpec[]
  /** Why the model is not called. */
  readonly failure?: ModelFailure
  /** The branch that is answered, as far as it was read. */
  readonly before: readonly Message[]
  readonly settings: ConversationSettings
}

/**
 * The complete prompt: from the settings and the branch that the append was planned on, and the appended message.
 * `again`: how to ask a store that may be away; by default once.
 */
export async function prepareQuestion(
  { store, models, discoverTools, offerTools, builder, boundary }: ChatServicePorts,
  readings: ReplyReadings,
  owner: string,
  { stored, path, cut, staticPrompt: staticPart, beyond, connected = [] }: FittedPrompt,
  { reply }: Pick<AppendAnswer, 'reply'>,
  again: <T>(ask: () => Promise<T>) => Promise<T> = (ask) => ask(),
): Promise<Question> {
  const { conversation, amendments, context } = stored
  const config = conversation.settings.tools
  const tools = discoverTools(config, stored.tools)
  const offered = offerTools(config, stored.tools, connected)
  const { settings } = conversation
  const seesImages = chosenSight({ ...settings, model: reply.model }) ?? (await models.seesImages(reply.model))
  const images = seesImages
    ? await again(() => store.loadImages(owner, conversation.id, imagesToSend(withheldOf(path, cut))))
    : []
  const { reading } = reply
  const how = {
    ...(cut && { cut }),
    ...(staticPart && { staticPart }),
    ...(reading && { reading }),
    ...(context && { context }),
  }
  const branch = { conversation, path, tools: offered, amendments, seesImages, images, ...how }
  const failure = beyond && describeTooLong(beyond, models.info(reply.model))
  const input = buildModelInput({ ...branch, builder, readings, boundary })
  return { tools, offered, input, before: path, settings: conversation.settings, ...(failure && { failure }) }
}

/** What is known of a tab's model: the capabilities of its kind, and what the tab detected. */
export function exactOfTab(model: ModelId, takes: TabModel['takes']): Pick<ExactOfModel, 'takes' | 'byDefault'> | null {
  const offer = browserExactOf(model)
  if (!offer) return null
  const { byDefault } = offer
  const kinds = new Set(offer.forms.map((form) => exactForms[form].takes))
  const [only] = kinds
  return { takes: takes ?? (kinds.size === 1 && only ? only : 'unknown'), byDefault }
}

/** The constraints for a tab's model; null: none. Only useful ones are sent to the tab. */
export function tabConstraintOf(
  exact: ExactPort | undefined,
  reply: AssistantMessage,
  asked: Pick<Question, 'settings' | 'tools' | 'before'>,
): TabPrompt['exact'] | null {
  const offer = browserExactOf(reply.model)
  if (!offer || !(asked.settings.exact ?? offer.byDefault)) return null
  const ask = constraintOf(exact, { ...asked, tools: withFoundTools(asked.tools, asked.before) }, reply)
  if (!ask || !offer.forms.some((form) => exactForms[form].fields(ask) !== null)) return null
  const { gbnf, jsonSchema, schemaLater } = ask
  return { ...(gbnf !== null && { gbnf }), ...(jsonSchema && { jsonSchema }), ...(schemaLater && { schemaLater }) }
}

/**
 * The constraint record for a reply that a tab wrote. This process knows only its own servers' models; the tab keeps
 * what it learns about its own.
 */
export function tabExactOf(
  exact: ExactPort | undefined,
  { form, asked, finding }: TabConstrainedDecoding,
  reply: AssistantMessage,
  about: Pick<Question, 'settings' | 'tools'> & {
    readonly readings: ReplyReadings
    readonly before: readonly Message[]
  },
): ExactOfReply | null {
  const tools = withFoundTools(about.tools, about.before)
  const looseTools = constraintOf(exact, { ...about, tools }, reply)?.looseTools ?? []
  const fields = asked === 'without' ? null : {}
  return exactOf(undefined, { form, finding, looseTools, fields, isRefused: asked === 'refused' }, reply, about)
}
