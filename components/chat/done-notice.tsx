'use client'

import { monotonicClock } from '@/lib/base/clocks'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { withBase } from '@/lib/base/base-path'
import { addressOf } from '@/lib/client/api/address'
import { longReplyMs, type NotificationService } from '@/lib/client/browser/notification-service'
import { viewOf } from '@/lib/client/state/open-conversations'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { notificationService } from '@/lib/client/wiring/page/notify.browser'
import { t } from '@/lib/i18n/t'
import { useClientStore, useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { note } from '@/components/ui/recipes/surface'
import { replyEndText } from './reply-end-text'

/** Asks once, during a long reply, whether to notify its end. Sends the notification if the page is hidden then. */
export default function DoneNotice({
  service: notifications = notificationService,
}: {
  service?: NotificationService
}) {
  useDoneNotification(notifications)
  const choice = useSyncExternalStore(notifications.subscribe, notifications.choice)
  const isLong = useLongRun()
  if (choice !== 'unasked' || !isLong || notifications.isBlocked()) return null
  return (
    <div className={note({}, 'flex-wrap pb-2')}>
      <Icon name="clock" />
      <p className="flex-1 text-pretty">{t('notify.ask')}</p>
      <Button onClick={() => void notifications.turnOn()}>{t('notify.yes')}</Button>
      <Button look="quiet" onClick={notifications.turnOff}>
        {t('notify.no')}
      </Button>
    </div>
  )
}

/** Whether the current reply has already taken long. */
function useLongRun(): boolean {
  const runId = useConversation((view) => view.run?.runId ?? null)
  const [long, setLong] = useState<string | null>(null)
  useEffect(() => {
    if (runId === null) return
    const timer = setTimeout(() => setLong(runId), longReplyMs)
    return () => clearTimeout(timer)
  }, [runId])
  return runId !== null && long === runId
}

/** Notifies only of the open chat, because the page does not follow other chats. */
function useDoneNotification(notifications: NotificationService): void {
  const store = useClientStore()
  const followed = useRef<{ readonly replyId: string; readonly since: number } | null>(null)
  useEffect(() => {
    const look = () => {
      const state = store.getState()
      const view = viewOf(state)
      if (view.run) {
        const { replyId, isSide } = view.run
        const before = followed.current
        // If replies are written side by side, the next one is followed when one ends.
        const since = (isSide ? before?.since : undefined) ?? monotonicClock()
        if (before?.replyId !== replyId) followed.current = { replyId, since }
        return
      }
      const ended = followed.current
      followed.current = null
      if (ended === null || monotonicClock() - ended.since < longReplyMs) return
      const reply = view.tree.get(ended.replyId)
      if (!isHere(reply) || reply.role !== 'assistant') return
      const title = view.conversation?.title ?? ''
      void replyEndText(reply, () => viewOf(store.getState())).then((body) =>
        notifications.tell({
          title: title === '' ? t('notify.title') : title,
          body,
          address: withBase(addressOf(view.id)),
          lang: document.documentElement.lang,
        }),
      )
    }
    look()
    return store.subscribe(look)
  }, [store, notifications])
}
