import { z } from 'zod'
import { fitsModel } from '@/lib/base/model-id'

/** Tokens that may be used per day (UTC), set by the operator. All rules that match a reply apply at once. */
export interface BudgetRule {
  /** `*`, all of a provider (`openai/*`), or one model (`openai/gpt-5`). */
  readonly models: string
  /** One counter for all; or one for each user, or for each of a kind. */
  readonly for: BudgetedPeople
  readonly tokensPerDay: number
}

const people = ['everybody', 'each', 'each-anonymous', 'each-user', 'each-admin'] as const
export type BudgetedPeople = (typeof people)[number]

/** The kind of user: without an account, with one, or an administrator. */
export type AskerRole = 'anonymous' | 'user' | 'admin'

export const budgetSchema = z.strictObject({
  models: z
    .string()
    .trim()
    .regex(/^(\*|[a-z0-9][a-z0-9._-]*\/(\*|.+))$/, 'must be "*", "provider/*" or "provider/model"')
    .default('*'),
  for: z.enum(people).default('each'),
  tokensPerDay: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
})

/** Whether a rule applies to a model and a user. */
export const ruleFits = (rule: BudgetRule, model: string, role: AskerRole): boolean =>
  fitsModel(rule.models, model) && (rule.for === 'everybody' || rule.for === 'each' || rule.for === `each-${role}`)

/** The name of the counter: the same rule has the same counter, also after its number was changed. */
export const potName = (rule: BudgetRule): string => `tokens ${rule.for} ${rule.models}`.slice(0, 200)
