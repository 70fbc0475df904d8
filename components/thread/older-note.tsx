'use client'

import { t } from '@/lib/i18n/t'
import { useOlder, useOlderStatus } from '@/components/context/use-older'
import { Button } from '@/components/ui/button'
import { SentenceText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { cx } from '@/components/ui/recipes/recipe'
import { Spinner } from '@/components/ui/spinner'

/** Over the places of messages that are not here yet: that they come, or why not and the way out. It takes no room. */
export function OlderNote() {
  const { problem } = useOlderStatus()
  const older = useOlder()
  return (
    <div className="sticky top-3 z-above flex h-0 justify-center" role={problem === null ? 'status' : 'alert'}>
      <p className={note}>
        {problem === null ? (
          <>
            <Spinner /> {t('thread.older')}
          </>
        ) : (
          <>
            <Icon name="warn" />
            <span className="min-w-0 flex-1 text-pretty">
              <SentenceText text={t('thread.older-failed', { why: problem })} />
            </span>
            <Button onClick={older.retry}>{t('thread.try-again')}</Button>
          </>
        )}
      </p>
    </div>
  )
}

const note = cx(
  'flex h-fit max-w-full items-center gap-2 rounded-full border border-line bg-raised px-4 py-1.5 text-sm text-muted shadow-card',
)
