'use client'

import { useId, useState, type KeyboardEvent, type SyntheticEvent } from 'react'
import { MessageScope } from '@/components/assistant-ui/message-scope'
import { useChat, useConversation } from '@/components/context/chat-context'
import { OutlinedCards } from '@/components/tool-call/scope/reply-scope'
import { ToolCallRenderer } from '@/components/tool-call/tool-call-renderer'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Select } from '@/components/ui/forms/select'
import { Dialog } from '@/components/ui/popups/dialog'
import { cx } from '@/components/ui/recipes/recipe'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { isPastedModel, nameOfModel } from '@/lib/shared/conversation/wire/tab-run'
import { maxSides, type ReplyChoice } from '@/lib/shared/conversation/wire/api-types'
import { runsOf } from '@/lib/client/state/open-conversations'
import type { ModelId } from '@/lib/shared/models/model'
import { defaultStrategy, strategyIds, type StrategyId } from '@/lib/protocols/types/tool-context-def'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { OutcomeNote } from '../notes/outcome-note'
import { OlderNote } from '../scroll/absent-row'
import { StreamingBody } from '../streaming-body'
import { useCompare, type AskedSide, type Side } from './use-compare'

export interface CompareDialogProps {
  readonly replyId: string
  readonly onClose: () => void
}

const columns = 'grid min-h-0 flex-1 auto-cols-fr grid-flow-col divide-x divide-line overflow-hidden narrow:block'

