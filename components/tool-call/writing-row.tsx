import { ForeignText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { Spinner } from '@/components/ui/spinner'
import { formatBytes } from '@/lib/base/format-bytes'
import { iconOf } from './words/tool-facts'

/** Protocol text while it streams: as tall as a card's head, so that nothing moves when the card takes its place. */
export function WritingRow({ name, bytes }: { name: string | null; bytes: number }) {
  return (
    <div className="card writing">
      <div className="card-head">
        <Icon name={iconOf(name)} />
        <span className="cut">
          writing a call{name === null ? '' : ' to '}
          {name === null ? null : (
            <span className="mono">
              <ForeignText text={name} />
            </span>
          )}{' '}
          … <span className="num">{formatBytes(bytes)}</span>
        </span>
        <span className="status">
          <Spinner />
        </span>
      </div>
    </div>
  )
}
