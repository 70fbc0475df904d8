import type { Message } from '@/lib/conversation/conversation'
import { treeOf, treePathTo } from '@/lib/conversation/message-tree'
import { potName, ruleFits, type BudgetRule } from '@/lib/models/budget'
import type { AppendPlan, StoredConversation } from '@/lib/store/store'
import type { BudgetLine, RunClaim, TokenClaim } from '@/lib/store/fair-use'
import { addressSubject, everybody } from '@/lib/store/subjects'
import type { ChatServiceLimits } from './chat-service-ports'
import type { Visitor } from './fair-use-limits'

/** Set aside for an answer until its length is known; what it really was is settled at its end. */
const ANSWER_TOKENS = 1_000
/** What Nod tells a model besides the chat, in round numbers. */
const INSTRUCTION_TOKENS = 1_500
const PICTURE_TOKENS = 1_000
const CHARS_OF_A_TOKEN = 4

/** What an append asks of what is shared. `waits`: this process has no place for it now. */
export function claimOfAppend(
  owner: string,
  visitor: Visitor,
  plan: AppendPlan,
  known: {
    readonly stored: StoredConversation
    readonly limits: ChatServiceLimits
    readonly contextTokens: number | null
    readonly waits: boolean
  },
): RunClaim {
  const { limits, contextTokens, waits, stored } = known
  const { fair } = limits
  return {
    waits,
    maxRunning: limits.maxRunsPerOwner,
    maxQueued: fair.maxQueuedPerOwner,
    maxBytes: fair.maxBytesPerOwner,
    address:
      visitor.address === null
        ? null
        : { subject: addressSubject(visitor.address), maxRunning: fair.maxRunsPerAddress },
    tokens: tokensOf(stored, plan, contextTokens),
    budgets: budgetLines(owner, visitor, fair.budgets, plan.reply.model),
  }
}

/** The pots that a reply of this model takes from; `null`: those of any model. */
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

/** By lengths alone: reading a long chat letter by letter would cost each turn more than asking the database. */
function tokensOf(stored: StoredConversation, plan: AppendPlan, contextTokens: number | null): TokenClaim {
  const { userMessage, reply } = plan
  const messages = userMessage ? [...stored.messages, userMessage] : stored.messages
  const path = treePathTo(treeOf(messages), reply.parentId)
  const chars = path.reduce((sum, message) => sum + charsOf(message), stored.conversation.settings.systemPrompt.length)
  const pictures = Array.isArray(plan.images) ? plan.images.length * PICTURE_TOKENS : 0
  const prompt = INSTRUCTION_TOKENS + Math.ceil(chars / CHARS_OF_A_TOKEN) + pictures
  return { in: Math.min(prompt, contextTokens ?? prompt), out: ANSWER_TOKENS }
}

const charsOf = (message: Message): number =>
  message.role === 'assistant'
    ? message.text.length
    : message.text.length + (message.results.length > 0 ? JSON.stringify(message.results).length : 0)
