import { cookiesAvailable, writeCookie } from '@/lib/base/features.browser'
import { isLanguage, type Language } from '@/lib/base/text/languages'
import { readersLanguage, speakTo } from '@/lib/base/text/reader'
import { languageCookie, languageCookieLine } from '@/lib/i18n/language'
import {
  cookieIn,
  densityCookie,
  isDensity,
  isSendKey,
  appearanceCookie,
  sendKeyCookie,
  type Density,
  type SendKey,
} from '@/lib/client/browser/appearance'
import { isTheme, themeCookie, themeCookieLine, type Theme } from '@/lib/client/browser/appearance'
import { loadMessagesOf } from '@/lib/i18n/load-messages'

export interface Appearance {
  readonly theme: Theme
  readonly language: Language
  readonly density: Density
  readonly sendKey: SendKey
}

/** Cookies by name that were written just now: `document.cookie` of another tab may not have them yet (Chromium). */
export type CookieNews = Readonly<Record<string, string>>

/** What was chosen in this browser, else what holds. */
export function chosenAppearance(news: CookieNews = {}): Appearance {
  const cookies = cookiesAvailable()
  const valueOf = (name: string) => news[name] ?? cookieIn(cookies, name)
  const [theme, language] = [valueOf(themeCookie), valueOf(languageCookie)]
  const [density, sendKey] = [valueOf(densityCookie), valueOf(sendKeyCookie)]
  return {
    theme: isTheme(theme) ? theme : 'system',
    language: isLanguage(language) ? language : readersLanguage(),
    density: isDensity(density) ? density : 'comfortable',
    sendKey: isSendKey(sendKey) ? sendKey : 'enter',
  }
}

/** Shows the page as was chosen, in this tab or another. False: the words of the language can't be had now. */
export async function applyAppearance(news?: CookieNews): Promise<boolean> {
  const { theme, language, density, sendKey } = chosenAppearance(news)
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  dataset['density'] = density
  dataset['send'] = sendKey
  if (language === readersLanguage()) return true
  if (!(await loadMessagesOf(language))) return false
  document.documentElement.lang = language
  speakTo(language)
  return true
}

/** False: the words of the language can't be had now; the page stays in the one that it has. */
export async function chooseAppearance({ theme, language, density, sendKey }: Partial<Appearance>): Promise<boolean> {
  if (language && !(await loadMessagesOf(language))) return false
  if (theme) writeCookie(themeCookieLine(theme))
  if (language) writeCookie(languageCookieLine(language))
  if (density) writeCookie(appearanceCookie(densityCookie, density))
  if (sendKey) writeCookie(appearanceCookie(sendKeyCookie, sendKey))
  return applyAppearance()
}
