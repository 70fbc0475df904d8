'use client'

import { useMemo } from 'react'
import { useBegin } from '@/components/presets/use-begin'
import { usePresets } from '@/components/presets/use-presets'
import { t } from '@/lib/i18n/t'
import { paletteEntry, type PaletteEntry } from './palette-entry'

/** A new chat with each of the presets. */
export function usePresetEntries(): readonly PaletteEntry[] {
  const { presets } = usePresets()
  const begin = useBegin()
  return useMemo(() => {
    const group = t('command.group.presets')
    return (presets ?? [])
      .filter(({ setup }) => setup !== null)
      .map((preset) =>
        paletteEntry(
          {
            id: `preset ${preset.id}`,
            group: 'presets',
            icon: 'plus',
            label: preset.name,
            written: 'prose',
            run: () => begin(preset),
          },
          group,
        ),
      )
  }, [presets, begin])
}
