'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Menu, type MenuItem } from '@/components/ui/popups/menu'
import { getCommandHandler } from '@/components/context/commands'
import { chooseLanguage } from '@/components/language/language-button'
import { changePage } from '@/components/ui/page/page-change'
import { positionBelow } from '@/components/ui/controls/use-popover-button'
import { formatKeys } from '@/components/ui/controls/kbd'
import { isMac } from '@/lib/base/features.browser'
import { useLanguage } from '@/components/ui/page/use-language'
import { languageNames, languages } from '@/lib/base/text/languages'
import { commandKeys } from '@/lib/client/commands/command-keys'
import { isTheme, type Theme } from '@/lib/client/browser/appearance'
import { chooseAppearance } from '@/lib/client/wiring/page/appearance.browser'
import { t } from '@/lib/i18n/t'

const themes = ['system', 'light', 'dark'] as const satisfies readonly Theme[]

const themeNow = (): Theme => {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'system'
}

export interface FootMenuProps {
  readonly opener: HTMLElement
  readonly onOrganize: () => void
  readonly onImport: () => void
  /** Closes the sheet with the list, if there is one. */
  readonly onPicked: () => void
  /** A language could not be loaded: the page keeps the current one. */
  readonly onProblem: (problem: string) => void
  readonly onClose: () => void
}

/** Everything that is not a chat: settings, appearance, and the tools beside the chat. */
export default function FootMenu({ opener, onOrganize, onImport, onPicked, onProblem, onClose }: FootMenuProps) {
  const language = useLanguage()
  const router = useRouter()
  const [at] = useState(() => positionBelow(opener))
  const theme = themeNow()
  const onTouch = window.matchMedia('(pointer: coarse)').matches
  const page = (label: string, href: string): MenuItem => ({ label, run: () => changePage(() => router.push(href)) })
  const hasAccounts = document.documentElement.hasAttribute('data-account')
  const items: readonly MenuItem[] = [
    page(t('frame.all-settings'), '/settings'),
    ...(hasAccounts ? [page(t('rows.account'), '/account')] : []),
    {
      label: t('preferences.theme'),
      value: t(`preferences.theme.${theme}`),
      opens: {
        label: t('preferences.theme'),
        items: themes.map((one) => ({
          label: t(`preferences.theme.${one}`),
          isCurrent: one === theme,
          run: () => void chooseAppearance({ theme: one }),
        })),
      },
    },
    {
      label: t('preferences.language'),
      value: languageNames[language],
      opens: {
        label: t('preferences.language'),
        items: languages.map((one) => ({
          label: languageNames[one],
          lang: one,
          isCurrent: one === language,
          run: () =>
            void chooseLanguage(one).then((isLoaded) => onProblem(isLoaded ? '' : t('preferences.language-failed'))),
        })),
      },
    },
    {
      label: t('rows.commands'),
      ...(onTouch ? {} : { keys: formatKeys(commandKeys.palette[0], isMac()) }),
      run: () => {
        onPicked()
        getCommandHandler('palette')?.()
      },
    },
    ...(onTouch ? [] : [{ label: t('rows.shortcuts'), keys: '?', run: () => getCommandHandler('shortcuts')?.() }]),
    { label: t('rows.organise'), run: onOrganize },
    { ...page(t('rows.playground'), '/playground'), group: t('rows.tools') },
    page(t('rows.lab'), '/lab'),
    { label: t('rows.import'), run: onImport },
    page(t('verify.title'), '/verify'),
    { ...page(t('rows.licences'), '/licences'), group: '' },
  ]
  return <Menu label={t('rows.foot')} at={at} items={items} onClose={onClose} />
}
