import { SaidText } from '@/components/ui/foreign-text'
import { formatBytes } from '@/lib/base/format-bytes'
import { formatDuration } from '@/lib/base/format-duration'
import { counted, numberWords } from '@/lib/base/locale'
import type { ServerHealthFacts } from '@/lib/http/server-health-facts'

/** How the process that answered does. */
export function ServerHealth(facts: ServerHealthFacts) {
  const { version, build, store, storeProblem, isDraining, replies, maxReplies, upSeconds, memoryBytes } = facts
  const named = store === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const rows: readonly (readonly [string, string])[] = [
    ['Version', build === '' ? version : `${version}, build ${build}`],
    ['Storage', storeProblem === null ? `${named} answers, and has room` : `${named}: ${storeProblem}`],
    [
      'Replies being written',
      `${numberWords(replies)} of at most ${counted(maxReplies, { one: 'reply', other: 'replies' })} in this process`,
    ],
    ['Running for', formatDuration(upSeconds * 1000)],
    ['Memory', formatBytes(memoryBytes)],
  ]
  return (
    <section className="grid gap-3" aria-labelledby="health">
      <h2 id="health" className="text-md font-strong">
        Health
      </h2>
      {isDraining ? (
        <p role="status" className="text-danger">
          This process was told to go: it finishes what it writes, and takes nothing new.
        </p>
      ) : null}
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1 narrow:grid-cols-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents narrow:block">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">
              <SaidText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
