import { asUntrusted, spoken } from '@/lib/base/untrusted-text/foreign'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { isHere } from '@/lib/shared/conversation/message-tree'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { viewOf } from '@/lib/client/state/open-conversations'
import type { ServerQuestion } from '@/lib/shared/mcp/server-question'
import type { ClientStore } from '@/lib/client/state/store'
import { t } from '@/lib/i18n/t'
import { replyEndText } from './reply-end-text'

/** Calls that settle within this time are announced in one sentence; milliseconds. */
const togetherMs = 300

/** Announces each visible event of the open chat once to screen readers. Returns a function that stops it. */
export function announceReplies(store: ClientStore, tell: (words: string) => void): () => void {
  let { id, calls, phase } = viewOf(store.getState())
  let followed: string | null = null
  let reviews = 0
  let asked: ServerQuestion | null = null
  let settled: CallRecord[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const takeSettled = (): string => {
    clearTimeout(timer)
    const words = settledWords(settled)
    settled = []
    return words
  }
  const announceSettled = () => {
    const words = takeSettled()
    if (words !== '') tell(words)
  }
  const look = () => {
    const view = viewOf(store.getState())
    // Ignores what was already settled when the chat was opened.
    if (view.id !== id || phase === 'loading') settled = []
    else if (view.calls !== calls) {
      const before = calls
      const news = [...view.calls].filter(([key, record]) => hasHappened(record) && !hasHappened(before.get(key)))
      if (news.length > 0) {
        settled.push(...news.map(([, record]) => record))
        clearTimeout(timer)
        timer = setTimeout(announceSettled, togetherMs)
      }
    }
    ;({ id, calls, phase } = view)
    const open = [...view.live.values()].filter(({ review }) => review).length
    if (open > reviews) tell(t('said.review'))
    reviews = open
    const asking = [...view.live.values()].find(({ question }) => question)?.question ?? null
    if (asking && asking !== asked) tell(spoken(t('said.server-asks', { host: asUntrusted(asking.host) })))
    asked = asking
    if (view.run) {
      followed = view.run.replyId
      return
    }
    if (followed === null) return
    const reply = view.tree.get(followed)
    followed = null
    if (!isHere(reply) || reply.role !== 'assistant') return
    // One sentence in chronological order, because a second announcement would replace the first.
    const before = takeSettled()
    void replyEndText(reply, () => viewOf(store.getState())).then((words) =>
      tell([before, words].filter((part) => part !== '').join(' ')),
    )
  }
  look()
  const leave = store.subscribe(look)
  return () => {
    leave()
    clearTimeout(timer)
  }
}

/** Whether a run produced a result. Decisions and stops are the reader's own actions. */
const hasHappened = (record: CallRecord | undefined): boolean =>
  record?.decision === 'run' && record.outcome !== null && record.stopped === undefined

/** '' if there is nothing to announce. */
function settledWords(records: readonly CallRecord[]): string {
  const gated = records.filter((record) => record.gated && record.release === null)
  const [first] = records
  const nameOf = ({ name }: CallRecord) => visibleText(name, 'name')
  if (!first) return ''
  const waits =
    gated.length === 0
      ? []
      : gated.length === 1 && gated[0]
        ? [t('said.result-waits', { name: nameOf(gated[0]) })]
        : [t('said.results-wait', { count: gated.length })]
  const failed = records.filter(({ outcome }) => outcome?.status !== 'completed')
  if (records.length === 1) {
    return [t(failed.length > 0 ? 'said.not-done' : 'said.done', { name: nameOf(first) }), ...waits].join(' ')
  }
  const done = records.length - failed.length
  return [
    ...(done > 0 ? [t('said.calls-done', { done })] : []),
    ...(failed.length > 0 ? [t('said.calls-failed', { failed: failed.length })] : []),
    ...waits,
  ].join(' ')
}
