import { sentencesOf } from '@/lib/base/catalogue'
import type { Language } from '@/lib/base/languages'

/** Each by its own name, so that who reads no other finds it. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', 'zh-CN': '中文' }

export const languageSentence = sentencesOf({
  'language.change': 'Change the language',
  'language.failed': 'could not be loaded',
})
