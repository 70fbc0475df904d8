'use client'

import { useState, useEffect, useEffectEvent, useRef } from 'react'
import { useCallActions, useConversation, useThreadActions } from '@/components/context/chat-context'
import { Button, TextButton } from '@/components/ui/controls/button'
import { Icon, type IconName } from '@/components/ui/controls/icon'
import { note, panel } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { unsent } from '@/lib/client/wiring/unsent.browser'
import { isGrantActive, justEnded, type OpenCopy } from '@/lib/shared/calls/copy'
import { excessOf, suggestedScope, widerScope, type EffectsGrant } from '@/lib/shared/calls/effects'
import type { CopyEffect } from '@/lib/shared/conversation/wire/call-requests'
import { useGuardedMoves } from '../scope/guard-moves'
import { CopyCard, type KeptCopy } from './copy-card'
import { GrantOffer } from './grant-offer'
import { useCopyChanges, useCopyProgress, useOpenCopy, type CopyProgress, type SeenCopy } from './use-copy'
import { useTools } from '@/components/context/tools-context'
import { useNow } from '@/components/ui/page/use-now'
import { t } from '@/lib/i18n/t'
import { whatIsBeyond } from '@/lib/shared/calls/grant-text'
import { isHere } from '@/lib/shared/conversation/message-tree'

/** A call of the copy changed files, in this browser or in another. */
export function useHasWritten({ runs }: CopyProgress): boolean {
  const tools = useTools()
  return runs.some(
    ({ name, outcome }) => outcome?.status === 'completed' && tools.get(name)?.policy.capabilities.files === 'write',
  )
}

interface GrantAnswer {
  /** Why the remembered approval does not cover the changes, one sentence each. */
  readonly beyond: readonly string[]
  /** Why the kept approval did not keep the changes although it covers the chat. */
  readonly problem: string | null
}

const nothing: GrantAnswer = { beyond: [], problem: null }

/**
 * Keeps a task that started under a remembered approval without a click, once its reply is finished and everything is
 * within the limits; a task without changes ends by itself. The action checks the changes again, and then the server
 * does.
 */
export function useKeepByGrant(
  copy: OpenCopy,
  seen: SeenCopy | null,
  { isOver }: CopyProgress,
  wrote: boolean,
): GrantAnswer {
  const { endCopy } = useCallActions()
  const grants = useConversation((view) => view.grants)
  const isFinished = useConversation(({ path }) => {
    const last = path.at(-1)
    return isHere(last) && last.role === 'assistant' && last.outcome === 'finished'
  })
  const now = useNow()
  const [problem, setProblem] = useState<string | null>(null)
  const tried = useRef('')

  const { under } = copy.scope
  const { scope } = grants.find(({ id }) => id === under) ?? {}
  const keepsNothing = scope?.kind === 'effects' && scope.maxFiles === 0
  const rows = seen?.changes.rows ?? []
  const beyond =
    seen && under !== undefined && !keepsNothing && rows.length > 0
      ? [
          ...whatIsBeyond(copy, grants, seen.changes, now),
          ...(isOver && !isFinished ? [t('copy.beyond.unfinished')] : []),
        ]
      : []
  const isUnchanged = rows.length === 0 && !wrote
  const isReady =
    under !== undefined &&
    seen !== null &&
    isOver &&
    isFinished &&
    beyond.length === 0 &&
    (isUnchanged || (rows.length > 0 && !keepsNothing))
  /** Tried once for each set of changes. */
  const key = isReady ? JSON.stringify(rows.map(({ path, change, size }) => [path, change, size])) : ''

  const keep = useEffectEvent(async () => {
    if (tried.current === key) return
    tried.current = key
    setProblem(await endCopy(copy.id, { kind: 'by-grant' }))
  })
  useEffect(() => {
    if (key !== '') keep().catch(() => {})
  }, [key])
  return under === undefined ? nothing : { beyond, problem: key === '' ? null : problem }
}

/**
 * The end of a chat that works on a copy: a strip while it works, the card when the turn is over, and then the result.
 */
export default function CopyHost() {
  useGuardedMoves()
  const copy = useOpenCopy()
  return copy ? <Copy key={copy.id} copy={copy} onKept={rememberKept} /> : <Ended />
}

const nameOf = (copyId: string): string => `kept-copy:${copyId}`

/** The offer after Keep is made from it, also after a reload. */
const rememberKept = ({ copyId, effects }: KeptCopy): void => unsent.set(nameOf(copyId), JSON.stringify(effects))

function keptEffects(copyId: string): readonly CopyEffect[] | null {
  try {
    const effects: unknown = JSON.parse(unsent.get(nameOf(copyId)) ?? 'null')
    return Array.isArray(effects) && effects.length > 0 ? (effects as readonly CopyEffect[]) : null
  } catch {
    return null
  }
}

/** Until the next message: the offer to keep such changes without asking, or what was kept that way. */
function Ended() {
  const ended = useConversation((view) => justEnded(view.grants, view.path))
  const grants = useConversation((view) => view.grants)
  const now = useNow()
  const { under, end } = ended?.scope ?? {}
  const grant = grants.find(({ id }) => id === under)
  if (end?.by === 'grant' && grant?.scope.kind === 'effects') {
    const words = t('copy.kept-by-grant', { kept: end.kept, uses: grant.uses, runs: grant.scope.runs })
    return <EndNote icon="ok" text={words} />
  }
  if (under !== undefined && end?.changed === 0) return <EndNote icon="info" text={t('copy.no-changes')} />
  const given = grants.find((one): one is EffectsGrant => one.scope.kind === 'effects' && isGrantActive(one, now))
  return ended && end?.kind === 'kept' ? <Offer key={ended.id} copyId={ended.id} given={given} under={under} /> : null
}

