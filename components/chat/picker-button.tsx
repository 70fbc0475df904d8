'use client'

import { useEffect, useState } from 'react'
import { useChat, useConversation } from '@/components/context/chat-context'
import { isExactNow } from '@/components/context/exact-now'
import { whenSomebodyIsHere } from '@/components/context/somebody-here'
import { Icon } from '@/components/ui/icon'
import { lazyPart } from '@/components/ui/lazy-part'
import { usePopoverButton } from '@/components/ui/use-popover-button'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { nameOfModel } from '@/lib/conversation/tab-run'
import { frameSentence } from '@/lib/words/frame'

const ModelPicker = lazyPart(() => import('./picker/model-picker'), {
  what: () => frameSentence('frame.part-models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const ModelsDialog = lazyPart(() => import('@/components/browser-models/models-dialog'), {
  what: () => frameSentence('frame.part-models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** Which model writes, and in which form it writes its calls; pressed, what there is of both. */
export function PickerButton() {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const models = useChat((state) => state.models?.models ?? null)
  const isExact = useConversation(isExactNow)
  const { at, close, button } = usePopoverButton()
  const [adding, setAdding] = useState(false)
  useEffect(() => whenSomebodyIsHere(() => void ModelPicker.preload()), [])
  if (!settings) return null
  const label = models?.find(({ id }) => id === settings.model)?.label
  const name = nameOfModel(settings.model)
  const model = label ?? (models && name !== '' ? frameSentence('frame.not-here', { model: name }) : name || '…')
  const words = visibleText(
    frameSentence('frame.picked', { model, strategy: settings.strategy, exact: isExact }),
    'prose',
  )
  return (
    <>
      <button
        type="button"
        id="model-picker"
        className="inline-flex h-control max-w-80 min-w-0 items-center gap-1.5 rounded-md border border-transparent px-2.5 hover:bg-hover aria-expanded:bg-hover narrow:order-2 narrow:mx-1 narrow:my-0.5 narrow:h-9 narrow:max-w-none narrow:flex-1 narrow:justify-between narrow:border-line-strong narrow:bg-raised short:order-0 short:flex-[0_1_14rem] pointer-coarse:min-h-touch"
        aria-label={`${frameSentence('frame.picker')}: ${words}`}
        aria-haspopup="dialog"
        {...button}
      >
        <span className="truncate" dir="auto">
          {words}
        </span>
        <Icon name="down" className="size-3 text-muted" />
      </button>
      {at ? (
        <ModelPicker
          at={at}
          onClose={close}
          onAdd={() => {
            close()
            setAdding(true)
          }}
        />
      ) : null}
      {adding ? <ModelsDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}
