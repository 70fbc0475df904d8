import { cookiesAvailable, writeCookie } from '@/lib/base/features.browser'
import { isLanguage, type Language } from '@/lib/base/text/languages'
import { readersLanguage, speakTo } from '@/lib/base/text/languages'
import { languageCookie, languageCookieLine } from '@/lib/i18n/language'
import {
  cookieIn,
  isAppearance,
  appearanceCookie,
  appearanceCookieLine,
  appearanceNames,
  looks,
} from '@/lib/client/browser/appearance'
import type { AppearanceName, AppearanceValues } from '@/lib/client/browser/appearance'
import { isTheme, themeCookie, themeCookieLine, type Theme } from '@/lib/client/browser/appearance'
import { loadMessagesOf } from '@/lib/i18n/load-messages'

export interface Appearance extends AppearanceValues {
  readonly theme: Theme
  readonly language: Language
}

/** An on-screen keyboard has no Shift+Enter, so its Enter makes a line break. */
export const usualSendKey = (): AppearanceValues['send'] =>
  window.matchMedia('(pointer: coarse)').matches ? 'mod-enter' : 'enter'

/** Cookies by name that were just written: another tab's `document.cookie` may not have them yet (Chromium). */
export type WrittenCookies = Readonly<Record<string, string>>

/** What was chosen in this browser, else the default. */
export function chosenAppearance(news: WrittenCookies = {}): Appearance {
  const cookies = cookiesAvailable()
  const valueOf = (name: string) => news[name] ?? cookieIn(cookies, name)
  const [theme, language] = [valueOf(themeCookie), valueOf(languageCookie)]
  const lookOf = <Name extends AppearanceName>(name: Name): AppearanceValues[Name] => {
    const value = valueOf(appearanceCookie(name))
    const usual: AppearanceValues[AppearanceName] = looks[name][0]
    return isAppearance(name, value) ? value : (usual as AppearanceValues[Name])
  }
  const send = valueOf(appearanceCookie('send'))
  return {
    theme: isTheme(theme) ? theme : 'system',
    language: isLanguage(language) ? language : readersLanguage(),
    density: lookOf('density'),
    send: isAppearance('send', send) ? send : usualSendKey(),
    text: lookOf('text'),
    width: lookOf('width'),
    follow: lookOf('follow'),
    speech: lookOf('speech'),
  }
}

/**
 * Applies the chosen appearance, in this tab or another. Returns false if the language's messages can't be loaded now.
 */
export async function applyAppearance(news?: WrittenCookies): Promise<boolean> {
  const { theme, language, ...chosen } = chosenAppearance(news)
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  for (const name of appearanceNames) dataset[name] = chosen[name]
  if (language === readersLanguage()) return true
  if (!(await loadMessagesOf(language))) return false
  document.documentElement.lang = language
  speakTo(language)
  return true
}

/** Returns false if the language's messages can't be loaded now; the page keeps its language. */
export async function chooseAppearance({ theme, language, ...chosen }: Partial<Appearance>): Promise<boolean> {
  if (language && !(await loadMessagesOf(language))) return false
  if (theme) writeCookie(themeCookieLine(theme))
  if (language) writeCookie(languageCookieLine(language))
  for (const name of appearanceNames) {
    const value = chosen[name]
    if (value !== undefined) writeCookie(appearanceCookieLine(name, value))
  }
  return applyAppearance()
}
