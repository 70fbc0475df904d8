'use client'

import { useDeferredValue, useMemo, useState } from 'react'
import { useChat } from '@/components/context/chat-context'
import { t } from '@/lib/i18n/t'
import type { CommandDialog } from './action-table'
import { PaletteDialog } from './palette-dialog'
import { useActionEntries } from './use-action-entries'
import { useChoiceEntries } from './use-choice-entries'
import { useFileEntries } from './use-file-entries'
import { useFoundEntries } from './use-found-entries'
import { useLookEntries } from './use-look-entries'
import { usePlaceEntries } from './use-place-entries'
import { usePresetEntries } from './use-preset-entries'
import { useServerFinds } from './use-server-finds'

export interface PaletteProps {
  readonly onClose: () => void
  readonly onDialog: (dialog: CommandDialog) => void
}

/** Finds and does anything in the chat. */
export function Palette({ onClose, onDialog }: PaletteProps) {
  const [typed, setTyped] = useState('')
  // The field is never slower than the list.
  const wanted = useDeferredValue(typed)
  const isTyped = wanted.trim() !== ''
  const online = useChat((state) => state.online)
  const finds = useServerFinds(wanted, online)
  const files = useFileEntries(isTyped)
  const actions = useActionEntries(onDialog)
  const found = useFoundEntries(isTyped, finds)
  const choices = useChoiceEntries()
  const presets = usePresetEntries()
  const places = usePlaceEntries()
  const looks = useLookEntries()
  const entries = useMemo(
    () => [
      ...(isTyped ? [] : found),
      ...actions,
      ...looks,
      ...places,
      ...presets,
      ...(isTyped ? found : []),
      ...choices,
      ...files.entries,
    ],
    [actions, looks, places, presets, found, choices, files.entries, isTyped],
  )
  return (
    <PaletteDialog
      label={t('command.look-for')}
      typed={typed}
      onType={setTyped}
      wanted={wanted}
      entries={entries}
      waits={[files.isReading ? t('command.reading-files') : null, finds.isLooking ? t('command.looking') : null]}
      problems={[finds.problem && t('command.not-searched', { why: finds.problem }), files.problem]}
      onClose={onClose}
    />
  )
}