/** If a task went beyond an approval, the offer is a wider one in its place. */
function Offer({
  copyId,
  given,
  under,
}: {
  copyId: string
  given: EffectsGrant | undefined
  under: string | undefined
}) {
  const [effects, setEffects] = useState(() => keptEffects(copyId))
  const done = () => {
    unsent.set(nameOf(copyId), null)
    setEffects(null)
  }
  if (effects === null || (given && given.id !== under)) return null
  // Skills always wait, whatever an approval covers.
  if (given && excessOf(given.scope, effects).every(({ kind }) => kind === 'skill')) return null
  const scope = given ? widerScope(given.scope, effects) : suggestedScope(effects)
  return <GrantOffer copyId={copyId} suggested={scope} widens={given?.id ?? null} onDone={done} />
}

const EndNote = ({ icon, text }: { icon: IconName; text: string }) => (
  <p className={note({ tall: true }, 'mt-4')} role="status">
    <Icon name={icon} />
    <span>
      <SentenceText text={text} />
    </span>
  </p>
)

function Copy({ copy, onKept }: { copy: OpenCopy; onKept: (kept: KeptCopy) => void }) {
  const progress = useCopyProgress(copy)
  const { notifyModel } = useCallActions()
  const { isBusy } = progress
  const head = useConversation((view) => view.path.at(-1)?.id ?? '')
  const seen = useCopyChanges(copy, isBusy)
  /** The chat's end at which the user chose: `Go on`, or to review while it works. */
  const [chosen, setChosen] = useState<{ readonly head: string; readonly shows: boolean } | null>(null)
  const found = seen !== null && typeof seen !== 'string' ? seen : null
  const isOver = progress.isOver && (found?.changes.rows.length ?? 0) > 0
  const shows = chosen?.head === head ? chosen.shows : isOver
  const show = (next: boolean) => setChosen({ head, shows: next })
  const wrote = useHasWritten(progress)
  const { beyond, problem } = useKeepByGrant(copy, found, progress, wrote)
  return (
    <>
      {shows && found ? (
        <CopyCard
          copy={copy}
          seen={found}
          progress={progress}
          beyond={beyond}
          problem={problem}
          onKept={onKept}
          onGoOn={() => {
            show(false)
            if (progress.held !== null) notifyModel(progress.held, 0)
          }}
        />
      ) : null}
      {shows && isOver ? null : (
        <Strip copy={copy} progress={progress} seen={seen} wrote={wrote} shows={shows} onShow={show} />
      )}
    </>
  )
}

interface StripProps {
  readonly copy: OpenCopy
  readonly progress: CopyProgress
  readonly seen: SeenCopy | string | null
  /** A call of it changed files, here or in another browser. */
  readonly wrote: boolean
  readonly shows: boolean
  readonly onShow: (shows: boolean) => void
}

function Strip({ copy, progress, seen, wrote, shows, onShow }: StripProps) {
  const { runs, round, maxRounds, isBusy } = progress
  const { endCopy, stop: stopCall } = useCallActions()
  const { stop } = useThreadActions()
  const isWriting = useConversation((view) => view.run !== null)
  const [problem, setProblem] = useState<string | null>(null)
  const [asks, setAsks] = useState(false)
  const rows = seen !== null && typeof seen !== 'string' ? seen.changes.rows : []
  const created = rows.filter(({ change }) => change === 'created').length
  const running = runs.filter(({ outcome, stopped }) => !outcome && !stopped)
  const isElsewhere = rows.length === 0 && wrote && seen !== null && !isBusy
  const stopAll = () => {
    if (isWriting) stop()
    for (const { messageId, slot } of running) stopCall(messageId, slot)
  }
  return (
    <section
      aria-label={t('copy.part')}
      className={panel(
        {},
        'sticky bottom-[calc(var(--dock,0px)+0.5rem)] z-above mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2 text-sm',
      )}
    >
      <strong className="font-medium narrow:flex-1">{t('copy.on-copy')}</strong>
      <span className="min-w-0 flex-1 basis-40 text-muted tabular-nums narrow:order-1 narrow:basis-full">
        {[
          t('copy.so-far', { changed: rows.length - created, created }),
          t('copy.runs', { count: runs.length }),
          ...(isBusy ? [t('copy.round', { round, most: maxRounds })] : []),
        ].join(' · ')}
        {isElsewhere ? ` · ${t('copy.elsewhere')}` : null}
      </span>
      {rows.length > 0 ? (
        <TextButton aria-expanded={shows} onClick={() => onShow(!shows)}>
          {t(shows ? 'copy.hide' : 'copy.show')}
        </TextButton>
      ) : null}
      {isBusy ? (
        <Button onClick={stopAll}>{t('copy.stop')}</Button>
      ) : rows.length > 0 ? null : isElsewhere && !asks ? (
        <Button onClick={() => setAsks(true)}>{t('copy.discard')}</Button>
      ) : (
        <>
          {asks ? <span>{t('copy.discard-elsewhere')}</span> : null}
          <Button
            look={asks ? 'danger' : 'plain'}
            onClick={() => void endCopy(copy.id, { kind: 'discard' }).then(setProblem)}
          >
            {t(asks ? 'copy.discard' : 'copy.leave')}
          </Button>
        </>
      )}
      {problem !== null || typeof seen === 'string' ? (
        <p className="basis-full text-danger" role="alert">
          <SentenceText text={problem ?? t('copy.not-read', { why: typeof seen === 'string' ? seen : '' })} />
        </p>
      ) : null}
    </section>
  )
}
