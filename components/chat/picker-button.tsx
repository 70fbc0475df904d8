'use client'

import { asForeign, asWritten, labelOf } from '@/lib/base/foreign-text/foreign'
import { useState } from 'react'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useChat, useConversation } from '@/components/context/chat-context'
import { useCommand } from '@/components/context/commands'
import { isExactNow } from '@/components/context/exact-now'
import { Icon } from '@/components/ui/icon'
import { lazyPart } from '@/components/ui/lazy-part'
import { usePopoverButton } from '@/components/ui/use-popover-button'
import { nameOfModel } from '@/lib/conversation/tab-run'

const ModelPicker = lazyPart(() => import('./picker/model-picker'), {
  what: () => t('frame.part-models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const ModelsDialog = lazyPart(() => import('@/components/browser-models/models-dialog'), {
  what: () => t('frame.part-models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** As a press on it: what opens hangs from it, and gives the focus back to it. */
function openModelPicker(): void {
  const picker = document.getElementById(pickerId)
  picker?.focus()
  picker?.click()
}

const pickerId = 'model-picker'

/** Which model writes, and in which form it writes its calls; pressed, what there is of both. */
export function PickerButton() {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const models = useChat((state) => state.models?.models ?? null)
  const isExact = useConversation(isExactNow)
  const { at, close, button } = usePopoverButton()
  const [adding, setAdding] = useState(false)
  useCommand('picker', openModelPicker, settings !== null)
  if (!settings) return null
  // It shows how calls are written, and with that goes all that reads them: who comes near gets it.
  const preload = () => void ModelPicker.preload()
  const listed = models?.find(({ id }) => id === settings.model)
  const name = nameOfModel(settings.model)
  const missing =
    models && name !== '' ? asWritten(labelOf(t('frame.not-here', { model: asForeign(name) }))) : asForeign(name || '…')
  const model = listed ? asForeign(modelLabel(listed)) : missing
  const words = labelOf(t('frame.picked', { model, strategy: settings.strategy, exact: isExact }))
  return (
    <>
      <button
        type="button"
        id={pickerId}
        className="inline-flex h-control max-w-80 min-w-0 items-center gap-1.5 rounded-md border border-transparent px-2.5 hover:bg-hover aria-expanded:bg-hover narrow:order-2 narrow:mx-1 narrow:my-0.5 narrow:h-9 narrow:max-w-none narrow:flex-1 narrow:justify-between narrow:border-line-strong narrow:bg-raised short:order-0 short:flex-[0_1_14rem] pointer-coarse:min-h-touch"
        aria-label={`${t('frame.picker')}: ${words}`}
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
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
