'use client'

import { wallClock } from '@/lib/base/clocks'
import { useEffect, useId, useMemo, useState } from 'react'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import { useOlder } from '@/components/context/use-older'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFoot } from '@/components/ui/dialog'
import { SaidText } from '@/components/ui/foreign-text'
import { RadioList } from '@/components/ui/radio-list'
import { Select } from '@/components/ui/select'
import { isHere, type ChatRow } from '@/lib/conversation/chat-row'
import { noMarks, withCompaction, withPin, type Compaction } from '@/lib/conversation/context-marks'
import { t } from '@/lib/i18n/t'
import { LeavingList } from './leaving-list'
import { SummaryField } from './summary-field'
import { tokensOfRow } from './count-tokens'
import { cutPlaces, leavingBy, usualPlace } from './what-leaves-of'

export interface MakeRoomProps {
  readonly onClose: () => void
  /** One that stands and is to be changed. */
  readonly change?: Compaction
}

/** Long enough to know a message by. */
const CHOICE_CHARS = 60

/** Shows what leaves, what is won, and what stands in its place; nothing happens before the button at the end. */
export default function MakeRoom({ onClose, change }: MakeRoomProps) {
  const path = useConversation((view) => view.path)
  const places = useMemo(() => cutPlaces(path), [path])
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
  readonly places: ReturnType<typeof cutPlaces>
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
        usualPlace(
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
  const said = how === 'summary' ? summary.trim() : ''
  const leaving = useMemo(() => leavingBy(path, through, said, marks.pinned), [path, through, said, marks])

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
    void keep(withCompaction(others, { through, summary: said, madeAt: wallClock() }), true)
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
      <LeavingList
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
          <SaidText text={problem} />
        </p>
      )}
      <DialogFoot>
        <Button onClick={onClose}>{t('room.cancel')}</Button>
        <Button
          look="ink"
          disabled={isKeeping || leaving.leaves.length === 0 || (how === 'summary' && said === '')}
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

/** What leaves is shown, and may be summarised: it must be here. */
function useNeeded(rows: readonly ChatRow[]): void {
  const older = useOlder()
  useEffect(() => {
    const absent = rows.flatMap((row) => (isHere(row) ? [] : [row.id]))
    if (absent.length > 0) older.need(absent)
  }, [older, rows])
}
