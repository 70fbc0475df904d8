'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { badge } from '@/components/ui/recipes/badge'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

export interface LimitRow {
  readonly name: string
  /** With its unit. */
  readonly amount: string
  readonly meaning: string
  readonly isSet: boolean
}

/** What holds visitors back, as the server was started. */
export function ServerLimits({ limits }: { limits: readonly LimitRow[] }) {
  useLanguage()
  return (
    <section className="grid gap-3" aria-labelledby="limits">
      <h2 id="limits" className="text-md font-strong">
        {t('admin.limits')}
      </h2>
      <p className="text-muted">{t('admin.limits-about')}</p>
      <ul className="grid">
        {limits.map((limit) => (
          <li key={limit.name} className="flex flex-wrap items-baseline gap-x-3 border-b border-line py-1.5">
            <code className="font-mono text-mono">{limit.name}</code>
            <span className="font-medium tabular-nums">
              <SentenceText text={limit.amount} />
            </span>
            {limit.isSet ? <span className={badge()}>{t('admin.limit-set')}</span> : null}
            <span className="basis-full text-sm text-muted">
              <SentenceText text={limit.meaning} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
