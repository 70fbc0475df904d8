import { numberWords, plural } from '@/lib/base/locale'

/** How a folded thought is called: by its length, so that two of them are told apart. How long it took is not recorded. */
export function thoughtWords(text: string): string {
  const words = text.match(/\S+/g)?.length ?? 0
  return `Thought, ${numberWords(words)} ${plural(words, { one: 'word', other: 'words' })}`
}
