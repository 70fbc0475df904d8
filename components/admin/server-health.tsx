'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { formatBytes } from '@/lib/base/format-bytes'
import { formatDuration } from '@/lib/base/format-duration'
import type { ServerHealthFacts } from '@/lib/http/server-health-facts'
import { adminSentence as say } from '@/lib/words/admin'

/** How the process that answered does. */
export function ServerHealth(facts: ServerHealthFacts) {
  const { version, build, store, storeProblem, isDraining, replies, maxReplies, upSeconds, memoryBytes } = facts
  const named = { store: store === 'sqlite' ? 'SQLite' : 'PostgreSQL' }
  const rows: readonly (readonly [string, string])[] = [
    [say('admin.version'), build === '' ? version : say('admin.version-build', { version, build })],
    [
      say('admin.storage'),
      storeProblem === null
        ? say('admin.storage-good', named)
        : say('admin.storage-bad', { ...named, problem: storeProblem }),
    ],
    [say('admin.replies'), say('admin.replies-of', { replies, most: maxReplies })],
    [say('admin.running'), formatDuration(upSeconds * 1000)],
    [say('admin.memory'), formatBytes(memoryBytes)],
  ]
  return (
    <section className="grid gap-3" aria-labelledby="health">
      <h2 id="health" className="text-md font-strong">
        {say('admin.health')}
      </h2>
      {isDraining ? (
        <p role="status" className="text-danger">
          {say('admin.draining')}
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
