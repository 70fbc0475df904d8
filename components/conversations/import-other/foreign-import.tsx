'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useId, useState } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { Button, TextButton } from '@/components/ui/controls/button'
import { DialogFoot } from '@/components/ui/popups/dialog'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { progressBar } from '@/components/ui/recipes/recipe'
import { Spinner } from '@/components/ui/page/wait'
import { useLanguage } from '@/components/ui/page/use-language'
import { findApi } from '@/lib/client/wiring/find-api.browser'
import { startForeignWorker } from '@/lib/client/wiring/foreign-worker.browser'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'
import { useForeignImport, type ForeignPorts, type Scanned } from './use-foreign-import'
import { skippedKinds, sumOfSkipped } from '@/lib/client/export/other-chats/skipped'
import type { Taken, FoundChat } from '@/lib/client/export/other-chats/take-chats'
import { rows, checkBox } from '@/components/ui/recipes/field'

export interface BrokenLine {
  readonly number: number
  readonly title: string
  readonly why: string
}

/** The most rows shown. */
const most = 50

/** Each chat that was not imported, by its title or its place in the file. */
export function BrokenList({ lines }: { lines: readonly BrokenLine[] }) {
  if (lines.length === 0) return null
  return (
    <div className="mt-3">
      <p>{t('bring.broken', { count: lines.length })}</p>
      <ul className="mt-1 max-h-40 list-disc overflow-auto ps-5 text-sm">
        {lines.slice(0, most).map(({ number, title, why }) => (
          <li key={number}>
            <SentenceText
              text={t('bring.broken-line', {
                title: asUntrusted(title.trim() === '' ? t('bring.number', { number: number + 1 }) : title),
                why,
              })}
            />
          </li>
        ))}
      </ul>
      {lines.length > most ? <p className="text-sm">{t('bring.broken-more', { count: lines.length - most })}</p> : null}
    </div>
  )
}

interface ChooseFoundProps {
  readonly scanned: Scanned
  readonly onTake: (chosen: readonly FoundChat[]) => void
  readonly onClose: () => void
}

/** Rows shown at a time. */
const page = 200

/** The chats found in the file and the choice of which to import; by default those that are not here yet. */
function ChooseFound({ scanned: { found, broken, isWhole, known }, onTake, onClose }: ChooseFoundProps) {
  const fresh = found.filter(({ id }) => !known.has(id))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(fresh.map(({ number }) => number)))
  const [shown, setShown] = useState(page)
  const sources = new Set(found.map(({ source }) => source))
  const source = sources.size === 1 ? ([...sources][0] ?? 'both') : 'both'
  const times = found.map(({ updatedAt }) => updatedAt)
  const from = times.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER)
  const to = times.reduce((a, b) => Math.max(a, b), 0)
  const sameDay = new Date(from).toDateString() === new Date(to).toDateString()
  const toggle = (number: number, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(number)
    else next.delete(number)
    setChosen(next)
  }
  return (
    <>
      {found.length === 0 ? null : (
        <p>
          {t('base.sentences', {
            all: [
              t('bring.found', { count: found.length, source, from, to, sameDay }),
              ...(found.length > fresh.length ? [t('bring.known', { count: found.length - fresh.length })] : []),
            ],
          })}
        </p>
      )}
      {isWhole ? null : <p className="text-warn">{t('bring.cut-off')}</p>}
      <p>{t('bring.as-text')}</p>
      {found.length === 0 ? null : (
        <div className="mt-3 flex gap-4 text-sm">
          <TextButton onClick={() => setChosen(new Set(fresh.map(({ number }) => number)))}>
            {t('bring.all', { count: fresh.length })}
          </TextButton>
          <TextButton onClick={() => setChosen(new Set())}>{t('bring.none')}</TextButton>
        </div>
      )}
      <div className="mt-2 max-h-[40vh] overflow-auto" role="group" aria-label={t('bring.list')} tabIndex={-1}>
        <ul className={rows()}>
          {found.slice(0, shown).map((chat) => (
            <FoundLine
              key={chat.number}
              chat={chat}
              isHere={known.has(chat.id)}
              isChosen={chosen.has(chat.number)}
              onChoose={(on) => toggle(chat.number, on)}
            />
          ))}
        </ul>
        {found.length > shown ? (
          <p className="py-2 text-sm">
            <TextButton onClick={() => setShown(shown + page)}>
              {t('bring.more', { rest: found.length - shown })}
            </TextButton>
          </p>
        ) : null}
      </div>
      <SkippedNote chats={found.filter(({ number }) => chosen.has(number))} />
      <BrokenList lines={broken.map(({ number, title, why }) => ({ number, title, why: t(`bring.why.${why}`) }))} />
      <DialogFoot>
        <Button onClick={onClose}>{t('bring.cancel')}</Button>
        <Button
          look="ink"
          disabled={chosen.size === 0}
          onClick={() => onTake(found.filter(({ number }) => chosen.has(number)))}
        >
          {chosen.size === 0 ? t('bring.nothing-chosen') : t('bring.import', { count: chosen.size })}
        </Button>
      </DialogFoot>
    </>
  )
}

/** The parts of the chats that are not imported, counted by kind. */
function SkippedNote({ chats }: { chats: readonly FoundChat[] }) {
  const sum = sumOfSkipped(chats.map(({ skipped }) => skipped))
  const parts = skippedKinds.flatMap((kind) => {
    const count = sum[kind] ?? 0
    return count === 0 ? [] : [t(`bring.skipped.${kind}`, { count })]
  })
  return parts.length === 0 ? null : <p className="mt-3 text-sm">{t('bring.skipped', { parts })}</p>
}

