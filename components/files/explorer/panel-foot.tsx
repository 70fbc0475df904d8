'use client'

import { SentenceText } from '@/components/ui/foreign-text'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'
import { cx } from '@/components/ui/recipes/recipe'
import { TextButton } from '@/components/ui/text-button'
import { t } from '@/lib/i18n/t'
import type { VfsUsage } from '@/lib/vfs/vfs'
import type { HistoryUsage } from '@/lib/vfs/vfs-history'
import { StorageFacts } from './storage-facts'

export interface PanelFootProps {
  readonly usage: VfsUsage
  readonly history: HistoryUsage
  /** Forgets what could be undone. */
  readonly onForget: () => void
  readonly onDownload: () => void
  /** What else belongs beside the usage, such as "Restore to a message". */
  readonly children?: ReactNode
}

const line = cx('flex items-center justify-between gap-3')

/** From here on the history is worth a word. */
const MUCH_HISTORY_BYTES = 10_000_000

/** How much room the files take, and where they live. */
export function PanelFoot({ usage, history, onForget, onDownload, children }: PanelFootProps) {
  const [facts, setFacts] = useState(false)
  const [asking, setAsking] = useState(false)
  const bar = useRef<HTMLSpanElement>(null)
  const share = Math.min(1, usage.usedBytes / Math.max(1, usage.limitBytes))
  useEffect(() => {
    if (bar.current) bar.current.style.width = `${share * 100}%`
  }, [share])
  const words = t('files-panel.used', { used: usage.usedBytes, limit: usage.limitBytes })
  return (
    <footer className="grid max-h-3/5 gap-2 overflow-y-auto border-t border-line px-4 pt-3 pb-[max(--spacing(3),env(safe-area-inset-bottom))] text-sm narrow:pb-3">
      <div className={line}>
        <TextButton
          className="tabular-nums"
          aria-expanded={facts}
          data-tip={t('files-panel.where')}
          onClick={() => setFacts(!facts)}
        >
          <SentenceText text={words} />
        </TextButton>
        {children}
      </div>
      <div
        data-full={share > 0.9 || undefined}
        className="group/meter h-1 overflow-hidden rounded-full bg-hover"
        role="meter"
        aria-label={t('files-panel.room')}
        aria-valuemin={0}
        aria-valuemax={usage.limitBytes}
        aria-valuenow={Math.min(usage.usedBytes, usage.limitBytes)}
        aria-valuetext={words}
      >
        <span ref={bar} className="block h-full min-w-[3px] rounded-[inherit] bg-muted group-data-full/meter:bg-warn" />
      </div>
      {history.usedBytes >= MUCH_HISTORY_BYTES || (facts && history.sets > 0) ? (
        <p className={line}>
          <span className="text-muted tabular-nums">{t('files-panel.history', { used: history.usedBytes })}</span>
          <TextButton onClick={() => setAsking(true)}>{t('files-panel.forget-link')}</TextButton>
        </p>
      ) : null}
      {facts ? <StorageFacts onDownload={onDownload} /> : null}
      {asking ? (
        <Dialog label={t('files-panel.forget-ask')} onClose={() => setAsking(false)}>
          <h2>{t('files-panel.forget-ask')}</h2>
          <p>{t('files-panel.forget-about', { changes: history.sets, used: history.usedBytes })}</p>
          <DialogFoot>
            <Button onClick={() => setAsking(false)}>{t('files-panel.cancel')}</Button>
            <Button
              look="danger"
              onClick={() => {
                setAsking(false)
                onForget()
              }}
            >
              {t('files-panel.forget')}
            </Button>
          </DialogFoot>
        </Dialog>
      ) : null}
    </footer>
  )
}
