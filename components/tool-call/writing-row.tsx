import { ForeignText } from '@/components/ui/text/foreign-text'
import { Spinner } from '@/components/ui/page/wait'
import { formatBytes } from '@/lib/base/text/locale'
import { t } from '@/lib/i18n/t'
import { sentenceAround } from './sentence'
import { cardFrame, cardHead, statusLine } from './styles/card'

/** Protocol text while it streams: as high as a card's head, so that nothing moves when the card replaces it. */
export function WritingRow({ name, bytes }: { name: string | null; bytes: number }) {
  return (
    <div className={cardFrame({ look: 'dashed' }, 'text-muted')}>
      <div className={cardHead()}>
        <span className="min-w-0 truncate">
          {sentenceAround((put) =>
            t('thread.writing', {
              tool: name === null ? '' : put(<Name name={name} />),
              size: put(<span className="tabular-nums">{formatBytes(bytes)}</span>),
            }),
          )}
        </span>
        <span className={statusLine()}>
          <Spinner />
        </span>
      </div>
    </div>
  )
}

const Name = ({ name }: { name: string }) => (
  <span className="font-mono">
    <ForeignText text={name} />
  </span>
)
