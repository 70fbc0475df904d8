'use client'

import { t } from '@/lib/i18n/t'
import { useBranchPickerNext, useBranchPickerPrevious } from '@assistant-ui/core/react'
import { useAuiState } from '@assistant-ui/react'
import { IconButton } from '@/components/ui/icon-button'

/** "2 of 3" with a way to either side; nothing where there is only one version. */
export function BranchPicker() {
  const number = useAuiState((state) => state.message.branchNumber)
  const count = useAuiState((state) => state.message.branchCount)
  return count > 1 ? <Branches number={number} count={count} /> : null
}

function Branches({ number, count }: { number: number; count: number }) {
  const { previous, disabled: isFirst } = useBranchPickerPrevious()
  const { next, disabled: isLast } = useBranchPickerNext()
  return (
    <span className="inline-flex items-center" data-branches="">
      <IconButton size="sm" icon="left" label={t('thread.branch-before')} disabled={isFirst} onClick={previous} />
      <span className="tabular-nums">{t('thread.branch', { number, count })}</span>
      <IconButton size="sm" icon="right" label={t('thread.branch-after')} disabled={isLast} onClick={next} />
    </span>
  )
}
