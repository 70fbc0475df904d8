'use client'

import { formatNumber, formatDuration, formatBytes } from '@/lib/base/text/locale'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { cx, badge } from '@/components/ui/recipes/recipe'
import { useLanguage } from '@/components/ui/page/use-language'
import type { ProcessHealth, ServerHealthFacts } from '@/lib/shared/server-facts/server-health-facts'
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

const dayHeads = ['day', 'model', 'owners', 'replies', 'estimated', 'tokens-in', 'tokens-out'] as const
const dayCell = 'border-b border-line px-3 py-1.5 text-end tabular-nums'
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
                {dayHeads.map((head, at) => (
                  <th
                    key={head}
                    scope="col"
                    className={cx(dayCell, 'font-medium whitespace-nowrap text-muted', at < 2 && 'text-start')}
                  >
                    {t(`admin.use.${head}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ day, model, owners, replies, tokensIn, tokensOut, estimated }) => (
                <tr key={`${day} ${model}`}>
                  <td className={cx(dayCell, 'text-start whitespace-nowrap')}>{dayOf(day)}</td>
                  <td className={cx(dayCell, 'text-start')}>
                    <SentenceText text={model} />
                  </td>
                  {Object.entries({ owners, replies, estimated, tokensIn, tokensOut }).map(([name, value]) => (
                    <td key={name} className={dayCell}>
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

/** The server's health: values of the whole server and of each process. */
export function ServerHealth({ version, build, store, storeProblem, processes, silent }: ServerHealthFacts) {
  useLanguage()
  const named = { store: store === 'sqlite' ? 'SQLite' : 'PostgreSQL' }
  const total = (name: 'replies' | 'maxReplies') => processes.reduce((sum, one) => sum + one[name], 0)
  const rows: readonly (readonly [string, string])[] = [
    [t('admin.version'), build === '' ? version : t('admin.version-build', { version, build })],
    [
      t('admin.storage'),
      storeProblem === null
        ? t('admin.storage-good', named)
        : t('admin.storage-bad', { ...named, problem: storeProblem }),
    ],
    [
      t('admin.replies'),
      t('admin.replies-of', { replies: total('replies'), most: total('maxReplies'), processes: processes.length }),
    ],
  ]
  return (
    <section className="grid gap-3" aria-labelledby="health">
      <h2 id="health" className="text-md font-strong">
        {t('admin.health')}
      </h2>
      {silent > 0 ? (
        <p role="status" className="text-danger">
          {t('admin.silent', { count: silent })}
        </p>
      ) : null}
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1 narrow:grid-cols-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents narrow:block">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">
              <SentenceText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      <Processes processes={processes} />
    </section>
  )
}

const heads = ['process', 'state', 'replies', 'running', 'memory'] as const
const cell = 'border-b border-line px-3 py-1.5 text-start'

function Processes({ processes }: { processes: readonly ProcessHealth[] }) {
  return (
    <div className="overflow-x-auto" role="region" aria-label={t('admin.processes')} tabIndex={0}>
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={cx(cell, 'font-medium text-muted')}>
                {t(`admin.process.${head}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {processes.map(({ id, node, place, isDraining, replies, maxReplies, upSeconds, memoryBytes }) => (
            <tr key={id}>
              <td className={cell}>
                <SentenceText text={place === null ? node : t('admin.process.worker', { node, place })} />
              </td>
              <td className={cx(cell, isDraining && 'text-danger')}>
                {t(isDraining ? 'admin.process.draining' : 'admin.process.serving')}
              </td>
              <td className={cx(cell, 'tabular-nums')}>
                {t('admin.process.replies-of', { replies, most: maxReplies })}
              </td>
              <td className={cell}>{formatDuration(upSeconds * 1000)}</td>
              <td className={cell}>{formatBytes(memoryBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LimitRow {
  readonly name: string
  /** With its unit. */
  readonly amount: string
  readonly meaning: string
  readonly isSet: boolean
}

/** The limits on visitors, as set when the server started. */
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
