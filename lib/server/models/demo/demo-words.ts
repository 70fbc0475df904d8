import type { JsonObject } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import { textOfKey, type NameIn } from '@/lib/i18n/t'

/*
 * What the script says, in the language that it is spoken to: it answers Chinese in Chinese. Calls, paths and commands are the
 * same in both.
 */
export type DemoWord = NameIn<'demo'>

export const demoReplies = (language: Language, word: DemoWord, values: JsonObject = {}): string =>
  textOfKey(`demo.${word}`, values, language) ?? word

/** The language that somebody writes: a word of Chinese makes it that. */
export const isChinese = (text: string): boolean => /\p{sc=Han}/u.test(text)
