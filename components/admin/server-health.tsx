'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { cx, badge } from '@/components/ui/recipes/recipe'
import { useLanguage } from '@/components/ui/page/use-language'
import { formatDuration, formatBytes } from '@/lib/base/text/locale'
import type { ProcessHealth, ServerHealthFacts } from '@/lib/shared/server-facts/server-health-facts'
import { t } from '@/lib/i18n/t'

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
