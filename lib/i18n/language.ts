import { cookiePath } from '@/lib/base/base-path'
import { isLanguage, languageAccepted, type Language } from '@/lib/base/text/languages'

/** Read by the layout on the server, so that the first page is in the right language. */
export const languageCookie = 'nod-language'

/** A cookie line for `document.cookie`. Valid for a year, for this site only. */
export const languageCookieLine = (language: Language): string =>
  `${languageCookie}=${language}; Path=${cookiePath}; SameSite=Lax; Max-Age=31536000`

/** The language that a reader chose; otherwise the one that their browser requests. */
export const languageOf = (chosen: string | undefined, accepts: string | null): Language =>
  isLanguage(chosen) ? chosen : languageAccepted(accepts)
