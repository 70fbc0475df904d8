import { IconButton } from '@/components/ui/icon-button'
import { SaidText } from '@/components/ui/foreign-text'
import { rows as framed } from '@/components/ui/recipes/choice'
import { cx } from '@/components/ui/recipes/recipe'
import { isHere, type ChatRow } from '@/lib/conversation/chat-row'
import { t } from '@/lib/i18n/t'
import { tokensOfRow } from './count-tokens'
import type { LeavingMessages } from './what-leaves-of'

interface LeavingListProps {
  /** The beginning of the branch, up to where what is sent begins. */
  readonly rows: readonly ChatRow[]
  readonly leaving: LeavingMessages
  readonly pinned: readonly string[]
  readonly onPin: (messageId: string) => void
}

/** More lines than anybody reads; the sum below says all of them. */
const MOST = 200
const SNIPPET_CHARS = 80

/** Each message that leaves with what it takes; a pin lets it stay. */
export function LeavingList({ rows, leaving, pinned, onPin }: LeavingListProps) {
  const stays = new Set(leaving.stays)
  const first = Math.max(0, rows.length - MOST)
  return (
    <ul className={framed({}, 'mt-2 max-h-44 overflow-y-auto text-sm')} aria-label={t('room.leaves')} tabIndex={0}>
      {rows.slice(first).map((row, index) => {
        const isStaying = stays.has(first + index)
        const tokens = tokensOfRow(row)
        const isOwnPin = pinned.includes(row.id)
        return (
          <li className={line} key={row.id}>
            <span className="w-18 flex-none text-muted">{t(`room.${whose(row)}`)}</span>
            <span className={cx('min-w-0 flex-1 truncate', !isStaying && 'text-muted line-through')}>
              <SaidText text={snippetOf(row)} />
            </span>
            <span className="flex-none text-muted tabular-nums">
              {isStaying ? t('room.stays', { tokens }) : t('room.tokens', { tokens })}
            </span>
            <IconButton
              size="xs"
              icon="pin"
              label={t(isOwnPin ? 'pin.unpin' : 'pin.pin')}
              aria-pressed={isOwnPin}
              onClick={() => onPin(row.id)}
            />
          </li>
        )
      })}
    </ul>
  )
}

const line = cx('flex min-h-8 items-center gap-2 px-3 not-first:border-t not-first:border-line')

const whose = (row: ChatRow): 'you' | 'assistant' | 'results' => {
  if (row.role === 'assistant') return 'assistant'
  const says = isHere(row) ? row.text !== '' || (row.attachments ?? []).length > 0 : row.said
  return says ? 'you' : 'results'
}

function snippetOf(row: ChatRow): string {
  if (!isHere(row)) return t('room.unread')
  const files = row.role === 'user' ? (row.attachments ?? []).map(({ path }) => path) : []
  const names = row.role === 'user' ? row.results.map(({ name }) => name) : []
  const text = [row.text.slice(0, 400), ...names, ...files].join(' ').trim().replaceAll(/\s+/g, ' ')
  return text.slice(0, SNIPPET_CHARS).toWellFormed()
}
