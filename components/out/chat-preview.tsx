import { useId } from 'react'
import type { ReadableChat } from '@/lib/conversation/readable-chat'
import { t } from '@/lib/i18n/t'
import { ReadableThread } from './readable-thread'

/** All that leaves, as it will be read. */
export function ChatPreview({ chat }: { chat: ReadableChat }) {
  const heading = useId()
  return (
    <section className="mt-4" aria-labelledby={heading}>
      <h3 className="font-strong" id={heading}>
        {t('out.preview')}
      </h3>
      <div
        className="mt-2 max-h-[45vh] min-h-24 overflow-auto rounded-lg border border-line bg-surface p-4"
        tabIndex={0}
        role="group"
        aria-labelledby={heading}
      >
        <ReadableThread chat={chat} />
      </div>
    </section>
  )
}
