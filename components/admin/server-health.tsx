'use client'

import { SentenceText } from '@/components/ui/foreign-text'
import { cx } from '@/components/ui/recipes/recipe'
import { useLanguage } from '@/components/ui/use-language'
import { formatBytes } from '@/lib/base/text/format-bytes'
import { formatDuration } from '@/lib/base/text/format-duration'
import type { ProcessHealth, ServerHealthFacts } from '@/lib/shared/server-facts/server-health-facts'
import { t } from '@/lib/i18n/t'

/** How the server does: what is one for all of it, and each of its processes. */
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
