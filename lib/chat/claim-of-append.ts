import type { Message } from '@/lib/conversation/conversation'
import { potName, ruleFits, type BudgetRule } from '@/lib/models/budget'
import type { AppendPlan } from '@/lib/store/store'
import type { BudgetLine, RunClaim, TokenClaim } from '@/lib/store/fair-use'
import { addressSubject, everybody } from '@/lib/store/subjects'
import type { ChatServiceLimits } from './chat-service-ports'
import type { Visitor } from './fair-use-limits'
import type { FittedPrompt } from './fit-prompt'
import { keptOf } from './model-messages'

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
    readonly prompt: FittedPrompt
    readonly limits: ChatServiceLimits
    readonly waits: boolean
  },
): RunClaim {
  const { limits, waits, prompt } = known
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
    tokens: tokensOf(prompt, plan),
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
function tokensOf({ stored, path, cut }: FittedPrompt, plan: AppendPlan): TokenClaim {
  const { systemPrompt } = stored.conversation.settings
  const chars = keptOf(path, cut).reduce((sum, message) => sum + charsOf(message), systemPrompt.length)
  const pictures = Array.isArray(plan.images) ? plan.images.length * PICTURE_TOKENS : 0
  return { in: INSTRUCTION_TOKENS + Math.ceil(chars / CHARS_OF_A_TOKEN) + pictures, out: ANSWER_TOKENS }
}

const charsOf = (message: Message): number =>
  message.role === 'assistant'
    ? message.text.length
    : message.text.length + (message.results.length > 0 ? JSON.stringify(message.results).length : 0)
