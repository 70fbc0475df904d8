'use client'

import { Button } from '@/components/ui/controls/button'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import { SentenceParts } from '../sentence'
import type { ResultApprovalModel } from './use-result-approval'
import { cx } from '@/components/ui/recipes/recipe'
import { cardBar, barButton } from '../styles/card'

/** The actions on a result's text in its current state. */
export function ResultApprovalToolbar({ approval: { state, on, busy, toFile } }: { approval: ResultApprovalModel }) {
  const { draft, selected, typed } = state
  const undo = (
    <Button
      look="quiet"
      className={cx('ms-auto narrow:disabled:hidden', barButton)}
      disabled={draft.before === null}
      onClick={() => on({ type: 'undone' })}
    >
      {t('gate.undo')}
    </Button>
  )
  if (draft.file) {
    const { path } = draft.file
    return (
      <div className={cardBar()}>
        <span className="text-muted">
          <SentenceParts parts={withParts((part) => t('gate.path', { path: part({ code: path }) }))} />
        </span>
        {undo}
      </div>
    )
  }
  if (typed !== null) {
    return (
      <div className={cardBar()}>
        <Button onClick={() => on({ type: 'typing-kept' })}>{t('gate.done')}</Button>
        <Button look="quiet" onClick={() => on({ type: 'typing-dropped' })}>
          {t('gate.cancel')}
        </Button>
      </div>
    )
  }
  // All four buttons fit one line of a phone.
  return (
    <div className={cardBar({}, 'narrow:gap-x-0.5 narrow:[&>button]:px-1')}>
      <SegmentedControl
        label={t('gate.how-much')}
        value={draft.scope.kind}
        options={[
          { value: 'all', label: t('gate.all') },
          { value: 'trim', label: t('gate.trim') },
          { value: 'selection', label: t('gate.selection') },
        ]}
        onChange={(kind) => on({ type: 'scope-chosen', kind })}
      />
      <Button
        look="quiet"
        className={barButton}
        disabled={selected === null}
        onClick={() => on({ type: 'selection-redacted' })}
      >
        {t('gate.redact')}
      </Button>
      <Button
        look="quiet"
        className="pointer-coarse:min-w-touch"
        onClick={() => on({ type: 'text-typed', text: draft.text })}
      >
        {t('gate.edit')}
      </Button>
      <Button look="quiet" className={barButton} disabled={busy} onClick={toFile}>
        {t('gate.by-file')}
      </Button>
      {undo}
    </div>
  )
}
