'use client'

import { useId } from 'react'
import { useChat, useChatActions } from '@/components/context/chat-context'
import { Button } from '@/components/ui/button'
import { DialogFoot } from '@/components/ui/dialog'
import { SaidText } from '@/components/ui/foreign-text'
import { progressBar } from '@/components/ui/recipes/progress'
import { Spinner } from '@/components/ui/spinner'
import { useLanguage } from '@/components/ui/use-language'
import { findApi } from '@/lib/wiring/find-api.browser'
import { startForeignWorker } from '@/lib/wiring/foreign-worker.browser'
import { nodApi } from '@/lib/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'
import { BrokenList, type BrokenLine } from './broken-list'
import { ChooseFound } from './choose-found'
import { useForeignImport, type ForeignPorts, type Scanned } from './use-foreign-import'
import type { Taken } from '@/lib/out/foreign/take-chats'

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

/** The export of another product: what is in it, which of it comes in, and what became of that. Stands in a dialog. */
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
      return <Outcome taken={step.taken} of={step.of} scanned={step.scanned} onClose={onClose} />
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
  readonly onClose: () => void
}

/** How many came in, what did not, and why. */
function Outcome({ taken: { taken, refused, ended }, of, scanned, onClose }: OutcomeProps) {
  const missing = of - taken.length - refused.length
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
          <SaidText
            text={t('bring.ended', {
              why: ended.why === '' ? t('bring.failed.unreadable') : ended.why,
              count: missing,
            })}
          />
        </p>
      )}
      <BrokenList lines={lines} />
      <DialogFoot>
        <Button look="ink" onClick={onClose}>
          {t('bring.close')}
        </Button>
      </DialogFoot>
    </>
  )
}
