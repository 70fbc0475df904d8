import type { Message } from '@/lib/shared/conversation/conversation'
import { potName, ruleFits, type BudgetRule } from '@/lib/shared/models/budget'
import type { AppendPlan } from '@/lib/server/store/ports/conversation-store'
import type { BudgetLine, RunClaim } from '@/lib/server/store/ports/quotas'
import type { TokenClaim } from '@/lib/shared/prompt/prompt-budget'
import { addressSubject, everybody } from '@/lib/server/store/ports/subjects'
import type { ChatServiceLimits } from '../stored-chats/chat-service-ports'
import type { Visitor } from '../quota/quota-limits'
import type { FittedPrompt } from '../prompt/fit-prompt'
import { withheldOf } from '@/lib/shared/prompt/model-messages'
import { tokenClaim } from '@/lib/shared/prompt/prompt-budget'

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
  const claim = claimOfModel(owner, visitor, plan, known)
  // A place among those of the owner and the address, and nothing of what models of the server cost.
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

/** What any reply takes, whether or not it is kept. */
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

function tokensOf({ stored, path, cut }: FittedPrompt, plan: AppendPlan): TokenClaim {
  const { systemPrompt } = stored.conversation.settings
  const told = systemPrompt.length + (cut?.compacted?.summary.length ?? 0)
  const chars = withheldOf(path, cut).reduce((sum, message) => sum + charsOf(message), told)
  return tokenClaim(chars, Array.isArray(plan.images) ? plan.images.length : 0)
}

const charsOf = (message: Message): number =>
  message.role === 'assistant'
    ? message.text.length
    : message.text.length + (message.results.length > 0 ? JSON.stringify(message.results).length : 0)
