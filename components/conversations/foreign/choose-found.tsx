'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { DialogFoot } from '@/components/ui/dialog'
import { ForeignText } from '@/components/ui/foreign-text'
import { rows } from '@/components/ui/recipes/choice'
import { checkBox } from '@/components/ui/recipes/field'
import { TextButton } from '@/components/ui/text-button'
import type { FoundChat } from '@/lib/out/foreign/foreign-port'
import { t } from '@/lib/i18n/t'
import { BrokenList } from './broken-list'
import type { Scanned } from './use-foreign-import'

export interface ChooseFoundProps {
  readonly scanned: Scanned
  readonly onTake: (chosen: readonly FoundChat[]) => void
  readonly onClose: () => void
}

/** Lines that are shown at a time. */
const page = 200

/** What was found in the file, and which of it is to come in: all that is not here already, unless something else is chosen. */
export function ChooseFound({ scanned: { found, broken, isWhole, known }, onTake, onClose }: ChooseFoundProps) {
  const fresh = found.filter(({ id }) => !known.has(id))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(fresh.map(({ number }) => number)))
  const [shown, setShown] = useState(page)
  const sources = new Set(found.map(({ source }) => source))
  const source = sources.size === 1 ? ([...sources][0] ?? 'both') : 'both'
  const times = found.map(({ updatedAt }) => updatedAt)
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
          {t('bring.found', {
            count: found.length,
            source,
            from: times.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER),
            to: times.reduce((a, b) => Math.max(a, b), 0),
          })}{' '}
          {found.length > fresh.length ? t('bring.known', { count: found.length - fresh.length }) : ''}
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
