import { z } from 'zod'
import { fitsModel } from './fits-window'

/** Tokens that may be used in a day (UTC), said by anyone who runs the server. All rules that fit a reply hold at once. */
export interface BudgetRule {
  /** `*`, all of a provider (`openai/*`), or one model (`openai/gpt-5`). */
  readonly models: string
  /** One pot for all; or one for each person, or for each of a kind. */
  readonly for: BudgetedPeople
  readonly tokensPerDay: number
}

const people = ['everybody', 'each', 'each-anonymous', 'each-user', 'each-admin'] as const
export type BudgetedPeople = (typeof people)[number]

/** Who asks: without an account, with one, or one who runs the server. */
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

/** Whether a rule holds for a model and a person. */
export const ruleFits = (rule: BudgetRule, model: string, role: AskerRole): boolean =>
  fitsModel(rule.models, model) && (rule.for === 'everybody' || rule.for === 'each' || rule.for === `each-${role}`)

/** The name of the pot: the same rule has the same pot, also after its number was changed. */
export const potName = (rule: BudgetRule): string => `tokens ${rule.for} ${rule.models}`.slice(0, 200)