/** Versions of one reply by different models or call formats, side by side; on a phone one at a time. */
export default function CompareDialog({ replyId, onClose }: CompareDialogProps) {
  const { sides, waiting, isLoading, isBusy, problem, ask, choose, stop } = useCompare(replyId)
  const written = useConversation((view) => runsOf(view).length)
  const [shown, setShown] = useState(0)
  const id = useId()
  const all: readonly (Side | AskedSide)[] = [...sides, ...waiting]
  const at = Math.min(shown, all.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (at + step + all.length) % all.length
    setShown(next)
    document.getElementById(`${id}-tab-${next}`)?.focus()
  }
  return (
    <Dialog label={t('compare.title')} look="wide" onClose={onClose}>
      <header className="flex min-h-bar flex-wrap items-center gap-2 border-b border-line py-1 ps-4 pe-2">
        <h2 className="me-auto text-md font-strong">{t('compare.title')}</h2>
        {written > 1 ? <Button onClick={() => stop()}>{t('compare.stop-all')}</Button> : null}
        {all.length < maxSides ? <AddSide sides={all} onAdd={(choice) => void ask(choice)} /> : null}
        <IconButton icon="cross" label={t('compare.close')} onClick={onClose} />
      </header>
      {problem === null ? null : (
        <p role="alert" className="border-b border-line px-4 py-2 text-danger">
          <SentenceText text={problem} />
        </p>
      )}
      <div role="tablist" aria-label={t('compare.sides')} className="hidden border-b border-line px-2 narrow:flex">
        {all.map((side, index) => (
          <button
            key={index}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === at}
            aria-controls={`${id}-side-${index}`}
            tabIndex={index === at ? 0 : -1}
            className="min-h-touch min-w-0 flex-1 truncate border-b-2 border-transparent px-2 text-sm text-muted aria-selected:border-text aria-selected:text-text"
            onClick={() => setShown(index)}
            onKeyDown={onKeyDown}
          >
            <TabName side={side} />
          </button>
        ))}
      </div>
      {isLoading ? <OlderNote /> : null}
      <div className={columns}>
        {all.map((side, index) => (
          <section
            key={side.replyId ?? `asked-${'key' in side ? side.key : index}`}
            id={`${id}-side-${index}`}
            aria-label={t('compare.side', { number: index + 1 })}
            className={cx('flex h-full min-h-0 min-w-0 flex-col', index !== at && 'narrow:hidden')}
          >
            <SideHead side={side} />
            {'replies' in side ? (
              <SideBody
                side={side}
                isBusy={isBusy}
                onDecide={() => choose(side)}
                onStop={stop}
                onChoose={() => {
                  choose(side)
                  onClose()
                }}
              />
            ) : (
              <p className="px-4 text-muted" role="status">
                {t('compare.waits')}
              </p>
            )}
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function TabName({ side: { model, strategy } }: { side: ReplyChoice }) {
  const info = useChat((state) => state.models?.models.find((one) => one.id === model))
  return <ForeignText text={`${info ? modelLabel(info) : nameOfModel(model)} · ${strategy}`} />
}

function SideHead({ side: { model, strategy } }: { side: ReplyChoice }) {
  const info = useChat((state) => state.models?.models.find((one) => one.id === model))
  return (
    <h3 className="px-4 pt-3 pb-2 font-medium wrap-anywhere">
      <ForeignText text={info ? modelLabel(info) : nameOfModel(model)} />{' '}
      <span className="font-mono text-sm font-normal text-muted">{strategy}</span>
    </h3>
  )
}

interface SideBodyProps {
  readonly side: Side
  readonly isBusy: boolean
  /** The user starts to decide a call of it. */
  readonly onDecide: () => void
  readonly onStop: (runId: string) => void
  readonly onChoose: () => void
}

function SideBody({ side, isBusy, onDecide, onStop, onChoose }: SideBodyProps) {
  const isWriting = side.replies.some(({ message }) => message.outcome === null)
  const run = useConversation((view) =>
    runsOf(view).find((one) => side.replies.some(({ message }) => message.id === one.replyId)),
  )
  const isShown = useConversation((view) => view.path.some(({ id }) => id === side.replyId))
  // Calls use the files of the shown branch, and their results go to the chat's model.
  const decide = ({ target }: SyntheticEvent) => {
    if (!isBusy && !isShown && target instanceof Element && target.closest('[data-call-card]')) onDecide()
  }
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 [--dock:0px]" aria-busy={isWriting} tabIndex={0}>
        {run?.place == null ? null : (
          <p className="pb-2 text-sm text-muted" role="status">
            {t('queue.place', { place: run.place })}
          </p>
        )}
        <div inert={isBusy && !isWriting} onPointerDownCapture={decide} onFocusCapture={decide}>
          <OutlinedCards value={!isShown}>
            {side.replies.map(({ message, index }) => (
              <MessageScope key={message.id} message={message} index={index} isLast={false}>
                <article className="pb-4" aria-label={t('frame.assistant')}>
                  {message.outcome === null ? <StreamingBody message={message} /> : <ToolCallRenderer />}
                  <OutcomeNote message={message} isLast={false} />
                </article>
              </MessageScope>
            ))}
          </OutlinedCards>
        </div>
      </div>
      <div className="border-t border-line px-4 py-3">
        {run ? (
          <Button disabled={run.stopping} onClick={() => onStop(run.runId)}>
            {t('compare.stop')}
          </Button>
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Button disabled={isBusy} onClick={onChoose}>
              {t('compare.choose')}
            </Button>
            {isBusy ? <span className="text-sm text-muted">{t('compare.busy')}</span> : null}
          </div>
        )}
      </div>
    </>
  )
}

/** Chooses the model and format of the next side. */
function AddSide({ sides, onAdd }: { sides: readonly ReplyChoice[]; onAdd: (choice: ReplyChoice) => void }) {
  const models = useChat((state) => state.models?.models)
  const known = (models ?? []).filter(({ id }) => !isPastedModel(id))
  const last = sides.at(-1)
  const [model, setModel] = useState<ModelId>(last?.model ?? known[0]?.id ?? '')
  const [strategy, setStrategy] = useState<StrategyId>(last?.strategy ?? defaultStrategy)
  return (
    <div className="flex min-w-0 items-center gap-2 narrow:order-1 narrow:basis-full narrow:pe-2 narrow:pb-1">
      <Select
        label={t('compare.model')}
        boxed
        small
        className="narrow:min-w-0 narrow:flex-1 narrow:[&>select]:w-full"
        value={model}
        options={known.map((info) => ({ value: info.id, label: modelLabel(info) }))}
        onChange={setModel}
      />
      <Select
        label={t('compare.format')}
        boxed
        small
        className="narrow:min-w-0 narrow:flex-1 narrow:[&>select]:w-full"
        value={strategy}
        options={strategyIds.map((one) => ({ value: one, label: one }))}
        onChange={(value) => setStrategy(value as StrategyId)}
      />
      <Button onClick={() => onAdd({ model, strategy })}>{t('compare.add')}</Button>
    </div>
  )
}
