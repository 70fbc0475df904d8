'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useId, useState } from 'react'
import { useNow } from '@/components/ui/use-now'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/recipes/recipe'
import { TextButton } from '@/components/ui/text-button'
import { t } from '@/lib/i18n/t'
import type { ChangeGroup } from '@/lib/workspace/history/change-groups'
import { useHistory } from '../use-history'
import { ChangeRow } from './change-row'

export interface ChangesSectionProps {
  readonly conversationId: string
  /** Opens a file of the workspace. */
  readonly onOpen: (path: string) => void
}

const pageSize = 30
const say = cx('px-4 pt-1 pb-2 text-pretty')
const list = cx('divide-y divide-line')

/** What changed in the workspace, newest first, each to be taken back. */
export default function ChangesSection({ conversationId, onOpen }: ChangesSectionProps) {
  const heading = useId()
  const history = useHistory(conversationId)
  const now = useNow()
  const [shown, setShown] = useState(pageSize)
  const [others, setOthers] = useState(false)
  /** Left alone, the newest change is the open one. */
  const [chosen, setChosen] = useState<string | null | undefined>(undefined)
  const here = history.groups.filter(({ offBranch }) => !offBranch)
  const elsewhere = history.groups.filter(({ offBranch }) => offBranch)
  const newest = here.find(({ undone }) => undone !== 'yes')?.key ?? null
  const open = chosen === undefined ? newest : chosen
  const { watch } = history
  const rowsOf = (groups: readonly ChangeGroup[]) =>
    watch === null
      ? null
      : groups.map((group) => (
          <li key={group.key}>
            <ChangeRow
              group={group}
              all={history.groups}
              watch={watch}
              now={now}
              open={open === group.key}
              onToggle={() => setChosen(open === group.key ? null : group.key)}
              onOpen={onOpen}
            />
          </li>
        ))
  return (
    <section className="min-h-[35%] flex-1 overflow-y-auto border-t border-line text-sm" aria-labelledby={heading}>
      <div className="flex items-baseline justify-between px-4 pt-3 pb-1">
        <h3 id={heading} className="font-strong">
          {t('files-changes.title')}
        </h3>
        {here.length > 1 ? <span className="text-muted">{t('files-changes.newest-first')}</span> : null}
      </div>
      {history.phase === 'failed' ? (
        <div className={say}>
          <p role="alert">
            <SaidText text={t('files-changes.not-listed', { why: history.problem ?? '' })} />
          </p>
        </div>
      ) : history.phase === 'loading' ? (
        <p className={`${say} text-muted`}>{t('files-changes.loading')}</p>
      ) : here.length === 0 ? (
        <p className={`${say} text-muted`}>{t(history.letGo ? 'files-changes.none-left' : 'files-changes.none')}</p>
      ) : (
        <ul className={list} aria-labelledby={heading}>
          {rowsOf(here.slice(0, shown))}
        </ul>
      )}
      {here.length > shown ? (
        <p className={say}>
          <TextButton onClick={() => setShown(shown + pageSize)}>
            {t('files-changes.earlier', { count: here.length - shown })}
          </TextButton>
        </p>
      ) : null}
      {history.letGo ? <p className={`${say} text-muted`}>{t('files-changes.let-go')}</p> : null}
      {elsewhere.length > 0 ? (
        <div className="pt-1 pb-2">
          <Button look="quiet" className="ms-1" aria-expanded={others} onClick={() => setOthers(!others)}>
            {t('files-changes.elsewhere', { count: elsewhere.length })}
          </Button>
          {others ? (
            <>
              <p className={`${say} text-muted`}>{t('files-changes.elsewhere-about')}</p>
              <ul className={list} aria-label={t('files-changes.elsewhere-label')}>
                {rowsOf(elsewhere.slice(0, 100))}
              </ul>
            </>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
