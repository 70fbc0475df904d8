'use client'

import { cx } from '@/components/ui/recipes/recipe'
import { changesOfCall } from '@/lib/client/files/history/change-groups'
import { t } from '@/lib/i18n/t'
import { summarizeChanges } from '@/lib/client/files/history/change-texts'
import { ChangeDetails, type ChangeDetailsProps } from './changes/change-details'
import { requestOpenFile } from '@/components/context/show-in-page'
import { useHistory } from './use-history'

const noteStyle = cx('px-3.5 py-3 text-sm text-muted')

export interface CallChangeProps {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
  /** Receives how many lines were added and removed, if one file changed. Must be a stable function. */
  readonly onLines?: ChangeDetailsProps['onLines']
}

/** The file changes of a finished call, from this browser's history. */
export default function CallChange({ conversationId, messageId, slot, onLines }: CallChangeProps) {
  const { groups, watch, phase } = useHistory(conversationId)
  const mine = changesOfCall(groups, messageId, slot)
  if (phase === 'loading') return <p className={noteStyle}>{t('files-changes.call-loading')}</p>
  if (watch === null || mine.length === 0) {
    return <p className={noteStyle}>{t('files-changes.call-unknown')}</p>
  }
  return mine.map((group) => (
    <ChangeDetails
      key={group.key}
      watch={watch}
      group={group}
      file={summarizeChanges(group.changes).file}
      {...(onLines && mine.length === 1 ? { onLines } : {})}
      isInCard
      onOpen={(path) => requestOpenFile({ conversationId, path })}
    />
  ))
}
