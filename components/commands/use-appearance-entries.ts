'use client'

import { useMemo } from 'react'
import { chooseLanguage } from '@/components/language/language-button'
import { useLanguage } from '@/components/ui/use-language'
import { languages } from '@/lib/base/text/languages'
import { chooseAppearance } from '@/lib/client/wiring/appearance.browser'
import { languageNames } from '@/lib/base/text/languages'
import { t } from '@/lib/i18n/t'
import { paletteEntry, type PaletteEntry } from './palette-entry'

const themes = ['light', 'dark', 'system'] as const

/** How all of Nod looks in this browser, and the language that it speaks. */
export function useAppearanceEntries(): readonly PaletteEntry[] {
  const language = useLanguage()
  return useMemo(
    () => [
      ...themes.map((theme) =>
        paletteEntry(
          {
            id: `theme-${theme}`,
            group: 'nod',
            icon: 'theme',
            label: t(`command.do.theme-${theme}`),
            run: () => void chooseAppearance({ theme }),
          },
          t('command.also.theme'),
        ),
      ),
      ...languages
        .filter((one) => one !== language)
        .map((one) =>
          paletteEntry(
            { id: one, group: 'nod', icon: 'language', label: languageNames[one], run: () => void chooseLanguage(one) },
            t('command.also.language'),
          ),
        ),
    ],
    [language],
  )
}
