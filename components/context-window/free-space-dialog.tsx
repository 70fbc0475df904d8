'use client'

import { wallClock } from '@/lib/base/clocks'
import { useEffect, useId, useMemo, useState } from 'react'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import { useOlder } from '@/components/context/use-older'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { RadioList } from '@/components/ui/forms/radio-list'
import { Select } from '@/components/ui/forms/select'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { noMarks, withCompaction, withPin, type Compaction } from '@/lib/shared/conversation/settings/context-marks'
import { t } from '@/lib/i18n/t'
import { SummaryField } from './summary-field'
import { tokensOfRow, cutSources, sharedContentBy, usualSource, type SharedMessages } from './count-tokens'
import { rows as framed } from '@/components/ui/recipes/field'
import { cx } from '@/components/ui/recipes/recipe'

interface LeavingListProps {
  /** The start of the branch, up to the first sent message. */
  readonly rows: readonly ChatRow[]
  readonly leaving: SharedMessages
  readonly pinned: readonly string[]
  readonly onPin: (messageId: string) => void
}

/** More rows than anyone reads; the total below covers all. */
const MOST = 200
const SNIPPET_CHARS = 80

/** Each left-out message with its tokens; a pin keeps it. */
function SharedContentList({ rows, leaving, pinned, onPin }: LeavingListProps) {
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
              <SentenceText text={snippetOf(row)} />
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
  const says = isHere(row) ? row.text !== '' || (row.attachments ?? []).length > 0 : row.isFromUser
  return says ? 'you' : 'results'
}

function snippetOf(row: ChatRow): string {
  if (!isHere(row)) return t('room.unread')
  const files = row.role === 'user' ? (row.attachments ?? []).map(({ path }) => path) : []
  const names = row.role === 'user' ? row.results.map(({ name }) => name) : []
  const text = [row.text.slice(0, 400), ...names, ...files].join(' ').trim().replaceAll(/\s+/g, ' ')
  return text.slice(0, SNIPPET_CHARS).toWellFormed()
}

export interface FreeSpaceDialogProps {
  readonly onClose: () => void
  /** An existing compaction that is being changed. */
  readonly change?: Compaction
}

/** Long enough to recognize a message. */
const CHOICE_CHARS = 60

/** Shows what is left out, what is saved and the summary. Nothing changes before the final button is pressed. */
export default function FreeSpaceDialog({ onClose, change }: FreeSpaceDialogProps) {
  const path = useConversation((view) => view.path)
  const places = useMemo(() => cutSources(path), [path])
  return (
    <Dialog label={t('room.title')} onClose={onClose}>
      <h2>{t('room.title')}</h2>
      <p>{t(places.length === 0 ? 'room.too-short' : 'room.about')}</p>
      {places.length === 0 ? (
        <DialogFoot>
          <Button onClick={onClose}>{t('room.cancel')}</Button>
        </DialogFoot>
      ) : (
        <Form path={path} places={places} onClose={onClose} change={change} />
      )}
    </Dialog>
  )
}

interface FormProps {
  readonly path: readonly ChatRow[]
  readonly places: ReturnType<typeof cutSources>
  readonly onClose: () => void
  readonly change: Compaction | undefined
}

function Form({ path, places, onClose, change }: FormProps) {
  const heading = useId()
  const { updateMarks } = useChatActions()
  const marks = useConversation((view) => view.conversation?.marks) ?? noMarks
  const [messageId, setMessageId] = useState(
    () =>
      (
        places.find(({ through }) => through === change?.through) ??
        usualSource(
          places,
          path.reduce((sum, row) => sum + tokensOfRow(row), 0),
        )
      )?.messageId ?? '',
  )
  const [how, setHow] = useState<'summary' | 'nothing'>(change?.summary === '' ? 'nothing' : 'summary')
  const [summary, setSummary] = useState(change?.summary ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const [isKeeping, setKeeping] = useState(false)
  const place = places.find((one) => one.messageId === messageId) ?? places.at(-1)
  const through = place?.through ?? ''
  const before = useMemo(() => path.slice(0, place?.at ?? 0), [path, place])
  useNeeded(before)
  const summaryText = how === 'summary' ? summary.trim() : ''
  const leaving = useMemo(
    () => sharedContentBy(path, through, summaryText, marks.pinned),
    [path, through, summaryText, marks],
  )

  const keep = async (next: typeof marks, isDone: boolean) => {
    setKeeping(true)
    const why = await updateMarks(next)
    setKeeping(false)
    setProblem(why === null ? null : t('room.not-kept', { why }))
    if (why === null && isDone) onClose()
  }
  const apply = () => {
    const others = change
      ? { ...marks, compactions: marks.compactions.filter((one) => one.madeAt !== change.madeAt) }
      : marks
    void keep(withCompaction(others, { through, summary: summaryText, madeAt: wallClock() }), true)
  }

  return (
    <>
      <label className="mt-4 block font-medium">
        {t('room.before')}
        <Select
          className="mt-1 w-full max-w-full font-normal [&>select]:w-full"
          boxed
          label={t('room.before')}
          value={place?.messageId ?? ''}
          options={places.map((one) => ({ value: one.messageId, label: choiceWords(path[one.at], one.before) }))}
          onChange={setMessageId}
        />
      </label>
      <SharedContentList
        rows={before}
        leaving={leaving}
        pinned={marks.pinned}
        onPin={(id) => void keep(withPin(marks, id), false)}
      />
      <h3 className="mt-4 mb-1 font-medium" id={heading}>
        {t('room.place')}
      </h3>
      <RadioList
        labelledBy={heading}
        value={how}
        choices={[
          { value: 'summary', label: t('room.summary'), hint: t('room.summary-hint') },
          { value: 'nothing', label: t('room.nothing'), hint: t('room.nothing-hint') },
        ]}
        onChange={setHow}
      />
      {how === 'summary' ? (
        <SummaryField before={before} leaves={leaving.leaves} value={summary} onChange={setSummary} />
      ) : null}
      <p className="mt-3" role="status">
        {leaving.tokensWon > 0
          ? t('room.wins', {
              messages: leaving.leaves.length,
              tokens: leaving.tokensWon,
              pinned: leaving.stays.length,
            })
          : t('room.wins-nothing')}
      </p>
      {problem === null ? null : (
        <p role="alert">
          <SentenceText text={problem} />
        </p>
      )}
      <DialogFoot>
        <Button onClick={onClose}>{t('room.cancel')}</Button>
        <Button
          look="ink"
          disabled={isKeeping || leaving.leaves.length === 0 || (how === 'summary' && summaryText === '')}
          onClick={apply}
        >
          {t('room.apply')}
        </Button>
      </DialogFoot>
    </>
  )
}

function choiceWords(row: ChatRow | undefined, tokens: number): string {
  const text = row && isHere(row) ? row.text.trim().replaceAll(/\s+/g, ' ') : t('room.unread')
  const short = text.length > CHOICE_CHARS ? `${text.slice(0, CHOICE_CHARS).toWellFormed()}…` : text
  return t('room.choice', { text: short, tokens })
}

/** Loads the left-out messages, because they are shown and may be summarized. */
function useNeeded(rows: readonly ChatRow[]): void {
  const older = useOlder()
  useEffect(() => {
    const absent = rows.flatMap((row) => (isHere(row) ? [] : [row.id]))
    if (absent.length > 0) older.need(absent)
  }, [older, rows])
}
