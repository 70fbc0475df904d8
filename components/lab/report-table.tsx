import { formatNumber, formatDuration } from '@/lib/base/text/locale'
import { armKey } from '@/lib/client/lab/trials'
import type { Comparison, LabReport, StrategyReport } from '@/lib/client/lab/report'
import { armsIn, SIGNIFICANCE } from '@/lib/client/lab/report'
import type { Share } from '@/lib/client/lab/statistics/binomial'
import { verdicts } from '@/lib/client/lab/verdict/judge'
import { t } from '@/lib/i18n/t'
import { cell, labNote, numberCell, armLabel } from './lab-styles'

/** The results by strategy, one row each. */
export function ReportTable({ strategies, trials }: { strategies: readonly StrategyReport[]; trials: number }) {
  const used = verdicts.filter((verdict) => strategies.some((one) => (one.verdicts[verdict] ?? 0) > 0))
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t('lab-page.table')}>
      <table className="w-full border-collapse text-sm">
        <thead className="text-muted">
          <tr>
            <th className={cell}>{t('lab-page.format')}</th>
            <th className={numberCell}>{t('lab-page.right')}</th>
            {trials > 1 ? <th className={numberCell}>{t('lab-page.all-right', { trials })}</th> : null}
            <th className={numberCell}>{t('lab-page.trials')}</th>
            {used.map((verdict) => (
              <th key={verdict} className={numberCell}>
                {t(`lab.verdict.${verdict}`)}
              </th>
            ))}
            <th className={numberCell}>{t('lab-page.repaired')}</th>
            <th className={numberCell}>{t('lab-page.tokens')}</th>
            <th className={numberCell}>{t('lab-page.first-call')}</th>
          </tr>
        </thead>
        <tbody>
          {strategies.map((one) => (
            <tr key={armKey(one)}>
              <th scope="row" className={`${cell} font-medium`}>
                {armLabel(one)}
              </th>
              <ShareCell share={one.accuracy} />
              {trials > 1 ? <ShareCell share={one.allOfN} /> : null}
              <td className={numberCell}>{formatNumber(one.trials)}</td>
              {used.map((verdict) => (
                <td key={verdict} className={numberCell}>
                  {formatNumber(one.verdicts[verdict] ?? 0)}
                </td>
              ))}
              <td className={numberCell}>
                {one.repairRate === null ? '–' : t('lab-page.share', { rate: one.repairRate.rate })}
              </td>
              <td className={numberCell}>
                {one.tokensPerCall === null
                  ? '–'
                  : t('lab-page.token-count', {
                      isEstimated: one.tokensEstimated,
                      tokens: Math.round(one.tokensPerCall),
                    })}
              </td>
              <td className={numberCell}>
                {one.medianFirstCallMs === null ? '–' : formatDuration(one.medianFirstCallMs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ShareCell({ share }: { share: Share | null }) {
  if (share === null) return <td className={numberCell}>–</td>
  return (
    <td className={numberCell}>
      <span className="font-medium">{t('lab-page.share', share)}</span>{' '}
      <span className="text-muted">{t('lab-page.interval', share)}</span>
    </td>
  )
}

/** The comparison of the results, in plain sentences. */
export function ReportSentences({ report }: { report: Pick<LabReport, 'comparisons' | 'spread' | 'strategies'> }) {
  const { comparisons, spread, strategies } = report
  const fewest = Math.min(...strategies.map(({ trials }) => trials))
  return (
    <ul className="mt-4 flex flex-col gap-1">
      {fewest < 40 ? <li className={labNote}>{t('lab.few', { trials: fewest })}</li> : null}
      {comparisons.map((one) => (
        <li key={armsIn(one).map(armKey).join(' ')}>{compareWords(one)}</li>
      ))}
      {strategies.map((one) =>
        one.held !== undefined && one.trials > one.held ? (
          <li key={armKey(one)} className={labNote}>
            {t('lab.exact.held', { strategy: one.strategy, held: one.held, trials: one.trials })}
          </li>
        ) : null,
      )}
      {strategies.length < 2 ? <li className={labNote}>{t('lab.compare.only-one')}</li> : null}
      {spread === null ? null : (
        <li className={labNote}>
          {t('lab.spread', { difference: spread.maxDifference, deviation: spread.deviation })}
        </li>
      )}
    </ul>
  )
}

function compareWords(comparison: Comparison): string {
  const arms = armsIn(comparison)
  const { onlyFirst, onlySecond, p } = comparison
  if (arms[0].strategy === arms[1].strategy) {
    const shows = p < SIGNIFICANCE && onlyFirst !== onlySecond
    const what = shows ? (onlySecond > onlyFirst ? 'helps' : 'hurts') : 'same'
    return t(`lab.exact.${what}`, { strategy: arms[0].strategy, p })
  }
  const [first, second] = arms.map((arm) => armLabel(arm))
  if (first === undefined || second === undefined) return ''
  if (p >= SIGNIFICANCE || onlyFirst === onlySecond) return t('lab.compare.none', { first, second, p })
  const [better, worse] = onlyFirst > onlySecond ? [first, second] : [second, first]
  return t('lab.compare.better', { better, worse, p })
}

/** The accuracy for each kind of probe. */
export function KindTable({ strategies }: { strategies: readonly StrategyReport[] }) {
  const kinds = [...new Set(strategies.flatMap((one) => one.kinds.map(({ kind }) => kind)))]
  return (
    <details className="mt-4">
      <summary className="w-fit cursor-pointer text-sm text-muted">{t('lab-page.by-kind')}</summary>
      <div className="mt-2 overflow-x-auto" tabIndex={0} role="region" aria-label={t('lab-page.kinds')}>
        <table className="border-collapse text-sm">
          <thead className="text-muted">
            <tr>
              <th className={cell}>{t('lab-page.kind')}</th>
              {strategies.map((one) => (
                <th key={armKey(one)} className={numberCell}>
                  {armLabel(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {kinds.map((kind) => (
              <tr key={kind}>
                <th scope="row" className={cell}>
                  {t(`lab.kind.${kind}`)}
                </th>
                {strategies.map((one) => {
                  const found = one.kinds.find((count) => count.kind === kind)
                  return (
                    <td key={armKey(one)} className={numberCell}>
                      {found ? t('lab-page.right-of', found) : '–'}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
