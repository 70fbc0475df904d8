import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { makeError } from '@/lib/i18n/t'
import type { ChatRequest } from '@/lib/shared/conversation/wire/api-types'
import { foldRunEvent } from '@/lib/shared/conversation/wire/run-event'
import {
  tabRunLimits,
  type TabEnd,
  type TabModel,
  type TabPieces,
  type TabPrompt,
  type TabRunState,
} from '@/lib/shared/conversation/wire/tab-run'
import { isBrowserModel } from '@/lib/base/model-id'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { ModelInfo } from '@/lib/shared/models/model'
import type { AppendPlan, StoredBranch } from '@/lib/server/store/ports/conversation-store'
import type { TabRunRow } from '@/lib/server/store/ports/run-store'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { prepareQuestion, tabConstraintOf, tabExactOf, fitPrompt, withSkills } from '../prompt/prepare-question'
import { promptForTab } from '@/lib/shared/prompt/prompt-for-tab'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { defaultRunLogTimes } from '../runs/run-log-reader'
import { type StoredConversations, loadAppendLine, loadOlder } from '../stored-chats/stored-conversations'
import { promptWindow } from '@/lib/shared/prompt/prompt-budget'

/**
 * Replies that a tab writes. Rejects with AppError: `not-found`, or `forbidden` for a tab that did not start the reply.
 */
export interface TabRuns {
  /** The prompt for the model. Refused (`conflict`) once the reply has ended. */
  /** `connected`: the chats' own tools that the requesting page can run, as `CONVERSATION:NAME`. */
  tabPrompt(owner: string, runId: string, key: string, connected?: readonly string[]): Promise<TabPrompt>
  tabPieces(owner: string, runId: string, key: string, request: TabPieces): Promise<TabRunState>
  /** Ends the reply if all pieces have arrived; otherwise returns the first missing position. */
  tabEnd(owner: string, runId: string, key: string, request: TabEnd): Promise<TabRunState>
}

const PAGE = 1_000
const OVER: TabRunState = { live: false, stopRequested: false, next: 0, full: false }

const hashOf = (key: string): string => bytesToHex(sha256(utf8ToBytes(key)))

/** The stored writer of an append by a tab; null: the server writes the reply. Refuses a model that neither can run. */
export function writerOf(
  model: string,
  { writer, skills }: Pick<ChatRequest, 'writer' | 'skills'>,
): NonNullable<AppendPlan['writer']> | null {
  if (!isBrowserModel(model)) return null
  if (!writer) throw makeError('unknown-model', 'chat.tab-model', { model })
  return { keyHash: hashOf(writer.key), model: writer.model, ...(skills && { skills }) }
}

/** The known facts of a tab's model. */
const infoOf = (id: string, { label, providerLabel, contextTokens }: TabModel): ModelInfo => ({
  id,
  label,
  providerLabel,
  contextTokens,
  simulated: false,
})

