'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { cx } from '@/components/ui/recipes/recipe'
import { useLanguage } from '@/components/ui/page/use-language'
import { formatNumber } from '@/lib/base/text/locale'
import { t } from '@/lib/i18n/t'

export interface UseRow {
  /** Midnight UTC, epoch milliseconds. */
  readonly day: number
  readonly model: string
  readonly owners: number
  readonly replies: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Replies whose token counts are estimated. */
  readonly estimated: number
}

const heads = ['day', 'model', 'owners', 'replies', 'estimated', 'tokens-in', 'tokens-out'] as const
const cell = 'border-b border-line px-3 py-1.5 text-end tabular-nums'
const dayOf = (day: number): string => new Date(day).toISOString().slice(0, 10)

/** Usage by model and day, in numbers. Never shows any text that was written. */
export function UseByDay({ rows, days }: { rows: readonly UseRow[]; days: number }) {
  useLanguage()
  return (
    <section className="grid gap-3" aria-labelledby="use">
      <h2 id="use" className="text-md font-strong">
        {t('admin.use')}
      </h2>
      {rows.length === 0 ? (
        <p className="text-muted">{t('admin.no-use', { days })}</p>
      ) : (
        <div className="overflow-x-auto" role="region" aria-label={t('admin.use-days', { days })} tabIndex={0}>
          <table className="w-full border-collapse text-sm">
            <thead>
              <tr>
                {heads.map((head, at) => (
                  <th
                    key={head}
                    scope="col"
                    className={cx(cell, 'font-medium whitespace-nowrap text-muted', at < 2 && 'text-start')}
                  >
                    {t(`admin.use.${head}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ day, model, owners, replies, tokensIn, tokensOut, estimated }) => (
                <tr key={`${day} ${model}`}>
                  <td className={cx(cell, 'text-start whitespace-nowrap')}>{dayOf(day)}</td>
                  <td className={cx(cell, 'text-start')}>
                    <SentenceText text={model} />
                  </td>
                  {Object.entries({ owners, replies, estimated, tokensIn, tokensOut }).map(([name, value]) => (
                    <td key={name} className={cell}>
                      {formatNumber(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
