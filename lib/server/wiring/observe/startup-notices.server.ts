import { t } from '@/lib/i18n/t'
import { minClaim } from '@/lib/shared/prompt/prompt-budget'
import type { BudgetRule } from '@/lib/shared/models/budget'
import { pyodideVersion } from '@/lib/sandbox/python-assets'
import { readBind } from '@/lib/server/http/bind'
import { packagesBefore } from '@/lib/server/python-packages/package-folder'
import type { Settings } from '@/lib/server/settings/settings-table'

/** Start-up warnings about each daily budget that is too small for any message. */
export function budgetNotice(budgets: readonly BudgetRule[]): readonly string[] {
  const least = minClaim()
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

/**
 * Start-up warning if accounts are enabled behind a proxy on this machine that is not configured: sign-in attempts are
 * then limited only by account.
 */
export function proxyNotice(settings: Settings): readonly string[] {
  const { isLoopback, allowedHosts } = readBind(settings)
  const isUnnamed = settings.NOD_TRUST_PROXY === 0 && isLoopback && allowedHosts.length > 0
  return isUnnamed && settings.NOD_AUTH.length > 0 ? [t('serve.name-the-proxy')] : []
}

/**
 * Start-up warning if an update left the operator's Python packages behind: native modules work with only one version
 * of Pyodide.
 */
export function pythonNotice(dataFolder: string): readonly string[] {
  const before = packagesBefore(dataFolder)
  if (before === null) return []
  const { version, names } = before
  return [t('serve.python-packages', { before: version, version: pyodideVersion, names: names.join(' ') })]
}
