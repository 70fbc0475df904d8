'use client'

import { t } from '@/lib/i18n/t'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { PageIsOld } from '@/components/ui/page/part-failure'
import { hasReply } from '@/lib/shared/conversation/message-tree'
import { isSecurePage } from '@/lib/client/wiring/browser'
import { pageBuild } from '@/lib/client/wiring/nod-api.browser'
import { watchRefusals, browserRefusals } from '@/lib/client/wiring/page/refusals.browser'
import { useChat, useChatActions, useConversation, useThreadActions } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { BranchNotice, DoneNotice, SwitchNotice } from './load-thread'
import { note, notice } from '@/components/ui/recipes/surface'

/** Few pages are opened over plain http. */
const InsecureNotice = lazyPart(() => import('./insecure-notice'), {
  what: () => t('frame.part-notice'),
  look: 'line',
})

/** Few browsers refuse anything. */
const RefusedNotice = lazyPart(() => import('./refused-notice'), {
  what: () => t('frame.part-notice'),
  look: 'line',
})

/** Notices between the thread and the composer: the network state, and the last request's error. */
export default function Notices() {
  const online = useChat((state) => state.online)
  const reconnecting = useConversation((view) => view.run?.connection === 'reconnecting')
  const started = useConversation((view) => hasReply(view.tree))
  const cutOff = !online || reconnecting
  const settingsProblem = useConversation((view) => view.conversation?.settingsProblem ?? null)
  return (
    <>
      <Insecure />
      <Refused />
      <UpdatedNotice />
      {settingsProblem ? (
        <p className={note({}, 'pb-2')}>
          <Icon name="warn" />
          {t('settings.damaged')}
        </p>
      ) : null}
      {cutOff ? (
        <p className={note({}, 'pb-2')} role="status">
          <Icon name="cut" />
          {online ? t('frame.reconnecting') : <CutOff />}
        </p>
      ) : null}
      {started ? <DoneNotice /> : null}
      {started ? <BranchNotice /> : null}
      {started ? <SwitchNotice /> : null}
      <ProblemNotice cutOff={cutOff} />
    </>
  )
}

/**
 * Shows whether the network or the server is unreachable, and what still works. `navigator.onLine` counts only if the
 * server does not answer either.
 */
function CutOff() {
  const waiting = useChat((state) => state.outbox.length)
  const at = useConversation((view) => view.keptAt)
  const link = useSyncExternalStore(
    watchLink,
    () => (navigator.onLine ? 'on' : 'off'),
    () => 'on',
  )
  return [t('frame.offline', { link, waiting }), ...(at === null ? [] : [t('frame.kept', { at })])].join(' ')
}

const links = ['online', 'offline'] as const
function watchLink(listener: () => void): () => void {
  for (const type of links) window.addEventListener(type, listener)
  return () => {
    for (const type of links) window.removeEventListener(type, listener)
  }
}

/** An error that can be retried is shown only when a retry makes sense; until then the offline banner is enough. */
function ProblemNotice({ cutOff }: { cutOff: boolean }) {
  const problem = useConversation((view) => view.problem)
  const shown = useConversation((view) => view.phase === 'ready' || view.phase === 'new')
  const { dismissProblem } = useChatActions()
  const { retry } = useThreadActions()
  if (!problem || !shown || (cutOff && problem.canRetry)) return null
  return (
    <div className={banner({ tone: 'bad' })} role="alert">
      <Icon name="warn" />
      <p className="flex-1 text-pretty">
        <SentenceText text={problem.message} />
      </p>
      {problem.canRetry ? <Button onClick={retry}>{t('frame.retry')}</Button> : null}
      <IconButton icon="cross" label={t('frame.dismiss')} onClick={dismissProblem} />
    </div>
  )
}

/**
 * Says that the server runs another version than this page. The page never reloads itself, because that would end
 * running code and edits.
 */
function UpdatedNotice() {
  const isOld = useContext(PageIsOld)
  const running = useChat(({ open }) =>
    [...open.values()].some(({ live }) => [...live.values()].some(({ outcome, problem }) => !outcome && !problem)),
  )
  const [dismissed, setDismissed] = useState(false)
  if (!isOld || dismissed) return null
  return (
    <div className={banner()} role="status">
      <Icon name="again" />
      <p className="flex-1 text-pretty">{t('frame.updated', { running })}</p>
      <Button onClick={pageBuild.reload}>{t('frame.reload')}</Button>
      <IconButton icon="cross" label={t('frame.dismiss')} onClick={() => setDismissed(true)} />
    </div>
  )
}

const banner = (look: { tone?: 'bad' } = {}) => notice({ ...look, size: 'banner' }, 'mb-2')

/** Checked when the page opens, and whenever it becomes visible while something is refused. */
function Refused() {
  const refused = useSyncExternalStore(browserRefusals.subscribe, browserRefusals.now, browserRefusals.none)
  const isRefused = refused.cookies || refused.words || refused.files
  useEffect(() => {
    const look = () => void watchRefusals()
    if (!isRefused) return look()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [isRefused])
  return isRefused ? <RefusedNotice refused={refused} /> : null
}

const never = () => () => {}

function Insecure() {
  const secure = useSyncExternalStore(never, isSecurePage, () => true)
  return secure ? null : <InsecureNotice />
}