export function createTabRuns(
  ports: ChatServicePorts,
  parts: { readonly chats: StoredConversations; readonly readings: ReplyReadings },
): TabRuns {
  const { store, runLog, clock, builder, boundary, discoverTools, offerTools } = ports
  const { chats, readings } = parts

  async function runOf(owner: string, runId: string, key: string): Promise<TabRunRow> {
    const run = await store.loadTabRun({ owner, runId })
    if (!run) throw makeError('not-found', 'chat.no-reply')
    if (hashOf(key) !== run.writer.keyHash) throw makeError('forbidden', 'chat.other-tab')
    return run
  }

  /** A tab that was silent too long is dead, even if nothing has checked since. */
  async function isOver(run: TabRunRow): Promise<boolean> {
    if (run.status === 'ended') return true
    const { owner, id: runId } = run
    return run.silentMs > defaultRunLogTimes.tabDeadMs && (await runLog.recoverIfDead({ owner, runId }))
  }

  /** Current settings, with the model and strategy of the reply: the prompt's form and the reading must match. */
  const asBegun = (stored: StoredBranch, { model, strategy, toolsEnabled }: AssistantMessage): StoredBranch => {
    const { conversation } = stored
    const { settings } = conversation
    const tools = { ...settings.tools, enabled: toolsEnabled }
    return { ...stored, conversation: { ...conversation, settings: { ...settings, model, strategy, tools } } }
  }

  async function question(owner: string, run: TabRunRow, reply: AssistantMessage, everywhere: readonly string[]) {
    const here = `${run.conversationId}:`
    const connected = everywhere.filter((tool) => tool.startsWith(here)).map((tool) => tool.slice(here.length))
    const { model } = run.writer
    const asked: ChatRequest = {
      conversationId: run.conversationId,
      append: { kind: 'reply', id: reply.id, parentId: reply.parentId ?? '' },
    }
    const window = promptWindow(model.contextTokens, ports.limits.promptTokens)
    const line = await loadAppendLine(chats, () => Promise.resolve(window), owner, asked)
    const prompt = await fitPrompt(
      { ...line, stored: withSkills(asBegun(line.stored, reply), run.writer) },
      { userMessage: null, reply },
      ({ conversation, tools }) => ({
        tools: offerTools(conversation.settings.tools, tools, connected),
        builder,
        readings,
        boundary,
      }),
      (stored, count) => loadOlder(chats, owner, stored, count),
    )
    const models: ChatServicePorts['models'] = {
      ...ports.models,
      info: (id) => infoOf(id, model),
      seesImages: () => Promise.resolve(model.seesImages),
    }
    return prepareQuestion({ ...ports, models }, readings, owner, { ...prompt, connected }, { reply })
  }

  /** The reply as logged so far, and the last sequence number. */
  async function written(owner: string, runId: string, reply: AssistantMessage) {
    let message = reply
    let lastSeq = 0
    for (;;) {
      const read = await store.readRunEvents({ owner, runId }, lastSeq, PAGE)
      const events = read?.events ?? []
      for (const event of events) message = foldRunEvent(message, event)
      lastSeq = events.at(-1)?.seq ?? lastSeq
      if (events.length < PAGE) return { message, lastSeq }
    }
  }

  return {
    async tabPrompt(owner, runId, key, connected = []) {
      const run = await runOf(owner, runId, key)
      const reply = (await isOver(run)) ? null : await store.loadReply({ owner, runId })
      if (!reply) throw makeError('conflict', 'chat.tab-over')
      const asked = await question(owner, run, reply, connected)
      const { input, failure = null } = asked
      const exact = failure ? null : tabConstraintOf(ports.exact, reply, asked)
      const prompt = await promptForTab(input)
      const { nativeTools = [], stops } = input
      return { prompt, nativeTools, ...(stops && { stops }), failure, ...(exact && { exact }) }
    },

    async tabPieces(owner, runId, key, { pieces }) {
      const run = await runOf(owner, runId, key)
      if (await isOver(run)) return OVER
      const state = await store.appendTabPieces({ owner, runId }, pieces, tabRunLimits.maxReplyChars)
      if (pieces.length > 0 || !state.live) runLog.heard({ owner, runId })
      return state
    },

    async tabEnd(owner, runId, key, { lastSeq, outcome, failure, usage, exact, pace }) {
      const run = await runOf(owner, runId, key)
      const started = (await isOver(run)) ? null : await store.loadReply({ owner, runId })
      if (!started) return OVER
      const accepted = await written(owner, runId, started)
      if (accepted.lastSeq === lastSeq) {
        // A notice about constrained decoding appears once in a branch, so the earlier messages are needed to decide. A
        // reply that was requested with its form has no notice.
        const part = exact && exact.asked !== 'with' ? { before: started.id } : { head: null }
        const stored = await chats.loadBranch(owner, run.conversationId, part)
        const tools = discoverTools(stored.conversation.settings.tools, stored.tools)
        const message = { ...accepted.message, outcome }
        const calls = readings.callsOf(message, tools)
        const { settings } = asBegun(stored, started).conversation
        const asked = { settings, tools, before: stored.messages }
        const held = exact ? tabExactOf(ports.exact, exact, message, { ...asked, readings }) : null
        const runnableCalls = calls.filter(({ runnable }) => runnable).length
        const more = { ...(held && { exact: held }), ...(pace && { pace }) }
        const ending = { outcome, failure, usage, lastSeq, runnableCalls, ...more }
        const ended = await store.endRun({ owner, runId }, ending, clock.now())
        runLog.heard({ owner, runId })
        if (ended) return { ...OVER, ...(held && { exact: held }) }
      }
      return store.appendTabPieces({ owner, runId }, [], tabRunLimits.maxReplyChars)
    },
  }
}