interface FoundLineProps {
  readonly chat: FoundChat
  readonly isHere: boolean
  readonly isChosen: boolean
  readonly onChoose: (on: boolean) => void
}

function FoundLine({ chat, isHere, isChosen, onChoose }: FoundLineProps) {
  return (
    <li className="not-first:border-t not-first:border-line">
      <label className="flex items-center gap-2 px-2 py-1.5">
        <input
          className={checkBox()}
          type="checkbox"
          disabled={isHere}
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            {chat.title.trim() === '' ? (
              <span className="text-muted">{t('bring.untitled')}</span>
            ) : (
              <ForeignText text={chat.title} reading="prose" />
            )}
          </span>
          <span className="block text-sm text-muted">
            {t('bring.line', { count: chat.messages, at: chat.updatedAt })}
          </span>
        </span>
        {isHere ? <span className="text-sm text-muted">{t('bring.here')}</span> : null}
      </label>
    </li>
  )
}

export interface ForeignImportProps {
  readonly file: File
  readonly onAgain: () => void
  readonly onClose: () => void
  readonly ports?: ForeignPorts
}

const here: ForeignPorts = {
  startWorker: startForeignWorker,
  api: nodApi,
  known: async (ids) => {
    const answer = await findApi.known(ids)
    return answer.ok ? answer.value : null
  },
}

/** Imports another product's export: its contents, the choice, and the outcome. Shown in a dialog. */
export default function ForeignImport({ file, onAgain, onClose, ports = here }: ForeignImportProps) {
  useLanguage()
  const { step, take, stop } = useForeignImport(file, ports)
  const actions = useChatActions()
  const query = useChat((state) => state.query)
  switch (step.kind) {
    case 'reading':
      return (
        <>
          <Progress words={t('bring.reading', { chats: step.chats })} share={step.share} />
          <DialogFoot>
            <Button onClick={onClose}>{t('bring.cancel')}</Button>
          </DialogFoot>
        </>
      )
    case 'checking':
      return (
        <p role="status">
          <Spinner /> {t('bring.checking')}
        </p>
      )
    case 'failed':
      return (
        <>
          <p role="alert">{step.why}</p>
          <DialogFoot>
            <Button onClick={onClose}>{t('bring.close')}</Button>
            <Button look="ink" onClick={onAgain}>
              {t('bring.again')}
            </Button>
          </DialogFoot>
        </>
      )
    case 'choose':
      return (
        <ChooseFound
          scanned={step.scanned}
          onClose={onClose}
          onTake={(chosen) => void take(step.scanned, chosen).then(() => actions.search(query))}
        />
      )
    case 'taking':
      return (
        <>
          <Progress
            words={
              step.waitMs === null
                ? t('bring.taking', { done: step.done, of: step.of })
                : t('bring.waiting', { seconds: Math.ceil(step.waitMs / 1000) })
            }
            share={(step.done - 1) / step.of}
          />
          <DialogFoot>
            <Button onClick={stop}>{t('bring.stop')}</Button>
          </DialogFoot>
        </>
      )
    case 'done':
      return (
        <Outcome
          taken={step.taken}
          of={step.of}
          scanned={step.scanned}
          onOpen={(id) => {
            actions.open(id)
            onClose()
          }}
          onClose={onClose}
        />
      )
  }
}

function Progress({ words, share }: { words: string; share: number }) {
  const id = useId()
  return (
    <>
      <p id={id} role="status">
        {words}
      </p>
      <progress className={progressBar({}, 'mt-3 w-full')} max={1} value={share} aria-label={t('bring.progress')} />
    </>
  )
}

interface OutcomeProps {
  readonly taken: Taken
  readonly of: number
  readonly scanned: Scanned
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

/** How many chats were imported, which were not, and why. */
function Outcome({ taken: { taken, refused, ended }, of, scanned, onOpen, onClose }: OutcomeProps) {
  const missing = of - taken.length - refused.length
  // Newest first.
  const opens = scanned.found.find(({ number }) => taken.includes(number))
  const titles = new Map(scanned.found.map(({ number, title }) => [number, title]))
  const lines: readonly BrokenLine[] = [
    ...refused.map(({ number, why }) => ({ number, title: titles.get(number) ?? '', why })),
    ...scanned.broken.map(({ number, title, why }) => ({ number, title, why: t(`bring.why.${why}`) })),
  ]
  return (
    <>
      <p role="status">{t('bring.took', { count: taken.length })}</p>
      {ended === 'stopped' ? (
        <p>{t('bring.stopped', { count: missing })}</p>
      ) : ended === null ? null : (
        <p role="alert">
          <SentenceText
            text={t('bring.ended', {
              why: ended.why === '' ? t('bring.failed.unreadable') : ended.why,
              count: missing,
            })}
          />
        </p>
      )}
      <SkippedNote chats={scanned.found.filter(({ number }) => taken.includes(number))} />
      <BrokenList lines={lines} />
      <DialogFoot>
        <Button {...(opens ? {} : { look: 'ink' })} onClick={onClose}>
          {t('bring.close')}
        </Button>
        {opens ? (
          <Button look="ink" onClick={() => onOpen(opens.id)}>
            {t('bring.open', { count: taken.length })}
          </Button>
        ) : null}
      </DialogFoot>
    </>
  )
}
