import { AppError } from '@/lib/base/app-error'
import type { ChatRequest, ChatResponse } from '@/lib/shared/conversation/wire/api-types'
import type { AppendAnswer, AppendPlan, StoredBranch } from '@/lib/server/store/ports/conversation-store'
import { stayedUnseen } from '@/lib/shared/calls/approval-policy'
import { formOf } from '@/lib/protocols/types/tool-context-def'
import { describeProblem } from '@/lib/protocols/tool-context-builder'
import { anonymousVisitor, type Visitor } from '../quota/rate'
import { readingOfNext, type ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { planAppend } from './plan-append'
import type { ChatServicePorts, ChatServiceLimits } from '../stored-chats/chat-service-ports'
import type { RunStarter } from './chat-service-start'
import type { Admission } from '../runs/run-queue'
import { type StoredConversations, loadAppendLine, loadOlder } from '../stored-chats/stored-conversations'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { isBrowserModel } from '@/lib/base/model-id'
import { exactOfTab, fitPrompt, type FittedPrompt, withSkills } from '../prompt/prepare-question'
import { writerOf } from './tab-runs'
import { promptWindow, type PromptWindow, type TokenClaim, tokenClaim } from '@/lib/shared/prompt/prompt-budget'
import type { Message } from '@/lib/shared/conversation/conversation'
import { potName, ruleFits, type BudgetRule } from '@/lib/shared/models/budget'
import type { BudgetLine, RunClaim } from '@/lib/server/store/ports/quotas'
import { addressSubject, everybody } from '@/lib/server/store/ports/store'
import { contextChars } from '@/lib/shared/prompt/static-prompt'
import { withheldOf } from '@/lib/shared/prompt/model-messages'

/** What an append claims of the shared limits. `waits`: this process has no free slot now. */
function claimOfAppend(
  owner: string,
  visitor: Visitor,
  plan: AppendPlan,
  known: {
    readonly prompt: FittedPrompt
    readonly limits: ChatServiceLimits
    readonly waits: boolean
  },
): RunClaim {
  const claim = claimOfModel(owner, visitor, plan, known)
  // Uses a slot of the owner and of the address, but no tokens or budgets of the server's models.
  return plan.writer ? { ...claim, byTab: true, tokens: { in: 0, out: 0 }, budgets: [] } : claim
}

function claimOfModel(
  owner: string,
  visitor: Visitor,
  plan: AppendPlan,
  known: Parameters<typeof claimOfAppend>[3],
): RunClaim {
  const { limits, waits, prompt } = known
  const { fair } = limits
  return {
    ...claimOf(owner, visitor, { limits, model: plan.reply.model, tokens: tokensOf(prompt, plan) }),
    waits,
    maxQueued: fair.maxQueuedPerOwner,
    maxBytes: fair.maxBytesPerOwner,
  }
}

/** What any reply claims, whether or not it is stored. */
export const claimOf = (
  owner: string,
  visitor: Visitor,
  {
    limits: { maxRunsPerOwner, fair },
    model,
    tokens,
  }: { readonly limits: ChatServiceLimits; readonly model: string; readonly tokens: TokenClaim },
): Omit<RunClaim, 'waits' | 'maxQueued' | 'maxBytes'> => ({
  maxRunning: maxRunsPerOwner,
  address:
    visitor.address === null ? null : { subject: addressSubject(visitor.address), maxRunning: fair.maxRunsPerAddress },
  tokens,
  budgets: budgetLines(owner, visitor, fair.budgets, model),
})

/** The budgets that a reply of this model draws from; `null`: budgets for any model. */
export const budgetLines = (
  owner: string,
  { role }: Visitor,
  rules: readonly BudgetRule[],
  model: string | null,
): readonly BudgetLine[] =>
  rules
    .filter((rule) => ruleFits(rule, model ?? rule.models, role))
    .map((rule) => ({
      owner: rule.for === 'everybody' ? everybody : owner,
      name: potName(rule),
      tokensPerDay: rule.tokensPerDay,
      models: rule.models,
    }))

function tokensOf({ stored, path, cut }: FittedPrompt, plan: AppendPlan): TokenClaim {
  const { settings } = stored.conversation
  const contextSize = contextChars(settings, stored.context) + (cut?.compacted?.summary.length ?? 0)
  const chars = withheldOf(path, cut).reduce((sum, message) => sum + charsOf(message), contextSize)
  return tokenClaim(chars, Array.isArray(plan.images) ? plan.images.length : 0)
}

const charsOf = (message: Message): number =>
  message.role === 'assistant'
    ? message.text.length
    : message.text.length + (message.results.length > 0 ? JSON.stringify(message.results).length : 0)

/** If an append loses a race against a click, it is planned again on the current state. */
const APPEND_TRIES = 4

/**
 * Handles an appended message, from the request to the running reply. The branch is loaded once to plan the append, the
 * rows are stored in one transaction, and the run prompts the model with what was loaded.
 */
export function createAppend(
  ports: ChatServicePorts,
  parts: { readonly chats: StoredConversations; readonly runs: RunStarter; readonly readings: ReplyReadings },
): (owner: string, request: ChatRequest, visitor?: Visitor) => Promise<ChatResponse> {
  const { store, clock, newId, discoverTools, offerTools, models, builder, boundary, limits } = ports
  const { chats, runs, readings } = parts

  const toolsOf = ({ conversation, tools }: StoredBranch) => discoverTools(conversation.settings.tools, tools)
  const offeredTo = (
    { connected = [] }: ChatRequest,
    { conversation, tools }: Pick<StoredBranch, 'conversation' | 'tools'>,
  ) => offerTools(conversation.settings.tools, tools, connected)

  /** Only the tab that runs a browser model knows its context window. */
  const windowOf = async (model: string, { writer }: ChatRequest): Promise<PromptWindow | null> => {
    const known = isBrowserModel(model) ? (writer?.model.contextTokens ?? null) : await models.windowTokens(model)
    return promptWindow(known, limits.promptTokens)
  }

  function plan(stored: StoredBranch, append: ChatRequest['append']): AppendPlan {
    const tools = toolsOf(stored)
    const known = { ...stored, messages: [...stored.messages, ...stored.answers] }
    return planAppend(known, append, {
      readCalls: (message) => readings.callsOf(message, tools, stored.amendments),
      describeProblem: (call, message) => describeProblem(call, tools, formOf(message)),
      isUnseen: ({ name }, outcome) =>
        stayedUnseen(ports.toolFacts(name, stored.tools), stored.conversation.settings.tools, outcome),
      newId,
      isCut: stored.older > 0,
      now: clock.now(),
    })
  }

  /** The `reading` for the reply's row: how its text must be read. */
  function readingOf({ conversation, messages, tools }: StoredBranch, request: ChatRequest, planned: AppendPlan) {
    const { settings } = conversation
    const { writer } = request
    const { model, parentId } = planned.reply
    const exact = isBrowserModel(model)
      ? exactOfTab(model, writer?.model.takes)
      : ports.exact?.constrainedDecoding.of(model)
    const isOffered = offeredTo(request, { conversation, tools }).some((tool) => tool.disabled !== true)
    const path = treePathTo(treeOf(messages), planned.userMessage?.parentId ?? parentId)
    const last = path.findLast((message) => message.role === 'assistant')
    const reading = isOffered ? readingOfNext(settings, exact, last) : undefined
    return reading === undefined ? {} : { reading }
  }

  const fit = (
    owner: string,
    request: ChatRequest,
    line: Parameters<typeof fitPrompt>[0],
    planned: AppendPlan,
  ): Promise<FittedPrompt> =>
    fitPrompt(
      line,
      planned,
      (stored) => ({ tools: offeredTo(request, stored), builder, readings, boundary }),
      (stored, count) => loadOlder(chats, owner, stored, count),
    )

  async function answerTo(owner: string, answer: AppendAnswer): Promise<ChatResponse> {
    const { conversation, reply, userMessage, calls } = answer
    const { id, title, updatedAt } = conversation
    const known = answer.replayed ? await store.summariseConversation(owner, id) : null
    return {
      runId: reply.runId,
      message: userMessage,
      replyId: reply.id,
      calls,
      conversation,
      summary: known ?? { id, title, updatedAt, running: true, waitingCalls: 0 },
    }
  }

  return async (owner, request, visitor = anonymousVisitor) => {
    const { conversationId: id, append } = request
    for (let tries = 1; ; tries += 1) {
      let admission: Admission | null = null
      let started = false
      try {
        // A reply that a tab writes takes no slot of this process.
        admission = request.writer ? null : runs.admit()
        const loaded = await loadAppendLine(chats, (model) => windowOf(model, request), owner, request)
        const line = { ...loaded, stored: withSkills(loaded.stored, request) }
        const first = plan(line.stored, append)
        const planned = { ...first, reply: { ...first.reply, ...readingOf(line.stored, request, first) } }
        const fitted = await fit(owner, request, line, planned)
        const prompt = { ...fitted, ...(request.connected && { connected: request.connected }) }
        const { trimmed, tokens } = prompt
        const writer = writerOf(planned.reply.model, request)
        if (!writer) admission ??= runs.admit()
        const known = { ...(trimmed && { trimmed }), ...(tokens !== undefined && { promptTokens: tokens }) }
        const reply = { ...planned.reply, ...known }
        const kept = { ...planned, reply, ...(writer && { writer }) }
        const claim = claimOfAppend(owner, visitor, kept, { prompt, limits, waits: admission?.waits ?? false })
        const answer = await store.append(owner, id, append.id, { ...kept, claim }, clock.now())
        if (!answer.replayed && admission && !writer) {
          runs.start(owner, prompt, answer, admission)
          started = true
        }
        return await answerTo(owner, answer)
      } catch (error) {
        // The same request may have been answered already, which causes the conflict.
        const answered = error instanceof AppError ? await store.findAppend(owner, id, append.id) : null
        if (answered) return answerTo(owner, answered)
        const raced = error instanceof AppError && error.code === 'call-not-open' && append.kind === 'user'
        if (!raced || tries === APPEND_TRIES) throw error
      } finally {
        if (!started) admission?.leave()
      }
    }
  }
}
