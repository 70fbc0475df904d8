import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/controls/icon'
import { IconButton } from '@/components/ui/controls/button'
import { Spinner } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'

export interface AttachLineProps {
  /** `busy` and `quiet` are said in passing; `info` and `bad` are to be read. */
  readonly tone: 'busy' | 'quiet' | 'info' | 'bad'
  readonly role?: 'status' | 'alert'
  readonly onDismiss?: () => void
  readonly children: ReactNode
}

/** A sentence about the files that go with the next message. */
export function AttachLine({ tone, role, onDismiss, children }: AttachLineProps) {
  const isRead = tone === 'info' || tone === 'bad'
  return (
    <p className="flex items-start gap-2 text-sm text-muted [&>svg]:my-0.5" role={role}>
      {tone === 'busy' ? (
        <Spinner />
      ) : (
        <Icon name={tone === 'bad' ? 'warn' : 'info'} className={tone === 'bad' ? 'text-danger' : ''} />
      )}
      <span className={`min-w-0 flex-1 wrap-anywhere ${isRead ? 'text-text' : ''}`}>{children}</span>
      {onDismiss ? (
        <IconButton icon="cross" label={t('attach.dismiss')} size="xs" className="flex-none" onClick={onDismiss} />
      ) : null}
    </p>
  )
}
