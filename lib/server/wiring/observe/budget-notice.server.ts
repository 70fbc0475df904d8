import { t } from '@/lib/i18n/t'
import { leastClaim } from '@/lib/shared/prompt/prompt-budget'
import type { BudgetRule } from '@/lib/shared/models/budget'

/** What a start says of each budget of a day under which no message at all can be sent. */
export function budgetNotice(budgets: readonly BudgetRule[]): readonly string[] {
  const least = leastClaim()
  return budgets
    .filter(({ tokensPerDay }) => tokensPerDay < least)
    .map(({ for: whose, models, tokensPerDay }) =>
      t('serve.small-budget', {
        whose: whose.replace('each-', ''),
        of: models === '*' ? 'all' : 'some',
        models,
        tokens: tokensPerDay,
        least,
      }),
    )
}
